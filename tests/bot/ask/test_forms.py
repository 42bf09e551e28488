"""Words behind a form of /ask that it does not take start no run, which would cost money."""

from __future__ import annotations

import threading
from datetime import date

import pytest

from bot.ask_words import Explain, Queue, Tables, Usage, read_wish
from bot.near_form import near_form
from bot.small_talk import reply_without_run


def wish(text):
    today = date(2026, 11, 30)
    return read_wish(text, team="T1", viewer="U1", here="C1", today=today, time_zone="UTC")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("usage", Usage()),
        ("My usage?", Usage()),
        ("usage this month", Usage()),
        ("usage of <@U0123|mia> today", Usage()),
        ("queue", Queue()),
        ("queue mine", Queue()),
        ("usage help", Explain("usage", "")),
        ("usage ?", Usage()),
        ("queue length", Explain("queue", "length")),
        ("settings help", Explain("settings", "")),
        ("settings private on", Explain("settings", "private on")),
        ("settings guests", Explain("settings", "guests")),
        ("private settings", Explain("settings", "")),
        ("help usage", Explain("help", "usage")),
        ("tables help", Tables("")),
        ("tables in the database?", Tables("")),
    ],
)
def test_words_that_a_form_is_meant_by(text, wanted):
    assert wish(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "usage of minutes per customer",
        "usage by region",
        "usage per month, as a line chart",
        "queue times by hour",
        "how long is the queue?",
        "settings of all our devices",
        "help me find late rentals",
        "help desk tickets this week",
        "usages",
    ],
)
def test_a_question_that_begins_like_a_form_is_a_question(text):
    assert wish(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("usage help", "what your questions took today"),
        ("queue length", "/ask show queue length"),
        ("settings help", "opens a form with what holds in this channel"),
        ("private settings", "opens a form with what holds in this channel"),
        ("help settings", "Ask me about your data in plain words"),
    ],
)
def test_what_the_form_does_is_told_to_the_one_who_used_it(bot, agent, you, text, words):
    you.command("data", text)
    assert you.told("data", words)["is_ephemeral"]
    assert agent.asked == []


def test_stop_ends_what_one_asked_in_the_channel_and_nothing_else(start_bot, agent, you, mia):
    agent.gate = threading.Event()
    start_bot()
    hers = mia.ask("data", "how many stores?")
    you.command("data", "private how many films?")
    you.eventually(lambda: len(agent.asked) == 2)
    you.command("data", "stop")
    assert you.told("data", "Stopped by")["is_ephemeral"]
    assert you.told("data", "Nothing of yours is running here now.")["is_ephemeral"]
    agent.gate.set()
    assert "You asked: how many stores?" in mia.card("data", hers)["text"]


@pytest.mark.parametrize(
    ("said", "reply"), [("👍🏽 :tada:", "words only"), ("!!", "words only"), ("perfect", "welcome")]
)
def test_a_nod_under_an_answer_is_no_question(bot, agent, you, said, reply):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    you.say("data", said, thread_ts=ts)
    assert any(reply in each["text"] for each in you.cards("data", ts, 2))
    assert agent.asked == ["how many films?"]


@pytest.mark.parametrize("words", ["2024", "ja", "電影", "yes", "-5", "1️⃣"])
def test_what_may_answer_a_question_of_ours_is_no_small_talk(words):
    assert reply_without_run(words, model="") is None


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("tabels", "tables"),
        ("Table", "tables"),
        ("hlep?", "help"),
        ("setings", "settings"),
        ("usgae", "usage"),
    ],
)
def test_a_lone_word_with_a_slip_is_near_a_form(word, form):
    assert near_form(word) == form


@pytest.mark.parametrize(
    "text", ["cables", "usages", "shop", "steps", "lot", "tables", "sales", "films", "tabels sold"]
)
def test_a_word_of_its_own_is_no_slip(text):
    assert near_form(text) == ""


def test_a_slip_is_asked_about_in_private_and_starts_no_run(bot, agent, you):
    you.command("data", "tabels")
    assert you.told("data", "Did you mean `/ask tables`?")["is_ephemeral"]
    assert agent.asked == []
