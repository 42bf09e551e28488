"""Changes that are none: previews, other people's, the bot's own, and what was no question."""

from __future__ import annotations

import copy

import pytest

from bot.store import Question, Thread


@pytest.fixture
def answered(bot, you):
    """A question that was answered, and the card."""
    ts = you.ask("data", "how many films?")
    return ts, you.card("data", ts)


NO_CHANGES = {
    "preview of a link, of a message never edited": {"edited": None},
    "same words, edited before": {"previous": {"text": "<@{bot}>  how many rentals?"}},
    "same words, the bot is no longer named": {"previous": {"text": "how many rentals?"}},
    "somebody else's hand": {"edited": ("1.1", "U0LOCALBEN")},
    "a bot's message": {"message": {"bot_id": "B0OTHER"}},
    "a message without an author": {"message": {"user": None}},
}


def test_changes_that_are_none_are_acknowledged_and_left_alone(bot, agent, answered, deliver, told):
    ts, _ = answered
    for given in copy.deepcopy(list(NO_CHANGES.values())):
        if "previous" in given:
            given["previous"]["text"] = given["previous"]["text"].format(bot=bot.me.user_id)
        assert deliver(bot, told(ts, **given)) == 200
    bot.stop()  # waits for whatever it might have begun
    assert agent.asked == ["how many films?"]


def test_change_is_taken_in_this_very_form(bot, agent, answered, deliver, told, you):
    # The others differ from it by one thing each.
    ts, card = answered
    for _ in range(2):  # and once only, however often it is told
        assert deliver(bot, told(ts)) == 200
    you.eventually(lambda: "rentals" in you.from_bot("data", ts)[0]["text"])
    bot.stop()
    assert agent.asked == ["how many films?", "how many rentals?"]
    assert you.card("data", ts)["ts"] == card["ts"]


def test_older_change_that_comes_late_is_left_alone(bot, agent, answered, deliver, told, you):
    ts, _ = answered
    assert deliver(bot, told(ts, edited=("1.2", None))) == 200
    late = told(ts, message={"text": "older words"}, edited=("1.1", None))
    assert deliver(bot, late) == 200
    you.eventually(lambda: len(agent.asked) == 2)
    bot.stop()
    assert agent.asked == ["how many films?", "how many rentals?"]


def test_change_by_somebody_from_outside_changes_nothing(
    bot, agent, answered, deliver, told, you, newcomer
):
    ts, card = answered
    stranger = newcomer("sam", is_stranger=True).id
    for changed in (
        told(ts, message={"user": stranger}, edited=("1.1", stranger)),
        told(ts, message={"user_team": "T0ANOTHER"}),
    ):
        assert deliver(bot, changed) == 200
    bot.stop()
    assert agent.asked == ["how many films?"]
    assert you.card("data", ts) == card


def test_change_and_deletion_that_overtake_their_message_are_not_lost(
    bot, agent, answered, deliver, told, you
):
    changed, deleted = you.say("data", "one"), you.say("data", "two")
    for revision, words in (("1.2", "how many stores?"), ("1.1", "how many rentals?")):
        payload = told(changed, message={"text": words}, edited=(revision, None))
        assert deliver(bot, payload) == 200
    gone = told(deleted)
    gone["event"] |= {"subtype": "message_deleted", "message": None, "deleted_ts": deleted}
    assert deliver(bot, gone) == 200
    for ts in (changed, deleted):
        assert deliver(bot, you.payload("message", ts=ts, text=f"{you.mention} how many?")) == 200
    you.eventually(lambda: "stores" in you.card("data", changed)["text"])
    bot.stop()
    assert agent.asked[-1] == "how many stores?"
    assert all("You asked" not in each["text"] for each in you.from_bot("data", deleted))


def test_message_that_was_no_question_is_left_alone_when_it_is_changed(bot, agent, you):
    ts = you.say("data", "nothing for you")
    channel = you.workspace.channels["data"]
    you.client.chat_update(channel=channel, ts=ts, text=f"{you.mention} how many films?")
    you.settled()
    bot.stop()
    assert agent.asked == []
    assert you.from_bot("data", ts) == []


def test_two_processes_that_are_told_of_a_change_answer_it_once(store, store_url, open_store):
    thread, other = Thread("T1", "C1", "1.000000"), open_store(store_url)
    store.claim(Question(thread, "1.000000", "U1", "how many films?"))
    changed = Question(thread, "1.000000", "U1", "how many rentals?")
    taken = [each.revise(changed, "2.000000") for each in (store, other)]
    assert sum(each is not None for each in taken) == 1
    assert store.revise(changed, "1.500000") is None
    assert store.revise(changed, "3.000000") is not None
