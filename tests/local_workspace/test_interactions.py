"""Clicks, commands and modals: the payloads, the three seconds, and what the person sees."""

import threading
import time

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError


def in_background(call, *args, **arguments):
    """Runs a call that waits for the app; its outcome is in the list afterwards."""
    outcome = []

    def run():
        try:
            outcome.append(call(*args, **arguments).data)
        except Exception as error:
            outcome.append(error.response.data)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, outcome


@pytest.fixture
def card(bot, you, general):
    """A threaded message with a button, a select and feedback buttons."""
    root = you.chat_postMessage(channel=general, text="q")["ts"]
    text = {"type": "plain_text", "text": "Show SQL"}
    option = {"text": {"type": "plain_text", "text": "Bar"}, "value": "bar"}
    good = {"text": {"type": "plain_text", "text": "Good"}, "value": "up"}
    blocks = [
        {
            "type": "actions",
            "block_id": "card",
            "elements": [
                {"type": "button", "action_id": "sql", "text": text, "value": "run-7"},
                {"type": "static_select", "action_id": "chart", "options": [option]},
            ],
        },
        {
            "type": "context_actions",
            "block_id": "feedback",
            "elements": [
                {
                    "type": "feedback_buttons",
                    "action_id": "vote",
                    "positive_button": good,
                    "negative_button": {**good, "value": "down"},
                }
            ],
        },
    ]
    posted = bot.chat_postMessage(channel=general, thread_ts=root, text="answer", blocks=blocks)
    return {"channel": general, "ts": posted["ts"]}


def test_a_click_is_a_block_actions_payload(link, you, card, workspace, general):
    socket = link()
    click = {**card, "action_id": "sql"}
    thread, outcome = in_background(you.api_call, "workspace.clickButton", json=click)
    envelope = socket.take(kind="interactive")
    thread.join()
    assert (envelope["type"], envelope["accepts_response_payload"]) == ("interactive", False)
    payload = envelope["payload"]
    assert payload["type"] == "block_actions"
    assert payload["user"]["id"] == "U0LOCALYOU"
    assert payload["channel"] == {"id": general, "name": "general"}
    assert payload["message"]["ts"] == card["ts"]
    assert payload["container"]["thread_ts"] == payload["message"]["thread_ts"]
    action = payload["actions"][0]
    assert (action["type"], action["action_id"], action["block_id"]) == ("button", "sql", "card")
    assert action["value"] == "run-7"
    assert payload["response_url"].startswith(workspace.url)
    assert outcome[0]["ok"] is True
    assert outcome[0]["ack_ms"] < 500


@pytest.mark.parametrize(
    ("action_id", "value", "field", "sent"),
    [
        ("vote", "down", "value", "down"),
        (
            "chart",
            "bar",
            "selected_option",
            {"text": {"type": "plain_text", "text": "Bar"}, "value": "bar"},
        ),
    ],
)
def test_feedback_and_options_send_what_was_chosen(link, you, card, action_id, value, field, sent):
    socket = link()
    click = {**card, "action_id": action_id, "value": value}
    thread, _ = in_background(you.api_call, "workspace.clickButton", json=click)
    assert socket.take(kind="interactive")["payload"]["actions"][0][field] == sent
    thread.join()


def test_what_is_not_there_cannot_be_clicked(you, card, refused):
    click = "workspace.clickButton"
    refused("no_such_element", you.api_call, click, json={**card, "action_id": "nothing"})
    wrong = {**card, "action_id": "sql", "block_id": "feedback"}
    refused("no_such_element", you.api_call, click, json=wrong)
    vote = {**card, "action_id": "vote", "value": "sideways"}
    refused("no_such_element", you.api_call, click, json=vote)
    gone = {**card, "ts": "1.000001", "action_id": "sql"}
    refused("message_not_found", you.api_call, click, json=gone)


def test_a_click_that_nobody_acknowledges_is_an_error_and_comes_once(link, you, card, refused):
    link()
    click = {**card, "action_id": "sql"}
    refused("operation_timeout", you.api_call, "workspace.clickButton", json=click)
    time.sleep(0.6)
    row = you.api_call("workspace.deliveries")["deliveries"][-1]
    assert (row["type"], row["acked"], len(row["attempts"])) == ("interactive", False, 1)
    assert "retry_attempt" not in row["payload"]


def test_without_a_connected_app_a_click_fails_at_once(you, card, refused):
    click = {**card, "action_id": "sql"}
    refused("dispatch_failed", you.api_call, "workspace.clickButton", json=click)


