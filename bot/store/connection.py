"""The pool of connections to the bot's own PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool

from bot.store.errors import StoreUnavailable
from bot.store.migrate import migrate
from bot.store.records import Thread

WAIT_S = 1.5
"""A claim has to be made before Slack's three seconds are over."""
STATEMENT_TIMEOUT_MS = 5000
CONNECTIONS = 10

Connection = psycopg.Connection[DictRow]


class StoreConnection:
    """Opens and closes the pool, and lends connections out."""

    def __init__(self, url: str, *, wait_s: float = WAIT_S) -> None:
        """`url` is PostgreSQL's; nothing is connected before `open`.

        `wait_s` is how long one call waits for a connection, in seconds.
        """
        self._url = url
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            connection_class=psycopg.Connection[DictRow],
            kwargs={"row_factory": dict_row, "connect_timeout": 3},
            min_size=1,
            max_size=CONNECTIONS,
            timeout=wait_s,
            check=ConnectionPool.check_connection,
            configure=_configure,
            name="store",
            open=False,
        )

    def open(self) -> None:
        """Bring the schema up to date and connect."""
        migrate(self._url)
        self._pool.open()

    def close(self) -> None:
        """Give the connections back. May be called more than once."""
        self._pool.close()

    def ping(self) -> None:
        """Ask the server for nothing. Raises `StoreUnavailable` where it does not answer."""
        with self._connection() as connection:
            connection.execute("select 1")

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        try:
            with self._pool.connection() as connection:
                yield connection
        except psycopg.Error as error:  # gone, too slow, full, or not as we left it
            raise StoreUnavailable.because(error) from error


def keys(thread: Thread) -> dict[str, Any]:
    """Return the parameters that name a thread."""
    return {"team": thread.team, "channel": thread.channel, "thread_ts": thread.ts}


def read_id(text: str) -> uuid.UUID | None:
    """Return the id that a button or a person brought, or None if it is none."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _configure(connection: Connection) -> None:
    connection.execute(f"set statement_timeout = {STATEMENT_TIMEOUT_MS}")
    connection.execute("set application_name = 'db-agent store'")
    connection.commit()
