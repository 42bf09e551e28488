"""A database's address as somebody wrote it: read as PostgreSQL's library reads it, or refused.

A password with a sign that ends it too early would have its rest taken for a server or a database,
whose names every message may show. So such an address is refused, by a text that names none of it.
"""

from __future__ import annotations

import re
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from agent.errors import SettingsInvalid

_SCHEME: Final = re.compile(r"postgres(?:ql)?://")
_PORTS: Final = re.compile(r"[0-9]*(?:,[0-9]*)*")
_NAMING: Final = ("dbname", "host", "hostaddr", "service", "user")
_QUOTES: Final = tuple("\"'`“”„‘’")
_EXAMPLE: Final = {"host": "HOST", "password": "PASSWORD"}


def read_address(text: str, *, name: str = "The database URL") -> dict[str, Any]:
    """Return the parameters of an address, a URL or "host=… dbname=…".

    Raises `SettingsInvalid`, which calls it `name` and holds no part of it.
    """
    text = text.strip()
    if text.startswith(_QUOTES):
        raise SettingsInvalid(f"{name} cannot be read: take away the quotation marks around it.")
    try:
        parameters = conninfo_to_dict(text)
    except (psycopg.Error, ValueError):  # its message may hold the whole address
        parameters = {}
    if not _is_clear(text, parameters):
        raise SettingsInvalid(
            f"{name} cannot be read: it looks like"
            " postgresql://USER:PASSWORD@HOST:5432/DATABASE, and in the password write"
            " @ as %40, : as %3A, / as %2F, # as %23, ? as %3F and % as %25."
        )
    if _EXAMPLE.items() <= parameters.items():
        raise SettingsInvalid(
            f"{name} is not filled in, and still as in .env.example: put the login's password and"
            " the names of server and database into it."
        )
    return parameters


def _is_clear(text: str, parameters: dict[str, Any]) -> bool:
    """Say whether the parameters can be what was meant, and no rest of a password among them."""
    if not any(parameters.get(key) for key in _NAMING):
        return False
    if any("://" in str(parameters.get(key, "")) for key in _NAMING):
        return False
    if not _PORTS.fullmatch(str(parameters.get("port", ""))):
        return False
    scheme = _SCHEME.match(text)
    if scheme is None:
        return True
    # The library ends the login at the first @, but sees none behind a slash.
    login, at, rest = text[scheme.end() :].partition("@")
    return "@" not in rest and not (at and "/" in login)
