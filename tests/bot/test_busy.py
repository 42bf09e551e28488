"""Many questions at once: acknowledgements do not wait for them, and stopping loses none."""

from __future__ import annotations

import threading

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


def test_however_many_wait_each_is_answered_in_its_turn(start_bot, agent, gate, you):
    bot = start_bot(workers=1)
    asked = [you.ask("data", f"question {number}") for number in range(12)]
    you.eventually(lambda: agent.asked)
    you.settled()
    assert bot.unfinished == 1
    gate.set()
    for number, ts in enumerate(asked):
        assert f"You asked: question {number}" in you.card("data", ts)["text"]
    you.eventually(lambda: bot.unfinished == 0)
    assert sorted(agent.asked) == sorted(f"question {number}" for number in range(12))


def test_follow_ups_wait_for_each_other_and_other_threads_for_none(start_bot, agent, gate, you):
    start_bot(workers=4)
    first = you.ask("data", "the first")
    you.eventually(lambda: agent.asked == ["the first"])
    for words in ("only drama", "by store"):
        you.ask("data", words, thread_ts=first)
    you.settled()
    elsewhere = you.ask("data", "elsewhere")
    you.eventually(lambda: "elsewhere" in agent.asked)
    assert agent.asked == ["the first", "elsewhere"]
    gate.set()
    you.cards("data", first, 3)
    you.card("data", elsewhere)
    assert agent.asked == ["the first", "elsewhere", "only drama", "by store"]
    assert [each.question for each in agent.histories[-1]] == ["the first", "only drama"]


def test_stopping_lets_running_questions_finish(start_bot, agent, gate, you):
    bot = start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    threading.Timer(0.3, gate.set).start()
    assert bot.stop(grace_s=10)
    assert "You asked: how many films?" in you.card("data", ts, within=0.1)["text"]


def test_command_that_was_taken_as_the_bot_stops_is_answered(
    start_bot, agent, gate, you, store_url, open_store
):
    bot = start_bot()
    gate.set()
    slow = {"method": "chat.postMessage", "seconds": 0.5, "taken": True}
    you.faults(slow=slow)
    you.command("data", "how many films?")
    assert bot.stop(grace_s=10)
    (root,) = [each for each in you.from_bot("data") if "how many films?" in each["text"]]
    start_bot(store=open_store(store_url))  # it was written down as the bot stopped
    _, card = you.cards("data", root["ts"], 2)
    assert "You asked: how many films?" in card["text"]


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
