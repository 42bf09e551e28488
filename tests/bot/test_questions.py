"""Every way to ask: the same card, once, in the right thread."""

from __future__ import annotations

import threading

import pytest


def test_mention_is_answered_by_one_card_in_its_thread(bot, agent, you):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    assert agent.asked == ["how many films?"]
    assert "You asked: how many films?" in card["text"]
    assert [block["type"] for block in card["blocks"]][:2] == ["section", "table"]
    assert you.from_bot("data") == []  # nothing in the channel itself


def test_message_changes_from_working_to_card(start_bot, agent, you):
    agent.gate = threading.Event()
    start_bot()
    ts = you.ask("data", "how many films?")
    working = you.eventually(lambda: you.from_bot("data", ts))[0]
    assert working["text"].startswith("Working on it")
    you.eventually(lambda: "I ran a query" in you.from_bot("data", ts)[0]["text"])
    agent.gate.set()
    card = you.card("data", ts)
    assert card["ts"] == working["ts"]


def test_direct_message_needs_no_mention(bot, agent, you):
    ts = you.say(you.dm(), "how many films?")
    assert "You asked: how many films?" in you.card(you.dm(), ts)["text"]


def test_direct_message_shows_that_it_is_worked_on(start_bot, agent, you):
    agent.gate = threading.Event()
    start_bot()
    ts = you.say(you.dm(), "how many films?")

    def state():
        sessions = you.client.api_call("workspace.boot")["sessions"]
        return [each["state"] for each in sessions if each["thread_ts"] == ts]

    you.eventually(lambda: state() == ["processing"])
    agent.gate.set()
    you.card(you.dm(), ts)
    you.eventually(lambda: state() == ["active"])


def test_reply_in_thread_needs_no_mention(bot, agent, you):
    ts = you.ask("data", "films per category")
    you.card("data", ts)
    you.say("data", "only drama", thread_ts=ts)
    you.cards("data", ts, 2)
    assert agent.asked == ["films per category", "only drama"]


def test_reply_of_a_colleague_in_the_thread_is_a_question_too(bot, agent, you, mia):
    ts = you.ask("data", "films per category")
    you.card("data", ts)
    mia.ask("data", "only drama", thread_ts=ts)
    you.cards("data", ts, 2)
    assert agent.asked == ["films per category", "only drama"]


def test_reply_that_names_somebody_else_is_theirs(bot, agent, you, mia):
    ts = you.ask("data", "films per category")
    you.card("data", ts)
    you.say("data", f"<@{mia.id}> what do you think?", thread_ts=ts)
    you.settled()
    assert agent.asked == ["films per category"]


@pytest.mark.parametrize("in_thread", [False, True])
def test_talk_that_is_not_for_the_bot_is_left_alone(bot, agent, you, mia, in_thread):
    ts = you.say("data", "did you see the numbers?")
    mia.say("data", "not yet", thread_ts=ts if in_thread else None)
    you.settled()
    assert agent.asked == []
    assert you.from_bot("data", ts) == []


def test_follow_up_knows_question_answer_sql_and_rows(bot, agent, you):
    ts = you.ask("data", "films per category")
    you.card("data", ts)
    you.say("data", "only drama", thread_ts=ts)
    you.cards("data", ts, 2)
    first, second = agent.histories
    assert first == ()
    (exchange,) = second
    assert exchange.question == "films per category"
    assert exchange.answer == "You asked: films per category"
    assert exchange.sql == ("select category, count(*) as films from film group by 1",)
    assert exchange.results[0].rows[:2] == (("Sports", 74), ("Drama", 62))


def test_threads_know_nothing_of_each_other(bot, agent, you):
    for text in ("films per category", "films per year"):
        you.card("data", you.ask("data", text))
    assert agent.histories == [(), ()]


def test_restart_forgets_nothing(start_bot, agent, you, store_url, open_store):
    first = start_bot()
    ts = you.ask("data", "films per category")
    you.card("data", ts)
    first.stop()
    start_bot(store=open_store(store_url))
    you.say("data", "only drama", thread_ts=ts)
    you.cards("data", ts, 2)
    assert [exchange.question for exchange in agent.histories[1]] == ["films per category"]


def test_empty_mention_gets_help(bot, agent, you):
    ts = you.say("data", f" {you.mention}  ")
    assert "Ask me about your data" in you.card("data", ts)["text"]
    you.settled()
    assert agent.asked == []


@pytest.mark.parametrize(
    "words", ["help", "Hello!", "hi :wave:", "Who are you?", "what can you do?", "What can I ask?"]
)
def test_greeting_gets_help_without_a_run(bot, agent, you, words):
    assert "Ask me about your data" in you.card("data", you.ask("data", words))["text"]
    assert agent.asked == []


@pytest.mark.parametrize("words", ["thanks!", "Thank you 🙏", "THX"])
def test_thanks_get_a_word_without_a_run(bot, agent, you, words):
    dm = you.dm()
    assert you.card(dm, you.say(dm, words))["text"] == "You’re welcome."
    assert agent.asked == []


@pytest.mark.parametrize(
    "words", ["help me find late rentals", "thanks, and by store?", "hello kitty films?", "?"]
)
def test_greeting_with_a_question_is_a_question(bot, agent, you, words):
    you.card("data", you.ask("data", words))
    assert agent.asked == [words]


def test_follow_up_after_thanks_still_knows_the_thread(bot, agent, you):
    thread = you.ask("data", "how many films?")
    you.card("data", thread)
    you.say("data", "thanks!", thread)
    you.cards("data", thread, 2)
    you.say("data", "and by category?", thread)
    you.cards("data", thread, 3)
    assert agent.asked == ["how many films?", "and by category?"]
    assert [each.question for each in agent.histories[-1]] == ["how many films?"]


def test_too_long_question_is_refused_with_a_reason(bot, agent, you):
    ts = you.ask("data", "how many films? " * 625)
    text = you.card("data", ts)["text"]
    assert "characters" in text
    assert "4,000" in text
    assert agent.asked == []


def test_agent_hears_what_was_meant(bot, agent, you, mia):
    text = f"hey {you.mention} כמה 🎬 &amp; rentals &lt; 5 by <@{mia.id}> in <#C0LOCALDAT|data>?"
    you.card("data", you.say("data", text))
    assert agent.asked == ["hey כמה 🎬 & rentals < 5 by @mia in #data?"]
