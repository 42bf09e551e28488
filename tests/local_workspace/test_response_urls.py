"""response_url: five uses, thirty minutes, and the ways to answer."""

import threading

import pytest
from slack_sdk.webhook import WebhookClient


@pytest.fixture
def command(link, you, general):
    """Types /ask in #general and gives a client for its response_url."""
    socket = link()

    def typed():
        arguments = {"channel": general, "command": "/ask", "text": "x"}
        thread = threading.Thread(
            target=you.api_call, args=["workspace.slashCommand"], kwargs={"json": arguments}
        )
        thread.start()
        envelope = socket.take()
        thread.join()
        return WebhookClient(envelope["payload"]["response_url"])

    return typed


@pytest.fixture
def clicked(link, bot, you, general):
    """Posts a message with a button into a thread, clicks it; (client, root ts, message ts)."""

    def click():
        root = you.chat_postMessage(channel=general, text="q")["ts"]
        button = {"type": "button", "action_id": "x", "text": {"type": "plain_text", "text": "X"}}
        ts = bot.chat_postMessage(
            channel=general,
            thread_ts=root,
            text="card",
            blocks=[{"type": "actions", "elements": [button]}],
        )["ts"]
        socket = link()
        arguments = {"channel": general, "ts": ts, "action_id": "x"}
        thread = threading.Thread(
            target=you.api_call, args=["workspace.clickButton"], kwargs={"json": arguments}
        )
        thread.start()
        envelope = socket.take(kind="interactive")
        thread.join()
        return WebhookClient(envelope["payload"]["response_url"]), root, ts

    return click


def seen(client, channel, thread_ts=""):
    where = {"channel": channel, "thread_ts": thread_ts}
    messages = client.api_call("workspace.messages", json=where)["messages"]
    return [(m["text"], bool(m.get("is_ephemeral"))) for m in messages]


def test_an_answer_is_ephemeral_unless_it_says_in_channel(command, you, mia, general):
    url = command()
    assert url.send(text="for you").body == "ok"
    url.send(text="for all", response_type="in_channel")
    assert seen(you, general) == [("for you", True), ("for all", False)]
    assert seen(mia, general) == [("for all", False)]


def test_an_address_is_good_for_five_uses(command):
    url = command()
    assert [url.send(text="x").status_code for _ in range(6)] == [200] * 5 + [404]
    assert "used_url" in url.send(text="x").body


def test_an_address_is_good_for_thirty_minutes(command, monkeypatch):
    from bot.local_workspace import replies

    assert replies.LIFE_S == 1800
    url = command()
    monkeypatch.setattr(replies, "LIFE_S", 0)
    answer = url.send(text="x")
    assert (answer.status_code, "expired_url" in answer.body) == (404, True)


def test_an_unknown_address_is_refused(workspace):
    answer = WebhookClient(f"{workspace.url}respond/made-up").send(text="x")
    assert answer.status_code == 404


def test_an_answer_to_a_click_in_a_thread_appears_there(clicked, you, general):
    url, root, _ = clicked()
    url.send(text="SELECT 1")
    assert seen(you, general, root)[-1] == ("SELECT 1", True)


def test_the_original_can_be_replaced_and_deleted(clicked, you, general):
    url, root, _ = clicked()
    url.send(text="changed", replace_original=True)
    assert seen(you, general, root) == [("q", False), ("changed", False)]
    url.send(delete_original=True)
    assert seen(you, general, root) == [("q", False)]


def test_a_public_answer_goes_into_the_thread_that_it_names(clicked, you, mia, general):
    url, root, _ = clicked()
    send = {"text": "all", "response_type": "in_channel", "replace_original": False}
    url.send_dict({**send, "thread_ts": root})
    assert seen(mia, general, root)[-1] == ("all", False)


def test_an_answer_works_where_the_bot_is_no_member(link, you, workspace):
    socket = link()
    channel = workspace.channels["finance-private"]
    arguments = {"channel": channel, "command": "/ask", "text": "x"}
    thread = threading.Thread(
        target=you.api_call, args=["workspace.slashCommand"], kwargs={"json": arguments}
    )
    thread.start()
    url = WebhookClient(socket.take()["payload"]["response_url"])
    thread.join()
    assert url.send(text="x", response_type="in_channel").status_code == 200
    assert seen(you, channel) == [("x", False)]


def test_limits_hold_for_answers_too(command):
    url = command()
    answer = url.send(text="x", blocks=[{"type": "shrug"}])
    assert "invalid_blocks" in answer.body
    assert "no_text" in url.send(text="").body
