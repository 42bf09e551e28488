"""The pool of connections to the bot's own PostgreSQL."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool

from bot.store.errors import StoreUnavailable
from bot.store.migrate import (
    SCHEMA,
    VERSION_TABLE,
    known_revisions,
    migrate,
    require_current,
)
from bot.store.records import Hold, Thread

WAIT_S = 1.5
"""A claim has to be made before Slack's three seconds are over."""
STATEMENT_TIMEOUT_MS = 5000
IDLE_TIMEOUT_MS = 10_000
"""A process that stands still in the midst of a transaction keeps what it has locked for so long:
another is to go on with its runs."""
CONNECTIONS = 10
CHECKED_FOR_S = 0.5
"""How long a connection that worked counts as one that does, in seconds. While many ask, a claim is
one round trip and not two."""

VERSION = f"select version_num from db_agent.{VERSION_TABLE}"

Connection = psycopg.Connection[DictRow]


class _Link(psycopg.Connection[DictRow]):
    """A connection of the pool that knows when it was last seen to work."""

    seen_at = -CHECKED_FOR_S


class StoreConnection:
    """Opens and closes the pool, and lends connections out."""

    def __init__(self, url: str, *, wait_s: float = WAIT_S) -> None:
        """`url` is PostgreSQL's; nothing is connected before `open`.

        `wait_s` is how long one call waits for a connection, in seconds.
        """
        self._url = url
        self._pool: ConnectionPool[_Link] = ConnectionPool(
            url,
            connection_class=_Link,
            kwargs={"row_factory": dict_row, "connect_timeout": 3, "autocommit": True},
            min_size=1,
            max_size=CONNECTIONS,
            timeout=wait_s,
            check=_check,
            configure=_configure,
            name="store",
            open=False,
        )
        self._when_failing: list[Callable[[], None]] = []

    @property
    def url(self) -> str:
        """Where the store is, with its login."""
        return self._url

    def open(self, *, migrates: bool = True) -> None:
        """Bring the schema up to date and connect; raises what `migrate` does.

        Without `migrates` a schema that is not up to date is left as it is, and refused.
        """
        if migrates:
            migrate(self._url)
        else:
            require_current(self._url)
        self._pool.open()

    def close(self) -> None:
        """Give the connections back. May be called more than once."""
        self._pool.close()

    def when_failing(self, tell: Callable[[], None]) -> None:
        """Have it told of each time that the record does not do what it was asked."""
        self._when_failing.append(tell)

    def schema_trouble(self) -> str:
        """Return why these files cannot work with the schema, as half a sentence; "" if they can.

        One that is newer is no trouble: while a newer version takes over, this one works on.
        Raises `StoreUnavailable` where the server does not answer.
        """
        with self._statement() as connection:
            row = connection.execute(VERSION).fetchone()
        version, known = str(row["version_num"]) if row else "", known_revisions()
        if version not in known[1:]:
            return ""
        return f"the schema of its record is at {version} and has to be at {known[0]}"

    def ping(self) -> None:
        """Ask the server for nothing. Raises `StoreUnavailable` where it does not answer."""
        with self._connection() as connection:
            connection.execute("select 1")

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """Lend a connection for a transaction."""
        with self._statement() as connection, connection.transaction():
            yield connection

    @contextmanager
    def _statement(self) -> Iterator[Connection]:
        """Lend a connection for one statement, which is a transaction by itself."""
        try:
            with self._pool.connection() as connection:
                yield connection
                connection.seen_at = time.monotonic()
        except psycopg.Error as error:  # gone, too slow, full, or not as we left it
            for tell in self._when_failing:
                tell()
            raise StoreUnavailable.because(error) from error


def keys(thread: Thread) -> dict[str, Any]:
    """Return the parameters that name a thread."""
    return {"team": thread.team, "channel": thread.channel, "thread_ts": thread.ts}


def held_by(hold: Hold | None) -> dict[str, Any]:
    """Return the parameters that say whose a run is; None: whoever's it is."""
    if hold is None:
        return {"owner": None, "attempt": None}
    return {"owner": hold.owner, "attempt": hold.attempt}


def read_id(text: str) -> uuid.UUID | None:
    """Return the id that a button or a person brought, or None if it is none."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _configure(connection: Connection) -> None:
    connection.execute(f"set statement_timeout = {STATEMENT_TIMEOUT_MS}")
    connection.execute(f"set idle_in_transaction_session_timeout = {IDLE_TIMEOUT_MS}")
    connection.execute("set application_name = 'db-agent store'")
    connection.execute(f"set search_path = {SCHEMA}")  # where the line finds its own tables


def _check(connection: _Link) -> None:
    """Raise where a connection is gone, as PostgreSQL's are after a restart."""
    if time.monotonic() - connection.seen_at > CHECKED_FOR_S:
        ConnectionPool.check_connection(connection)
