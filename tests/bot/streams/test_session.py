"""What Slack takes a thread for, while a run goes on there and after it."""

from __future__ import annotations

import pytest

from agent.messages import Clarification, Outcome


@pytest.fixture
def state(you):
    """What the thread of a message is taken for; "" where it is no session."""

    def read(ts):
        sessions = you.client.api_call("workspace.boot")["sessions"]
        return next((each["state"] for each in sessions if each["thread_ts"] == ts), "")

    return read


@pytest.mark.parametrize("is_refused", [False, True], ids=["streamed", "edited"])
def test_thread_is_worked_on_until_it_is_somebody_s_turn(bot, agent, you, state, is_refused):
    if is_refused:
        you.without_streams()
    agent.changes = {"clarification": Clarification("Which year?", ("2005", "2006"))}
    ends = (Outcome.ANSWERED, Outcome.FAILED, Outcome.NEEDS_CLARIFICATION, None)
    for number, outcome in enumerate(ends):
        agent.gate.clear()
        agent.outcome = outcome or Outcome.ANSWERED
        agent.breaks_with = None if outcome else RuntimeError("broken")
        ts = you.say(you.dm(), f"question {number}")
        you.eventually(lambda number=number: len(agent.asked) > number)
        assert state(ts) == "processing"
        agent.gate.set()
        you.card(you.dm(), ts)
        then = "suspended" if outcome is Outcome.NEEDS_CLARIFICATION else "active"
        you.eventually(lambda ts=ts, then=then: state(ts) == then)


def test_thread_of_a_channel_is_worked_on_too_and_no_more_though_its_stream_ended_early(
    bot, agent, you, state, streams
):
    ts = you.ask("data", "how many films?")
    streams.streamed("data", ts)
    assert state(ts) == "processing"
    you.faults(expire_streams=True)
    agent.gate.set()
    you.card("data", ts)
    you.eventually(lambda: state(ts) == "active")
