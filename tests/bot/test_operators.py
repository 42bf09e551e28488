"""Runs that end badly are counted, logged, and told to those who run the bot."""

from __future__ import annotations

import logging

import pytest

from agent.messages import Outcome
from bot.clients import make_clients
from bot.links import Links
from bot.metrics import Metrics
from bot.operators import Operators
from bot.store import Question, Thread
from bot.telemetry.observer import Observer

WORDS = "how many secret films?"


@pytest.fixture
def told_in(start_bot, workspace):
    """A bot that tells its operators; gives the channel's name."""

    def start(**given):
        bot = start_bot(operators_channel=workspace.channels["general"], **given)
        return bot, "general"

    return start


@pytest.mark.parametrize(
    ("outcome", "level"),
    [
        (Outcome.FAILED, logging.WARNING),
        (Outcome.ESCALATED, logging.WARNING),
        (Outcome.SYSTEM_FAULT, logging.ERROR),
    ],
)
def test_a_bad_end_is_logged_counted_and_told(told_in, agent, you, caplog, outcome, level):
    agent.outcome = outcome
    bot, channel = told_in()
    card = you.card("data", you.ask("data", WORDS))
    words = str(outcome).replace("_", " ")
    told = you.told(channel, f"A run ended as {words}")
    assert f"message={card['ts']}" in str(told["blocks"])
    assert f"<@{you.id}> asked" in str(told["blocks"])
    (record,) = [each for each in caplog.records if each.name == "bot.operators"]
    assert record.levelno == level
    assert f": {words}: tools requested" in record.getMessage()
    assert "secret" not in record.getMessage() + str(told)
    assert bot.metrics.snapshot() == {str(outcome): 1}


def test_a_good_end_is_counted_and_not_told(told_in, agent, you, caplog):
    bot, channel = told_in()
    you.card("data", you.ask("data", WORDS))
    you.settled()
    assert you.from_bot(channel) == []
    assert bot.metrics.snapshot() == {"answered": 1}
    assert not [each for each in caplog.records if each.name == "bot.operators"]


def test_a_bug_of_ours_is_told_too(told_in, agent, you):
    agent.breaks_with = RuntimeError("secret words of a traceback")
    bot, channel = told_in()
    you.card("data", you.ask("data", WORDS))
    assert "secret" not in str(you.told(channel, "A run ended as broken"))
    assert bot.metrics.snapshot() == {"broken": 1}


def test_what_broke_is_told_to_operators_and_not_to_who_asked(told_in, agent, you, caplog):
    agent.outcome = Outcome.SYSTEM_FAULT
    agent.changes = {"fault_detail": "connection refused at 10.0.0.1"}
    told_in()
    assert "10.0.0.1" not in str(you.card("data", you.ask("data", WORDS)))
    you.eventually(lambda: "connection refused at 10.0.0.1" in caplog.text)


def test_the_same_trouble_is_told_once_in_a_while(told_in, agent, you):
    agent.outcome = Outcome.FAILED
    bot, channel = told_in()
    for _ in range(3):
        you.card("data", you.ask("data", WORDS))
    you.eventually(lambda: bot.metrics.snapshot() == {"failed": 3})
    you.settled()
    assert len(you.from_bot(channel)) == 1


def test_without_a_channel_nobody_is_told(bot, agent, you):
    agent.outcome = Outcome.FAILED
    you.card("data", you.ask("data", WORDS))
    you.eventually(lambda: bot.metrics.snapshot() == {"failed": 1})
    assert you.from_bot("general") == []


def test_operators_who_cannot_be_told_cost_no_answer(start_bot, workspace, agent, you, caplog):
    agent.outcome = Outcome.FAILED
    start_bot(operators_channel=workspace.channels["finance-private"])
    assert "This run failed" in you.card("data", you.ask("data", WORDS))["text"]
    you.eventually(lambda: "the operators were not told" in caplog.text)


def test_counters_are_logged_when_they_have_changed(caplog):
    metrics = Metrics()
    with caplog.at_level(logging.INFO, "bot.metrics"):
        metrics.write_log()
        metrics.count(Outcome.ANSWERED)
        metrics.count(Outcome.ANSWERED)
        metrics.count("broken")
        metrics.write_log()
        metrics.write_log()
    assert [each.getMessage() for each in caplog.records] == ["runs so far: answered=2 broken=1"]


def test_a_question_taken_over_and_one_given_up_are_told_once_in_a_while(
    workspace, start_bot, you, caplog
):
    bot = start_bot()
    clients = make_clients(workspace.bot_token, workspace.api_url)
    channel = workspace.channels["general"]
    operators = Operators(clients, Links(clients.quick), Observer(bot.metrics), channel)
    question = Question(Thread("T1", workspace.channels["data"], "17.1"), "17.1", you.id, WORDS)
    for number in range(3):
        operators.taken_over(f"run-{number}", question, None)
        operators.gave_up(f"run-{number}", question, None, attempts=3)
    told = [each["text"] for each in you.from_bot("general")]
    assert [each.partition(":")[0].strip("⚠️ *") for each in told] == [
        "A run was taken over",
        "A run was given up",
    ]
    assert "questions_given_up_total 3.0" in bot.metrics.exposition()
    assert "secret" not in caplog.text + str(told)
