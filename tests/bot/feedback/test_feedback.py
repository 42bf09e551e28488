"""The thumbs under a card: counted once a person, changeable, and why an answer was bad."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.rows import dict_row

from bot.store import StoreUnavailable


@pytest.fixture
def votes(store_url):
    """Who thinks what of all answers, and why."""

    def read():
        query = "select person, vote, reason from db_agent.feedback order by voted_at"
        with psycopg.connect(store_url, row_factory=dict_row) as connection:
            rows = connection.execute(query).fetchall()
        return {row["person"]: (row["vote"], row["reason"]) for row in rows}

    return read


@pytest.fixture
def card(bot, you):
    """The card of a question of yours."""
    return you.card("data", you.ask("data", "how many films?"))


def thumbs_of(card):
    (element,) = [
        element
        for block in card["blocks"]
        if block["type"] == "context_actions"
        for element in block["elements"]
    ]
    return element["positive_button"]["value"], element["negative_button"]["value"]


def press(person, card, *, good):
    return person.click(card, "feedback", thumbs_of(card)[0 if good else 1])


def test_thumb_up_counts_once_a_person_and_is_thanked_for_in_private(card, you, mia, votes):
    for person in (you, you, mia):
        press(person, card, good=True)
    mia.eventually(lambda: votes() == {you.id: ("up", ""), mia.id: ("up", "")})
    thanks = mia.cards("data", card["thread_ts"], 2)[-1]
    assert thanks["is_ephemeral"]
    assert "your 👍 counts" in thanks["text"]


def test_vote_may_be_changed(card, you, votes):
    press(you, card, good=True)
    press(you, card, good=False)
    you.eventually(lambda: votes() == {you.id: ("down", "")})
    assert you.submit(you.modal(), "Wrong month.")["response_action"] != "errors"
    assert votes() == {you.id: ("down", "Wrong month.")}
    thread, noted = card["thread_ts"], "Your 👎 and your reason are noted."
    you.eventually(lambda: noted in [each["text"] for each in you.from_bot("data", thread)])
    press(you, card, good=True)
    you.eventually(lambda: votes() == {you.id: ("up", "")})


def test_thumb_down_asks_why_in_time_and_the_reason_is_kept(card, you, mia, votes):
    assert press(mia, card, good=False)["ack_ms"] < 1000
    modal = mia.modal()
    assert "how many films?" in str(modal["blocks"])
    mia.submit(modal, "  It counts films that are not on sale.  ")
    assert votes() == {mia.id: ("down", "It counts films that are not on sale.")}
    press(mia, card, good=False)
    again = mia.eventually(lambda: [view for view in [mia.modal()] if view["id"] != modal["id"]])
    assert "It counts films that are not on sale." in str(again)


@pytest.mark.parametrize("nothing", ["", "   ", None])
def test_reason_may_be_left_empty(card, you, votes, nothing):
    press(you, card, good=False)
    assert you.submit(you.modal(), nothing)["response_action"] != "errors"
    assert votes() == {you.id: ("down", "")}


def test_vote_counts_though_the_window_was_closed_without_a_word(card, you, votes):
    press(you, card, good=False)
    you.client.api_call("workspace.closeView", json={"view_id": you.modal()["id"]})
    assert votes() == {you.id: ("down", "")}


def test_vote_counts_though_slack_does_not_open_the_window(card, you, votes):
    you.faults(error={"method": "views.open", "error": "expired_trigger_id"})
    press(you, card, good=False)
    assert "press 👎 again" in you.cards("data", card["thread_ts"], 2)[-1]["text"]
    assert votes() == {you.id: ("down", "")}


def test_vote_of_an_outsider_is_refused(card, bot, you, mia, votes, newcomer, deliver):
    press(mia, card, good=False)
    modal = mia.modal()
    mia.submit(modal, "mine")
    stranger = newcomer("eve", is_stranger=True)
    sent = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"]
    click, submission = sent[-2:]
    for payload in (click, submission):
        payload["user"]["id"] = stranger.id
    assert deliver(bot, click) == 200
    assert deliver(bot, submission) == 200
    press(you, card, good=True)
    you.eventually(lambda: len(votes()) == 2)
    assert votes() == {mia.id: ("down", "mine"), you.id: ("up", "")}


def test_vote_for_a_run_of_another_channel_is_refused(card, bot, you, votes, deliver):
    press(you, card, good=True)
    you.eventually(votes)
    body = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"][-1]
    elsewhere = you.say("general", "hello")
    body["channel"]["id"] = you.workspace.channels["general"]
    body["container"] |= {"message_ts": elsewhere, "thread_ts": elsewhere}
    body["actions"][0]["value"] = thumbs_of(card)[1]
    assert deliver(bot, body) == 200
    assert "no record of this answer" in you.card("general", elsewhere)["text"]
    assert votes() == {you.id: ("up", "")}


def test_words_are_not_lost_while_the_record_is_away(card, you, store, votes, monkeypatch):
    def away(*_, **__):
        raise StoreUnavailable("gone", detail="gone")

    press(you, card, good=False)
    modal = you.modal()
    with monkeypatch.context() as broken:
        broken.setattr(store, "explain", away)
        refused = you.submit(modal, "Wrong month.")
    assert "still here" in str(refused["errors"])
    you.submit(modal, "Wrong month.")
    assert votes() == {you.id: ("down", "Wrong month.")}


def test_votes_work_after_a_restart(start_bot, you, store_url, open_store, votes):
    first = start_bot()
    card = you.card("data", you.ask("data", "how many films?"))
    first.stop()
    start_bot(store=open_store(store_url))
    press(you, card, good=True)
    you.eventually(lambda: votes() == {you.id: ("up", "")})


def test_log_tells_what_people_thought_and_finds_it(card, you, mia, votes):
    press(you, card, good=True)
    press(mia, card, good=False)
    mia.submit(mia.modal(), "It is <!channel> wrong.")
    you.eventually(lambda: len(votes()) == 2)
    you.command("data", "log thumbs down")
    told = you.told("data", "👎 1")["blocks"]
    assert "👍 1 👎 1 “It is &lt;!channel&gt; wrong.”" in str(told)
    you.command("data", "log not thumbs down")
    you.told("data", "I found no such question")
