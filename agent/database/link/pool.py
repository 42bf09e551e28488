"""A small pool of connections that are opened by whoever asks, never in the background.

So a database that is down is said at once and with its reason, and one that is back is used at
once; a pool that reconnects in the background knows neither.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg.pq import TransactionStatus

from agent.errors import DatabaseUnavailable

Connection = psycopg.Connection[tuple[object, ...]]


class ConnectionPool:
    """At most `size` connections at a time; the one used last is used first."""

    def __init__(self, connect: Callable[[], Connection], *, size: int, wait_s: float) -> None:
        self._connect = connect
        self._wait_s = wait_s
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._closed = False
        self._process = os.getpid()

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Lend a connection; it comes back clean or is closed.

        Raises `DatabaseUnavailable` when none becomes free in time, and whatever connecting raises.
        """
        if not self._slots.acquire(timeout=self._wait_s):
            raise DatabaseUnavailable(
                "All connections to the database are busy: try again in a moment.",
                detail=f"waited {self._wait_s:g} s for a connection of the pool",
            )
        try:
            connection = self._take_idle() or self._connect()
            try:
                yield connection
            finally:
                self._give_back(connection)
        finally:
            self._slots.release()

    def close(self) -> None:
        """Close all idle connections; those on loan are closed when they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take_idle(self) -> Connection | None:
        while True:
            with self._lock:
                if self._process != os.getpid():  # a fork; closing them here would end the parent's
                    self._process, self._idle = os.getpid(), []
                if not self._idle:
                    return None
                connection = self._idle.pop()
            if _is_quiet(connection):
                return connection
            connection.close()

    def _give_back(self, connection: Connection) -> None:
        status = connection.info.transaction_status
        if not connection.closed and status == TransactionStatus.IDLE:
            with self._lock:
                if not self._closed:
                    self._idle.append(connection)
                    return
        connection.close()


def _is_quiet(connection: Connection) -> bool:
    """Say whether an idle connection still stands.

    A server that has nothing to answer says nothing, unless it has closed the connection.
    """
    if connection.closed:
        return False
    readable = select.poll()
    readable.register(connection.fileno(), select.POLLIN)
    return not readable.poll(0)
