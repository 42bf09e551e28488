"""Each kind of writer, as the local workspace has them: who is answered, refused, left alone."""

from __future__ import annotations

import pytest

GUEST = "I answer full members of this workspace"
OUTSIDE = "I only answer members of this workspace"


@pytest.fixture
def workspace(start_workspace):
    return start_workspace(cast=True)


@pytest.fixture
def pollbot(workspace, you):
    """The other app's bot, with a token of its own."""
    body = {"name": "quizbot", "channels": workspace.channels["data"]}
    answer = you.client.api_call("workspace.addBot", json=body)
    return type(you)(workspace, "quizbot", str(answer["token"]))


def test_members_are_answered_guests_and_strangers_refused(bot, agent, workspace, you):
    def told(name, channel):
        person = type(you)(workspace, name)
        return person.card(channel, person.ask(channel, f"{name}: how many films?"))["text"]

    assert "You asked" in told("mia", "data")
    assert "You asked" in told("ada", "data")
    assert GUEST in told("gus", "data")
    assert GUEST in told("sol", "data")
    assert OUTSIDE in told("eva", "partners")
    assert "another organisation read along" in told("ada", "partners")
    assert agent.asked == ["mia: how many films?", "ada: how many films?"]


def test_two_bots_do_not_talk_to_each_other_for_ever(bot, agent, you, pollbot):
    ts = pollbot.ask("data", "how many films?")
    asked = you.ask("data", f"<@{pollbot.id}> how many films?")
    you.card("data", asked)
    pollbot.ask("data", "and how many actors?", thread_ts=asked)
    pollbot.say("data", "and how many actors?", thread_ts=asked)
    you.settled()
    bot.stop()  # what is under way is finished first
    assert len(agent.asked) == 1
    assert you.from_bot("data", ts) == []
    assert len(you.from_bot("data", asked)) == 1


@pytest.mark.parametrize("who", ["workflow", "slackbot"])
def test_what_workflows_and_slackbot_write_is_left_alone(bot, agent, you, who):
    asked = you.ask("data", "how many films?")
    you.card("data", asked)
    text = f"{you.mention} how many actors?"
    for channel, thread_ts in (("data", ""), ("data", asked), (you.dm(), "")):
        channel = you.workspace.channels.get(channel, channel)
        body = {"who": who, "channel": channel, "text": text, "thread_ts": thread_ts}
        you.client.api_call("workspace.sayAs", json=body)
    you.settled()
    bot.stop()
    assert agent.asked == ["how many films?"]
    assert len(you.from_bot("data", asked)) == 1
    assert you.from_bot(you.dm()) == []
