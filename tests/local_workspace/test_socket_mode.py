"""Socket Mode: tickets, hello, acknowledgements, redelivery, two connections, disconnects."""

import contextlib
import http.client
import time
import urllib.parse
from socket import create_connection

import pytest
import simple_websocket
from slack_sdk import WebClient


@pytest.fixture
def ask(you, workspace, general):
    """A mention in #general; its ts."""

    def post(text="how many?"):
        text = f"<@{workspace.bot_user_id}> {text}"
        return you.chat_postMessage(channel=general, text=text)["ts"]

    return post


def test_hello_comes_first_and_counts_connections(link, workspace):
    first, second = link(), link()
    assert first.hello["type"] == "hello"
    assert first.hello["connection_info"]["app_id"].startswith("A")
    assert [first.hello["num_connections"], second.hello["num_connections"]] == [1, 2]
    assert first.hello["debug_info"]["approximate_connection_time"] == 3600


def handshake(url):
    """The HTTP status of a WebSocket handshake."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version": "13",
    }
    with contextlib.closing(connection):
        connection.request("GET", f"{parts.path}?{parts.query}", headers=upgrade)
        return connection.getresponse().status


def test_a_ticket_is_good_once(workspace):
    app = WebClient(base_url=workspace.api_url)
    url = app.apps_connections_open(app_token=workspace.app_token)["url"]
    assert [handshake(url), handshake(url)] == [101, 403]
    assert handshake(url.partition("?")[0] + "?ticket=made-up") == 403


def test_an_app_has_ten_connections_at_most(link):
    for _ in range(10):
        link()
    assert link().hello == {
        "type": "disconnect",
        "reason": "too_many_websockets",
        "debug_info": {"host": "localhost"},
    }


def test_a_mention_arrives_as_two_events_with_one_ts(link, ask, general, workspace):
    socket, ts = link(), ask()
    envelopes = [socket.take(), socket.take()]
    events = {each["payload"]["event"]["type"]: each["payload"] for each in envelopes}
    assert set(events) == {"app_mention", "message"}
    assert {each["event"]["ts"] for each in events.values()} == {ts}
    assert len({each["event_id"] for each in events.values()}) == 2
    assert "channel_type" not in events["app_mention"]["event"]
    assert events["message"]["event"]["channel_type"] == "channel"
    one = envelopes[0]
    assert (one["type"], one["accepts_response_payload"]) == ("events_api", False)
    assert (one["retry_attempt"], one["retry_reason"]) == (0, "")
    payload = one["payload"]
    assert payload["type"] == "event_callback"
    assert payload["authorizations"][0]["user_id"] == workspace.bot_user_id
    assert payload["is_ext_shared_channel"] is False
    assert payload["event"]["channel"] == general


def test_an_unacknowledged_event_comes_again_three_times(link, you, general, eventually):
    socket = link()
    you.chat_postMessage(channel=general, text="hello")
    tries = [socket.receive() for _ in range(4)]
    assert [each["retry_attempt"] for each in tries] == [0, 1, 2, 3]
    assert [each["retry_reason"] for each in tries] == ["", "timeout", "timeout", "timeout"]
    assert len({each["payload"]["event_id"] for each in tries}) == 1
    assert socket.nothing(within=0.8)
    row = eventually(lambda: you.api_call("workspace.deliveries")["deliveries"])[-1]
    assert (row["acked"], row["settled"]) == (False, True)


def test_a_late_acknowledgement_stops_the_redelivery(link, you, general):
    socket = link()
    you.chat_postMessage(channel=general, text="hello")
    socket.receive()
    second = socket.receive()
    socket.ack(second)
    assert socket.nothing(within=0.8)


def test_the_ledger_knows_the_delay_of_an_acknowledgement(link, you, general, eventually):
    socket = link()
    you.chat_postMessage(channel=general, text="hello")
    envelope = socket.receive()
    time.sleep(0.1)
    socket.ack(envelope)

    def acked():
        row = you.api_call("workspace.deliveries")["deliveries"][-1]
        return row if row["acked"] else None

    (attempt,) = eventually(acked)["attempts"]
    assert 100 <= attempt["ack_ms"] < 500


def test_slack_s_own_pauses_are_three_seconds_then_a_minute(start):
    from bot.local_workspace.deliveries import ACK_WITHIN_S, RETRY_PAUSES_S

    assert ACK_WITHIN_S == 3.0
    assert RETRY_PAUSES_S == (0.0, 60.0, 300.0)


def test_an_event_without_a_connection_is_delivered_when_the_app_is_back(link, you, general):
    you.chat_postMessage(channel=general, text="while you were out")
    socket = link()
    envelope = socket.take()
    assert envelope["retry_attempt"] >= 1
    assert envelope["payload"]["event"]["text"] == "while you were out"


def test_two_connections_share_the_events(link, you, general):
    one, two = link(), link()
    for number in range(24):
        you.chat_postMessage(channel=general, text=str(number))
    got = {1: 0, 2: 0}
    for place, socket in ((1, one), (2, two)):
        while (frame := socket.ws.receive(timeout=0.05)) is not None:
            assert "hello" not in frame
            got[place] += 1
    assert sum(got.values()) == 24
    # One side alone has a chance of 2 in 2**24.
    assert all(got.values())


def test_a_dropped_connection_s_event_goes_to_the_other(link, you, general):
    one = link()
    you.chat_postMessage(channel=general, text="hello")
    envelope = one.receive()
    you.api_call("workspace.faults", json={"drop_sockets": True})
    two = link()
    again = two.take()
    assert again["envelope_id"] == envelope["envelope_id"]
    assert again["retry_attempt"] == 1


@pytest.mark.parametrize(
    ("reason", "ends"), [("warning", False), ("refresh_requested", True), ("link_disabled", True)]
)
def test_disconnect_frames(link, you, reason, ends, eventually):
    socket = link()
    you.api_call("workspace.faults", json={"disconnect": reason})
    frame = socket.receive()
    assert (frame["type"], frame["reason"]) == ("disconnect", reason)
    if ends:
        eventually(lambda: not socket.ws.connected)
    else:
        time.sleep(0.1)
        assert socket.ws.connected


# The library's client trips over a ping that comes while it closes, in a thread of its own.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_the_server_pings_and_the_client_may_too(workspace, monkeypatch, eventually):
    from bot.local_workspace import socket_mode

    monkeypatch.setattr(socket_mode, "PING_EVERY_S", 0.4)
    app = WebClient(base_url=workspace.api_url)
    url = app.apps_connections_open(app_token=workspace.app_token)["url"]
    client = simple_websocket.Client.connect(url, ping_interval=0.4)
    # Each side ends the connection when its own ping goes unanswered.
    time.sleep(1.0)
    assert client.connected
    client.close()
    client.thread.join(timeout=5)
    client.sock.close()


def test_a_client_that_answers_no_ping_is_let_go(workspace, monkeypatch):
    monkeypatch.setattr("bot.local_workspace.socket_mode.PING_EVERY_S", 0.2)
    app = WebClient(base_url=workspace.api_url)
    url = urllib.parse.urlsplit(app.apps_connections_open(app_token=workspace.app_token)["url"])
    request = (
        f"GET {url.path}?{url.query} HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n"
    )
    heard = b""
    with create_connection((url.hostname, url.port), timeout=5) as silent:
        silent.sendall(request.encode())
        while part := silent.recv(4096):
            heard += part
            assert heard.count(b"Ping") <= 2, "it is pinged on and on"
    assert heard.count(b"Ping from the local workspace") == 1
