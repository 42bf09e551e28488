"""A channel becomes private: what is asked there from then on is for those who are in it."""

from __future__ import annotations

import pytest

from agent.messages import Outcome


@pytest.fixture
def make_private(you):
    """Makes a channel private of which everything was known a moment ago."""

    def begin():
        channel = you.workspace.channels["data"]
        you.card("data", you.ask("data", "how many films?"))
        you.client.api_call(
            "workspace.changeChannel", json={"channel": channel, "is_private": True}
        )

    return begin


def test_log_tells_nobody_outside_what_is_asked_there(bot, make_private, you, newcomer):
    outside = newcomer("lea")
    make_private()
    you.card("data", you.ask("data", "how many secrets?"))
    channel = outside.dm()
    outside.command(channel, "log")
    assert "how many secrets?" not in str(outside.told(channel, "question"))


def test_nobody_outside_is_called_to_it(start_bot, agent, make_private, you, mia, workspace):
    start_bot(escalation_channel=workspace.channels["helpdesk"])
    make_private()
    agent.outcome = Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 films.", "summary": "It did not pass."}
    card = you.card("data", you.ask("data", "how many secrets?"))
    assert "Nobody outside this conversation has seen it" in card["text"]
    assert mia.from_bot("helpdesk") == []
