"""Events and sockets that go wrong as planned."""

from __future__ import annotations

import time

import pytest


def event_ids(envelopes):
    return [each["payload"]["event_id"] for each in envelopes]


def test_an_event_comes_twice_under_two_envelope_ids(link, you, general):
    socket = link()
    you.api_call("workspace.faults", json={"duplicate_event": 1})
    you.chat_postMessage(channel=general, text="hello")
    both = [socket.take(), socket.take()]
    assert len(set(event_ids(both))) == 1
    assert len({each["envelope_id"] for each in both}) == 2
    assert [each["retry_attempt"] for each in both] == [0, 0]
    you.chat_postMessage(channel=general, text="once")
    assert socket.take_event()["text"] == "once"
    assert socket.nothing()


def test_an_acknowledgement_that_is_not_heard_brings_the_envelope_again(
    link, you, general, eventually
):
    socket = link()
    you.api_call("workspace.faults", json={"redelivery": 1})
    you.chat_postMessage(channel=general, text="hello")
    first, again = socket.take(), socket.take()
    assert again["envelope_id"] == first["envelope_id"]
    assert event_ids([first]) == event_ids([again])
    assert [each["retry_attempt"] for each in (first, again)] == [0, 1]
    assert again["retry_reason"] == "timeout"
    row = eventually(
        lambda: [
            each for each in you.api_call("workspace.deliveries")["deliveries"] if each["settled"]
        ]
    )[-1]
    assert [each["ack_ms"] is None for each in row["attempts"]] == [True, False]


def test_a_connection_ends_in_the_middle_of_a_frame(link, you, general, eventually):
    one = link()
    you.api_call("workspace.faults", json={"cut_frame": 1})
    you.chat_postMessage(channel=general, text="hello")
    eventually(lambda: not one.ws.connected)
    two = link()
    again = two.take()
    assert again["payload"]["event"]["text"] == "hello"
    assert again["retry_attempt"] == 1


def test_a_connection_ends_with_a_close_frame(link, you, eventually):
    socket = link()
    you.api_call("workspace.faults", json={"close_sockets": True})
    eventually(lambda: not socket.ws.connected)
    assert socket.ws.close_reason == 1000
    eventually(lambda: not you.api_call("workspace.deliveries")["connections"])


def test_commands_and_clicks_come_once_whatever_is_planned_for_events(link, you, general):
    socket = link()
    you.api_call("workspace.faults", json={"duplicate_event": 1, "redelivery": 1})
    started = time.monotonic()
    with pytest.raises(Exception, match="operation_timeout"):  # nobody acknowledges it
        you.api_call(
            "workspace.slashCommand", json={"channel": general, "command": "/ask", "text": "x"}
        )
    assert time.monotonic() - started < 5
    assert socket.receive()["type"] == "slash_commands"
    assert socket.nothing()
