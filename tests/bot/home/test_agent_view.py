"""The agent view: what a thread is called, the stop button, and events that change no answer."""

from __future__ import annotations

import copy
import threading

import pytest


@pytest.fixture
def title_of(you):
    """What the thread of a direct message is called."""

    def title(ts):
        sessions = you.client.api_call("workspace.boot")["sessions"]
        return next((each["title"] for each in sessions if each["thread_ts"] == ts), "")

    return title


def test_a_thread_is_called_by_its_first_question(bot, you, title_of):
    ts = you.say(you.dm(), "how many <!channel> *films* per category?")
    you.card(you.dm(), ts)
    assert title_of(ts) == "how many @channel *films* per category?"
    you.say(you.dm(), "only drama", thread_ts=ts)
    you.cards(you.dm(), ts, 2)
    assert title_of(ts).startswith("how many")


def test_a_long_question_makes_a_title_that_slack_takes(bot, you, title_of):
    ts = you.say(you.dm(), "films " * 200)
    you.card(you.dm(), ts)
    assert 190 <= len(title_of(ts)) <= 200
    assert title_of(ts).endswith("…")


def test_a_title_that_slack_refuses_costs_nothing(bot, you, title_of):
    you.faults(error={"method": "agents.sessions.rename", "error": "internal_error"})
    ts = you.say(you.dm(), "how many films?")
    assert "You asked: how many films?" in you.card(you.dm(), ts)["text"]
    assert title_of(ts) == ""


@pytest.mark.parametrize("kind", ["app_context_changed", "agent_session_title_changed"])
def test_what_changes_no_answer_is_acknowledged(bot, agent, you, deliver, kind):
    you.card("data", you.ask("data", "how many films?"))
    payload = you.payload()
    payload["event"] = {"type": kind, "user": you.id, "channel": you.dm(), "thread_ts": "1.000"}
    assert deliver(bot, payload) == 200
    assert len(agent.asked) == 1


class TestStop:
    @pytest.fixture
    def press(self, you, deliver):
        """Presses the stop button of a thread as a person."""

        def pressed(bot, person, ts):
            payload = copy.deepcopy(you.payload())
            payload["event"] = {
                "type": "agent_session_stopped",
                "channel": you.workspace.channels["data"],
                "thread_ts": ts,
                "user": person.id,
                "streaming_message_ts": [],
                "event_ts": "1.000",
            }
            assert deliver(bot, payload) == 200

        return pressed

    @pytest.fixture
    def running(self, start_bot, agent, mia):
        """A bot, and the thread in which a question of Mia's runs."""
        agent.gate = threading.Event()
        bot = start_bot()
        ts = mia.ask("data", "how many films?")
        mia.eventually(lambda: agent.asked)
        return bot, ts

    def test_the_asker_stops_what_they_asked(self, running, mia, press):
        bot, ts = running
        press(bot, mia, ts)
        assert "Stopped by" in mia.card("data", ts)["text"]

    def test_somebody_else_stops_nothing_and_is_told_who_can(
        self, running, workspace, agent, mia, press
    ):
        bot, ts = running
        ben = type(mia)(workspace, "ben")
        press(bot, ben, ts)
        (told,) = ben.eventually(
            lambda: [each for each in ben.from_bot("data", ts) if each.get("is_ephemeral")]
        )
        assert f"Only <@{mia.id}>, who asked, or an administrator" in told["text"]
        agent.gate.set()
        assert "You asked: how many films?" in mia.card("data", ts)["text"]

    def test_an_administrator_stops_anybodys(self, running, you, mia, press):
        bot, ts = running
        press(bot, you, ts)
        assert "Stopped by" in mia.card("data", ts)["text"]
