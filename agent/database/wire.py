"""Sends one statement and reads its rows as they arrive, under a deadline and a byte limit.

psycopg's own fetch waits without an end and holds a whole result in memory; here each row is handed
on at once, and a single huge value stops the query while it is still on its way.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import select
import socket
import struct
import sys
import termios
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import pq

from agent.database.pool import Connection

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

_CANCEL_TIMEOUT_S: Final = 2.0
_ROWS: Final = (pq.ExecStatus.SINGLE_TUPLE, pq.ExecStatus.TUPLES_OK)
_TCP_INFO_BYTES_RECEIVED: Final = 128
"""Where Linux puts tcpi_bytes_received in struct tcp_info."""
_SEEN_SHARE: Final = 8
"""Without that counter we see only part of what arrives: at the very least one byte in many."""


class DeadlinePassed(Exception):
    """The server did not answer in time; the statement is cancelled, the connection closed."""


class RowTooLarge(Exception):
    """One row has more bytes than allowed; the connection is closed."""


def run(connection: Connection, statement: bytes, deadline: float) -> None:
    """Run a statement without rows over the extended protocol, which admits only one.

    `deadline` is a time of `time.monotonic`. Raises psycopg's errors and `DeadlinePassed`.
    """
    connection.pgconn.send_query_params(statement, None)
    for _ in _results(_Flow(connection, deadline)):
        pass


def describe_portal(connection: Connection, name: bytes, deadline: float) -> PGresult:
    """Return a result without rows that has the columns of a declared cursor."""
    connection.pgconn.send_describe_portal(name)
    (description,) = _results(_Flow(connection, deadline))
    return description


def stream(
    connection: Connection, statement: bytes, deadline: float, max_row_bytes: int
) -> Iterator[PGresult]:
    """Yield each row of a statement as a result of its own.

    Raises psycopg's errors, `DeadlinePassed` and `RowTooLarge`. Whoever stops early must close the
    connection.
    """
    connection.pgconn.send_query_params(statement, None)
    connection.pgconn.set_single_row_mode()
    for result in _results(_Flow(connection, deadline, max_row_bytes)):
        if result.status in _ROWS and result.ntuples:
            yield result


def _results(flow: _Flow) -> Iterator[PGresult]:
    failure: psycopg.Error | None = None
    while (result := flow.next_result()) is not None:
        if result.status == pq.ExecStatus.FATAL_ERROR:
            failure = psycopg.errors.error_from_result(result)
        else:
            yield result
    if failure is not None:
        raise failure


class _Flow:
    """Waits for what the server sends, and counts it."""

    def __init__(self, connection: Connection, deadline: float, max_row_bytes: int = 0) -> None:
        self._connection = connection
        self._link = connection.pgconn
        self._deadline = deadline
        self._poll = select.poll()
        self._poll.register(self._link.socket, select.POLLIN)
        self._counter = _Counter(self._link.socket, max_row_bytes)

    def next_result(self) -> PGresult | None:
        self._counter.start_row()
        while self._link.is_busy():
            left = self._deadline - time.monotonic()
            if left <= 0 or not self._poll.poll(left * 1_000):
                self._cancel()
                raise DeadlinePassed
            if self._counter.is_over():
                self._cancel()
                raise RowTooLarge
            self._link.consume_input()
        return self._link.get_result()

    def _cancel(self) -> None:
        # Out of reach for the cancel request as well? Then closing is all that is left.
        with contextlib.suppress(psycopg.Error):
            self._connection.cancel_safe(timeout=_CANCEL_TIMEOUT_S)
        self._connection.close()


class _Counter:
    """Counts the bytes of one row while it arrives. Never counts too many."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self._descriptor = descriptor
        self._limit = limit
        self._received_before = _bytes_received(descriptor) if limit else None
        self._seen = 0

    def start_row(self) -> None:
        if self._seen:
            self._received_before = _bytes_received(self._descriptor)
        self._seen = 0

    def is_over(self) -> bool:
        if not self._limit:
            return False
        waiting = array.array("i", [0])
        fcntl.ioctl(self._descriptor, termios.FIONREAD, waiting)
        self._seen += waiting[0]
        if self._received_before is None:
            return self._seen * _SEEN_SHARE > self._limit
        received = _bytes_received(self._descriptor) or 0
        return received - self._received_before > self._limit + waiting[0]


def _bytes_received(descriptor: int) -> int | None:
    """Return what a TCP connection has received so far, None where nobody counts."""
    if sys.platform != "linux":
        return None
    link = socket.socket(fileno=descriptor)
    try:
        if link.family not in (socket.AF_INET, socket.AF_INET6):
            return None
        info = link.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    finally:
        link.detach()
    if len(info) < _TCP_INFO_BYTES_RECEIVED + 8:
        return None
    (received,) = struct.unpack_from("Q", info, _TCP_INFO_BYTES_RECEIVED)
    return int(received)
