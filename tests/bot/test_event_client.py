"""Events off the wire: however many come at once, and however they are cut."""

from __future__ import annotations

import logging
import queue
import socket
import threading
import time

import pytest
from slack_sdk import WebClient
from slack_sdk.socket_mode.builtin.connection import Connection
from wsproto.connection import Connection as Protocol
from wsproto.connection import ConnectionType
from wsproto.events import CloseConnection, Event, Ping, Pong, TextMessage

from bot.event_client import EventClient

WITHIN_S = 10.0


class Wire:
    """Slack's end of an event connection, and what the client hears of it."""

    def __init__(self) -> None:
        self.ours, self.slacks = socket.socketpair()
        self.ours.settimeout(0.2)
        self.slacks.settimeout(WITHIN_S)
        self.heard: queue.Queue[str] = queue.Queue()
        self.client = EventClient("xapp-1", WebClient())
        self.client.on_message_listeners.append(self.heard.put)
        self.session = Connection("ws://slack", logging.getLogger(__name__))
        self.session.sock = self.ours
        self.protocol = Protocol(ConnectionType.SERVER)
        self.client.current_session = self.session

    def bytes_of(self, *events: Event) -> bytes:
        return b"".join(self.protocol.send(event) for event in events)

    def send(self, data: bytes) -> None:
        threading.Thread(target=self.slacks.sendall, args=(data,), daemon=True).start()

    def next(self) -> str:
        return self.heard.get(timeout=WITHIN_S)

    def close(self) -> None:
        self.client.closed = True
        self.client.current_session_state.terminated = True
        self.client.message_queue.put(None)
        self.client.close()
        self.slacks.close()


@pytest.fixture
def wire():
    made = Wire()
    yield made
    made.close()


def test_two_thousand_events_in_one_piece_all_arrive_in_order(wire):
    wire.send(wire.bytes_of(*(TextMessage(f"{number} {'x' * 1000}") for number in range(2000))))
    assert [int(wire.next().partition(" ")[0]) for _ in range(2000)] == list(range(2000))


def test_an_event_is_heard_though_the_next_one_is_not_whole(wire):
    first, second = wire.bytes_of(TextMessage("one")), wire.bytes_of(TextMessage("two"))
    wire.send(first + second[:3])
    assert wire.next() == "one"
    wire.send(second[3:])
    assert wire.next() == "two"


def test_what_is_left_of_the_handshake_is_no_event(wire):
    wire.send(b"\r\n" + wire.bytes_of(TextMessage("one")))
    assert wire.next() == "one"


def test_an_event_may_come_in_several_frames(wire):
    parts = TextMessage("hel", message_finished=False), TextMessage("lo")
    wire.send(wire.bytes_of(*parts))
    assert wire.next() == "hello"


def test_a_ping_without_words_is_answered_at_once(wire):
    wire.send(wire.bytes_of(Ping(b"")))
    wire.protocol.receive_data(wire.slacks.recv(1024))
    assert [type(event) for event in wire.protocol.events()] == [Pong]


def test_a_goodbye_ends_the_connection(wire):
    wire.send(wire.bytes_of(CloseConnection(1000)))
    assert wire.slacks.recv(1024) == b""
    until = time.monotonic() + WITHIN_S
    while wire.session.is_active():
        assert time.monotonic() < until
        time.sleep(0.01)
