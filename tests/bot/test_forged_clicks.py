"""A click or a window that was made up: a run's id opens no more than its card does."""

from __future__ import annotations

import copy

import psycopg
import pytest
from slack_bolt import BoltRequest

from agent.messages import Outcome

NO_RECORD = "I have no record of this answer"


@pytest.fixture
def run_of(store_url):
    """The id of the run of a question."""

    def look(words):
        query = "select id::text from db_agent.runs where question = %s and status = 'finished'"
        with psycopg.connect(store_url) as connection:
            row = connection.execute(query, (words,)).fetchone()
        return row and row[0]

    return look


@pytest.fixture
def send(bot, mia):
    """Sends once more what Mia sent last of a kind, changed."""

    def again(kind, change):
        sent = [each["payload"] for each in mia.deliveries()]
        of_kind = [each for each in sent if each.get("type") == kind]
        payload = copy.deepcopy([each for each in of_kind if each["user"]["id"] == mia.id][-1])
        change(payload)
        return bot.app.dispatch(BoltRequest(body=payload, mode="socket_mode"))

    return again


@pytest.fixture
def card(bot, mia):
    """A card that Mia sees, one of whose buttons she has pressed."""
    card = mia.card("data", mia.ask("data", "how many actors?"))
    mia.click(card, "show_sql")
    mia.cards("data", card["thread_ts"], 2)
    return card


@pytest.fixture
def press(card, send, mia):
    """Presses that button with the id of another run; what Mia is told after that."""

    def one(action, run_id):
        before = len(mia.from_bot("data", card["thread_ts"]))

        def change(payload):
            payload["actions"][0] |= {"action_id": action, "value": run_id}

        assert send("block_actions", change).status == 200
        told = mia.eventually(lambda: mia.from_bot("data", card["thread_ts"])[before:])
        return str(told)

    return one


@pytest.fixture
def private(bot, you, run_of):
    """A question that only one person saw, in the channel of the card."""
    you.command("data", "private how many films?")
    you.told("data", "You asked: how many films?")
    return you.eventually(lambda: run_of("how many films?"))


@pytest.mark.parametrize("action", ["show_sql", "why", "csv", "whole_answer", "ask_a_person"])
def test_nobody_sees_more_of_what_another_was_told_alone(press, private, action):
    assert NO_RECORD in press(action, private)


def test_what_was_shared_is_open_to_all(press, private, you):
    card = you.told("data", "You asked: how many films?")
    you.click(card, "share")
    you.told("data", "Shared with everybody")
    assert "The SQL of this answer" in press("show_sql", private)


def test_vote_on_an_answer_in_anothers_direct_messages_is_not_taken(
    card, send, run_of, you, mia, store_url
):
    channel = you.dm()
    you.card(channel, you.say(channel, "how many stores?"))
    run_id = you.eventually(lambda: run_of("how many stores?"))
    (thumbs,) = [each for each in card["blocks"] if each["type"] == "context_actions"]
    mia.click(card, "feedback", thumbs["elements"][0]["negative_button"]["value"])
    mia.submit(mia.modal(), "wrong month")
    answer = send(
        "view_submission", lambda payload: payload["view"].update(private_metadata=run_id)
    )
    assert NO_RECORD in str(answer.body)
    with psycopg.connect(store_url) as connection:
        voted = connection.execute("select run_id::text from db_agent.feedback").fetchall()
    assert voted == [(run_of("how many actors?"),)]


def test_event_for_the_app_in_another_workspace_is_left(bot, agent, deliver, you):
    you.card("data", you.ask("data", "how many films?"))
    payload = you.payload(ts=you.say("data", "x"), text=f"{you.mention} how many more?")
    payload["authorizations"][0]["team_id"] = payload["team_id"] = "T0OTHER"
    assert deliver(bot, payload) == 200
    del payload["authorizations"]
    payload["event"] = {"type": "app_uninstalled"}
    assert deliver(bot, payload) == 200
    assert bot.connected
    you.card("data", you.ask("data", "and how many actors?"))
    assert agent.asked == ["how many films?", "and how many actors?"]


def test_window_of_who_was_put_out_of_the_channel_meanwhile_settles_nothing(
    start_bot, agent, workspace, you, mia, store
):
    members = f"{workspace.bot_user_id},{mia.id},{you.id}"
    body = {"name": "desk", "is_private": True, "members": members}
    desk = str(you.client.api_call("workspace.addChannel", json=body)["channel"]["id"])
    agent.outcome = Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 films.", "summary": "It did not pass."}
    start_bot(escalation_channel=desk)
    you.card("data", you.ask("data", "how many films?"))
    mia.click(mia.told(desk, "A question for a person"), "answer_escalation")
    window = mia.modal()
    you.client.conversations_kick(channel=desk, user=mia.id)
    assert "Only who is in the channel" in str(mia.submit(window, "One thousand."))
    assert [each.status for each in store.open_escalations()] == ["open"]
