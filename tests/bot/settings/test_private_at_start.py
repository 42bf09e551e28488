"""What was set before a process began holds in it, also where the record goes away at once."""

from __future__ import annotations

import threading

import psycopg


def test_a_private_channel_stays_private_though_nobody_has_asked_there_yet(
    start_bot, store_url, was_set, workspace, you, mia, told_alone
):
    was_set(workspace.channels["data"], private=True)
    start_bot()
    with psycopg.connect(store_url, autocommit=True) as connection:
        connection.execute("alter table db_agent.channel_settings rename to away")
        try:
            ts = you.ask("data", "how many films?")
            you.eventually(lambda: "You asked: how many films?" in str(you.seen("data", ts)))
        finally:
            connection.execute("alter table db_agent.away rename to channel_settings")
    told_alone(you, "data", ts)
    assert "You asked" not in str(mia.seen("data", ts))


def test_a_question_that_was_deleted_while_it_waited_is_announced_to_nobody(
    start_bot, was_set, workspace, agent, you, told_alone
):
    channel = workspace.channels["data"]
    was_set(channel, private=True)
    agent.gate = threading.Event()
    start_bot(workers=1)
    first = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    second = you.ask("data", "how many rentals?")
    you.say("data", f"<@{you.id}> that is a word to somebody else", second)
    you.settled()
    you.client.chat_delete(channel=channel, ts=second)
    you.settled()
    third = you.ask("data", "how many stores?")
    agent.gate.set()
    told_alone(you, "data", first)
    told_alone(you, "data", third)
    assert you.from_bot("data", second) == []
    assert agent.asked == ["how many films?", "how many stores?"]
