"""Where another organisation reads along, answers wait for an administrator's word."""

from __future__ import annotations

import psycopg
import pytest

SHARED = "People of another organisation read along here"
USUAL = ("allowed", "follow_ups")


def test_a_shared_channel_is_answered_once_an_administrator_allows_it(
    bot, agent, form, shared, newcomer, you
):
    assert SHARED in you.card(shared, you.ask(shared, "too early?"))["text"]
    view = form.open(you, shared)
    assert form.ticked(view) == {"follow_ups"}
    assert "People of another organisation read along, and see the answers" in str(view)
    form.close(you, form.save(you, view, *USUAL)["view"])
    ts = you.ask(shared, "how many films?")
    card = you.card(shared, ts)
    assert agent.asked == ["how many films?"]
    stranger = newcomer("sam", is_stranger=True)
    stranger.say(shared, "by store?", thread_ts=ts)
    stranger.click(card, "show_sql")
    for refused in stranger.cards(shared, ts, 3)[1:]:
        assert "only answer members of this workspace" in refused["text"]
    assert agent.asked == ["how many films?"]


def test_what_was_set_while_nobody_read_along_lets_nobody_read_along(
    bot, agent, form, add_channel, you
):
    inner = add_channel("inner")
    form.set(you, inner, *USUAL)
    share(you, inner, "T0OTHER")
    ts = you.ask(inner, "how many films?")
    assert SHARED in you.card(inner, ts)["text"]
    assert agent.asked == []


def test_an_organisation_that_joins_later_has_to_be_allowed_too(bot, agent, form, shared, you):
    form.set(you, shared, *USUAL)
    share(you, shared, "T0OTHER,T0THIRD")
    view = form.open(you, shared)
    assert form.ticked(view) == {"follow_ups"}
    form.close(you, view)
    assert SHARED in you.card(shared, you.ask(shared, "too early?"))["text"]
    form.set(you, shared, *USUAL)
    you.card(shared, you.ask(shared, "how many films?"))
    assert agent.asked == ["how many films?"]


def test_a_channel_that_is_shared_between_two_questions_is_noticed_at_once(bot, agent, you):
    you.card("data", you.ask("data", "how many films?"))
    share(you, you.workspace.channels["data"], "T0OTHER")
    assert SHARED in you.card("data", you.ask("data", "and now?"))["text"]
    assert agent.asked == ["how many films?"]


def test_what_slack_says_with_the_question_counts_even_alone(bot, agent, deliver, you):
    you.card("data", you.ask("data", "how many films?"))
    ts = you.say("data", "the message")
    shared = you.payload(ts=ts, text=f"{you.mention} and now?") | {"is_ext_shared_channel": True}
    deliver(bot, shared)
    assert SHARED in you.card("data", ts)["text"]
    assert agent.asked == ["how many films?"]


def test_a_channel_that_was_shared_with_others_before_is_looked_at_anew(
    start_bot, agent, was_set, you
):
    channel = you.workspace.channels["data"]
    was_set(channel, shared_with=frozenset({"T0OTHER"}))
    start_bot()
    you.card("data", you.ask("data", "how many films?"))
    share(you, channel, "T0THIRD")
    assert SHARED in you.card("data", you.ask("data", "and now?"))["text"]
    assert agent.asked == ["how many films?"]


def test_a_changed_question_is_refused_where_strangers_have_come(bot, agent, you):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    channel = you.workspace.channels["data"]
    share(you, channel, "T0OTHER")
    you.client.chat_update(channel=channel, ts=ts, text=f"{you.mention} how many actors?")
    you.eventually(lambda: SHARED in you.card("data", ts)["text"])
    assert agent.asked == ["how many films?"]


@pytest.mark.parametrize("words", ["how many films?", "private how many films?"])
def test_a_command_is_refused_too(bot, agent, shared, told_alone, you, words):
    you.command(shared, words)
    assert SHARED in told_alone(you, shared)[0]["text"]
    assert agent.asked == []


def test_a_command_and_a_click_notice_at_once_that_a_channel_was_shared(
    bot, agent, told_alone, you
):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    share(you, you.workspace.channels["data"], "T0OTHER")
    you.command("data", "and now?")
    assert SHARED in told_alone(you, "data")[0]["text"]
    you.click(card, "csv")
    assert SHARED in told_alone(you, "data", ts)[0]["text"]
    assert agent.asked == ["how many films?"]


def test_nothing_is_let_that_cannot_be_looked_up(
    start_bot, agent, shared, was_set, store_url, newcomer, you
):
    was_set(shared, shared_with=frozenset({"T0OTHER"}))
    was_set(you.workspace.channels["data"], guests=True)
    was_set(you.workspace.channels["general"], allowed=False)
    guest = newcomer("gus", is_restricted=True)
    with psycopg.connect(store_url, autocommit=True) as connection:
        connection.execute("alter table db_agent.channel_settings rename to away")
        try:
            start_bot()
            unsure = "cannot look up what an administrator has allowed"
            assert unsure in you.card(shared, you.ask(shared, "how many films?"))["text"]
            assert unsure in guest.card("data", guest.ask("data", "how many films?"))["text"]
            ts = you.ask("data", "how many actors?")
            you.card("data", ts)
            you.say("data", "and by store?", thread_ts=ts)
            you.cards("data", ts, 2)
        finally:
            connection.execute("alter table db_agent.away rename to channel_settings")
    assert agent.asked == ["how many actors?", "and by store?"]


def share(you, channel, outsiders):
    """Another organisation, or several, come into a channel."""
    body = {"channel": channel, "is_ext_shared": True, "outsiders": outsiders}
    you.client.api_call("workspace.changeChannel", json=body)
