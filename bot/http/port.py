"""An address of this machine and a port on it, and how it is taken."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from typing import Final

from agent.errors import SettingsInvalid

BACKLOG: Final = 256
"""Connections that may wait to be accepted."""


@dataclass(frozen=True)
class Port:
    """Where HTTP is served; the number 0 is any port that is free."""

    host: str
    number: int

    @property
    def url(self) -> str:
        """Its address, as a browser takes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.number}"


class PortTaken(SettingsInvalid):
    """Another program listens there."""


def listen(port: Port) -> socket.socket:
    """Take a port. Raises `SettingsInvalid`, which says what to do: `PortTaken` if it is in use."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            port.host, port.number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise _no_address(port, "nobody knows it here") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise _not_taken(port, error) from error
    return listener


def _not_taken(port: Port, error: OSError) -> SettingsInvalid:
    number = port.number
    if error.errno == errno.EADDRINUSE:
        return PortTaken(f"Port {number} is in use by another program: choose another for --http.")
    if isinstance(error, PermissionError):
        return SettingsInvalid(
            f"Port {number} is open to administrators alone: choose one from 1024, --http 8080."
        )
    return _no_address(port, error.strerror or "it cannot be taken")


def _no_address(port: Port, why: str) -> SettingsInvalid:
    return SettingsInvalid(
        f"--host {port.host} is no address of this machine ({why}): 127.0.0.1 is reached from here "
        "alone, 0.0.0.0 from everywhere."
    )