def test_a_click_on_an_ephemeral_message_has_no_message_inside(
    link, bot, you, mia, general, refused
):
    button = {"type": "button", "action_id": "x", "text": {"type": "plain_text", "text": "X"}}
    blocks = [{"type": "actions", "elements": [button]}]
    to_you = {"channel": general, "user": "U0LOCALYOU", "text": "x", "blocks": blocks}
    ts = bot.chat_postEphemeral(**to_you)["message_ts"]
    socket = link()
    click = {"channel": general, "ts": ts, "action_id": "x"}
    refused("message_not_found", mia.api_call, "workspace.clickButton", json=click)
    thread, _ = in_background(you.api_call, "workspace.clickButton", json=click)
    payload = socket.take(kind="interactive")["payload"]
    thread.join()
    assert payload["container"]["is_ephemeral"] is True
    assert "message" not in payload


def test_a_command_is_a_flat_payload(link, you, general):
    socket = link()
    typed = {"channel": general, "command": "/ask", "text": "how many films"}
    thread, outcome = in_background(you.api_call, "workspace.slashCommand", json=typed)
    envelope = socket.take()
    thread.join()
    assert (envelope["type"], envelope["accepts_response_payload"]) == ("slash_commands", True)
    payload = envelope["payload"]
    assert (payload["command"], payload["text"]) == ("/ask", "how many films")
    assert (payload["channel_id"], payload["channel_name"]) == (general, "general")
    assert (payload["user_id"], payload["user_name"]) == ("U0LOCALYOU", "you")
    assert payload["is_enterprise_install"] == "false"
    assert outcome[0]["ok"] is True


@pytest.mark.parametrize(
    ("escapes", "sent"),
    [
        (False, "a &lt; b by @mia in #data"),
        (True, "a &lt; b by <@U0LOCALMIA|mia> in <#C0LOCALDAT|data>"),
    ],
)
def test_names_in_a_command_become_tokens_if_the_manifest_says_so(start, manifest, escapes, sent):
    manifest["features"]["slash_commands"][0]["should_escape"] = escapes
    workspace = start(manifest)
    you = WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)
    typed = {"channel": workspace.channels["general"], "command": "/ask"}
    with pytest.raises(SlackApiError, match="dispatch_failed"):
        you.api_call("workspace.slashCommand", json={**typed, "text": "a < b by @mia in #data"})
    row = you.api_call("workspace.deliveries")["deliveries"][-1]
    assert row["payload"]["text"] == sent


def test_a_command_answered_in_the_acknowledgement_is_shown(link, you, mia, general):
    socket = link()
    typed = {"channel": general, "command": "/ask", "text": "x"}
    for payload, seen_by_all in (
        ({"text": "for you"}, False),
        ({"text": "for all", "response_type": "in_channel"}, True),
    ):
        thread, _ = in_background(you.api_call, "workspace.slashCommand", json=typed)
        socket.take(payload)
        thread.join()
        history = [m["text"] for m in mia.conversations_history(channel=general)["messages"]]
        assert (payload["text"] in history) is seen_by_all
    yours = you.api_call("workspace.messages", json={"channel": general})["messages"]
    assert [m["text"] for m in yours] == ["for you", "for all"]


def test_a_command_that_nobody_acknowledges_times_out(link, you, general, refused):
    socket = link()
    typed = {"channel": general, "command": "/ask", "text": "x"}
    refused("operation_timeout", you.api_call, "workspace.slashCommand", json=typed)
    socket.receive()
    typed["command"] = "/nothing"
    refused("unknown_command", you.api_call, "workspace.slashCommand", json=typed)


MODAL = {
    "type": "modal",
    "callback_id": "why",
    "title": {"type": "plain_text", "text": "Why?"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "reason",
            "label": {"type": "plain_text", "text": "Reason"},
            "element": {"type": "plain_text_input", "action_id": "text"},
        }
    ],
}
VALUES = {"reason": {"text": {"type": "plain_text_input", "value": "wrong month"}}}


@pytest.fixture
def trigger(link, you, card):
    """A fresh trigger_id from a click, and the socket that it came over."""
    socket = link()

    def click():
        thread, _ = in_background(
            you.api_call, "workspace.clickButton", json={**card, "action_id": "sql"}
        )
        trigger_id = socket.take(kind="interactive")["payload"]["trigger_id"]
        thread.join()
        return trigger_id

    return socket, click


