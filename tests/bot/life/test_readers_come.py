"""Somebody comes to read along while an answer is worked on: the answer is not put before them."""

from __future__ import annotations

import threading

import pytest

from agent.messages import Outcome

SHARED = "People of another organisation read along here"


@pytest.fixture
def at_work(start_bot, agent, you):
    """Asks in a channel, and waits until the answer is worked on."""
    agent.gate = threading.Event()
    start_bot()

    def ask(channel="data"):
        ts = you.ask(channel, "how many films?")
        you.eventually(lambda: agent.asked)
        return ts

    return ask


@pytest.fixture
def share(you):
    """Another organisation comes into a channel."""

    def begin(channel="data"):
        channel = you.workspace.channels.get(channel, channel)
        body = {"channel": channel, "is_ext_shared": True, "outsiders": "T0OTHER"}
        you.client.api_call("workspace.changeChannel", json=body)

    return begin


def test_answer_is_not_put_into_a_channel_that_was_shared_meanwhile(at_work, agent, you, share):
    ts = at_work()
    share()
    agent.gate.set()
    card = you.card("data", ts)
    assert SHARED in card["text"]
    assert "I do not show the answer" in card["text"]
    assert "You asked" not in str(card)
    assert "Sports" not in str(you.seen("data", ts))


def test_nor_shown_as_an_escalation_elsewhere(start_bot, agent, you, mia, share, workspace):
    agent.gate, agent.outcome = threading.Event(), Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 films.", "summary": "It did not pass."}
    start_bot(escalation_channel=workspace.channels["helpdesk"])
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    share()
    agent.gate.set()
    assert SHARED in you.card("data", ts)["text"]
    assert mia.from_bot("helpdesk") == []


def test_what_slack_said_a_moment_ago_is_not_believed(at_work, agent, you, share):
    agent.gate = threading.Event()
    agent.gate.set()
    first = at_work()
    assert "You asked" in you.card("data", first)["text"]
    agent.gate.clear()
    agent.asked.clear()
    ts = at_work()
    share()
    agent.gate.set()
    assert SHARED in you.card("data", ts)["text"]


@pytest.mark.parametrize("error", ["internal_error", "service_unavailable"])
def test_a_passing_trouble_of_slack_s_costs_no_answer(at_work, agent, you, error):
    ts = at_work()
    you.faults(error={"method": "conversations.info", "error": error, "times": 1})
    agent.gate.set()
    assert "You asked" in you.card("data", ts)["text"]


def test_nothing_is_shown_where_slack_does_not_say_who_reads_along(at_work, agent, you):
    ts = at_work()
    you.faults(error={"method": "conversations.info", "error": "missing_scope", "times": 999})
    agent.gate.set()
    card = you.card("data", ts)
    assert "could not check with Slack who reads along here now" in card["text"]
    assert "You asked" not in str(card)


def test_direct_messages_of_two_are_not_looked_at(at_work, agent, you):
    ts = at_work(you.dm())
    you.faults(error={"method": "conversations.info", "error": "missing_scope", "times": 999})
    agent.gate.set()
    assert "You asked" in you.card(you.dm(), ts)["text"]


def test_what_a_person_answers_is_told_to_the_asker_alone_once_others_read_along(
    start_bot, agent, you, mia, share, workspace
):
    agent.outcome = Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 films.", "summary": "It did not pass."}
    start_bot(escalation_channel=workspace.channels["helpdesk"])
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    mia.click(mia.told("helpdesk", "A question for a person"), "answer_escalation")
    share()
    mia.submit(mia.modal(), "One thousand.")
    assert f"<@{mia.id}> answers:" in you.told(you.dm(), "One thousand")["text"]
    assert "One thousand" not in str(you.seen("data", ts))
