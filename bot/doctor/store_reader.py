"""The login that reads the bot's log, for questions about the bot itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import psycopg

from agent.database.link.address import read_address
from agent.errors import SettingsInvalid
from bot.doctor import database_server
from bot.doctor.attempt import said
from bot.doctor.finding import Finding, note, ok
from bot.doctor.set_up import SetUp
from bot.store.reader import READER, SETTING

CONNECT_TIMEOUT_S: Final = 3
_ROLES: Final = """
SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s),
       (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user)
"""


def reader_findings(connection: psycopg.Connection[Any], set_up: SetUp) -> Iterator[Finding]:
    """Yield whether the bot can be asked about itself; `connection` is to its record."""
    given = set_up.bot.store_reader_url
    if given is not None:
        yield _given(given.get_secret_value().strip())
        return
    row = connection.execute(_ROLES, [READER]).fetchone()
    assert row is not None
    exists, may_make = row
    if exists:
        yield ok(f"the bot can be asked about itself, as {READER}")
    elif may_make:
        yield ok(f"the login {READER}, for questions about the bot itself, is made at the start")
    else:
        yield note(
            "the bot cannot be asked about itself: the login of its record may not make another",
            f"make one as a superuser of that server, and set {SETTING} to its address",
            f"CREATE ROLE {READER} LOGIN PASSWORD '…';",
        )


def _given(address: str) -> Finding:
    try:
        read_address(address, name=SETTING)
        psycopg.connect(address, connect_timeout=CONNECT_TIMEOUT_S).close()
    except SettingsInvalid as fault:
        return said(fault, SETTING)
    except psycopg.Error as error:
        return database_server.unreachable(error, "the login that reads the log", SETTING)
    return ok(f"the bot can be asked about itself, with the login of {SETTING}")
