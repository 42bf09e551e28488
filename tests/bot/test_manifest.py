"""The app manifest: an agent in Socket Mode, and nothing in it that the code does not use."""

from __future__ import annotations

import copy

import pytest

from bot.local_workspace import ManifestError
from bot.local_workspace.manifest import EVENT_SCOPES
from bot.manifest import load_manifest

MANIFEST = load_manifest()
EVENTS = MANIFEST["settings"]["event_subscriptions"]["bot_events"]
SCOPES = MANIFEST["oauth_config"]["scopes"]["bot"]


def test_app_is_an_agent_in_socket_mode_without_any_address():
    features, settings = MANIFEST["features"], MANIFEST["settings"]
    assert "agent_view" in features
    assert "assistant_view" not in features
    assert features["app_home"] == {
        "home_tab_enabled": True,
        "messages_tab_enabled": True,
        "messages_tab_read_only_enabled": False,
    }
    assert all(command["should_escape"] for command in features["slash_commands"])
    assert settings["socket_mode_enabled"]
    assert settings["interactivity"]["is_enabled"]
    assert "url" not in str(MANIFEST)


def test_prompt_that_asks_what_to_ask_gets_the_help(bot, agent, you):
    (prompt,) = MANIFEST["features"]["agent_view"]["suggested_prompts"]
    assert prompt["title"] == "What can I ask?"
    dm = you.dm()
    assert "Ask me about your data" in you.card(dm, you.say(dm, prompt["message"]))["text"]
    assert agent.asked == []


def test_every_event_has_a_listener(bot, you, deliver):
    you.card("data", you.ask("data", "how many films?"))
    payload = you.payload()
    for event in EVENTS:
        kind, _, channel_type = event.partition(".")
        payload["event"] = {
            "type": kind,
            "channel_type": channel_type.rstrip("s"),
            "user": you.id,
            "channel": you.workspace.channels["data"],
            "tab": "home",
            "ts": "1.000",
            "thread_ts": "1.000",
        }
        assert deliver(bot, payload) == 200, event


def test_event_without_a_listener_would_not_be_acknowledged(bot, you, deliver):
    you.card("data", you.ask("data", "how many films?"))
    assert deliver(bot, you.payload(type="team_join")) == 404


def without(scope):
    manifest = copy.deepcopy(MANIFEST)
    manifest["oauth_config"]["scopes"]["bot"].remove(scope)
    return manifest


ENTRANCE = [each for each in SCOPES if each.endswith(":history")]
ENTRANCE += ["app_mentions:read", "commands"]


@pytest.mark.parametrize("scope", ENTRANCE)
def test_event_or_command_needs_its_scope(start_workspace, scope):
    with pytest.raises(ManifestError, match=scope):
        start_workspace(manifest=without(scope))


@pytest.mark.parametrize("scope", [each for each in SCOPES if each not in ENTRANCE])
class TestScopeIsUsed:
    @pytest.fixture
    def workspace(self, start_workspace, scope):
        manifest = without(scope)
        subscriptions = manifest["settings"]["event_subscriptions"]
        subscriptions["bot_events"] = [each for each in EVENTS if EVENT_SCOPES[each] != scope]
        return start_workspace(manifest=manifest)

    def test_scope_is_missed(self, start_bot, agent, you, workspace, caplog, chart):
        agent.charts = (chart,)
        start_bot(options={"prompts": ["Films per category"]})
        body = {"name": "inner", "is_private": True, "members": workspace.bot_user_id}
        inner = you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]
        you.client.api_call("workspace.openAppHome", json={"tab": "messages"})
        you.ask("data", "a chart")
        you.ask(inner, "a chart")
        users = [workspace.bot_user_id, "U0LOCALMIA"]
        group = you.client.conversations_open(users=users)["channel"]["id"]
        you.ask(group, "a chart")
        you.eventually(lambda: "missing_scope" in caplog.text)
