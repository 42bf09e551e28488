"""A channel that two workspaces really share: what the bot of one does there."""

from __future__ import annotations

import pytest

REFUSAL = "only answer members of this workspace"
SHARED = "People of another organisation read along here"


@pytest.fixture
def partner(workspace):
    return workspace.add_team()


@pytest.fixture
def pat(workspace, partner, you):
    """The owner of the other workspace."""
    return type(you)(workspace, "pat", partner.user_tokens["pat"])


@pytest.fixture
def shared(workspace, you, pat, partner):
    """A channel of ours with our bot in it, shared with the other workspace."""
    body = {"name": "partners", "members": workspace.bot_user_id}
    channel = str(you.client.api_call("workspace.addChannel", json=body)["channel"]["id"])
    offer = {"channel": channel, "team": partner.team_id}
    you.client.api_call("workspace.shareChannel", json=offer)
    pat.client.api_call("workspace.acceptChannel", json={"channel": channel})
    return channel


def test_whoever_is_of_the_other_workspace_gets_no_answer(bot, agent, pat, shared):
    # Slack calls them no stranger: they are in a channel with the bot.
    assert REFUSAL in pat.card(shared, pat.ask(shared, "how many films?"))["text"]
    assert agent.asked == []


def test_where_it_is_allowed_only_our_own_are_answered(bot, agent, form, pat, you, shared):
    assert SHARED in you.card(shared, you.ask(shared, "too early?"))["text"]
    form.set(you, shared, "allowed", "follow_ups")
    ts = you.ask(shared, "how many films?")
    card = you.card(shared, ts)
    pat.say(shared, "by store?", thread_ts=ts)
    pat.click(card, "show_sql")
    for refused in pat.cards(shared, ts, 3)[1:]:
        assert REFUSAL in refused["text"]
    assert agent.asked == ["how many films?"]
