"""The filters of a query that ask for certain values of one table: what they want, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, walk_in_scope

from agent.audit.reading import DIALECT, Query, stored
from agent.database.schema import ColumnInfo, TableSchema

FilterKind = Literal["value", "range"]

_COMPARISONS: Final = (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_RANGES: Final = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)
_LIKES: Final = (exp.Like, exp.ILike)
_ORDERED: Final = re.compile(
    r"date|timestamp|smallint|integer|bigint|numeric|real|double precision|year", re.IGNORECASE
)


@dataclass(frozen=True)
class Wanted:
    """One value that a filter asks for."""

    shown: str
    """As SQL writes it: 'PG13', 42."""
    text: str
    """The bare text of it, to compare spellings with."""
    condition: str
    """SQL that is true of the rows that have it; columns without their table."""


@dataclass(frozen=True)
class Filter:
    """What a query asks of a column of one table, or of several joined into a text."""

    kind: FilterKind
    table: TableSchema
    columns: tuple[ColumnInfo, ...]
    subject: str
    """SQL of what the values are compared with, without the table: a column where it is one."""
    wanted: tuple[Wanted, ...]
    has_choice: bool = False
    """Rows may have any of the values, and need to fit nothing else of their kind."""
    is_part: bool = False
    """Rows may fit another condition instead."""
    is_pattern: bool = False
    """A LIKE: what is wanted is only part of a value."""

    @property
    def must_occur(self) -> bool:
        """Whether each of the values is expected to occur even where others do."""
        return self.has_choice and self.kind == "value" and not self.is_pattern

    @property
    def is_ordered(self) -> bool:
        """The column holds numbers, dates or times, which have a least and a greatest."""
        return len(self.columns) == 1 and _ORDERED.match(self.columns[0].type_name) is not None


def filters(query: Query) -> list[Filter]:
    """Return the filters that rows must pass, in the order of the query, each once."""
    found = [
        each
        for scope in query.scopes()
        if not _is_denied(scope.expression)
        for condition in _conditions(scope.expression)
        for each in _positive(condition, scope, query)
    ]
    if not isinstance(query.tree, exp.Select):  # in a UNION each part is one way of several
        found = [replace(each, has_choice=False) for each in found]
    return list(dict.fromkeys(_joined_ranges(found)))


def _is_denied(select: exp.Expr) -> bool:
    """Whether a subquery says which rows are not wanted: NOT EXISTS, NOT IN."""
    node = select.parent
    while node is not None:
        if isinstance(node, (exp.Not, exp.NEQ, exp.Except)):
            return True
        node = node.parent
    return False


def _conditions(select: exp.Expr) -> Iterator[exp.Expr]:
    where = select.args.get("where")
    if where is not None:
        yield where.this
    for join in select.args.get("joins") or []:
        if join.args.get("on") is not None:
            yield join.args["on"]
    for part in select.expressions:
        for node in walk_in_scope(part):
            if isinstance(node, exp.Filter):
                yield node.expression.this
            elif isinstance(node, exp.If) and isinstance(node.parent, exp.Case):
                yield node.this


def _positive(condition: exp.Expr, scope: Scope, query: Query) -> Iterator[Filter]:
    condition = condition.unnest()
    if isinstance(condition, exp.And):
        yield from _positive(condition.left, scope, query)
        yield from _positive(condition.right, scope, query)
    elif isinstance(condition, exp.Or):
        parts = [
            each for side in condition.flatten() for each in _positive(side, scope, query)
        ]  # fmt: skip
        yield from _joined_choices(parts)
    else:
        found = _filter(condition, scope, query)
        if found is not None:
            yield found


def _joined_choices(parts: Iterable[Filter]) -> Iterator[Filter]:
    """Yield the parts of an OR; those that ask for values of one column are one filter.

    An OR over several columns is a search: where one finds nothing, another one may.
    """
    joined: dict[tuple[str, str, str], Filter] = {}
    for part in parts:
        key = (part.kind, part.table.name, part.subject)
        before = joined.get(key)
        wanted = (before.wanted if before and part.kind == "value" else ()) + part.wanted
        joined[key] = replace(part, wanted=wanted)
    for each in joined.values():
        yield replace(each, is_part=True, has_choice=len(joined) == 1)


def _joined_ranges(found: Iterable[Filter]) -> Iterator[Filter]:
    """Yield the filters; the two ends of a range, which stand beside each other, are one."""
    before: Filter | None = None
    for each in found:
        if before is not None and _is_same_range(before, each):
            both = f"{before.wanted[0].condition} AND {each.wanted[0].condition}"
            before = replace(before, wanted=(Wanted("", "", both),))
            continue
        if before is not None:
            yield before
        before = each
    if before is not None:
        yield before


def _is_same_range(one: Filter, other: Filter) -> bool:
    return (
        one.kind == other.kind == "range"
        and (one.table.name, one.subject) == (other.table.name, other.subject)
        and not (one.is_part or other.is_part)
    )


def _filter(condition: exp.Expr, scope: Scope, query: Query) -> Filter | None:
    subject, values = _parts(condition)
    if subject is None or not values:
        return None
    found = list(dict.fromkeys(subject.find_all(exp.Column, bfs=False)))
    source = scope.selected_sources.get(found[0].table) if found else None
    table = query.tables.find(source[1]) if source and isinstance(source[1], exp.Table) else None
    if table is None or subject.find(exp.Query) or any(map(_is_no_constant, values)):
        return None
    columns = tuple(_column(table, each.name) for each in found if each.table == found[0].table)
    if len(columns) != len(found) or None in columns:
        return None
    known = tuple(column for column in columns if column is not None)
    bare = _bare(subject) if len(known) > 1 else known[0].name
    return _of_subject(condition, subject, values, Filter("value", table, known, bare, ()))


def _of_subject(
    condition: exp.Expr, subject: exp.Expr, values: list[exp.Expr], empty: Filter
) -> Filter | None:
    if isinstance(condition, _RANGES):
        limits = (Wanted("", "", _bare(condition)),)
        return replace(empty, kind="range", wanted=limits) if empty.is_ordered else None
    wanted = tuple(
        Wanted(_shown(value), _text(value), _bare(_with_value(condition, subject, value)))
        for value in values
    )
    # The year of a date is not looked for among dates, but between the first and the last.
    kind: FilterKind = (
        "range" if empty.is_ordered and not isinstance(subject, exp.Column) else "value"
    )
    # lower(name) IN ('usa', 'u.s.a.') tries spellings: not all of them need to occur.
    has_choice = len(wanted) > 1 and isinstance(subject, exp.Column)
    is_pattern = isinstance(condition, _LIKES)
    return replace(empty, kind=kind, wanted=wanted, has_choice=has_choice, is_pattern=is_pattern)


def _parts(condition: exp.Expr) -> tuple[exp.Expr | None, list[exp.Expr]]:
    """Return what a condition is about, and the values that it wants; (None, []) for others."""
    if isinstance(condition, exp.In) and not condition.args.get("query"):
        return condition.this.unnest(), list(condition.expressions)
    if isinstance(condition, exp.Between):
        return condition.this.unnest(), [condition.args["low"], condition.args["high"]]
    if isinstance(condition, _LIKES):
        return condition.this.unnest(), [condition.expression]
    if isinstance(condition, exp.ArrayContainsAll) and isinstance(condition.expression, exp.Array):
        return exp.Any(this=exp.paren(condition.this)), list(condition.expression.expressions)
    if isinstance(condition, _COMPARISONS):
        left, right = condition.left.unnest(), condition.right.unnest()
        if isinstance(right, exp.Any) and isinstance(right.this.unnest(), exp.Array):
            return left, list(right.this.unnest().expressions)
        return (left, [right]) if left.find(exp.Column) else (right, [left])
    return None, []


def _with_value(condition: exp.Expr, subject: exp.Expr, value: exp.Expr) -> exp.Expr:
    """Return the condition for one of the values that it wants."""
    if isinstance(condition, _LIKES):
        return condition
    return exp.EQ(this=value.copy(), expression=subject.copy())


def _is_no_constant(value: exp.Expr) -> bool:
    return value.find(exp.Column, exp.Query, exp.Null) is not None


def _column(table: TableSchema | None, name: str) -> ColumnInfo | None:
    columns = table.columns if table is not None else ()
    return next((each for each in columns if stored(each.name) == name), None)


def _bare(condition: exp.Expr) -> str:
    """Return the SQL of a condition whose columns do not name their table."""
    bare = condition.copy()
    for column in list(bare.find_all(exp.Column)):
        column.set("table", None)
    return bare.sql(DIALECT)


def _shown(value: exp.Expr) -> str:
    value = value.unnest()
    while isinstance(value, exp.Cast) and isinstance(value.this, exp.Literal):
        value = value.this
    return value.sql(DIALECT)


def _text(value: exp.Expr) -> str:
    literal = value.find(exp.Literal)
    return literal.name.strip("%").replace("%", " ") if literal is not None else ""
