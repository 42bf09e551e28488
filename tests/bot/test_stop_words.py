"""Who writes "stop" gets no new run, and what they asked ends."""

from __future__ import annotations

import threading

import pytest


@pytest.fixture
def held(agent):
    """Runs that last until they are stopped."""
    agent.gate = threading.Event()
    return agent


@pytest.mark.parametrize("words", ["stop", "Please stop!", "never mind"])
def test_a_word_in_the_thread_stops_what_was_asked_there(held, start_bot, you, words):
    start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: held.asked)
    you.say("data", words, thread_ts=ts)
    stopped, reply = sorted(you.cards("data", ts, 2), key=lambda each: float(each["ts"]))
    assert "Stopped by" in str(stopped["blocks"])
    assert reply["text"] == "Nothing of yours is running here now."
    assert held.asked == ["how many films?"]


def test_a_word_in_direct_messages_stops_what_was_asked_in_any_thread_of_them(held, start_bot, you):
    start_bot()
    ts = you.say(you.dm(), "how many films?")
    you.eventually(lambda: held.asked)
    you.say(you.dm(), "stop")
    assert "Stopped by" in str(you.card(you.dm(), ts)["blocks"])
    assert held.asked == ["how many films?"]


def test_a_word_of_somebody_else_stops_nothing(held, start_bot, you, mia):
    start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: held.asked)
    mia.say("data", "stop", thread_ts=ts)
    refusal = f"Only <@{you.id}>, who asked"
    you.eventually(lambda: any(refusal in each["text"] for each in mia.from_bot("data", ts)))
    held.gate.set()
    assert any("You asked: how many films?" in each["text"] for each in you.cards("data", ts, 2))


def test_a_mention_that_comes_as_two_events_is_refused_once(held, start_bot, you, mia):
    start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: held.asked)
    mia.ask("data", "stop", thread_ts=ts)
    refusal = f"Only <@{you.id}>, who asked"
    you.eventually(lambda: any(refusal in each["text"] for each in mia.from_bot("data", ts)))
    held.gate.set()
    you.cards("data", ts, 2)
    mia.settled()
    assert sum(refusal in each["text"] for each in mia.from_bot("data", ts)) == 1


def test_a_stop_that_is_sent_again_stops_nothing_newer(bot, held, you, deliver):
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: held.asked)
    you.say("data", "stop", thread_ts=ts)
    you.cards("data", ts, 2)
    again = next(
        each["payload"]
        for each in you.deliveries()
        if each["payload"].get("event", {}).get("text") == "stop"
    )
    you.ask("data", "how many actors?", thread_ts=ts)
    you.eventually(lambda: len(held.asked) == 2)
    deliver(bot, again, retry="1")
    you.command("data", "usage")  # what was sent before it has been looked at by then
    you.told("data", "You")
    held.gate.set()
    answers = you.cards("data", ts, 3)
    assert any("You asked: how many actors?" in each["text"] for each in answers)


def test_a_question_that_holds_the_word_is_a_question(bot, agent, you):
    you.card("data", you.ask("data", "which stop has most rentals?"))
    assert agent.asked == ["which stop has most rentals?"]


def test_nothing_is_said_to_be_stopped_where_nothing_ran(bot, you):
    you.command("data", "stop")
    assert you.told("data", "running here")["text"] == "Nothing of yours is running here now."
