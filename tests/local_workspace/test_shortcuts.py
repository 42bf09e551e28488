"""A shortcut of an app in the menu of a message."""

from __future__ import annotations

import pytest

from bot.local_workspace import ManifestError

SHORTCUT = {
    "name": "Ask about this message",
    "type": "message",
    "callback_id": "ask_about",
    "description": "Ask a question about it",
}


@pytest.fixture
def workspace(start, manifest):
    manifest["features"]["shortcuts"] = [SHORTCUT]
    return start(manifest)


@pytest.fixture
def choose(you):
    def call(channel, ts, callback_id="ask_about"):
        body = {"channel": channel, "ts": ts, "callback_id": callback_id}
        return you.api_call("workspace.messageShortcut", json=body)

    return call


def test_the_app_gets_the_message_a_trigger_and_a_way_to_answer(
    bolt, you, general, choose, eventually
):
    taken = []

    @bolt.event("message")
    def ignore():
        pass

    @bolt.message_shortcut("ask_about")
    def take(ack, shortcut, client, respond):
        ack()
        taken.append(shortcut)
        respond("I look at it.")
        title = {"type": "plain_text", "text": "Ask"}
        view = {"type": "modal", "title": title, "blocks": [{"type": "divider"}]}
        client.views_open(trigger_id=shortcut["trigger_id"], view=view)

    ts = you.chat_postMessage(channel=general, text="Refunds were 9,999.")["ts"]
    assert choose(general, ts)["ack_ms"] < 500
    modal = eventually(lambda: you.api_call("workspace.boot")["views"])
    assert modal[0]["title"]["text"] == "Ask"
    (shortcut,) = taken
    assert shortcut["message"]["text"] == "Refunds were 9,999."
    assert (shortcut["message_ts"], shortcut["channel"]["id"]) == (ts, general)
    assert shortcut["user"]["id"] == "U0LOCALYOU"
    seen = you.api_call("workspace.messages", json={"channel": general})["messages"]
    assert any(each.get("is_ephemeral") and each["text"] == "I look at it." for each in seen)


def test_it_is_there_where_the_bot_is_no_member_and_not_on_what_one_person_sees(
    link, bot, you, general, workspace, choose, refused
):
    link()
    hidden = bot.chat_postEphemeral(channel=general, user="U0LOCALYOU", text="only you")
    refused("message_not_found", choose, general, hidden["message_ts"])
    private = workspace.channels["finance-private"]
    ts = you.chat_postMessage(channel=private, text="inner")["ts"]
    refused("operation_timeout", choose, private, ts)  # it was sent, and nobody took it
    refused("unknown_shortcut", choose, private, ts, "another")


@pytest.mark.parametrize(
    "change", [{"type": "global"}, {"callback_id": ""}, {"name": "x" * 25}], ids=str
)
def test_a_wrong_one_is_no_manifest(start, manifest, change):
    manifest["features"]["shortcuts"] = [SHORTCUT | change]
    with pytest.raises(ManifestError, match="shortcut"):
        start(manifest)


def test_it_needs_the_scope_of_commands(start, manifest):
    manifest["features"].pop("slash_commands")
    manifest["features"]["shortcuts"] = [SHORTCUT]
    manifest["oauth_config"]["scopes"]["bot"].remove("commands")
    with pytest.raises(ManifestError, match="shortcuts need the bot scope commands"):
        start(manifest)
