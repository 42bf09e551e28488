"""Changes of messages, as Slack tells of them."""

from __future__ import annotations

import copy
import threading

import pytest


@pytest.fixture
def gate(agent):
    """The agent works until it is set."""
    agent.gate = threading.Event()
    return agent.gate


@pytest.fixture
def told(you):
    """The `message_changed` that Slack sends of a message, its parts changed as given."""

    def payload(ts, *, message=(), previous=(), edited=("1.1", None)):
        made = copy.deepcopy(you.payload("message"))
        user, channel = you.id, you.workspace.channels["data"]
        before = {"type": "message", "user": user, "ts": ts, "text": f"{you.mention} how many?"}
        after = {**before, "text": f"{you.mention} how many rentals?"}
        if edited:
            after["edited"] = {"ts": edited[0], "user": edited[1] or user}
        made["event"] = {
            "type": "message",
            "subtype": "message_changed",
            "hidden": True,
            "channel": channel,
            "channel_type": "channel",
            "ts": "1900000000.000100",
            "event_ts": "1900000000.000100",
            "message": {**after, **dict(message)},
            "previous_message": {**before, **dict(previous)},
        }
        return made

    return payload
