"""Many questions in one moment: each envelope is acknowledged, each question answered once."""

from __future__ import annotations

import pytest

CHANNELS = ("data", "general", "helpdesk")
IN_TIME_S = 8.0
"""Far more than it takes: other tests are busy meanwhile. `make bench-slack` measures it."""


@pytest.fixture
def workspace(start_workspace):
    """One that waits long enough for an acknowledgement on a busy machine."""
    return start_workspace(ack_within=IN_TIME_S)


@pytest.fixture
def crowd(you):
    """Mentions in three channels, and as many direct messages, written in one moment."""
    posts = []
    for number in range(24):
        channel = you.workspace.channels[CHANNELS[number % 3]]
        posts.append({"channel": channel, "text": f"{you.mention} question {number}"})
        posts.append({"channel": you.dm(), "text": f"question {number + 24}"})

    def ask():
        given = [{"user": you.id, **post} for post in posts]
        written = you.client.api_call("workspace.postMany", json={"posts": given})["ts"]
        return list(zip(posts, written, strict=True))

    return ask


def test_each_is_acknowledged_in_time_and_answered_once(bot, agent, you, crowd):
    asked = crowd()
    commands = [you.command("data", "help")["ack_ms"] for _ in range(3)]
    you.eventually(lambda: not bot.unfinished and len(agent.asked) == len(asked), within=60)
    transcript = you.client.api_call("workspace.transcript")["messages"]
    for post, ts in asked:
        (card,) = [
            each
            for each in transcript
            if each["channel"] == post["channel"]
            and each.get("thread_ts") == ts
            and each["user"] == you.workspace.bot_user_id
        ]
        assert card["text"].startswith(
            f"You asked: {post['text'].removeprefix(you.mention).strip()}"
        )
    you.settled()
    delays = [each["attempts"][0]["ack_ms"] for each in you.deliveries()]
    assert max([*delays, *commands]) < IN_TIME_S * 1000
