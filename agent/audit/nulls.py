"""Columns without any value: where a join found nothing, or a calculation has no result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from agent.audit.reading import Query
from agent.messages import AuditNote, NoteKind, QueryResult

MAX_NAMED: Final = 8


def find_empty_columns(result: QueryResult, query: Query | None) -> Iterator[AuditNote]:
    """Yield a note on columns that are NULL in each of several rows, unless that was asked for."""
    if len(result.rows) < 2:
        return  # one person without an e-mail address is no finding
    empty = [
        column.name
        for position, column in enumerate(result.columns)
        if all(row[position] is None for row in result.rows)
        and not (query and _is_expected(query.tree, position, result))
    ]
    if empty:
        names = ", ".join(empty[:MAX_NAMED]) + (" and others" if len(empty) > MAX_NAMED else "")
        which = f"The column {names} holds" if len(empty) == 1 else f"The columns {names} hold"
        yield AuditNote(
            NoteKind.ALL_NULL,
            f"{which} no value in any row.",
            "Check the join or the calculation that it comes from.",
        )


def _is_expected(select: exp.Expr, position: int, result: QueryResult) -> bool:
    """Whether the query asks for rows without that value, or shows it as it stands in a table: no
    track here has a composer, and no join is to blame.
    """
    if not isinstance(select, exp.Select) or len(select.selects) != len(result.columns):
        return False
    shown = select.selects[position].unalias()
    if not isinstance(shown, exp.Column):
        return False
    where = select.args.get("where")
    if where is not None and any(
        isinstance(each.expression, exp.Null) and each.this == shown
        for each in where.find_all(exp.Is)
    ):
        return True
    return not any(join.side for join in select.args.get("joins") or [])
