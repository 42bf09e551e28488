"""Where Slack takes no stream, or not another one, the steps are edits of a post, at once."""

from __future__ import annotations

import threading

from bot.allowance import Allowance, StreamRoom
from tests.bot.streams.conftest import steps_of


def is_edited(message):
    """Is it a post that says how far a run is?"""
    return "streaming_state" not in message and message["text"].startswith("Working on it…")


def test_refused_start_is_a_post_instead_and_costs_no_time(bot, agent, you, streams):
    codes = ("missing_recipient_user_id", "missing_recipient_team_id", "not_agent_app")
    codes += ("channel_type_not_supported", "unknown_method", "missing_scope", "internal_error")
    faults = [{"error": {"method": "chat.startStream", "error": code}} for code in codes]
    faults += [{"rate_limit": {"method": "chat.startStream", "retry_after": 0}}]
    faults += [{"server_error": {"method": "chat.startStream"}}]
    for at, fault in enumerate(faults):
        agent.gate.clear()
        you.faults(**fault)
        ts = you.ask("data", f"question {at}")
        assert is_edited(you.eventually(lambda ts=ts: you.from_bot("data", ts), within=5)[0])
        agent.take("first")
        message = streams.shows("data", ts, "✓ Did first.")
        agent.gate.set()
        assert you.card("data", ts)["ts"] == message["ts"]


def test_method_that_was_asked_too_often_is_left_alone_for_as_long_as_slack_says(
    bot, agent, you, calls
):
    agent.gate.set()
    you.faults(rate_limit={"method": "chat.startStream", "retry_after": 60})
    for number in range(2):
        you.card("data", you.ask("data", f"question {number}"))
    assert [method for method, _ in calls].count("chat.startStream") == 1


def test_stream_that_takes_no_button_is_begun_without_and_the_next_one_at_once(
    bot, agent, you, streams, calls
):
    you.faults(refuse_stream_blocks=True)
    for number in range(2):
        agent.gate.clear()
        ts = you.ask("data", f"question {number}")
        message = streams.streamed("data", ts)
        assert [block["type"] for block in message["blocks"]] == ["plan"]
        agent.gate.set()
        you.card("data", ts)
    assert [method for method, _ in calls].count("chat.startStream") == 3


def test_no_more_streams_are_begun_than_slack_takes(start_bot, agent, you, monkeypatch):
    monkeypatch.setattr("bot.allowance.MOST_OPEN", 1)
    start_bot()
    kinds = []
    for number in range(2):
        ts = you.ask("data", f"question {number}")
        message = you.eventually(lambda ts=ts: you.from_bot("data", ts))[0]
        kinds.append(message.get("streaming_state"))
        assert steps_of(message)
    assert kinds == ["in_progress", None]
    agent.gate.set()
    you.card("data", ts)
    you.eventually(lambda: len(agent.asked) == 2)
    ts = you.eventually(lambda: you.ask("data", "question 2"))
    assert you.card("data", ts)["streaming_state"] == "completed"  # there is room again


def test_no_minute_sees_more_streams_end_than_slack_takes(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("bot.allowance.time.monotonic", lambda: now[0])
    room, ended = StreamRoom(), 0
    while room.take():
        pass
    now[0] += 60  # all of them go on, and end at the same time; others come in their place
    for _ in range(40):
        room.give_back()
        ended += 1
        if not room.take():
            break
    for _ in range(9):
        room.give_back()
        ended += 1
    assert ended == 20
    assert not room.take()


def test_allowance_rests_as_long_as_it_is_told(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("bot.allowance.time.monotonic", lambda: now[0])
    allowance = Allowance(100)
    assert allowance.take()
    allowance.rest(30)
    allowance.rest(0)
    assert not allowance.take()
    now[0] += 30
    assert allowance.take()


def test_room_is_shared_by_threads_without_a_stream_too_many(monkeypatch):
    monkeypatch.setattr("bot.allowance.STARTS_PER_MINUTE", 1_000)
    room, taken = StreamRoom(), []
    threads = [threading.Thread(target=lambda: taken.append(room.take())) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(taken) == 10
