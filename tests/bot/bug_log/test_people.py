"""What other bots got wrong with people: silence, loops, and answers to those who are not to know.

The numbers are the rows of the list of such reports that this bot is measured by.
"""

from __future__ import annotations

import pytest

from bot.store import ChannelSettings

REFUSAL = "only answer members of this workspace"


def test_08_error_at_work_is_seen_and_the_thread_is_not_left_as_being_worked_on(bot, agent, you):
    agent.breaks_with = RuntimeError("swallowed elsewhere")
    dm = you.dm()
    ts = you.say(dm, "how many films?")
    assert "Something broke on our side" in you.card(dm, ts)["text"]

    def session():
        found = you.client.api_call("workspace.boot")["sessions"]
        return next(each for each in found if each["thread_ts"] == ts)

    you.eventually(lambda: session()["state"] == "active")
    assert session()["status"] == ""


def test_23_two_bots_that_quote_each_other_do_not_go_on_for_ever(bot, agent, deliver, you):
    agent.changes = {"answer": f"Ask {you.mention} again."}
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    for kind in ("app_mention", "message"):
        quoted = {"text": f"> {you.mention} how many films?\n74", "thread_ts": ts}
        payload = you.payload(kind, ts="1900000000.000100", bot_id="B0OTHER", **quoted)
        assert deliver(bot, payload) == 200
    you.settled()  # what the bot itself wrote has come back to it
    bot.stop()
    assert agent.asked == ["how many films?"]
    assert len(you.from_bot("data", ts)) == 1


def test_25_user_of_another_organisation_reads_nothing(bot, agent, deliver, you):
    you.card("data", you.ask("data", "the first"))
    for field in ("user_team", "source_team"):
        ts = you.say("data", "the message")
        foreign = {field: "T0ANOTHER", "text": f"{you.mention} how many films?"}
        assert deliver(bot, you.payload(ts=ts, **foreign)) == 200
        assert REFUSAL in you.card("data", ts)["text"]
    assert agent.asked == ["the first"]


def test_26_colleague_gets_no_answer_where_another_organisation_reads_it(
    bot, agent, you, workspace
):
    body = {"name": "partners", "is_ext_shared": True, "members": workspace.bot_user_id}
    shared = str(you.client.api_call("workspace.addChannel", json=body)["channel"]["id"])
    ts = you.ask(shared, "how many films?")
    refused = you.card(shared, ts)
    assert "You asked" not in refused["text"]
    you.say(shared, "and now?", thread_ts=ts)
    you.cards(shared, ts, 2)
    assert agent.asked == []


@pytest.mark.parametrize("follow_ups", [True, False], ids=["on", "off"])
def test_30_follow_up_without_a_mention_is_taken_as_the_channel_is_set(
    bot, agent, you, store, follow_ups
):
    channel = you.workspace.channels["data"]
    store.set_channel(bot.me.team_id, channel, ChannelSettings(follow_ups=follow_ups))
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    you.say("data", "only drama", thread_ts=ts)
    you.settled()
    you.ask("data", "by store?", thread_ts=ts)
    you.cards("data", ts, 3 if follow_ups else 2)
    expected = ["how many films?", *(["only drama"] if follow_ups else []), "by store?"]
    assert sorted(agent.asked) == sorted(expected)
