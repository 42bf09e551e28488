"""What may happen to the server while a question is worked on; each puts back what it changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg

Warm = Callable[[], None]
"""Makes the agent read the catalogue, as it did for an earlier question."""

_PATIENCE_S = 10


def changed(*, before: str = "", then: str, back: str) -> Callable[[str, Warm], object]:
    """Return a world whose tables change after the agent has read of them: a stale catalogue."""

    @contextmanager
    def world(url: str, warm: Warm) -> Iterator[None]:
        with psycopg.connect(url, autocommit=True) as owner:
            if before:
                owner.execute(before)
            warm()
            owner.execute(then)
            try:
                yield
            finally:
                owner.execute(back)

    return world


def locked(table: str, *, kill: bool) -> Callable[[str, Warm], object]:
    """Return a world in which another session holds `table` until the agent has waited for it.

    `kill` ends the session that waits; else its wait comes to its own end.
    """

    @contextmanager
    def world(url: str, warm: Warm) -> Iterator[None]:
        warm()
        held = threading.Event()
        with ThreadPoolExecutor(1) as threads:
            holding = threads.submit(_hold, url, table, kill, held)
            assert held.wait(_PATIENCE_S)
            yield
            assert holding.result(timeout=_PATIENCE_S), "nobody waited for the lock"

    return world


def _hold(url: str, table: str, kill: bool, held: threading.Event) -> bool:
    """Hold the lock until a session of the agent waits for it, and then no longer does."""
    deadline = time.monotonic() + _PATIENCE_S
    waited: set[tuple[int, object]] = set()
    with psycopg.connect(url) as owner, psycopg.connect(url, autocommit=True) as watcher:
        owner.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        held.set()
        while time.monotonic() < deadline:
            waiting = set(watcher.execute(_WAITING).fetchall())
            if waited and not waited & waiting:
                break
            for pid, _ in waiting - waited if kill else ():
                watcher.execute("SELECT pg_terminate_backend(%s, 2000)", [pid])
            waited |= waiting
            time.sleep(0.01)
        owner.rollback()
    return bool(waited)


_WAITING = """
    SELECT pid, xact_start FROM pg_stat_activity
    WHERE application_name = 'db-agent' AND wait_event_type = 'Lock'
      AND datname = current_database()
"""


@contextmanager
def gone_while_idle(url: str, warm: Warm) -> Iterator[None]:
    """The server ends every session of the agent between two questions."""
    warm()
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(
            "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity"
            " WHERE application_name = 'db-agent' AND datname = current_database()"
        )
    yield


@contextmanager
def slow_for_a_moment(url: str, warm: Warm) -> Iterator[None]:
    """Each payment takes a millisecond to read, until a query of the agent was stopped for it."""
    warm()
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(_SLOW)
        try:
            with ThreadPoolExecutor(1) as threads:
                waiting = threads.submit(_end_slowness_after_one, url)
                yield
                assert waiting.result(timeout=_PATIENCE_S), "no query was slow"
        finally:
            owner.execute(_NOT_SLOW)


def _end_slowness_after_one(url: str) -> bool:
    """The query that runs keeps its snapshot, and so its slowness; the next one has none."""
    deadline = time.monotonic() + _PATIENCE_S
    with psycopg.connect(url, autocommit=True) as owner:
        while time.monotonic() < deadline:
            if owner.execute(_RUNNING).fetchall():
                owner.execute("UPDATE test_weather SET slow = false")
                return True
            time.sleep(0.01)
    return False


_RUNNING = """
    SELECT pid FROM pg_stat_activity
    WHERE application_name = 'db-agent' AND wait_event = 'PgSleep'
      AND datname = current_database()
"""
_SLOW = """
    CREATE TABLE test_weather (slow boolean);
    INSERT INTO test_weather VALUES (true);
    GRANT SELECT ON test_weather TO agent_ro;
    CREATE POLICY test_slow ON payment FOR SELECT TO agent_ro
        USING (NOT (SELECT slow FROM test_weather) OR pg_sleep(0.001) IS NOT NULL);
    ALTER TABLE payment ENABLE ROW LEVEL SECURITY;
"""
_NOT_SLOW = """
    ALTER TABLE payment DISABLE ROW LEVEL SECURITY;
    DROP POLICY test_slow ON payment;
    DROP TABLE test_weather;
"""
