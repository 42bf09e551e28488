"""The schema is brought up to date by whoever comes first, whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import psycopg
import pytest
from alembic.script import ScriptDirectory
from psycopg.conninfo import make_conninfo

from agent.errors import SettingsInvalid
from bot.store import Store, StoreUnavailable, migrate
from bot.store.errors import StoreBusy
from bot.store.migrate import Migrated, Patience, _config, known_revisions, standing

from ..conftest import eventually

NEWEST, *_, FIRST = known_revisions()
WAITS = "select 1 from pg_stat_activity where application_name = 'db-agent migrate'"


def schema_of(url: str) -> list[tuple[object, ...]]:
    """All columns and indexes of the schema, and its version."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "select table_name, column_name, data_type from information_schema.columns"
            " where table_schema in ('db_agent', 'db_agent_log')"
            " union all select tablename, indexname, indexdef from pg_indexes"
            " where schemaname = 'db_agent'"
            " union all select 'version', version_num, '' from db_agent.schema_version"
            " order by 1, 2, 3"
        )
        return found.fetchall()


@pytest.fixture
def login(scratch_database: str) -> Iterator[str]:
    """The address of the empty database for a login without rights."""
    with psycopg.connect(scratch_database, autocommit=True) as admin:
        admin.execute("create role plain_login login password 'plain'")
        yield make_conninfo(scratch_database, user="plain_login", password="plain")
        admin.execute("drop owned by plain_login; drop role plain_login")


def test_says_from_which_version_to_which(scratch_database):
    assert standing(scratch_database).version == ""
    assert migrate(scratch_database, FIRST) == Migrated("", FIRST)
    assert not standing(scratch_database).is_current
    assert migrate(scratch_database) == Migrated(FIRST, NEWEST)
    assert migrate(scratch_database) == Migrated(NEWEST, NEWEST)
    assert standing(scratch_database).is_current


def test_many_at_once_migrate_once(scratch_database):
    migrate(scratch_database, FIRST)
    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(migrate, [scratch_database] * 4))
    assert sorted(each.before for each in done) == [FIRST, NEWEST, NEWEST, NEWEST]


def test_is_one_chain_without_a_way_back():
    scripts = ScriptDirectory.from_config(_config())
    assert len(scripts.get_heads()) == 1
    chain = [None, *reversed(known_revisions())]
    assert chain[1:] == sorted(chain[1:])
    for before, revision in pairwise(chain):
        script = scripts.get_revision(revision)
        assert script.down_revision == before
        assert Path(script.path).name.startswith(f"v{revision}_")
        assert not hasattr(script.module, "downgrade")


def test_no_way_leads_back_and_that_is_said(scratch_database):
    migrate(scratch_database)
    before = schema_of(scratch_database)
    with pytest.raises(SettingsInvalid, match=f"at {NEWEST}, and no way leads back to {FIRST}"):
        migrate(scratch_database, FIRST)
    assert schema_of(scratch_database) == before


def test_what_a_newer_version_made_is_left_alone(scratch_database):
    migrate(scratch_database)
    with psycopg.connect(scratch_database) as connection:
        connection.execute("update db_agent.schema_version set version_num = '9999'")
    for each in (migrate, standing):
        with pytest.raises(SettingsInvalid, match="newer version of this bot, and no way leads"):
            each(scratch_database)


def test_killed_in_the_middle_leaves_the_old_version_whole(scratch_database):
    migrate(scratch_database, FIRST)
    before = schema_of(scratch_database)
    with psycopg.connect(scratch_database) as reader:
        # The second migration has changed two tables when it comes to this one.
        reader.execute("select from db_agent.transitions")
        child = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import sys; from bot.store import migrate; migrate(sys.argv[1])",
                scratch_database,
            ],
            env=os.environ,
        )
        with psycopg.connect(scratch_database, autocommit=True) as watch:
            in_it = (
                f"{WAITS} and wait_event_type = 'Lock' and exists (select from pg_locks"
                " where locktype = 'relation' and granted and mode = 'AccessExclusiveLock'"
                " and relation = 'db_agent.runs'::regclass and pg_locks.pid = pg_stat_activity.pid)"
            )
            eventually(lambda: watch.execute(in_it).fetchone(), within=60)
            child.send_signal(signal.SIGKILL)
            assert child.wait() == -signal.SIGKILL
            reader.rollback()
            eventually(lambda: not watch.execute(WAITS).fetchone(), within=60)
    assert schema_of(scratch_database) == before
    assert migrate(scratch_database) == Migrated(FIRST, NEWEST)


def test_waits_for_no_table_for_ever_and_holds_nobody_up(scratch_database):
    migrate(scratch_database, FIRST)
    before = schema_of(scratch_database)
    with psycopg.connect(scratch_database) as bot:
        bot.execute("select from db_agent.transitions")
        with pytest.raises(StoreBusy, match=r"is as it was.*stop the bots"):
            migrate(scratch_database, patience=Patience(lock_s=0.1, tries=2, pause_s=0.01))
    assert schema_of(scratch_database) == before


def test_tries_again_where_a_table_was_in_use(scratch_database):
    patience = Patience(lock_s=0.1, tries=600, pause_s=0.01)
    migrate(scratch_database, FIRST)
    with psycopg.connect(scratch_database) as bot, ThreadPoolExecutor(1) as thread:
        bot.execute("select from db_agent.transitions")
        done = thread.submit(migrate, scratch_database, patience=patience)
        with psycopg.connect(scratch_database, autocommit=True) as watch:
            eventually(
                lambda: watch.execute(f"{WAITS} and wait_event_type = 'Lock'").fetchone(), within=60
            )
        bot.rollback()
        assert done.result(timeout=60) == Migrated(FIRST, NEWEST)


def test_a_login_without_rights_is_told_which_it_needs(scratch_database, login):
    with pytest.raises(SettingsInvalid, match="GRANT CREATE ON DATABASE"):
        migrate(login)
    migrate(scratch_database, FIRST)
    with pytest.raises(SettingsInvalid, match="changed by the login that made it"):
        migrate(login)


def test_a_login_that_may_only_use_the_schema_opens_it(scratch_database, login):
    migrate(scratch_database)
    with psycopg.connect(scratch_database) as admin:
        admin.execute("grant usage on schema db_agent to plain_login")
        admin.execute("grant select on all tables in schema db_agent to plain_login")
    store = Store(login)
    store.open()
    assert store.run_ids("1") == ()
    store.close()


def test_a_server_that_takes_no_changes_is_named_as_such(scratch_database):
    read_only = "-c default_transaction_read_only=on"
    with pytest.raises(SettingsInvalid, match="takes no changes"):
        migrate(make_conninfo(scratch_database, options=read_only))


def test_a_server_that_is_not_there_is_told_as_such():
    with pytest.raises(StoreUnavailable, match="cannot be reached; is DB_AGENT_STORE_URL right"):
        migrate("postgresql://somebody@127.0.0.1:1/nothing")


def test_who_may_not_migrate_refuses_an_old_schema_and_names_the_command(scratch_database):
    store = Store(scratch_database)
    with pytest.raises(SettingsInvalid, match=r"not there yet.*run `db-agent migrate`"):
        store.open(migrates=False)
    migrate(scratch_database, FIRST)
    with pytest.raises(SettingsInvalid, match=f"at {FIRST}, and this version needs {NEWEST}"):
        store.open(migrates=False)
    assert standing(scratch_database).version == FIRST
    migrate(scratch_database)
    store.open(migrates=False)
    store.close()
