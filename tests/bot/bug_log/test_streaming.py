"""What other bots got wrong with streamed messages: the rest of the answer never came.

The numbers are the rows of the list of such reports that this bot is measured by.
"""

from __future__ import annotations

import json

import pytest

from bot.progress import Progress
from tests.bot.streams.conftest import SteppedAgent, Streams

LONG = "The answer goes on and on, with a figure here and there. " * 150 + "This is the end of it."


@pytest.fixture
def agent(monkeypatch):
    monkeypatch.setitem(Progress.__init__.__kwdefaults__, "every_s", 0.0)
    monkeypatch.setattr("bot.allowance.APPENDS_PER_MINUTE", 100_000)
    return SteppedAgent(changes={"answer": LONG})


@pytest.fixture
def streams(you):
    return Streams(you)


@pytest.fixture
def undisturbed(bot, agent, you):
    """The words of the card of a run whose stream ends when it should."""
    agent.gate.set()
    words = told(you.card("data", you.ask("data", "tell me all")))
    agent.gate.clear()
    assert "This is the end of it." in words
    return words


def told(card):
    """All that a card says, byte by byte, but for the name of its run."""
    blocks = json.dumps(card["blocks"], ensure_ascii=False)
    button = next(block for block in card["blocks"] if block["type"] == "actions")
    return blocks.replace(button["elements"][0]["value"], "") + card["text"]


def begin(person, agent):
    """Ask, and wait until the question is worked on; its ts."""
    before = len(agent.asked)
    ts = person.ask("data", "tell me all")
    person.eventually(lambda: len(agent.asked) > before)
    return ts


@pytest.mark.parametrize("end", ["between two steps", "after the last step", "none was begun"])
def test_20_tail_of_the_answer_is_not_lost_with_the_stream(undisturbed, agent, you, streams, end):
    if end == "none was begun":
        you.without_streams()
    ts = begin(you, agent)
    working = streams.message("data", ts)
    you.faults(expire_streams=True)
    if end == "between two steps":
        agent.take("first", "second")
        assert streams.shows("data", ts, "✓ Did first.", "✓ Did second.")["ts"] == working["ts"]
    agent.gate.set()
    card = you.card("data", ts)
    assert told(card) == undisturbed
    assert card["ts"] == working["ts"]
    assert len(you.from_bot("data", ts)) == 1


def test_21_what_had_not_been_sent_is_not_lost_when_the_stream_is_left(
    undisturbed, agent, you, streams
):
    ts = begin(you, agent)
    agent.take("first")
    streams.shows("data", ts, "✓ Did first.")
    kept = [f"step {number} " + "x" * 120 for number in range(3)]
    refusals = {"method": "chat.appendStream", "error": "internal_error", "times": 1_000}
    you.faults(error=refusals)
    agent.take(*kept)  # nothing of them comes through
    you.faults(expire_streams=True)
    you.faults(error={**refusals, "times": 0})
    agent.take("the next one")
    expected = [f"✓ Did {each}." for each in (*kept, "the next one")]
    streams.shows("data", ts, "✓ Did first.", *expected)
    agent.gate.set()
    assert told(you.card("data", ts)) == undisturbed
