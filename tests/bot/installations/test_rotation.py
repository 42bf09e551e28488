"""Tokens that end: renewed in time, once, whoever needs them; and what happens where that fails."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from bot.installations.directory import Directory
from bot.installations.opening import oauth_client
from bot.installations.rotation import Rotation, State
from bot.installations.seal import Seal
from bot.installations.sealed_stores import SealedInstallations, open_engine


@pytest.fixture
def rotates():
    return True


@pytest.fixture
def ends_in(store_url):
    """Sets when the tokens end, as far as the store knows."""

    def put(hours):
        at = datetime.now(UTC).replace(tzinfo=None) + timedelta(hours=hours)
        with psycopg.connect(store_url) as connection:
            connection.execute("update db_agent.slack_bots set bot_token_expires_at = %s", [at])

    return put


@pytest.fixture
def process(workspace, store_url, key):
    """What a process has of its own: ways to the store and to Slack."""

    def make(keys=key):
        engine = open_engine(store_url)
        sealed = SealedInstallations(workspace.client_id, engine, Seal(keys))
        directory = Directory(engine, sealed)
        return Rotation(
            directory,
            oauth_client(workspace.api_url),
            client_id=workspace.client_id,
            client_secret=workspace.client_secret,
        ), directory

    return make


@pytest.fixture
def installed(make_bot, browse, ours):
    """The app is in one workspace; returns the bot."""
    bot = make_bot()
    assert browse(bot).install(ours).status == 200
    return bot


@pytest.fixture
def kept(installed, you):
    """The app was installed, and no bot runs that would look after its token."""
    you.eventually(lambda: installed.served == "in 1 workspace")
    installed.stop()


@pytest.fixture
def ann(installed, somebody, ours):
    return somebody(ours)


def asked(who, text):
    """A question in direct messages, and its answer."""
    channel = who.dm()
    return who.card(channel, who.say(channel, text))


def test_token_that_lives_for_a_while_is_left_alone(kept, process, ours, ends_in):
    rotation, directory = process()
    ends_in(hours=2.1)
    before = directory.find(ours.team_id)
    assert rotation.newest(ours.team_id).installed == before
    ends_in(hours=1.9)
    assert rotation.newest(ours.team_id).installed.token != before.token


def test_running_bot_goes_on_with_the_token_that_another_process_got(
    installed, ann, process, ours, ends_in
):
    assert "You asked" in asked(ann, "how many films?")["text"]
    ends_in(hours=1)
    rotation, _ = process()
    ann.client.api_call("workspace.tokens", json={"exchanged_life_s": 0})
    rotation.newest(ours.team_id)  # from now on the token that the bot holds opens nothing
    assert "You asked: how many more" in asked(ann, "how many more?")["text"]
    assert installed.connected


def test_token_that_ended_before_its_time_is_renewed_by_the_call_that_needs_it(
    installed, ann, caplog
):
    assert "You asked" in asked(ann, "how many films?")["text"]
    assert ann.client.api_call("workspace.tokens", json={"expire": True})["ended"] == 1
    assert "You asked: how many more" in asked(ann, "how many more?")["text"]
    assert "do nothing any more" not in caplog.text


def test_where_slack_is_in_trouble_the_token_is_kept_while_it_lives(
    kept, you, process, ours, ends_in, caplog
):
    ends_in(hours=1)
    rotation, directory = process()
    before = directory.bot_of(ours.team_id)
    you.faults(error={"method": "oauth.v2.access", "error": "internal_error", "times": 1})
    outcome = rotation.newest(ours.team_id)
    assert outcome.state is State.GOOD
    assert outcome.installed.token == before.bot_token
    assert "is not renewed: internal_error" in caplog.text
    assert rotation.newest(ours.team_id).installed.token != before.bot_token


def test_refresh_token_that_is_spent_shuts_the_workspace_out_and_asks_no_model(
    installed, ann, agent, workspace, process, ours, ends_in, caplog, browse
):
    _, directory = process()
    oauth_client(workspace.api_url).oauth_v2_access(
        client_id=workspace.client_id,
        client_secret=workspace.client_secret,
        grant_type="refresh_token",
        refresh_token=directory.bot_of(ours.team_id).bot_refresh_token,
    )
    ann.client.api_call("workspace.tokens", json={"expire": True})
    ann.say(ann.dm(), "how many films?")
    ann.eventually(lambda: "cannot be renewed any more: invalid_refresh_token" in caplog.text)
    ann.eventually(lambda: "T0LOCALDEV do nothing any more" in caplog.text)
    ann.settled()
    assert agent.asked == []
    assert directory.find(ours.team_id) is not None
    assert browse(installed).install(ours).status == 200
    assert "You asked" in asked(ann, "how many more?")["text"]


def test_renewed_token_that_could_not_be_kept_is_kept_as_soon_as_that_can_be(
    kept, process, ours, ends_in, store_url, caplog
):
    ends_in(hours=1)
    rotation, directory = process()
    refuse = (
        "create function db_agent.no() returns trigger language plpgsql as"
        " $$ begin raise 'no room'; end $$",
        "create trigger no before update or insert on db_agent.slack_bots"
        " execute function db_agent.no()",
    )
    with psycopg.connect(store_url, autocommit=True) as connection:
        for statement in refuse:
            connection.execute(statement)
        try:
            renewed = rotation.newest(ours.team_id).installed
        finally:
            connection.execute("drop function db_agent.no cascade")
    assert directory.find(ours.team_id).token != renewed.token
    assert "is not kept" in caplog.text
    assert rotation.newest(ours.team_id).installed.token == renewed.token
    assert directory.find(ours.team_id).token == renewed.token
