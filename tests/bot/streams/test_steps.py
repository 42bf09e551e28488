"""The steps of a run in a stream: one message, from the first step to the card."""

from __future__ import annotations

import pytest

from tests.bot.streams.conftest import steps_of

BEGUN = "⏳ Thinking about your question…"


def sent(calls, method):
    return [given for called, given in calls if called == method]


def test_steps_are_tasks_of_one_message_that_becomes_the_card(bot, agent, you, streams, calls):
    ts = you.ask("data", "how many films?")
    begun = streams.streamed("data", ts)
    assert steps_of(begun) == [BEGUN]
    assert begun["text"].startswith("Working on it…")
    agent.take("first", "second")
    streams.shows("data", ts, "✓ Did first.", "✓ Did second.")
    agent.gate.set()
    card = you.card("data", ts)
    assert card["ts"] == begun["ts"]
    assert [block["type"] for block in card["blocks"]][:2] == ["section", "table"]
    assert card["streaming_state"] == "completed"
    assert len(you.from_bot("data", ts)) == 1
    (start,) = sent(calls, "chat.startStream")
    assert start["recipient_user_id"] == you.id
    assert start["recipient_team_id"] == bot.me.team_id
    assert sent(calls, "chat.postMessage")[1:] == []  # the question itself
    assert len(sent(calls, "chat.stopStream")) == len(sent(calls, "chat.update")) == 1


def test_steps_are_streamed_in_messages_and_below_a_command(bot, agent, you, mia, streams):
    together = f"{mia.id},{you.workspace.bot_user_id}"
    group = str(you.client.conversations_open(users=together)["channel"]["id"])
    asked = {group: you.ask(group, "how many films?"), you.dm(): you.say(you.dm(), "how many?")}
    for channel, ts in asked.items():
        streams.streamed(channel, ts)
    you.command("data", "how many films?")
    root = you.eventually(lambda: you.from_bot("data"))[0]["ts"]
    you.eventually(lambda: len(you.from_bot("data", root)) == 2)
    assert you.from_bot("data", root)[1]["streaming_state"] == "in_progress"
    agent.gate.set()
    for channel, ts in asked.items():
        you.card(channel, ts)
    you.cards("data", root, 2)


def test_private_answer_is_never_streamed(bot, agent, you, calls):
    agent.gate.set()
    you.command("data", "private how many films?")
    you.told("data", "You asked: how many films?")
    assert sent(calls, "chat.startStream") == []


def test_answer_to_a_changed_question_is_no_second_stream(bot, agent, you, streams, calls):
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    first = streams.streamed("data", ts)
    channel = you.workspace.channels["data"]
    you.client.chat_update(channel=channel, ts=ts, text=f"{you.mention} how many rentals?")
    you.eventually(lambda: len(agent.asked) == 2)
    agent.take("first")
    assert streams.shows("data", ts, "✓ Did first.")["ts"] == first["ts"]
    agent.gate.set()
    you.eventually(lambda: "You asked: how many rentals?" in streams.message("data", ts)["text"])
    assert len(sent(calls, "chat.startStream")) == 1


@pytest.mark.parametrize("switch", ["break", "server_error"])
@pytest.mark.parametrize("taken", [True, False], ids=["taken", "not taken"])
def test_start_that_nobody_hears_of_leaves_one_message(bot, agent, you, streams, switch, taken):
    you.faults(**{switch: {"method": "chat.startStream", "taken": taken}})
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    agent.take("first")
    if taken or switch == "server_error":  # else it may still be on its way, for all we know
        streams.shows("data", ts, "✓ Did first.")
    agent.gate.set()
    card = you.card("data", ts)
    assert "You asked: how many films?" in card["text"]
    assert ("streaming_state" in card) is taken
    assert len(you.from_bot("data", ts)) == 1
