"""What breaks or changes in the middle of a question, and is put right without anybody's help."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase
from agent.errors import DatabaseUnavailable, SqlFailed, SqlRejected

TABLES = """
    CREATE TABLE film (film_id int PRIMARY KEY, title text, rental_rate numeric);
    INSERT INTO film VALUES (1, 'One', 0.99), (2, 'Two', 2.99);
    CREATE TABLE actor (actor_id int PRIMARY KEY, name text);
"""


@pytest.fixture
def filmed(scratch_database: str) -> Iterator[tuple[PostgresDatabase, str]]:
    """A small database, and its owner's address."""
    with psycopg.connect(scratch_database, autocommit=True) as owner:
        owner.execute(TABLES)
    database = PostgresDatabase(
        scratch_database, statement_timeout_ms=1_200, pool_size=2, allow_strong_role=True
    )
    yield database, scratch_database
    database.close()


@contextmanager
def killed_while_waiting(url: str, table: str, *, times: int) -> Iterator[list[int]]:
    """Lock `table`, and end each session of the agent that waits for it, up to `times` times.

    The lock goes when the last one is ended. Yields the list of those that were ended.
    """
    ended: list[int] = []
    locked, done = threading.Event(), threading.Event()

    def watch() -> None:
        with psycopg.connect(url) as locker, psycopg.connect(url, autocommit=True) as killer:
            locker.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            locked.set()
            while len(ended) < times and not done.is_set():
                for (pid,) in killer.execute(_WAITING).fetchall():
                    killer.execute("SELECT pg_terminate_backend(%s, 2000)", [pid])
                    ended.append(pid)
                time.sleep(0.01)
            locker.rollback()

    with ThreadPoolExecutor(1) as threads:
        watching = threads.submit(watch)
        assert locked.wait(5)
        try:
            yield ended
        finally:
            done.set()
            watching.result(timeout=5)


_WAITING = """
    SELECT pid FROM pg_stat_activity
    WHERE application_name = 'db-agent' AND wait_event_type = 'Lock'
      AND datname = current_database()
"""


def test_a_query_whose_connection_breaks_is_sent_again(filmed) -> None:
    database, url = filmed
    database.ping()
    with killed_while_waiting(url, "film", times=1) as ended:
        assert database.fetch("SELECT count(*) FROM film").rows == ((2,),)
    assert len(ended) == 1


def test_a_query_whose_connection_breaks_twice_is_given_up(filmed) -> None:
    database, url = filmed
    database.find_tables("film")
    with (
        killed_while_waiting(url, "film", times=2) as ended,
        pytest.raises(DatabaseUnavailable, match="broke the connection: try again"),
    ):
        database.fetch("SELECT count(*) FROM film")
    assert len(ended) == 2
    assert database.fetch("SELECT count(*) FROM film").rows == ((2,),)


def test_a_catalogue_whose_connection_breaks_is_read_again(filmed) -> None:
    database, url = filmed
    with killed_while_waiting(url, "pg_catalog.pg_description", times=1) as ended:
        assert database.get_table("film").name == "film"
    assert len(ended) == 1


def test_a_query_that_takes_too_long_is_not_sent_again(filmed) -> None:
    database, _ = filmed
    numbers = "generate_series(1, 100000) AS a, generate_series(1, 100000) AS b"
    database.ping()
    started = time.monotonic()
    with pytest.raises(SqlFailed, match="took longer than"):
        database.fetch(f"SELECT count(*) FROM {numbers}")
    assert time.monotonic() - started < 2 * 1.2


def test_a_lock_that_another_session_holds_is_said_and_may_pass(filmed) -> None:
    database, url = filmed
    database.find_tables("film")
    with psycopg.connect(url) as locker:
        locker.execute("LOCK TABLE film IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(SqlFailed, match="Another session holds a lock; try again") as caught:
            database.fetch("SELECT count(*) FROM film")
    assert caught.value.may_pass


def test_a_column_renamed_since_the_catalogue_was_read_is_told_by_its_new_name(filmed) -> None:
    database, url = filmed
    assert "rental_rate" in {column.name for column in database.get_table("film").columns}
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("ALTER TABLE film RENAME COLUMN rental_rate TO rental_price")
    with pytest.raises(SqlFailed) as caught:
        database.fetch("SELECT film.rental_rate FROM film")
    assert "nearest are: film.rental_price" in str(caught.value)
    assert "Columns of film: film_id, title, rental_price." in str(caught.value)
    assert "rental_price" in {column.name for column in database.get_table("film").columns}


def test_a_table_renamed_since_the_catalogue_was_read_is_told_by_its_new_name(filmed) -> None:
    database, url = filmed
    database.get_table("actor")
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("ALTER TABLE actor RENAME TO actors")
    with pytest.raises(SqlRejected, match="nearest names are: actors"):
        database.fetch("SELECT count(*) FROM actor")
