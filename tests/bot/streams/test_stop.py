"""The Stop button of a message that says how far a run is, and Slack's own."""

from __future__ import annotations

import pytest

from bot.listeners import stop_button
from bot.store import Question, Thread


@pytest.fixture
def ben(mia, workspace):
    return type(mia)(workspace, "ben")


@pytest.fixture(params=["streamed", "edited"])
def asked(request, bot, agent, mia, you):
    """A question of Mia's that runs: its message's ts, and the message."""
    if request.param == "edited":
        you.without_streams()
    ts = mia.ask("data", "how many films?")
    mia.eventually(lambda: agent.asked)
    message = mia.from_bot("data", ts)[0]
    assert ("streaming_state" in message) is (request.param == "streamed")
    return ts, message


def test_who_asked_stops_the_run_and_the_card_says_so(asked, mia):
    ts, message = asked
    assert mia.click(message, "stop_run")["ack_ms"] < 1_000
    card = mia.card("data", ts)
    assert card["ts"] == message["ts"]
    assert f"Stopped by <@{mia.id}>." in card["text"]
    assert "This run was" not in card["text"]
    assert "stop_run" not in str(card["blocks"])


def test_others_are_refused_and_an_administrator_is_not(asked, agent, mia, ben, you):
    ts, message = asked
    ben.click(message, "stop_run")
    refusal = f"Only <@{mia.id}>, who asked, or an administrator can stop this question."
    ben.eventually(lambda: any(each["text"] == refusal for each in ben.from_bot("data", ts)))
    assert mia.from_bot("data", ts)[0]["text"].startswith("Working on it…")
    you.click(message, "stop_run")
    assert f"Stopped by <@{you.id}>." in mia.card("data", ts)["text"]


def test_click_on_the_button_of_a_run_that_is_over_does_nothing(bot, agent, mia, deliver):
    ts = mia.ask("data", "how many films?")
    mia.eventually(lambda: agent.asked)
    mia.click(mia.from_bot("data", ts)[0], "stop_run")
    card = mia.card("data", ts)
    payload = next(each["payload"] for each in mia.deliveries() if "actions" in each["payload"])
    assert deliver(bot, payload) == 200
    bot.stop()
    assert mia.from_bot("data", ts) == [card]


def test_click_on_what_another_process_works_on_stops_it_there(
    bot, agent, mia, store, workspace, deliver, start_bot
):
    first = mia.ask("data", "how many films?")
    mia.eventually(lambda: agent.asked)
    mia.click(mia.from_bot("data", first)[0], "stop_run")
    mia.card("data", first)
    bot.stop()
    thread = Thread(bot.me.team_id, workspace.channels["data"], "1.000")
    elsewhere = store.claim(Question(thread, "1.000", mia.id, "how many films?"))
    bot = start_bot(options={"answers": False})
    hold = store.begin(elsewhere, "another process").hold
    clicked = next(each["payload"] for each in mia.deliveries() if "actions" in each["payload"])
    clicked["actions"][0]["value"] = elsewhere
    assert deliver(bot, clicked) == 200
    mia.eventually(lambda: store.renew([elsewhere], "another process")[elsewhere].stop_by == mia.id)
    store.turn_away(elsewhere, "stopped", hold=hold)


def test_click_while_the_store_is_away_says_what_to_do(bot, agent, mia, store, workspace, deliver):
    first = mia.ask("data", "how many films?")
    mia.eventually(lambda: agent.asked)
    mia.click(mia.from_bot("data", first)[0], "stop_run")
    mia.card("data", first)
    clicked = next(each["payload"] for each in mia.deliveries() if "actions" in each["payload"])
    mia.eventually(lambda: not bot.unfinished)
    store.close()
    assert deliver(bot, clicked) == 200
    mia.eventually(lambda: stop_button.NOT_FROM_HERE in str(mia.seen("data", first)))


def test_slack_s_own_button_stops_the_run_of_who_asked(bot, agent, mia, streams):
    ts = mia.ask("data", "how many films?")
    mia.eventually(lambda: agent.asked)
    press(mia, ts)
    assert f"Stopped by <@{mia.id}>." in mia.card("data", ts)["text"]


def test_run_goes_on_in_edits_where_somebody_else_pressed_slack_s_own_button(
    bot, agent, mia, ben, streams
):
    ts = mia.ask("data", "how many films?")
    mia.eventually(lambda: agent.asked)
    press(ben, ts)
    agent.take("first")
    mia.eventually(lambda: "Did first." in str(mia.from_bot("data", ts)[0]["blocks"]))
    agent.gate.set()
    mia.eventually(lambda: "You asked: how many films?" in mia.from_bot("data", ts)[0]["text"])


def press(person, ts):
    where = {"channel": person.workspace.channels["data"], "thread_ts": ts}
    person.client.api_call("workspace.stopSession", json=where)
