"""Sends one statement and reads its rows as they arrive, under a deadline and a byte limit.

psycopg's own fetch waits without an end and holds a whole result in memory; here each row is handed
on at once, and a single huge value stops the query while it is still on its way.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import pq

from agent.database.link.gate import PIECE, Gate
from agent.database.link.pool import Connection

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

_CANCEL_TIMEOUT_S: Final = 0.8
_ROWS: Final = (pq.ExecStatus.SINGLE_TUPLE, pq.ExecStatus.TUPLES_OK)


class DeadlinePassed(Exception):
    """The server did not answer in time; the statement is cancelled, the connection closed."""


class RowTooLarge(Exception):
    """One row, or one message of the server, has more bytes than allowed."""


@dataclass(frozen=True)
class Bounds:
    """`deadline` is a time of `time.monotonic`; `max_bytes` holds for each row."""

    deadline: float
    max_bytes: int


def run(connection: Connection, statement: bytes, bounds: Bounds) -> None:
    """Run a statement over the extended protocol, which admits only one; leave out its rows.

    Raises psycopg's errors, `DeadlinePassed` and `RowTooLarge`.
    """
    for _ in rows(connection, statement, bounds):
        pass


def script(connection: Connection, statements: bytes, bounds: Bounds) -> None:
    """Run our own statements as one message, over the simple protocol; leave out their rows.

    Raises psycopg's errors, `DeadlinePassed` and `RowTooLarge`.
    """
    connection.pgconn.send_query(statements)
    for _ in _results(connection, bounds):
        pass


def describe_portal(connection: Connection, name: bytes, bounds: Bounds) -> PGresult:
    """Return a result without rows that has the columns of a declared cursor."""
    connection.pgconn.send_describe_portal(name)
    (description,) = _results(connection, bounds)
    return description


def rows(
    connection: Connection, statement: bytes, bounds: Bounds, values: Sequence[bytes] = ()
) -> Generator[PGresult, None, None]:
    """Yield each row of a statement with the parameters `values` as a result of its own.

    Raises psycopg's errors, `DeadlinePassed` and `RowTooLarge`; after these two the connection is
    closed. Whoever stops early must close first the iterator, then the connection.
    """
    connection.pgconn.send_query_params(statement, values or None)
    connection.pgconn.set_single_row_mode()
    for result in _results(connection, bounds):
        if result.status in _ROWS and result.ntuples:
            yield result


@contextlib.contextmanager
def ended_after(connection: Connection, seconds: float) -> Iterator[None]:
    """Break the connection when the block takes longer: psycopg itself waits without an end."""
    link = socket.socket(fileno=os.dup(connection.fileno()))

    def end() -> None:
        with contextlib.suppress(OSError):  # it is gone already
            link.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        link.close()


def _results(connection: Connection, bounds: Bounds) -> Generator[PGresult, None, None]:
    failure: psycopg.Error | None = None
    try:
        _flush(connection, bounds)
        gate = Gate(connection.pgconn)
        try:
            while (result := _next_result(connection, gate, bounds)) is not None:
                if result.status == pq.ExecStatus.FATAL_ERROR:
                    failure = psycopg.errors.error_from_result(result)
                else:
                    yield result
        finally:
            gate.open()
    except (DeadlinePassed, RowTooLarge):
        _abandon(connection)
        raise
    if failure is not None:
        raise failure


def _flush(connection: Connection, bounds: Bounds) -> None:
    writable = select.poll()
    writable.register(connection.pgconn.socket, select.POLLOUT)
    while connection.pgconn.flush():
        left = bounds.deadline - time.monotonic()
        if left <= 0 or not writable.poll(left * 1_000):
            raise DeadlinePassed


def _next_result(connection: Connection, gate: Gate, bounds: Bounds) -> PGresult | None:
    link = connection.pgconn
    received = 0
    while link.is_busy():
        # TLS may hold back a part of what has been handed on, and then nothing new need arrive.
        link.consume_input()
        link.consume_input()
        if not link.is_busy():
            break
        if gate.has_more():
            continue
        if not gate.wait(bounds.deadline - time.monotonic()):
            raise DeadlinePassed
        received += gate.hand_on()
        if received > bounds.max_bytes + PIECE:  # a piece may begin with the end of another row
            raise RowTooLarge
    return link.get_result()


def _abandon(connection: Connection) -> None:
    # Out of reach for the cancel request as well? Then closing is all that is left.
    with contextlib.suppress(psycopg.Error):
        connection.cancel_safe(timeout=_CANCEL_TIMEOUT_S)
    connection.close()
