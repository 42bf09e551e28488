"""psycopg's errors, by who gets to read them: the model, or the person who asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import psycopg

from agent.database.failing.hints import hint_for
from agent.database.failing.redaction import (
    HIDDEN,
    Known,
    is_mostly_hidden,
    known_to_reader,
    quoted_names,
    without_values,
)
from agent.database.schema import TableSchema
from agent.errors import DatabaseUnavailable, SqlFailed

MAX_MESSAGE_CHARS: Final = 300

_CONNECTION: Final = ("08", "28", "3D000", "53300", "57P", "25P03", "XX001", "XX002", "58")
_BROKEN: Final = ("08", "57P01", "57P02", "57P05", "25P03")
_RAISED: Final = re.compile(r"(?:.*/)?(?:pl_exec|plperl|plpy_\w+|pltcl)\.c")
"""Source files of PostgreSQL from which functions in its languages raise errors of their own."""
_RAISED_STATE: Final = "P0001"
_RAISED_TEXT: Final = "a function in the database raised an error of its own"
_TROUBLES: Final = tuple(
    (states, re.compile(words), sentence)
    for states, words, sentence in (
        ("28", "authentication failed|no password",
         "refused the login: check user and password in the database URL."),
        ("3D000", 'database ".*does not exist',
         "does not exist on that server: check the name in the database URL."),
        ("", "permission denied for database",
         "does not let this login in: GRANT CONNECT ON DATABASE … TO its role."),
        ("", "no pg_hba.conf entry",
         "does not admit this login from here: its pg_hba.conf decides, or wants TLS (sslmode)."),
        ("", "certificate",
         "has no certificate that can be checked here: see sslmode and sslrootcert in the URL."),
        ("", "invalid .* value",
         "cannot be reached that way: check what stands after the ? in the database URL."),
        ("53300", "too many", "has no free connection: try again in a moment."),
        ("57P03", "starting up|shutting down", "is starting or stopping: try again in a moment."),
        ("", "could not translate host name|failed to resolve",
         "has a host name that nobody knows: check the database URL."),
        ("", "Connection refused|No such file|timeout",
         "cannot be reached: check that it runs and that the database URL is right."),
    )
)  # fmt: skip
"""What a connection's error says, by its code or its words, and what is to be done; in order."""
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CANCELED: Final = "57014"
_BY_SOMEBODY: Final = re.compile("user request|recovery")
"""Why else a query is stopped; a server that speaks another language says neither."""
_NO_RIGHT: Final = "42501"
_NO_TEXT: Final = "22021"
"""Bytes of no encoding, as SQL_ASCII lets in; of our own queries only the catalogue's meet them."""
_NO_QUERY: Final = Known("", frozenset())


class ConnectionBroken(DatabaseUnavailable):
    """A connection that had been open was lost; on a new one the same query may well run."""

    without_a_word = False
    """The server gave no reason, as when its process is killed."""


def sqlstate_of(error: psycopg.Error) -> str:
    """Return the five-character code, or "" where the server sent none."""
    return error.sqlstate or ""


def is_connection_trouble(error: psycopg.Error) -> bool:
    """Say whether the connection, not the query, is what failed."""
    state = sqlstate_of(error)
    if not state:
        # What libpq itself complains of comes without a code, as a bare DatabaseError.
        is_libpqs = type(error) is psycopg.DatabaseError
        return is_libpqs or isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return state.startswith(_CONNECTION) and not _is_raised(error)


def sql_failure(
    error: psycopg.Error, sql: str, timeout_ms: int, tables: Sequence[TableSchema]
) -> SqlFailed:
    """Return what the model is told of a query that the server refused or stopped.

    `tables` are those that the query names; their columns help where one was misspelt.
    """
    state, message = sqlstate_of(error), first_line(error)
    if state == "25P04" or (state == _CANCELED and not _BY_SOMEBODY.search(message)):
        return too_slow(timeout_ms)
    if _is_raised(error):
        return SqlFailed(_RAISED_STATE, _RAISED_TEXT)
    known = known_to_reader(sql, tables)
    hint = hint_for(state, message, tables) or _harmless_hint(error, known)
    return SqlFailed(state, cut(_harmless(error, known)), hint)


