"""Why an answer is as it is: the button, the reply "why?", and /ask why."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.messages import Outcome, Step, Transition
from agent.state import AgentState, Event, Phase

LOOKED = Step("get_schema", True, "film")
RAN = Step("execute_read_only_sql", True, "select 1", rows=2, duration_ms=31.0)


def observed(step, trigger):
    now, after = datetime.now(UTC), Phase.THOUGHT
    state = AgentState(after, hop_count=1)
    return Transition(now, Phase.OBSERVATION, Event.OBSERVED, after, trigger, state, steps=(step,))


@pytest.fixture(autouse=True)
def _trail(agent):
    agent.changes = {"trail": (observed(LOOKED, "I looked at film."), observed(RAN, "I ran it."))}


def is_the_story(message):
    return "I looked at film" in message["text"] and "2 rows in 31 ms" in message["text"]


def test_why_is_told_to_whoever_pressed_it(bot, you, mia):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    assert mia.click(card, "why")["ack_ms"] < 1000
    _, story = mia.cards("data", ts, 2)
    assert story["is_ephemeral"]
    assert is_the_story(story)
    assert len(you.from_bot("data", ts)) == 1


def test_why_says_by_what_id_the_run_is_found_on_the_terminal(bot, you, store):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    you.click(card, "why")
    story = you.cards("data", ts, 2)[-1]
    (row,) = [block for block in card["blocks"] if block["type"] == "actions"]
    run_id = row["elements"][0]["value"]
    assert store.run_ids(run_id[:8], limit=2) == (run_id,)
    assert story["blocks"][-1]["elements"][0]["text"] == f"Run {run_id[:8]}"


def test_why_needs_no_rows(bot, agent, you):
    agent.outcome, agent.results = Outcome.FAILED, ()
    ts = you.ask("data", "how many films?")
    you.click(you.card("data", ts), "why")
    assert "I looked at film" in you.cards("data", ts, 2)[-1]["text"]


@pytest.mark.parametrize("words", ["why?", "Why", "how do you know?"])
def test_why_in_the_thread_is_answered_for_everybody(bot, agent, you, mia, words):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    mia.say("data", words, thread_ts=ts)
    _, story = you.cards("data", ts, 2)
    assert is_the_story(story)
    assert not story.get("is_ephemeral")
    assert agent.asked == ["how many films?"]


def test_why_with_more_words_is_a_question(bot, agent, you):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    you.say("data", "why are there so many dramas?", thread_ts=ts)
    you.cards("data", ts, 2)
    assert agent.asked[-1] == "why are there so many dramas?"


def test_why_where_nothing_was_answered_says_where_to_ask(bot, agent, you):
    ts = you.ask("data", "why?")
    assert "in the thread of an answer" in you.card("data", ts)["text"]
    assert agent.asked == []


def test_why_in_a_thread_is_no_entry_of_the_log(bot, you):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    you.say("data", "why?", thread_ts=ts)
    you.cards("data", ts, 2)
    you.command("data", "log")
    assert "1 question" in you.told("data", "asked")["text"]


def test_the_command_tells_of_ones_own_last_answer_in_the_channel(bot, agent, you, mia):
    you.card("data", you.ask("data", "how many films?"))
    agent.changes = {"trail": (observed(Step("get_schema", True, "payment"), "x"),)}
    mia.card("data", mia.ask("data", "revenue?"))
    you.card("general", you.ask("general", "revenue?"))
    you.command("data", "why")
    story = you.told("data", "What I did, and why")
    assert story["is_ephemeral"]
    assert is_the_story(story)


def test_the_command_without_an_answer_says_so(bot, you, mia):
    mia.card("data", mia.ask("data", "how many films?"))
    you.command("data", "why?")
    assert "nothing in this channel yet" in you.told("data", "nothing in this channel")["text"]
