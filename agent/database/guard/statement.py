"""From the text to the parse tree of its one query, by PostgreSQL's own grammar."""

from __future__ import annotations

import re
from typing import Any, Final

import pgparse

from agent.errors import SqlRejected

_FIRST_WORD: Final = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/|;)*([A-Za-z]+)", re.DOTALL)


def parse_query(sql: str) -> dict[str, Any]:
    """Return the SelectStmt of the one statement in `sql`, or raise `SqlRejected`."""
    statements = _parse(sql)
    if not statements:
        raise SqlRejected("empty", "", "There is no query.", "Write one SELECT.")
    if len(statements) > 1:
        raise SqlRejected(
            "several_statements", ";", f"There are {len(statements)} statements.",
            "Send one SELECT at a time.",
        )  # fmt: skip
    ((kind, node),) = statements[0]["stmt"].items()
    if kind != "SelectStmt":
        name = _keyword(kind, sql)
        raise SqlRejected(
            "not_a_query", name, f"{name} is not a query.",
            "Only one SELECT (or WITH … SELECT, or VALUES) can be run.",
        )  # fmt: skip
    return dict(node)


def _keyword(kind: str, sql: str) -> str:
    """Return the word that says what a statement does: behind WITH it is not the first one."""
    if kind in ("InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"):
        return kind.removesuffix("Stmt").upper()
    word = _FIRST_WORD.match(sql)
    return word[1].upper() if word else kind


def _parse(sql: str) -> list[dict[str, Any]]:
    try:
        return list(pgparse.parse(sql))
    except IndexError:  # what pgparse 1.0.3 raises for a text of comments only
        return []
    except pgparse.PGQueryError as error:
        raise _syntax_error(sql, str(error.message), int(error.position)) from None
    except RecursionError:
        raise SqlRejected(
            "too_deep", "", "The query is nested too deeply.", "Use WITH to flatten it."
        ) from None


def _syntax_error(sql: str, message: str, position: int) -> SqlRejected:
    name = message.partition('"')[2].rpartition('"')[0][:60]
    near = sql.encode()[: max(position - 1, 0)].decode("utf-8", "ignore")[-30:]
    hint = f"It reads as far as: …{near.strip()}" if near.strip() else "Write one SELECT."
    return SqlRejected("syntax", name, f"PostgreSQL cannot read it: {message[:150]}.", hint)
