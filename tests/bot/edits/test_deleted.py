"""A question that is deleted is not worked on any more."""

from __future__ import annotations

import copy
import threading

import pytest

from bot.store import Thread

GONE = "The question was deleted while I worked on it, so I stopped."


@pytest.fixture
def at_work(start_bot, agent, gate, you):
    """A bot that works on a question; and the question."""
    bot = start_bot(workers=1)
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked and you.from_bot("data", ts))
    return bot, ts


def delete(person, ts):
    person.client.chat_delete(channel=person.workspace.channels["data"], ts=ts)


def test_question_deleted_while_it_runs_is_stopped_and_its_card_says_so(at_work, you):
    _, ts = at_work
    delete(you, ts)  # the gate stays shut: only being cancelled ends the run
    assert you.card("data", ts)["text"] == GONE


def test_answer_that_was_found_all_the_same_is_not_shown(start_bot, agent, you):
    class Deaf(type(agent)):
        """One that is not to be stopped."""

        def run(self, question, *, cancelled=None, **given):
            return super().run(question, **given)

    deaf = Deaf(gate=threading.Event())
    start_bot(agent=deaf)
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: deaf.asked and you.from_bot("data", ts))
    delete(you, ts)
    you.settled()
    deaf.gate.set()
    assert you.card("data", ts)["text"] == GONE


def test_deletion_that_is_told_as_such_stops_the_run_as_well(at_work, deliver, you):
    # Slack tells of the end of a message with replies as of a change, of others as of a deletion.
    bot, ts = at_work
    payload = copy.deepcopy(you.payload("message"))
    payload["event"] = {
        "type": "message",
        "subtype": "message_deleted",
        "channel": you.workspace.channels["data"],
        "ts": "1900000000.000100",
        "deleted_ts": ts,
        "previous_message": {"type": "message", "user": you.id, "ts": ts},
    }
    assert deliver(bot, payload) == 200
    assert you.card("data", ts)["text"] == GONE


def test_question_deleted_while_it_waits_is_never_begun(at_work, agent, gate, you):
    bot, first = at_work
    waiting = you.ask("data", "how many rentals?")
    you.settled()
    delete(you, waiting)
    you.settled()
    gate.set()
    you.card("data", first)
    bot.stop()
    assert agent.asked == ["how many films?"]
    assert [each["text"] for each in you.from_bot("data", "")].count(GONE) == 0


def test_deletion_that_overtakes_a_change_stops_what_the_change_begins(
    at_work, agent, deliver, told, you
):
    bot, ts = at_work
    delete(you, ts)
    you.settled()
    assert deliver(bot, told(ts)) == 200  # the gate stays shut: only being cancelled ends a run
    you.eventually(lambda: not bot.unfinished)
    assert you.card("data", ts)["text"] == GONE


def test_question_deleted_while_its_chart_is_looked_at_has_no_answer(
    bot, agent, chart, you, looked_for
):
    agent.charts = (chart,)
    you.faults(file_ready_after_s=600)
    ts = you.ask("data", "how many films?")
    you.eventually(looked_for.is_set)
    delete(you, ts)
    assert you.card("data", ts)["text"] == GONE


def test_answer_stays_when_its_question_is_deleted(bot, agent, you):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    delete(you, ts)
    you.settled()
    bot.stop()
    assert you.card("data", ts) == card


def test_run_that_another_process_was_told_of_stops_at_its_next_look(
    start_bot, agent, gate, you, store_url, open_store
):
    bot = start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked and you.from_bot("data", ts))
    thread = Thread(bot.me.team_id, you.workspace.channels["data"], ts)
    assert open_store(store_url).drop_deleted(thread, ts)
    assert you.card("data", ts)["text"] == GONE
