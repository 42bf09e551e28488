"""The statements that open a session and end it, each sent as one message.

One message, so that behind a pooler that lends a server connection per transaction all of it
reaches the same one.
"""

from __future__ import annotations

from typing import Final

from psycopg import sql

from agent.database.link.limits import Limits

OWN_NAMES: Final = "SET LOCAL search_path = pg_catalog, pg_temp"
"""Lasts to the end of the transaction. Whoever may create something in a schema can give it the
name of a function or an operator of the system's, for types that fit a call better; with this alone
it is never found, and our own queries call nothing of anybody's."""
LOGINS_NAMES: Final = "SET LOCAL search_path = DEFAULT"
"""Names mean again what they mean to the login."""

IDLE_IN_TRANSACTION_MS: Final = 10_000
_CATALOG_MS: Final = 15_000
WHOLE_CATALOG_MS: Final = 60_000


def opening(
    limits: Limits, *, for_catalog: bool, time_zone: str, server_version: int
) -> sql.Composed:
    """Return what begins a READ ONLY transaction with all limits; they last until its end.

    `for_catalog`: it is for several queries of our own, which take their time on a large database.
    """
    settings: dict[str, str | int] = {
        "statement_timeout": _CATALOG_MS if for_catalog else limits.statement_timeout_ms,
        "lock_timeout": limits.lock_timeout_ms,
        "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_MS,
        "TimeZone": time_zone,
        "DateStyle": "ISO",
        "IntervalStyle": "postgres",
        "extra_float_digits": 1,
        "standard_conforming_strings": "on",  # the guard reads strings that way
        "cursor_tuple_fraction": "1.0",
        "bytea_output": "hex",
        "jit": "off",
    }
    if server_version >= 170_000:
        whole = WHOLE_CATALOG_MS if for_catalog else limits.transaction_timeout_ms
        settings["transaction_timeout"] = whole
    lines = [
        sql.SQL("SET LOCAL {} = {}").format(sql.Identifier(name), sql.Literal(value))
        for name, value in settings.items()
    ]
    # Behind a pooler somebody else, with the same login, may have set another path.
    return sql.SQL("; ").join([sql.SQL("BEGIN READ ONLY"), sql.SQL(LOGINS_NAMES), *lines])


# What DISCARD ALL does, spelled out: it may not stand in one message with another statement.
_DISCARD: Final = sql.SQL(
    "CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; DEALLOCATE ALL; UNLISTEN *;"
    " DISCARD PLANS; DISCARD TEMP; DISCARD SEQUENCES"
)
_UNLOCK: Final = sql.SQL("SELECT pg_catalog.pg_advisory_unlock_all()")


def ending(*, may_hold_locks: bool) -> sql.Composed:
    """Return what ends a session without a trace.

    `may_hold_locks`: the login may call the functions for advisory locks, which outlive a ROLLBACK.
    """
    parts = [sql.SQL("ROLLBACK"), *([_UNLOCK] if may_hold_locks else []), _DISCARD]
    return sql.SQL("; ").join(parts)


MAY_HOLD_LOCKS: Final = (
    "SELECT pg_catalog.has_function_privilege('pg_catalog.pg_advisory_unlock_all()', 'EXECUTE')"
)