def test_a_modal_opens_once_per_trigger_and_comes_back_filled_in(bot, you, trigger, refused):
    socket, click = trigger
    trigger_id = click()
    view = bot.views_open(trigger_id=trigger_id, view=MODAL)["view"]
    assert (view["callback_id"], view["type"]) == ("why", "modal")
    refused("exchanged_trigger_id", bot.views_open, trigger_id=trigger_id, view=MODAL)
    refused("invalid_trigger_id", bot.views_open, trigger_id="1.2.x", view=MODAL)
    filled = {"view_id": view["id"], "values": VALUES}
    thread, outcome = in_background(you.api_call, "workspace.submitView", json=filled)
    payload = socket.take(kind="interactive")["payload"]
    thread.join()
    assert payload["type"] == "view_submission"
    assert payload["view"]["state"]["values"] == VALUES
    assert outcome[0]["ok"] is True
    refused("not_found", you.api_call, "workspace.submitView", json=filled)


def test_a_trigger_lives_three_seconds(bot, trigger, refused, monkeypatch):
    from bot.local_workspace import world

    _, click = trigger
    trigger_id = click()
    assert world.TRIGGER_LIFE_S == 3.0
    monkeypatch.setattr(world, "TRIGGER_LIFE_S", 0.0)
    refused("expired_trigger_id", bot.views_open, trigger_id=trigger_id, view=MODAL)


def test_errors_update_and_push_in_the_acknowledgement(bot, you, trigger):
    socket, click = trigger
    view = bot.views_open(trigger_id=click(), view=MODAL)["view"]
    submit = {"view_id": view["id"], "values": VALUES}

    def answered(payload):
        thread, outcome = in_background(you.api_call, "workspace.submitView", json=submit)
        socket.take(payload, "interactive")
        thread.join()
        return outcome[0]

    wrong = {"response_action": "errors", "errors": {"reason": "too short"}}
    assert answered(wrong)["errors"] == {"reason": "too short"}
    other = {**MODAL, "title": {"type": "plain_text", "text": "Really?"}}
    shown = answered({"response_action": "update", "view": other})["view"]
    assert (shown["id"], shown["title"]["text"]) == (view["id"], "Really?")
    pushed = answered({"response_action": "push", "view": MODAL})["view"]
    assert (pushed["previous_view_id"], pushed["root_view_id"]) == (view["id"], view["id"])
    submit["view_id"] = pushed["id"]
    assert answered({"response_action": "clear"})["response_action"] == "clear"


def test_a_wrong_view_is_refused(bot, trigger, refused):
    _, click = trigger
    trigger_id = click()
    for change, says in (
        ({"title": {"type": "plain_text", "text": "x" * 25}}, "25"),
        ({"private_metadata": "x" * 3001}, "3001"),
        ({"blocks": [{"type": "table", "rows": []}]}, "unsupported type: table"),
        ({"submit": None}, "object"),
        ({"blocks": [{"type": "divider"}] * 101}, "100"),
    ):
        body = refused(
            "invalid_arguments", bot.views_open, trigger_id=trigger_id, view={**MODAL, **change}
        )
        assert any(says in each for each in body["response_metadata"]["messages"])
    bot.views_open(trigger_id=trigger_id, view=MODAL)


def test_the_home_tab_is_published_and_guarded_by_its_hash(bot, you, link, refused):
    home = {"type": "home", "blocks": [{"type": "divider"}]}
    first = bot.views_publish(user_id="U0LOCALYOU", view=home)["view"]
    again = bot.views_publish(user_id="U0LOCALYOU", view=home, hash=first["hash"])["view"]
    assert again["id"] == first["id"]
    refused("hash_conflict", bot.views_publish, user_id="U0LOCALYOU", view=home, hash=first["hash"])
    refused("invalid_arguments", bot.views_publish, user_id="U0NOBODY", view=home)
    refused("invalid_arguments", bot.views_publish, user_id="U0LOCALYOU", view=MODAL)
    shown = you.api_call("workspace.boot")["apps"][0]["home"]
    assert shown["id"] == first["id"]


def test_a_modal_can_be_changed_and_closed(bot, you, trigger, refused):
    socket, click = trigger
    view = bot.views_open(trigger_id=click(), view={**MODAL, "notify_on_close": True})["view"]
    other = {**MODAL, "title": {"type": "plain_text", "text": "Two"}, "notify_on_close": True}
    changed = bot.views_update(view_id=view["id"], view=other)["view"]
    assert changed["title"]["text"] == "Two"
    old = {"view_id": view["id"], "hash": view["hash"], "view": other}
    refused("hash_conflict", bot.views_update, **old)
    you.api_call("workspace.closeView", json={"view_id": view["id"]})
    assert socket.take(kind="interactive")["payload"]["type"] == "view_closed"
    refused("not_found", bot.views_update, view_id=view["id"], view=other)
