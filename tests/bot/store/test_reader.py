"""The login that reads the log, and nothing else."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import errors, sql

from agent.errors import SettingsInvalid
from bot.store import Store, StoreUnavailable
from bot.store.reader import READER, reader_address


@pytest.fixture
def own_store(demo_admin_url):
    """Makes a store whose database belongs to a login of its own; returns its address."""
    made = []

    def make(*rights, password="its own"):
        name = f"owner_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(demo_admin_url, autocommit=True) as admin:
            role = sql.Identifier(name)
            admin.execute(
                sql.SQL("create role {} login password {} " + " ".join(rights)).format(
                    role, sql.Literal(password)
                )
            )
            admin.execute(sql.SQL("create database {0} owner {0}").format(role))
            admin.execute(sql.SQL("revoke all on database {} from public").format(role))
        made.append(name)
        parts = urlsplit(demo_admin_url)
        login = f"{name}:{password.replace(' ', '%20')}@"
        url = urlunsplit(parts._replace(netloc=login, path=f"/{name}"))
        store = Store(url)
        store.open()
        store.close()
        return url

    yield make
    with psycopg.connect(demo_admin_url, autocommit=True) as admin:
        # What one of these logins made would go with it, and others on this server need it.
        for name in made:
            role = sql.Identifier(name)
            admin.execute(sql.SQL("drop database {} with (force)").format(role))
            admin.execute(sql.SQL("reassign owned by {} to current_user").format(role))
            admin.execute(sql.SQL("drop owned by {}").format(role))
            admin.execute(sql.SQL("drop role {}").format(role))


@pytest.fixture
def reader_is_new(demo_admin_url, store_url):
    """There is no such login on the server yet."""
    with psycopg.connect(demo_admin_url, autocommit=True) as admin:
        databases = admin.execute(
            "select datname from pg_database where datallowconn"
            " and exists (select from pg_roles where rolname = %s)",
            [READER],
        ).fetchall()
        for (database,) in databases:
            url = urlunsplit(urlsplit(demo_admin_url)._replace(path=f"/{database}"))
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"drop owned by {READER}")
        admin.execute(f"drop role if exists {READER}")


def test_it_reads_the_two_views_and_nothing_else(store, store_url, ran):
    ran()
    with psycopg.connect(reader_address(store_url), autocommit=True) as reader:
        assert reader.execute("select count(*) from runs").fetchone() == (1,)
        assert reader.execute("select count(*) from db_agent_log.steps").fetchone() == (0,)
        assert reader.execute("show transaction_read_only").fetchone() == ("on",)
        # The default of a role is no right: without it, it can write no more.
        reader.execute("set default_transaction_read_only = off")
        for forbidden in (
            "select * from db_agent.runs",
            "select * from db_agent.escalations",
            "delete from db_agent_log.runs",
            "create table db_agent_log.mine (a int)",
        ):
            with pytest.raises((errors.InsufficientPrivilege, errors.ObjectNotInPrerequisiteState)):
                reader.execute(forbidden)


def test_the_embedded_store_makes_its_reader_itself(reader_is_new, demo):
    store = Store(demo.store_url)
    store.open()
    store.close()
    with psycopg.connect(reader_address(demo.store_url)) as reader:
        assert reader.info.user == READER
        assert reader.execute("select count(*) from runs").fetchone() is not None


def test_a_login_that_may_make_roles_makes_it(reader_is_new, own_store):
    url = own_store("createrole")
    with psycopg.connect(reader_address(url)) as reader:
        assert reader.execute("select count(*) from runs").fetchone() == (0,)


def test_a_login_that_may_not_is_told_what_to_run(reader_is_new, own_store):
    with pytest.raises(SettingsInvalid, match=f"CREATE ROLE {READER} LOGIN PASSWORD"):
        reader_address(own_store())


def test_a_login_that_cannot_have_the_existing_reader_is_told_too(own_store, store_url):
    reader_address(store_url)
    with pytest.raises(SettingsInvalid, match="DB_AGENT_STORE_READER_URL"):
        reader_address(own_store())


def test_a_reader_made_by_hand_is_given_its_rights(own_store, demo_admin_url):
    url, name = own_store(), f"by_hand_{uuid.uuid4().hex[:8]}"
    parts = urlsplit(url)
    given = urlunsplit(parts._replace(netloc=f"{name}:secret@"))
    with psycopg.connect(demo_admin_url, autocommit=True) as admin:
        admin.execute(f"create role {name} login password 'secret'")
    try:
        assert reader_address(url, given) == given
        with psycopg.connect(given) as reader:
            assert reader.execute("select count(*) from db_agent_log.runs").fetchone() == (0,)
    finally:
        with psycopg.connect(url) as owner:
            owner.execute(f"revoke all on db_agent_log.runs, db_agent_log.steps from {name}")
            owner.execute(f"revoke all on schema db_agent_log from {name}")
            owner.execute(f'revoke all on database "{parts.path[1:]}" from {name}')
        with psycopg.connect(demo_admin_url, autocommit=True) as admin:
            admin.execute(f"drop role {name}")


def test_its_password_follows_that_of_the_store(reader_is_new, own_store, demo_admin_url):
    url = own_store("createrole")
    first = reader_address(url)
    name = urlsplit(url).path[1:]
    with psycopg.connect(demo_admin_url, autocommit=True) as admin:
        admin.execute(f"alter role {name} password 'another'")
    renewed = reader_address(url.replace("its%20own", "another"))
    assert renewed != first
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(first)
    psycopg.connect(renewed).close()


def test_processes_that_start_together_all_get_it(reader_is_new, store_url):
    start = threading.Barrier(8)

    def ask(_):
        start.wait()
        return reader_address(store_url)

    with ThreadPoolExecutor(8) as threads:
        assert len({address for _ in range(3) for address in threads.map(ask, range(8))}) == 1


def test_a_store_that_is_away_is_a_fault_not_a_setting(store_url):
    with pytest.raises(StoreUnavailable):
        reader_address("postgresql://nobody@/nowhere?host=/nonexistent")
