"""The place of a question is closed while it is worked on, or who asked is gone."""

from __future__ import annotations

import threading

import pytest


@pytest.fixture
def at_work(start_bot, agent, you):
    """A question that is worked on."""
    agent.gate = threading.Event()
    start_bot()
    ts = you.ask("data", "how many films?")
    # a progress edit that is under way would be refused in the card's stead
    you.eventually(lambda: "I ran a query" in str(you.from_bot("data", ts)))
    return ts


@pytest.mark.parametrize("error", ["not_in_channel", "is_archived"])
def test_who_asked_is_told_that_the_channel_takes_no_answer_and_reads_it_nowhere_else(
    at_work, agent, you, mia, error
):
    you.faults(error={"method": "chat.update", "error": error, "times": 999})
    agent.gate.set()
    notice = you.told(you.dm(), "I cannot put the answer to your question into")
    assert f"<#{you.workspace.channels['data']}>" in notice["text"]
    assert "Ask again" in notice["text"]
    assert "You asked" not in str(notice)
    assert "Sports" not in str(notice)
    assert mia.from_bot(mia.dm()) == []


def test_who_asked_from_a_channel_that_we_were_removed_from_is_told_to_invite_us(
    at_work, agent, you
):
    for method in ("chat.update", "conversations.info"):
        you.faults(error={"method": method, "error": "channel_not_found", "times": 999})
    agent.gate.set()
    assert "/invite @" in you.told(you.dm(), "I am no member of it any more")["text"]


def test_answer_is_not_shown_once_who_asked_was_deactivated(bot, agent, you, newcomer, workspace):
    agent.gate = threading.Event()
    gone = newcomer("gone")
    ts = gone.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    workspace._workspace.world.users[gone.id].deleted = True
    agent.gate.set()
    card = you.card("data", ts)
    assert "has left the workspace" in card["text"]
    assert "You asked" not in str(card)
