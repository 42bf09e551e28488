"""The guard's words for people: a model can ask tools what there is, who checks a query cannot."""

from __future__ import annotations

from typing import Final

from agent.database.guard import AcceptedSql, GuardPolicy, RelationName
from agent.database.guard.suggestions import quoted
from agent.errors import SqlRejected

_LISTED: Final = 10
_ANY_TABLE: Final = "Any table may be read here but those of the system."
_ABOUT_TABLES: Final = ("relation", "system_catalog", "other_database")


def for_people(rejected: SqlRejected, policy: GuardPolicy | None) -> SqlRejected:
    """Return the rejection with the tables' names in place of the tools that list them.

    `policy` is None where any table may be read.
    """
    if rejected.code not in _ABOUT_TABLES or not rejected.hint.startswith("Ask find_tables"):
        return rejected
    hint = _ANY_TABLE if policy is None else _what_there_is(policy)
    return SqlRejected(rejected.code, rejected.name, rejected.reason, hint)


def in_words(accepted: AcceptedSql) -> str:
    """Return what an accepted query uses, its tables as SQL writes them."""
    tables = ", ".join(map(as_sql, accepted.tables))
    functions = ", ".join(map(quoted, accepted.functions))
    return f"accepted\ntables: {tables or 'none'}\nfunctions: {functions or 'none'}"


def as_sql(name: RelationName) -> str:
    """Return the name of a table as SQL writes it; the schema may be empty."""
    return ".".join(quoted(part) for part in name if part)


def _what_there_is(policy: GuardPolicy) -> str:
    names = [as_sql(name) for name in sorted(policy.relations)]
    if not names:
        return "There is no table that may be read."
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"These may be read: {', '.join(names[:_LISTED])}{more}."
