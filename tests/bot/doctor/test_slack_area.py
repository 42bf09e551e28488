"""What the doctor says of Slack, asked through Slack's own protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from slack_sdk import WebClient

from bot.doctor import Finding, Level
from bot.doctor.set_up import SetUp
from bot.doctor.slack_area import slack_findings
from bot.local_workspace import LocalWorkspace
from bot.local_workspace.manifest import EVENT_SCOPES
from bot.manifest import load_manifest

MakeSetUp = Callable[..., SetUp]
Said = Callable[[Iterable[Finding], Level], str]


@pytest.fixture(scope="module")
def workspace() -> Iterator[LocalWorkspace]:
    with LocalWorkspace.start(load_manifest()) as running:
        yield running


def of(workspace: LocalWorkspace, **changes: str) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": workspace.bot_token,
        "SLACK_APP_TOKEN": workspace.app_token,
        "DB_AGENT_SLACK_URL": workspace.api_url,
        **changes,
    }


def person(workspace: LocalWorkspace) -> WebClient:
    return WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)


def refuse(workspace: LocalWorkspace, method: str, error: str) -> None:
    planned = {"method": method, "error": error, "times": 1}
    person(workspace).api_call("workspace.faults", json={"error": planned})


def test_two_good_tokens_have_nothing_wrong(
    set_up: MakeSetUp, said: Said, workspace: LocalWorkspace
) -> None:
    helpdesk = workspace.channels["helpdesk"]
    given = set_up(**of(workspace, DB_AGENT_ESCALATION_CHANNEL=helpdesk))
    found = list(slack_findings(given))
    assert said(found, Level.WRONG) == ""
    assert said(found, Level.UNCHECKED) == ""
    good = said(found, Level.OK)
    for words in (
        "SLACK_BOT_TOKEN is @db-agent in the workspace 'Local workspace'",
        "all 14 scopes of the app's manifest are granted",
        "the user @db-agent is active",
        "SLACK_APP_TOKEN opens Socket Mode",
        "where Slack hands out events, can be reached",
        "DB_AGENT_ESCALATION_CHANNEL is a channel that the bot is a member of",
    ):
        assert words in good
    assert abs(given.clocks.ahead_s()["Slack"]) < 3


def test_looking_takes_no_events_from_a_bot_that_runs(
    set_up: MakeSetUp, workspace: LocalWorkspace
) -> None:
    list(slack_findings(set_up(**of(workspace))))
    ledger: Any = person(workspace).api_call("workspace.deliveries")
    assert ledger["connections"] == 0


def test_missing_tokens_are_named_with_where_they_are_to_be_had(
    set_up: MakeSetUp, said: Said
) -> None:
    found = list(slack_findings(set_up()))
    wrong = said(found, Level.WRONG)
    assert 'SLACK_BOT_TOKEN is not set | set it; it is the "Bot User OAuth Token"' in wrong
    assert 'SLACK_APP_TOKEN is not set | set it; it is an "App-Level Token"' in wrong


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"SLACK_BOT_TOKEN": "xoxb-wrong"}, "SLACK_BOT_TOKEN does not work: Slack does not know"),
        ({"SLACK_APP_TOKEN": "xapp-wrong"}, "SLACK_APP_TOKEN does not work: Slack does not know"),
    ],
)
def test_a_wrong_token_does_not_hide_the_other(
    set_up: MakeSetUp, said: Said, workspace: LocalWorkspace, change: dict[str, str], words: str
) -> None:
    found = list(slack_findings(set_up(**of(workspace, **change))))
    assert words in said(found, Level.WRONG)
    assert len([each for each in found if each.level is Level.WRONG]) == 1


@pytest.mark.parametrize(
    ("method", "error", "words"),
    [
        ("auth.test", "token_revoked", "SLACK_BOT_TOKEN does not work: it was revoked"),
        ("auth.test", "account_inactive", "its app was removed from the workspace"),
        ("apps.connections.open", "missing_scope", "its scope does not allow apps.connections"),
        ("auth.test", "internal_error", "wait a minute, and run this again"),
    ],
)
def test_a_refusal_is_told_by_its_reason(
    set_up: MakeSetUp, said: Said, workspace: LocalWorkspace, method: str, error: str, words: str
) -> None:
    refuse(workspace, method, error)
    assert words in said(slack_findings(set_up(**of(workspace))), Level.WRONG)


def test_tokens_of_two_apps_are_told_apart(
    set_up: MakeSetUp, said: Said, workspace: LocalWorkspace
) -> None:
    app = workspace.app_token.split("-")[2]
    with LocalWorkspace.start(load_manifest()) as other:
        change = {"SLACK_BOT_TOKEN": other.bot_token, "DB_AGENT_SLACK_URL": other.api_url}
        # Slack knows both apps; here one workspace has to be taught the other's token.
        tokens = other._workspace.world.tokens
        tokens[workspace.app_token] = tokens[other.app_token]
        found = list(slack_findings(set_up(**of(workspace, **change))))
    assert f"the two tokens are of different apps: SLACK_APP_TOKEN of {app}" in said(
        found, Level.WRONG
    )


def test_scopes_that_differ_from_the_manifest_are_named(set_up: MakeSetUp, said: Said) -> None:
    manifest = load_manifest()
    scopes = manifest["oauth_config"]["scopes"]["bot"]
    scopes.remove("files:write")
    scopes.remove("channels:read")
    scopes.append("reactions:read")
    subscriptions = manifest["settings"]["event_subscriptions"]
    subscriptions["bot_events"] = [
        each for each in subscriptions["bot_events"] if EVENT_SCOPES[each] != "channels:read"
    ]
    with LocalWorkspace.start(manifest) as other:
        helpdesk = other.channels["helpdesk"]
        found = list(slack_findings(set_up(**of(other, DB_AGENT_ESCALATION_CHANNEL=helpdesk))))
    assert "the bot lacks the scopes channels:read, files:write" in said(found, Level.WRONG)
    assert "Reinstall to Workspace" in said(found, Level.WRONG)
    assert "the bot has the scope reactions:read, which it does not need" in said(found, Level.NOTE)
    assert "DB_AGENT_ESCALATION_CHANNEL, because the bot lacks a scope" in said(
        found, Level.UNCHECKED
    )


def test_a_channel_without_the_bot_is_told_how_to_let_it_in(
    set_up: MakeSetUp, said: Said, workspace: LocalWorkspace
) -> None:
    made: Any = person(workspace).api_call("workspace.addChannel", json={"name": "ops"})
    channels = {
        "DB_AGENT_OPERATORS_CHANNEL": made["channel"]["id"],
        "DB_AGENT_ESCALATION_CHANNEL": workspace.channels["finance-private"],
    }
    wrong = said(slack_findings(set_up(**of(workspace, **channels))), Level.WRONG)
    assert "DB_AGENT_OPERATORS_CHANNEL: #ops does not have the bot as a member" in wrong
    assert "DB_AGENT_ESCALATION_CHANNEL: there is no channel" in wrong
    assert wrong.count("/invite") == 2


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:1/api/", "the connection is refused"),
        ("https://no-such-host.invalid/api/", "nobody knows its name here"),
    ],
)
def test_slack_out_of_reach_is_said_once(set_up: MakeSetUp, said: Said, url: str, why: str) -> None:
    given = set_up(
        SLACK_BOT_TOKEN="xoxb-secret-1", SLACK_APP_TOKEN="xapp-secret-1", DB_AGENT_SLACK_URL=url
    )
    found = list(slack_findings(given))
    assert [each.what for each in found if each.level is Level.WRONG] == [
        f"Slack cannot be reached at {url}: {why}"
    ]
    assert "secret" not in str(found)


def test_tokens_are_not_sent_where_anybody_can_read_them(set_up: MakeSetUp, said: Said) -> None:
    given = set_up(DB_AGENT_SLACK_URL="http://slack.example.invalid/api/")
    assert "tokens would go unencrypted to" in said(slack_findings(given), Level.WRONG)
