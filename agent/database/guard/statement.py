"""From the text to the parse tree of its one query, by PostgreSQL's own grammar."""

from __future__ import annotations

import threading
from typing import Any, Final

import pgparse

from agent.database.guard.rejection import rejection
from agent.database.guard.syntax_hints import hint_for
from agent.errors import SqlRejected

_STACK_BYTES: Final = 16 * 1024 * 1024
_SHORT: Final = 1_000
"""Bytes that cannot nest deep enough to overrun the smallest stack a thread may have."""

_stack_size_lock = threading.Lock()


def parse_query(sql: str) -> dict[str, Any]:
    """Return the SelectStmt of the one statement in `sql`, or raise `SqlRejected`."""
    statements = _parse(sql)
    if not statements:
        raise rejection("empty", "", "There is no query.", "Write one SELECT.")
    if len(statements) > 1:
        raise rejection(
            "several_statements", ";", f"There are {len(statements)} statements.",
            "Send one SELECT at a time.",
        )  # fmt: skip
    if sql.startswith(";", _skip_blanks(sql, "")):
        raise rejection(
            "several_statements", ";", "There is an empty statement before the query.",
            "Begin with SELECT.",
        )  # fmt: skip
    ((kind, node),) = statements[0]["stmt"].items()
    if kind != "SelectStmt":
        name = _keyword(kind, sql)
        raise rejection(
            "not_a_query", name, f"{name} is not a query.",
            "Only one SELECT (or WITH … SELECT, or VALUES) can be run.",
        )  # fmt: skip
    return dict(node)


def _keyword(kind: str, sql: str) -> str:
    """Return the word that says what a statement does: behind WITH it is not the first one."""
    if kind in ("InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"):
        return kind.removesuffix("Stmt").upper()
    start = _skip_blanks(sql, ";")
    end = start
    while end < len(sql) and sql[end].isalpha():
        end += 1
    return sql[start:end].upper() or kind


def _skip_blanks(sql: str, others: str) -> int:
    """Return where the blanks, comments and `others` at the beginning end."""
    place, depth = 0, 0
    while place < len(sql):
        if sql.startswith("/*", place):
            depth += 1
            place += 2
        elif depth and sql.startswith("*/", place):
            depth -= 1
            place += 2
        elif depth or sql[place].isspace() or sql[place] in others:
            place += 1
        elif sql.startswith("--", place):
            while place < len(sql) and sql[place] not in "\r\n":
                place += 1
        else:
            break
    return place


def _parse(sql: str) -> list[dict[str, Any]]:
    try:
        return _parse_on_a_roomy_stack(sql) if len(sql) > _SHORT else list(pgparse.parse(sql))
    except IndexError:  # what pgparse 1.0.3 raises for a text of comments only
        return []
    except pgparse.PGQueryError as error:
        if str(error.message).startswith(("memory exhausted", "stack depth")):
            raise _too_deep() from None
        raise _syntax_error(sql, str(error.message), int(error.position)) from None
    except RecursionError:
        raise _too_deep() from None


def _parse_on_a_roomy_stack(sql: str) -> list[dict[str, Any]]:
    """Parse in a thread of its own: the parser recurses in C, and the caller's stack may be small.

    There it would end the whole process, where here it gives a verdict.
    """
    found: list[dict[str, Any]] = []
    failures: list[Exception] = []

    def parse() -> None:
        try:
            found.extend(pgparse.parse(sql))
        except Exception as error:  # handed to the caller, who knows them
            failures.append(error)

    thread = threading.Thread(target=parse, name="sql-parser", daemon=True)
    with _stack_size_lock:
        usual = threading.stack_size(_STACK_BYTES)
        try:
            thread.start()
        finally:
            threading.stack_size(usual)
    thread.join()
    if failures:
        raise failures[0]
    return found


def _too_deep() -> SqlRejected:
    return rejection(
        "too_deep", "", "The query is nested too deeply.", "Use WITH to flatten it."
    )  # fmt: skip


def _syntax_error(sql: str, message: str, position: int) -> SqlRejected:
    name = message.partition('"')[2].rpartition('"')[0][:60]
    text = sql.encode()
    before = text[: max(position - 1, 0)].decode("utf-8", "ignore")
    rest = text[max(position - 1, 0) :].decode("utf-8", "ignore")
    near = " ".join(before[-30:].split())
    read = f"It reads as far as: …{near}" if near else "Write one SELECT."
    hint = f"{hint_for(before, rest, message)} {read}".strip()
    return rejection("syntax", name, f"It cannot be read: {message[:120]}.", hint)
