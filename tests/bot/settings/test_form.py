"""/ask settings: administrators see and set what holds in a channel, and nobody else does."""

from __future__ import annotations

import psycopg
import pytest

ADMINS_ONLY = "Only administrators of this workspace"
USUAL = {"allowed", "follow_ups"}


def test_an_administrator_sees_what_holds_and_sets_it_for_good(
    bot, form, start_bot, store, you, workspace
):
    view = form.open(you, "data")
    assert form.ticked(view) == USUAL
    assert "Nobody has set anything" in str(view)
    saved = form.save(you, view, "allowed", "private", "guests")
    assert "A reply in my threads needs a mention" in str(saved["view"])
    assert "Guests may ask" in str(saved["view"])
    kept = store.channel_settings(bot.me.team_id)[workspace.channels["data"]]
    assert (kept.set_by, kept.shared_with) == (you.id, None)
    form.close(you, saved["view"])
    bot.stop()
    start_bot()  # another process
    again = form.open(you, "data")
    assert form.ticked(again) == {"allowed", "private", "guests"}
    assert f"Set by <@{you.id}>" in str(again)
    form.close(you, again)
    form.set(you, "general", *USUAL)
    assert len(store.channel_settings(bot.me.team_id)) == 2


@pytest.mark.parametrize("traits", [{}, {"is_restricted": True, "is_admin": True}], ids=str)
def test_who_is_no_administrator_gets_no_form(bot, newcomer, told_alone, traits):
    member = newcomer("max", **traits)
    member.command("data", "settings")
    assert ADMINS_ONLY in told_alone(member, "data")[0]["text"]
    assert not member.client.api_call("workspace.boot")["views"]


def test_a_member_whom_the_settings_name_is_an_administrator(start_bot, form, mia):
    start_bot(admins=mia.id)
    form.set(mia, "data", "allowed")


@pytest.mark.parametrize("loss", [{"is_admin": False}, {"is_restricted": True}], ids=str)
def test_who_lost_the_right_with_the_form_open_changes_nothing(
    bot, form, newcomer, store, you, loss
):
    boss = newcomer("max", is_admin=True)
    view = form.open(boss, "data")
    you.client.api_call("workspace.changeUser", json={"user": boss.id, **loss})
    refused = form.save(boss, view, "guests")
    assert ADMINS_ONLY in str(refused["view"])
    assert store.channel_settings(bot.me.team_id) == {}


def test_nothing_is_shown_or_changed_where_slack_does_not_say_who_is_an_administrator(
    bot, form, store, told_alone, you
):
    view = form.open(you, "data")
    you.faults(error={"method": "users.info", "error": "internal_error", "times": 9})
    assert "could not check with Slack" in str(form.save(you, view, "guests")["view"])
    you.command("data", "settings")
    assert "could not check with Slack" in told_alone(you, "data")[0]["text"]
    assert store.channel_settings(bot.me.team_id) == {}


def test_what_could_not_be_kept_is_said_and_can_be_sent_again(bot, form, store_url, store, you):
    view = form.open(you, "data")
    with psycopg.connect(store_url, autocommit=True) as connection:
        connection.execute("alter table db_agent.channel_settings rename to away")
        try:
            refused = form.save(you, view, "guests")
        finally:
            connection.execute("alter table db_agent.away rename to channel_settings")
    assert "nothing is saved yet" in str(refused["errors"])
    assert "Guests may ask" in str(form.save(you, view, "guests")["view"])
    assert len(store.channel_settings(bot.me.team_id)) == 1


def test_settings_belong_to_channels_that_the_bot_sees(bot, add_channel, told_alone, you):
    you.command(you.dm(), "settings")
    assert "belong to a channel" in told_alone(you, you.dm())[0]["text"]
    body = {"name": "closed", "is_private": True}
    closed = you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]
    you.command(closed, "settings")
    assert "invite me here first" in told_alone(you, closed)[0]["text"]


def test_a_question_about_settings_is_a_question(bot, agent, you):
    you.command("data", "settings of the shop by store")
    you.eventually(lambda: agent.asked)
    assert agent.asked == ["settings of the shop by store"]


def test_a_channel_where_questions_are_switched_off_answers_none(bot, agent, form, told_alone, you):
    form.set(you, "data")
    ts = you.ask("data", "how many films?")
    assert "switched questions off" in you.card("data", ts)["text"]
    you.command("data", "private how many films?")
    assert "switched questions off" in told_alone(you, "data")[0]["text"]
    form.set(you, "data", *USUAL)
    you.card("data", you.ask("data", "and now?"))
    assert agent.asked == ["and now?"]
