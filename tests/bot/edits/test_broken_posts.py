"""A first card that a broken connection left standing is not forgotten with its run."""

from __future__ import annotations

import pytest


@pytest.fixture
def unheard(start_bot, agent, gate, deliver, you):
    """A question at work whose first card stands there, though nobody has told the bot so."""
    agent.steps = ()
    you.without_streams()
    bot = start_bot()
    gate.set()
    you.card("data", you.ask("data", "the first"))
    gate.clear()
    ts = you.say("data", f"the message for {you.id}")
    you.settled()
    you.faults(**{"break": {"method": "chat.postMessage", "times": 1, "taken": True}})
    deliver(bot, you.payload(ts=ts, text=f"{you.mention} how many films?"))
    you.eventually(lambda: len(agent.asked) == 2 and you.from_bot("data", ts))
    return ts


def test_the_card_of_a_changed_question_is_taken_over_by_the_next_answer(unheard, agent, gate, you):
    words = f"{you.mention} how many rentals?"
    you.client.chat_update(channel=you.workspace.channels["data"], ts=unheard, text=words)
    you.eventually(lambda: len(agent.asked) == 3)
    gate.set()
    you.eventually(lambda: "You asked: how many rentals?" in str(you.from_bot("data", unheard)))
    assert len(you.from_bot("data", unheard)) == 1


def test_the_card_of_a_deleted_question_says_that_it_was_deleted(unheard, you):
    you.client.chat_delete(channel=you.workspace.channels["data"], ts=unheard)
    you.eventually(lambda: "The question was deleted" in str(you.from_bot("data", unheard)))
    assert len(you.from_bot("data", unheard)) == 1
