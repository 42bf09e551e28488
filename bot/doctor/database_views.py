"""Views that the login was granted, and that the server refuses to read all the same."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

import psycopg
from psycopg import sql

from agent.database.failing.failures import first_line
from agent.database.link.boundaries import LOGINS_NAMES
from agent.database.link.pool import Connection
from bot.doctor.finding import Finding, note

TRIED: Final = 200
TRIED_FOR_S: Final = 6.0
_SHOWN: Final = 5
_TRY: Final = sql.SQL("SELECT 1 FROM {} LIMIT 0")
_SETTING: Final = f"{LOGINS_NAMES}; SET LOCAL statement_timeout = '1s'; SAVEPOINT before"
_SLOW: Final = "57014"


def dead_views(
    connection: Connection, views: Iterable[tuple[str, str]]
) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield (schema, name) of each view that cannot be read, and what the server says of it.

    Reads no row. Only the first views are tried, as many as there is time for; the transaction of
    `connection` has to be rolled back afterwards.
    """
    until = time.monotonic() + TRIED_FOR_S
    connection.execute(_SETTING)
    for view in islice(views, TRIED):
        if time.monotonic() > until:
            return
        try:
            connection.execute(_TRY.format(sql.Identifier(*view)))
        except psycopg.OperationalError as error:
            if error.sqlstate != _SLOW:
                raise
            connection.execute("ROLLBACK TO before")
        except psycopg.Error as error:
            connection.execute("ROLLBACK TO before")
            yield view, first_line(error)


def dead(names: list[str], said: list[str]) -> Finding:
    """Return what is told of dead views, from their names and the server's words."""
    many = len(names) > 1
    left = len(names) - _SHOWN
    listed = ", ".join(names[:_SHOWN]) + (f" and {left} more" if left > 0 else "")
    return note(
        f"{listed} cannot be read, though the login was granted {'them' if many else 'it'}; the"
        f" server says{' of the first' if many else ''}: {said[0]}",
        "grant the login what such a view reads (it runs with the login's own rights where it is"
        " security_invoker), or revoke the view from it: the bot would only fail with it",
    )
