"""The real, unchanged Bolt over Socket Mode, end to end."""

import threading

import pytest


@pytest.fixture
def hurry(hurry):
    # A browser, or Bolt, on a busy machine needs more than the half second of the other tests.
    return {**hurry, "ack_within": 1.0}


def test_a_mention_is_answered_in_its_thread(bolt, you, general, workspace, eventually):
    @bolt.event("app_mention")
    def answer(event, say):
        say("42", thread_ts=event["ts"])

    @bolt.event("message")
    def ignore():
        pass

    asked = f"<@{workspace.bot_user_id}> how many?"
    ts = you.chat_postMessage(channel=general, text=asked)["ts"]

    def thread():
        return you.conversations_replies(channel=general, ts=ts)["messages"][1:]

    (reply,) = eventually(thread)
    assert reply["text"] == "42"
    rows = eventually(
        lambda: [r for r in you.api_call("workspace.deliveries")["deliveries"] if r["acked"]]
    )
    assert all(len(row["attempts"]) == 1 for row in rows)


def test_an_event_without_a_listener_is_never_acknowledged(bolt, you, general, eventually):
    you.chat_postMessage(channel=general, text="nobody listens")

    def sent_again():
        row = you.api_call("workspace.deliveries")["deliveries"][0]
        return row if len(row["attempts"]) > 1 else None

    assert eventually(sent_again)["acked"] is False


def test_retries_reach_bolt_with_their_number(bolt, you, general, eventually):
    seen = []

    @bolt.middleware
    def note(req, resp, next):
        seen.append((req.headers.get("x-slack-retry-num"), req.headers.get("x-slack-retry-reason")))
        return next()

    you.chat_postMessage(channel=general, text="nobody listens")
    eventually(lambda: len(seen) >= 2)
    assert [number[0] for number, _ in seen[:2]] == ["0", "1"]
    assert seen[1][1] == ["timeout"]


def test_a_button_a_command_and_a_modal(bolt, you, general, eventually):
    submitted = threading.Event()

    @bolt.event("message")
    def ignore():
        pass

    @bolt.command("/ask")
    def ask(ack, say, command):
        ack()
        button = {
            "type": "button",
            "action_id": "sql",
            "text": {"type": "plain_text", "text": "SQL"},
        }
        say(text=command["text"], blocks=[{"type": "actions", "elements": [button]}])

    @bolt.action("sql")
    def sql(ack, body, client, respond):
        ack()
        respond("SELECT 1")
        element = {"type": "plain_text_input", "action_id": "t"}
        label = {"type": "plain_text", "text": "Why"}
        view = {
            "type": "modal",
            "callback_id": "why",
            "title": label,
            "submit": label,
            "blocks": [{"type": "input", "block_id": "b", "label": label, "element": element}],
        }
        client.views_open(trigger_id=body["trigger_id"], view=view)

    @bolt.view("why")
    def why(ack, view):
        if view["state"]["values"]["b"]["t"]["value"] == "":
            ack(response_action="errors", errors={"b": "empty"})
        else:
            ack()
            submitted.set()

    def messages():
        return you.api_call("workspace.messages", json={"channel": general})["messages"]

    typed = {"channel": general, "command": "/ask", "text": "how many"}
    you.api_call("workspace.slashCommand", json=typed)
    (card,) = eventually(messages)
    click = {"channel": general, "ts": card["ts"], "action_id": "sql"}
    you.api_call("workspace.clickButton", json=click)
    eventually(lambda: [m for m in messages() if m["text"] == "SELECT 1" and m["is_ephemeral"]])

    def views():
        return [c for c in opened(you) if c]

    view_id = eventually(views)[0]
    empty = {"view_id": view_id, "values": {"b": {"t": {"type": "plain_text_input", "value": ""}}}}
    answer = you.api_call("workspace.submitView", json=empty)
    assert answer["errors"] == {"b": "empty"}
    empty["values"]["b"]["t"]["value"] = "because"
    you.api_call("workspace.submitView", json=empty)
    assert submitted.wait(5)


def opened(client):
    """The ids of the modals that stand open for this person."""
    return [each["id"] for each in client.api_call("workspace.boot")["views"]]


@pytest.mark.parametrize("how", [{"drop_sockets": True}, {"disconnect": "refresh_requested"}])
def test_bolt_comes_back_after_a_dropped_or_ended_connection(bolt, you, general, eventually, how):
    heard = []

    @bolt.event("message")
    def note(event):
        heard.append(event["text"])

    def connections():
        return you.api_call("workspace.deliveries")["connections"]

    eventually(lambda: connections() == 1)
    you.api_call("workspace.faults", json=how)
    eventually(lambda: connections() == 0)
    eventually(lambda: connections() == 1, within=20)
    you.chat_postMessage(channel=general, text="welcome back")
    eventually(lambda: heard)
