"""Data stays inside: strangers and guests get no answer, and nobody where strangers read."""

from __future__ import annotations

import pytest

REFUSAL = "only answer members of this workspace"
GUEST = "guests only in channels where an administrator has allowed it"
SHARED = "People of another organisation read along here"


@pytest.mark.parametrize(
    "traits",
    [{"is_stranger": True}, {"team_id": "T0ANOTHER"}],
    ids=str,
)
def test_stranger_gets_no_answer(bot, agent, newcomer, traits):
    stranger = newcomer("sam", **traits)
    ts = stranger.ask("data", "how many films?")
    assert REFUSAL in stranger.card("data", ts)["text"]
    assert agent.asked == []


def test_member_who_was_deactivated_gets_no_answer(bot, agent, deliver, you):
    you.card("data", you.ask("data", "the first"))
    body = {"name": "gone", "deleted": True}
    gone = you.client.api_call("workspace.addUser", json=body)["user"]["id"]
    ts = you.say("data", "the message")
    deliver(bot, you.payload(ts=ts, user=gone, text=f"{you.mention} more?"))
    assert REFUSAL in you.card("data", ts)["text"]
    assert agent.asked == ["the first"]


def test_stranger_gets_no_answer_by_command_or_direct_message(bot, agent, newcomer):
    stranger = newcomer("sam", is_stranger=True)
    stranger.command("data", "how many films?")
    private = stranger.eventually(lambda: stranger.from_bot("data"))[0]
    assert REFUSAL in private["text"]
    assert private["is_ephemeral"]
    ts = stranger.say(stranger.dm(), "how many films?")
    assert REFUSAL in stranger.card(stranger.dm(), ts)["text"]
    assert agent.asked == []


def test_stranger_cannot_go_on_in_the_thread_of_a_member(bot, agent, you, newcomer):
    stranger = newcomer("sam", is_stranger=True)
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    stranger.say("data", "only drama", thread_ts=ts)
    _, refused = you.cards("data", ts, 2)
    assert REFUSAL in refused["text"]
    assert agent.asked == ["how many films?"]


def test_stranger_cannot_see_the_sql_of_a_member(bot, you, newcomer):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    stranger = newcomer("sam", is_stranger=True)
    stranger.click(card, "show_sql")
    _, refused = stranger.cards("data", ts, 2)
    assert REFUSAL in refused["text"]


@pytest.fixture
def shared(you, workspace):
    """A channel that another organisation shares."""
    body = {"name": "partners", "is_ext_shared": True, "members": workspace.bot_user_id}
    answer = you.client.api_call("workspace.addChannel", json=body)
    return str(answer["channel"]["id"])


def test_member_gets_no_answer_where_strangers_read(bot, agent, you, shared):
    ts = you.ask(shared, "how many films?")
    assert SHARED in you.card(shared, ts)["text"]
    assert agent.asked == []


def test_command_does_not_even_post_its_question_where_strangers_read(bot, agent, you, shared):
    you.command(shared, "how many films?")
    private = you.eventually(lambda: you.from_bot(shared))
    assert [each["is_ephemeral"] for each in private] == [True]
    assert SHARED in private[0]["text"]
    assert agent.asked == []


@pytest.mark.parametrize("field", ["user_team", "source_team"])
def test_message_from_another_team_gets_no_answer(bot, agent, deliver, you, field):
    you.card("data", you.ask("data", "the first"))
    ts = you.say("data", "the message")
    deliver(bot, you.payload(ts=ts, text=f"{you.mention} more?", **{field: "T0ANOTHER"}))
    assert REFUSAL in you.card("data", ts)["text"]
    assert agent.asked == ["the first"]


def test_no_answer_where_slack_does_not_say_who_reads(bot, agent, you):
    you.faults(error={"method": "conversations.info", "error": "internal_error", "times": 1})
    ts = you.ask("data", "how many films?")
    assert "could not check with Slack" in you.card("data", ts)["text"]
    assert agent.asked == []
    you.card("data", you.ask("data", "again?"))
    assert agent.asked == ["again?"]


@pytest.mark.parametrize("trait", ["is_restricted", "is_ultra_restricted"])
def test_a_guest_is_refused_in_a_channel_and_in_a_direct_message(bot, agent, newcomer, trait):
    guest = newcomer("gus", **{trait: True})
    ts = guest.ask("data", "how many films?")
    assert GUEST in guest.card("data", ts)["text"]
    ts = guest.say(guest.dm(), "how many films?")
    assert GUEST in guest.card(guest.dm(), ts)["text"]
    assert agent.asked == []


def test_a_guest_is_refused_by_command_and_learns_nothing_of_the_record(bot, agent, you, newcomer):
    you.card("data", you.ask("data", "how many films?"))
    guest = newcomer("gus", is_restricted=True)
    for words in ("how many films?", "log", "queue", "usage"):
        guest.command("data", words)
    guest.eventually(lambda: len(only_for(guest, "data")) == 4)
    assert all(GUEST in each["text"] for each in only_for(guest, "data"))
    assert len(you.from_bot("data")) == 0
    assert agent.asked == ["how many films?"]


def test_a_guest_cannot_see_the_sql_of_a_member(bot, you, newcomer):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    guest = newcomer("gus", is_restricted=True)
    guest.click(card, "show_sql")
    _, refused = guest.cards("data", ts, 2)
    assert GUEST in refused["text"]


def test_who_has_left_a_private_channel_gets_no_more_of_its_answers(bot, deliver, you, newcomer):
    leaver = newcomer("lea")
    body = {"name": "inner", "is_private": True, "members": f"{bot.me.user_id},{leaver.id}"}
    inner = str(you.client.api_call("workspace.addChannel", json=body)["channel"]["id"])
    ts = leaver.ask(inner, "how many films?")
    you.click(you.card(inner, ts), "csv")
    you.cards(inner, ts, 2)
    click = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"][-1]
    left = {"channel": inner, "put_out": leaver.id}
    you.client.api_call("workspace.changeChannel", json=left)
    deliver(bot, click | {"user": {**click["user"], "id": leaver.id}})
    bot.stop()  # what is under way is finished first
    you.cards(inner, ts, 2)


def only_for(person, channel):
    return [each for each in person.from_bot(channel) if each.get("is_ephemeral")]


@pytest.mark.parametrize(
    ("traits", "words"), [({"is_restricted": True}, GUEST), ({"is_stranger": True}, REFUSAL)]
)
def test_help_tells_those_who_get_no_answers_whom_to_turn_to(bot, newcomer, traits, words):
    person = newcomer("gus", **traits)
    person.command("data", "help")
    told = str(person.told("data", words))
    assert "/ask" not in told
