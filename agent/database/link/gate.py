"""Hands what the server sends on to libpq, little by little.

libpq reads on for as long as there is anything to read: of a row of a gigabyte nobody can say no
before the whole of it is in memory. So, while a gate stands, libpq has one end of a pair of sockets
of ours in place of its own, and gets through it what we have counted. It works below TLS as well.
"""

from __future__ import annotations

import os
import select
import socket
from typing import TYPE_CHECKING, Final

import psycopg

if TYPE_CHECKING:
    from psycopg.pq.abc import PGconn

PIECE: Final = 65_536
"""The most bytes that are handed on at once."""


class Gate:
    """Stands from its making to `open`; nothing may be sent meanwhile."""

    def __init__(self, link: PGconn) -> None:
        self._link = link
        self._descriptor = link.socket
        self._server = socket.socket(fileno=os.dup(self._descriptor))
        self._inner, outer = socket.socketpair()
        for end in (self._inner, outer):
            end.setblocking(False)
        with outer:
            os.dup2(outer.fileno(), self._descriptor, inheritable=False)
        self._arrival = _readable(self._server.fileno())
        self._rest = _readable(self._descriptor)

    def open(self) -> None:
        """Give libpq its own socket back. What it has not read by then is lost to it."""
        # Where libpq has given the connection up, it has closed the descriptor as well, and by now
        # it may be another thread's, for whatever that one has opened since.
        if self._is_still_in_use():
            os.dup2(self._server.fileno(), self._descriptor, inheritable=False)
        self._server.close()
        self._inner.close()

    def _is_still_in_use(self) -> bool:
        try:
            return self._link.socket == self._descriptor
        except psycopg.OperationalError:
            return False

    def has_more(self) -> bool:
        """Say whether libpq has not read all that was handed on."""
        return bool(self._rest.poll(0))

    def wait(self, seconds: float) -> bool:
        """Wait until the server has sent something; return False when the time is up."""
        return seconds > 0 and bool(self._arrival.poll(seconds * 1_000))

    def hand_on(self) -> int:
        """Hand on the next piece of what has arrived; return its size in bytes."""
        try:
            piece = self._server.recv(PIECE)
        except BlockingIOError:
            return 0
        except OSError:  # a reset; to libpq it is an end all the same
            piece = b""
        if not piece:
            self._inner.shutdown(socket.SHUT_WR)
        rest = memoryview(piece)
        while rest:
            try:
                rest = rest[self._inner.send(rest) :]
            except BlockingIOError:
                self._link.consume_input()
        return len(piece)


def _readable(descriptor: int) -> select.poll:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return poll
