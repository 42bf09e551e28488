"""Direct messages of several people: a mention is answered, and nobody outside reads along."""

from __future__ import annotations

import pytest

from agent.messages import Outcome
from bot.store import ChannelSettings


@pytest.fixture
def open_group(you):
    """Opens direct messages of you, the bot and others."""

    def begin(*others):
        users = [you.workspace.bot_user_id, *others]
        return str(you.client.conversations_open(users=users)["channel"]["id"])

    return begin


@pytest.fixture
def group(open_group, mia):
    return open_group(mia.id)


def test_a_mention_is_answered_once_and_a_reply_goes_on_without_one(bot, agent, you, mia, group):
    ts = you.ask(group, "how many films?")
    assert "You asked: how many films?" in you.card(group, ts)["text"]
    mia.say(group, "by category?", thread_ts=ts)
    assert "by category" in mia.cards(group, ts, 2)[1]["text"]
    assert agent.asked == ["how many films?", "by category?"]


def test_talk_among_the_people_there_is_left_alone(bot, agent, you, mia, group):
    you.say(group, "shall we ask how many films?")
    first = mia.say(group, "yes")
    mia.say(group, "in a minute", thread_ts=first)
    you.settled()
    bot.stop()
    assert agent.asked == []
    assert you.from_bot(group) == []


def test_buttons_and_commands_work_there(bot, agent, you, mia, group):
    ts = you.ask(group, "how many films?")
    mia.click(mia.card(group, ts), "show_sql")
    assert "select category" in str(mia.cards(group, ts, 2)[1])
    you.command(group, "how many actors?")
    you.told(group, "how many actors?")
    you.eventually(lambda: agent.asked == ["how many films?", "how many actors?"])


def test_the_record_shows_it_to_those_who_are_there(bot, workspace, you, mia, group):
    you.card(group, you.ask(group, "about my pay?"))
    ben = type(mia)(workspace, "ben")
    ben.card("data", ben.ask("data", "how many films?"))
    ben.command("data", "log")
    assert "about my pay?" not in str(ben.told("data", "1 question"))
    mia.command(group, "log")
    assert "about my pay?" in str(mia.told(group, "questions"))


def test_what_did_not_pass_is_shown_to_nobody_else_before_the_asker_wants_it(
    start_bot, agent, you, mia, group, workspace
):
    agent.outcome = Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 films.", "summary": "It did not pass."}
    start_bot(escalation_channel=workspace.channels["helpdesk"])
    card = you.card(group, you.ask(group, "how many films?"))
    assert "Nobody outside this conversation has seen it" in card["text"]
    assert mia.from_bot("helpdesk") == []
    you.click(card, "ask_a_person")
    mia.told("helpdesk", "A question for a person")


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"is_restricted": True}, "A guest reads along"),
        ({"is_ultra_restricted": True}, "A guest reads along"),
        ({"is_stranger": True}, "no member of this workspace reads along"),
        ({"team_id": "T0OTHER"}, "no member of this workspace reads along"),
    ],
    ids=["guest", "guest of one channel", "stranger", "other organisation"],
)
def test_nothing_is_looked_up_where_an_outsider_reads_along(
    bot, agent, you, open_group, newcomer, traits, says
):
    outsider = newcomer("out", **traits)
    group = open_group(outsider.id)
    assert says in you.card(group, you.ask(group, "how many films?"))["text"]
    refused = outsider.card(group, outsider.ask(group, "how many films?"))
    assert "how many" not in refused["text"]
    assert agent.asked == []


def test_an_administrator_may_let_a_guest_read_along(
    start_bot, agent, store, you, open_group, newcomer
):
    group = open_group(newcomer("gus", is_restricted=True).id)
    store.set_channel("T0LOCALDEV", group, ChannelSettings(set_by=you.id, guests=True))
    start_bot()
    assert (
        "You asked: how many films?" in you.card(group, you.ask(group, "how many films?"))["text"]
    )
