"""Many questions at once: acknowledgements do not wait for them, and stopping loses none."""

from __future__ import annotations

import threading
import time

import pytest


@pytest.fixture
def gate(agent):
    agent.gate = threading.Event()
    return agent.gate


def test_running_questions_delay_no_acknowledgement(start_bot, agent, gate, you):
    start_bot(workers=8)
    asked = [you.ask("data", f"question {number}") for number in range(8)]
    you.eventually(lambda: len(agent.asked) == 8)
    outcome = you.command("data", "help")  # what Bolt's five threads would not get to
    assert outcome["ack_ms"] < 1000
    ts = you.ask("data", "one more")
    you.settled()
    delays = [each["attempts"][0]["ack_ms"] for each in you.deliveries()]
    assert None not in delays
    assert max(delays) < 1000
    gate.set()
    for each in [*asked, ts]:
        you.card("data", each)


def test_question_beyond_what_can_wait_is_turned_away_politely(start_bot, agent, gate, you):
    start_bot(workers=1, waiting=1)
    running = you.ask("data", "the first")
    you.eventually(lambda: agent.asked == ["the first"])
    waiting = you.ask("data", "the second")
    you.settled()
    refused = you.ask("data", "the third")
    assert "Please ask again in a minute" in you.card("data", refused)["text"]
    gate.set()
    for ts in (running, waiting):
        assert "You asked" in you.card("data", ts)["text"]
    assert agent.asked == ["the first", "the second"]


def test_a_crowd_that_finds_no_room_is_told_so_one_by_one(start_bot, agent, gate, you):
    start_bot(workers=1, waiting=0)
    you.ask("data", "the first")
    you.eventually(lambda: agent.asked == ["the first"])
    channel = you.workspace.channels["data"]
    post = {"user": you.id, "channel": channel, "text": f"{you.mention} me too"}
    crowd = you.client.api_call("workspace.postMany", json={"posts": [post] * 30})["ts"]
    for ts in crowd:
        assert "Please ask again in a minute" in you.card("data", ts)["text"]
    assert agent.asked == ["the first"]


def test_question_turned_away_is_not_part_of_the_conversation(start_bot, agent, gate, you):
    start_bot(workers=1, waiting=0)
    running = you.ask("data", "the first")
    you.eventually(lambda: agent.asked == ["the first"])
    refused = you.ask("data", "the second")
    you.card("data", refused)
    gate.set()
    you.card("data", running)
    you.say("data", "and now?", thread_ts=refused)
    you.cards("data", refused, 2)
    assert agent.histories[-1] == ()


def test_bot_knows_how_many_questions_it_has_taken_on(start_bot, agent, gate, you):
    bot = start_bot(workers=1)
    for number in range(3):
        you.ask("data", f"question {number}")
    you.eventually(lambda: bot.unfinished == 3)
    gate.set()
    you.eventually(lambda: bot.unfinished == 0)


def test_stopping_lets_running_questions_finish(start_bot, agent, gate, you):
    bot = start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    threading.Timer(0.3, gate.set).start()
    assert bot.stop(grace_s=10)
    assert "You asked: how many films?" in you.card("data", ts, within=0.1)["text"]


def test_command_that_was_taken_as_the_bot_stops_is_answered(start_bot, agent, gate, you):
    bot = start_bot()
    gate.set()
    slow = {"method": "chat.postMessage", "seconds": 0.5, "taken": True}
    you.faults(slow=slow)
    you.command("data", "how many films?")
    assert bot.stop(grace_s=10)
    (root,) = [each for each in you.from_bot("data") if "how many films?" in each["text"]]
    card = you.from_bot("data", root["ts"])[-1]
    assert "You asked: how many films?" in card["text"]


def test_stopping_ends_what_outlasts_its_grace_and_says_so(start_bot, agent, gate, you):
    bot = start_bot(workers=1)
    running = you.ask("data", "the first")
    you.eventually(lambda: agent.asked)
    waiting = you.ask("data", "the second")
    you.settled()
    started = time.monotonic()
    assert not bot.stop(grace_s=0.3)
    assert time.monotonic() - started < 5
    assert "The run was stopped" in you.card("data", running, within=0.1)["text"]
    assert "Please ask it again" in you.card("data", waiting, within=0.1)["text"]
    assert agent.asked == ["the first"]


def test_stopping_twice_is_harmless(bot):
    assert bot.stop()
    assert bot.stop()


def test_stopping_leaves_no_thread_behind(start_bot, you):
    before = set(threading.enumerate())
    bot = start_bot()
    you.card("data", you.ask("data", "how many films?"))
    bot.stop()

    def left():
        ours = [each for each in threading.enumerate() if each not in before]
        # the workspace serves each open connection in a thread, and those go a little later
        return [each for each in ours if "process_request" not in each.name]

    you.eventually(lambda: not left())


def test_stop_button_ends_the_run(start_bot, agent, gate, you):
    start_bot()
    ts = you.say(you.dm(), "how many films?")
    you.eventually(lambda: agent.asked)
    you.client.api_call("workspace.stopSession", json={"channel": you.dm(), "thread_ts": ts})
    assert "Stopped by" in you.card(you.dm(), ts)["text"]
