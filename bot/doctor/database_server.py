"""What is asked of any PostgreSQL server that we use: its version, and who could listen in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import psycopg

from bot.doctor.finding import Finding, note, ok, wrong

OLDEST: Final = 14
"""The catalogue is asked for what PostgreSQL 13 does not have."""
OLDEST_MAINTAINED: Final = 15
"""PostgreSQL 14 had its last fixes in November 2026."""
NEWEST_TESTED: Final = 18
_HERE: Final = ("127.0.0.1", "::1", "localhost")


def version(connection: psycopg.Connection[Any]) -> Iterator[Finding]:
    """Yield whether the server's version is one that we work with."""
    number = connection.info.server_version
    major, name = number // 10_000, f"PostgreSQL {number // 10_000}.{number % 10_000}"
    if major < OLDEST:
        yield wrong(
            f"it is {name}, and db-agent works with {OLDEST} and later",
            f"upgrade the server, or answer from a copy of its data on {NEWEST_TESTED}",
        )
    elif major < OLDEST_MAINTAINED:
        yield note(f"it is {name}, which gets no more fixes", "plan its upgrade")
    elif major > NEWEST_TESTED:
        yield note(
            f"it is {name}", f"db-agent was tested up to {NEWEST_TESTED}; watch its first days"
        )
    else:
        yield ok(f"it is {name}")


def encryption(connection: psycopg.Connection[Any], variable: str) -> Iterator[Finding]:
    """Yield whether what passes between us and the server is encrypted."""
    host = connection.info.host
    mode = connection.info.get_parameters().get("sslmode", "prefer")
    if connection.pgconn.ssl_in_use:
        if mode == "verify-full":
            yield ok("the connection is encrypted, and the server's certificate is checked")
        else:
            yield note(
                "the connection is encrypted, but the server could be another than it says",
                f"add sslmode=verify-full to {variable} (and sslrootcert=FILE, with the"
                " certificate of whoever signed the server's)",
            )
    elif host.startswith("/") or host in _HERE:
        yield ok("the connection stays on this machine")
    else:
        yield note(
            f"the connection to {host} is not encrypted",
            f"add ?sslmode=require to {variable}, better verify-full, unless that network is"
            " private to the two",
        )


def place(host: str) -> str:
    """Return the host, and "" for every way to this machine."""
    return "" if host.startswith("/") or host in _HERE else host


def unreachable(error: psycopg.Error, what: str, variable: str) -> Finding:
    """Return why there is no connection to `what`, whose address `variable` holds."""
    said = " ".join(str(error).split())
    if "password authentication failed" in said or "no password supplied" in said:
        why, todo = "the login is refused", f"check user and password in {variable}"
    elif "does not exist" in said:
        why = "there is no such database or login"
        todo = f"make it, or check the names in {variable}"
    else:
        why = "there is no connection"
        todo = f"check that its server runs, and host and port in {variable}"
    return wrong(f"{what} cannot be used: {why}", todo)