def _is_raised(error: psycopg.Error) -> bool:
    """Say whether the message was written by whoever wrote a function, and may hold anything."""
    state = sqlstate_of(error)
    is_unknown = bool(state) and _condition(state) == ""
    return is_unknown or state.startswith("P0") or bool(_RAISED.match(error.diag.source_file or ""))


def _harmless(error: psycopg.Error, known: Known) -> str:
    """Return the server's message without values; the error's name where little is left of it."""
    state = sqlstate_of(error)
    said = _whole_message(error)
    message = without_values(said, known, state)
    if not is_mostly_hidden(message):
        return message
    names = quoted_names(said, known)
    return (_condition(state) or HIDDEN) + (f": {', '.join(names)}" if names else "")


def _harmless_hint(error: psycopg.Error, known: Known) -> str:
    """Return the server's hint where it holds nothing that the reader does not know."""
    hint = " ".join((error.diag.message_hint or "").split())
    return cut(hint) if without_values(hint, known) == hint else ""


def _condition(sqlstate: str) -> str:
    """Return the name of an error in words, such as "undefined column"; "" for no such code."""
    try:
        name = psycopg.errors.lookup(sqlstate).__name__
    except KeyError:
        return ""
    return _CAPITAL.sub(" ", name.removesuffix("_")).lower()


def too_slow(timeout_ms: int) -> SqlFailed:
    """Return what the model is told of a query that ran into its time limit."""
    return SqlFailed(
        "57014", f"The query took longer than {timeout_ms / 1000:g} s and was stopped.",
        "Narrow it: filter by date, join on keys, or aggregate earlier.",
    )  # fmt: skip


def first_line(error: psycopg.Error) -> str:
    """Return the server's message without its detail, hint and context."""
    return _whole_message(error).partition("\n")[0]


def _whole_message(error: psycopg.Error) -> str:
    return error.diag.message_primary or str(error)


def cut(text: str) -> str:
    """Return at most `MAX_MESSAGE_CHARS` characters of `text`."""
    return text if len(text) <= MAX_MESSAGE_CHARS else text[: MAX_MESSAGE_CHARS - 1] + "…"


def unavailable(
    error: psycopg.Error, where: str, password: str = "", *, was_open: bool = False
) -> DatabaseUnavailable:
    """Return the one sentence for the person who asked; `where` names the database, no secret.

    `was_open`: the connection had been made, and what is asked about happened on it.
    """
    # What a server says on an open connection may quote a value; its sentence has no use for that.
    detail = _said_by_server(error) if sqlstate_of(error) else _said_by_driver(error)
    detail = detail.replace("\n", " ")
    if password:
        detail = detail.replace(password, "***")
    message = f"The database {where} {_what_happened(error, detail)}"
    if not (was_open and _is_broken(error)):
        return DatabaseUnavailable(message, detail=cut(detail))
    broken = ConnectionBroken(message, detail=cut(detail))
    broken.without_a_word = not sqlstate_of(error)
    return broken


def _said_by_driver(error: psycopg.Error) -> str:
    # Of an address or a value that it cannot read, the driver quotes all.
    return str(error).strip() if is_connection_trouble(error) else type(error).__name__


def _said_by_server(error: psycopg.Error) -> str:
    if _is_raised(error):
        return _RAISED_TEXT
    # What must be granted has a name that whoever runs the bot needs.
    is_about_rights = sqlstate_of(error) == _NO_RIGHT
    return _whole_message(error) if is_about_rights else _harmless(error, _NO_QUERY)


def _is_broken(error: psycopg.Error) -> bool:
    state = sqlstate_of(error)
    return state.startswith(_BROKEN) if state else is_connection_trouble(error)


def _what_happened(error: psycopg.Error, detail: str) -> str:
    state = sqlstate_of(error)
    if state == _NO_TEXT:
        return (
            "has a name, comment or label that is not in UTF-8, so its tables cannot be listed: put"
            " that right, or give the login fewer tables."
        )
    if not is_connection_trouble(error):
        return f"could not be asked for its tables ({detail}): try again in a moment."
    found = (sentence for states, words, sentence in _TROUBLES
             if (states and state.startswith(states)) or words.search(detail))  # fmt: skip
    return next(found, "broke the connection: try again in a moment.")
