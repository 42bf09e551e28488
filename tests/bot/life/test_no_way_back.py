"""The place of a question is closed while it is worked on, or who asked is gone."""

from __future__ import annotations

import threading

import pytest

from bot.listeners.closings import EVENTS
from bot.manifest import load_manifest

NO_WAY = "I cannot put the answer to your question into"


@pytest.fixture
def inner(you, workspace):
    """A private channel of you and the bot."""
    body = {"name": "inner", "is_private": True, "members": workspace.bot_user_id}
    return str(you.client.api_call("workspace.addChannel", json=body)["channel"]["id"])


@pytest.fixture
def place(request, you, inner):
    """A channel, public or private."""
    return inner if request.param == "private" else you.workspace.channels["data"]


@pytest.fixture
def at_work(start_bot, agent, you):
    """Asks a question in a channel, and waits until it is worked on: for ever, unless stopped."""
    agent.gate = threading.Event()
    start_bot()

    def ask(channel):
        ts = you.ask(channel, "how many films?")
        you.eventually(lambda: "I ran a query" in str(you.from_bot(channel, ts)))
        return ts

    return ask


BOTH = pytest.mark.parametrize("place", ["public", "private"], indirect=True)


@BOTH
def test_a_run_ends_as_its_channel_is_archived_and_who_asked_reads_why(
    at_work, agent, you, mia, place
):
    ts = at_work(place)
    before = you.seen(place, ts)
    you.client.conversations_archive(channel=place)
    notice = you.told(you.dm(), NO_WAY)
    assert f"<#{place}>: it was archived." in notice["text"]
    assert "Ask again" in notice["text"]
    assert "You asked" not in str(notice)
    assert "Sports" not in str(notice)
    assert you.seen(place, ts) == before
    assert mia.from_bot(mia.dm()) == mia.from_bot("helpdesk") == []


@BOTH
def test_a_run_ends_as_we_are_put_out_and_who_asked_reads_how_to_let_us_in(
    at_work, agent, you, place, workspace
):
    ts = at_work(place)
    you.client.conversations_kick(channel=place, user=workspace.bot_user_id)
    notice = you.told(you.dm(), NO_WAY)
    assert "I am no member of it any more" in notice["text"]
    assert "/invite @" in notice["text"]
    assert "You asked" not in str(you.from_bot(place, ts))
    you.client.conversations_invite(channel=place, users=workspace.bot_user_id)
    agent.gate.set()
    assert "You asked" in you.card(place, you.ask(place, "how many actors?"))["text"]


class TestWithoutTheEvents:
    """Another process may have been told; the steps of the run go to Slack from this one."""

    @pytest.fixture
    def workspace(self, start_workspace):
        manifest = load_manifest()
        events = manifest["settings"]["event_subscriptions"]
        events["bot_events"] = [each for each in events["bot_events"] if each not in EVENTS]
        return start_workspace(manifest=manifest)

    @pytest.fixture
    def step(self, agent):
        """Set, it lets the run take its one step, and then wait for being stopped."""
        may_go_on, run = threading.Event(), agent.run

        def in_steps(question, *, trail, cancelled, **given):
            may_go_on.wait(10)
            trail.begin("I look at film.")
            assert cancelled.wait(10)
            return run(question, trail=trail, cancelled=cancelled, **given)

        agent.run = in_steps
        agent.gate = threading.Event()
        return may_go_on

    @BOTH
    def test_the_next_step_ends_the_run(self, start_bot, step, you, place):
        start_bot()
        ts = you.ask(place, "how many films?")
        you.eventually(lambda: you.from_bot(place, ts))
        you.client.conversations_archive(channel=place)
        step.set()
        assert "it was archived" in you.told(you.dm(), NO_WAY)["text"]
        assert "You asked" not in str(you.from_bot(place, ts))

    def test_an_answer_that_finds_its_channel_closed_is_shown_nowhere_else(
        self, at_work, agent, you, workspace
    ):
        ts = at_work("data")
        you.client.conversations_archive(channel=workspace.channels["data"])
        agent.gate.set()
        notice = you.told(you.dm(), NO_WAY)
        assert "You asked" not in str(notice)
        assert "You asked" not in str(you.from_bot("data", ts))


def test_a_question_in_a_channel_that_was_just_closed_asks_no_model(
    bot, agent, deliver, you, workspace
):
    you.card("data", you.ask("data", "the first"))
    payload = you.payload()
    ts = you.say("data", "a word")
    payload["event"] |= {"ts": ts, "text": f"{you.mention} the second"}
    you.settled()
    you.client.conversations_archive(channel=workspace.channels["data"])
    deliver(bot, payload)
    assert "it was archived" in you.told(you.dm(), NO_WAY)["text"]
    assert agent.asked == ["the first"]


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


@pytest.mark.parametrize("trait", ["is_restricted", "is_stranger"])
def test_nor_once_who_asked_is_no_full_member_any_more(bot, agent, you, newcomer, trait):
    agent.gate = threading.Event()
    former = newcomer("former")
    ts = former.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    you.client.api_call("workspace.changeUser", json={"user": former.id, trait: True})
    agent.gate.set()
    card = you.card("data", ts)
    assert "may not ask here any more" in card["text"]
    assert "You asked" not in str(card)
