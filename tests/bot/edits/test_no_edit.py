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


@pytest.fixture
def told(you):
    """The `message_changed` that Slack sends of a message, its parts changed as given."""

    def payload(ts, *, message=(), previous=(), edited=("1.1", None)):
        made = copy.deepcopy(you.payload("message"))
        user, channel = you.id, you.workspace.channels["data"]
        before = {"type": "message", "user": user, "ts": ts, "text": f"{you.mention} how many?"}
        after = {**before, "text": f"{you.mention} how many rentals?"}
        if edited:
            after["edited"] = {"ts": edited[0], "user": edited[1] or user}
        made["event"] = {
            "type": "message",
            "subtype": "message_changed",
            "hidden": True,
            "channel": channel,
            "channel_type": "channel",
            "ts": "1900000000.000100",
            "event_ts": "1900000000.000100",
            "message": {**after, **dict(message)},
            "previous_message": {**before, **dict(previous)},
        }
        return made

    return payload


SAME = {"text": "<@U0BOT> how many?"}
NO_CHANGES = {
    "preview of a link, of a message never edited": {"edited": None},
    "same words, edited before": {"previous": {"text": "<@{bot}>  how many rentals?"}},
    "same words, the bot is no longer named": {"previous": {"text": "how many rentals?"}},
    "somebody else's hand": {"edited": ("1.1", "U0LOCALBEN")},
    "a bot's message": {"message": {"bot_id": "B0OTHER"}},
    "a message without an author": {"message": {"user": None}},
}


@pytest.mark.parametrize("name", NO_CHANGES)
def test_change_that_is_none_is_acknowledged_and_left_alone(
    bot, agent, answered, deliver, told, name
):
    ts, _ = answered
    given = copy.deepcopy(NO_CHANGES[name])
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
    bot.stop()
    assert agent.asked == ["how many films?", "how many rentals?"]


@pytest.mark.parametrize("kind", ["stranger", "another organisation"])
def test_change_by_somebody_from_outside_changes_nothing(
    bot, agent, answered, deliver, told, you, newcomer, kind
):
    ts, card = answered
    if kind == "stranger":
        stranger = newcomer("sam", is_stranger=True)
        changed = told(ts, message={"user": stranger.id}, edited=("1.1", stranger.id))
    else:
        changed = told(ts, message={"user_team": "T0ANOTHER"})
    assert deliver(bot, changed) == 200
    bot.stop()
    assert agent.asked == ["how many films?"]
    assert you.card("data", ts) == card


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
