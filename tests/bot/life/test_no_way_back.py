"""The place of a question is closed while it is worked on, or who asked is gone."""

from __future__ import annotations

import threading

import pytest

NO_WAY = "I cannot put the answer to your question into"


@pytest.fixture
def at_work(start_bot, agent, you):
    """Asks a question in a channel, and waits until it is worked on."""
    agent.gate = threading.Event()
    start_bot()

    def ask(channel):
        ts = you.ask(channel, "how many films?")
        you.eventually(lambda: "I ran a query" in str(you.from_bot(channel, ts)))
        return ts

    return ask


def test_who_asked_is_told_that_the_channel_takes_no_answer_and_reads_it_nowhere_else(
    at_work, agent, you, mia
):
    at_work("data")
    you.faults(error={"method": "chat.update", "error": "is_archived", "times": 999})
    agent.gate.set()
    notice = you.told(you.dm(), NO_WAY)
    assert f"<#{you.workspace.channels['data']}>" in notice["text"]
    assert "Ask again" in notice["text"]
    assert "You asked" not in str(notice)
    assert "Sports" not in str(notice)
    assert mia.from_bot(mia.dm()) == []


@pytest.mark.parametrize("is_private", [False, True], ids=["public", "private"])
def test_who_asked_in_a_channel_that_we_were_put_out_of_is_told_to_invite_us(
    at_work, agent, you, workspace, is_private
):
    bot_id = workspace.bot_user_id
    body = {"name": "inner", "is_private": is_private, "members": bot_id}
    channel = str(you.client.api_call("workspace.addChannel", json=body)["channel"]["id"])
    ts = at_work(channel)
    you.client.api_call("workspace.changeChannel", json={"channel": channel, "put_out": bot_id})
    agent.gate.set()
    notice = you.told(you.dm(), NO_WAY)
    assert "I am no member of it any more" in notice["text"]
    assert "/invite @" in notice["text"]
    assert "You asked" not in str(you.from_bot(channel, ts))


def test_answer_is_not_shown_once_who_asked_was_deactivated(bot, agent, you, newcomer):
    agent.gate = threading.Event()
    gone = newcomer("gone")
    ts = gone.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    you.client.api_call("workspace.changeUser", json={"user": gone.id, "deleted": True})
    agent.gate.set()
    card = you.card("data", ts)
    assert "has left the workspace" in card["text"]
    assert "You asked" not in str(card)
