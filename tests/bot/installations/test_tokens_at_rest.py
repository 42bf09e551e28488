"""In the store nobody reads a token: not with a look into its tables, not as the log's reader."""

from __future__ import annotations

import psycopg
import pytest

from agent.errors import SettingsInvalid
from bot.installations.seal import new_key
from bot.store.reader import reader_address


@pytest.fixture
def rotates():
    return True


@pytest.fixture
def installed(make_bot, browse, ours):
    bot = make_bot()
    assert browse(bot).install(ours).status == 200
    bot.stop()
    return bot


@pytest.fixture
def dump(store_url):
    """All that the store holds of installations."""

    def look():
        with psycopg.connect(store_url) as connection:
            return [
                connection.execute(f"select * from db_agent.{table} order by id").fetchall()
                for table in ("slack_bots", "slack_installations")
            ]

    return look


def test_no_token_is_readable_in_the_store(installed, dump):
    assert "T0LOCALDEV" in str(dump())
    assert "xox" not in str(dump())


def test_reader_of_the_log_reads_none_of_it(installed, store_url):
    with psycopg.connect(reader_address(store_url)) as reader:
        for table in ("slack_bots", "slack_installations", "slack_oauth_states"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                reader.execute(f"select * from db_agent.{table}")
            reader.rollback()


def test_another_key_is_told_of_at_start_and_changes_nothing(installed, make_bot, dump):
    before = dump()
    with pytest.raises(SettingsInvalid, match=r"T0LOCALDEV cannot be read: DB_AGENT_TOKEN_KEY"):
        make_bot(token_key=new_key())
    assert dump() == before


def test_new_key_before_the_old_one_takes_over(installed, make_bot, browse, ours, key, dump):
    new = new_key()
    both = make_bot(token_key=f"{new},{key}")
    assert both.served == "in 1 workspace"
    assert browse(both).install(ours).status == 200
    both.stop()
    assert make_bot(token_key=new).served == "in 1 workspace"


def test_installed_again_there_is_one_installation(installed, make_bot, browse, ours, dump):
    assert browse(make_bot()).install(ours).status == 200
    assert [len(rows) for rows in dump()] == [1, 1]
