"""What the text of a query tells: its filters, its limit, and what each of its columns holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from functools import cached_property, lru_cache
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from agent.evidence.text.nouns import name_words

_COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=",
    exp.Is: "=", exp.Like: "~", exp.ILike: "~", exp.RegexpLike: "~", exp.RegexpILike: "~",
}  # fmt: skip
_TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


@dataclass(frozen=True)
class Filter:
    """A comparison with a literal: `length > 120`, `name = 'Sports'`."""

    column: str
    """The words of the compared expression's columns; "" for none."""
    op: str
    number: Decimal | None = None
    text: str = ""
    day: date | None = None
    is_scope: bool = True
    """It chooses rows; a condition inside an aggregate or a CASE does not."""


@dataclass(frozen=True)
class Statement:
    """A query, as far as it could be read."""

    filters: tuple[Filter, ...] = ()
    limit: int | None = None
    """Of the whole query."""
    numbers: frozenset[Decimal] = frozenset()
    """The numbers of its lengths of time: 30 of `interval '30 days'`."""
    outputs: tuple[exp.Expr, ...] = ()
    """What each column of the result is computed from."""
    tree: exp.Expr | None = None
    tables: tuple[str, ...] = ()
    """The tables that it reads, the first one first."""
    is_relative: bool = False
    """It measures from the present day."""

    @cached_property
    def scope_periods(self) -> tuple[tuple[date | None, date | None], ...]:
        """The periods in which all rows lie."""
        scoped = tuple(f for f in self.filters if f.is_scope)
        spans = [_span(days) for days in _by_column(scoped).values()]
        return tuple(span for found in spans for span in found)

    @cached_property
    def periods(self) -> tuple[tuple[date | None, date | None], ...]:
        """The first day and the last day of each span of time that rows are chosen by."""
        spans = [_span(days) for days in _by_column(self.filters).values()]
        return tuple(span for found in spans for span in found)


@lru_cache(maxsize=64)
def read_statement(sql: str) -> Statement:
    """Return what `sql` tells; what cannot be parsed tells nothing."""
    try:
        tree = sqlglot.parse_one(sql, read="postgres")
    except (SqlglotError, RecursionError):
        return Statement()
    filters, used = _filters(tree)
    literals = [n for n in tree.find_all(exp.Literal) if id(n) not in used]
    numbers = {n for literal in literals for n in _numbers_in(literal)}
    relative = tree.find(exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime) is not None
    return Statement(
        tuple(filters), _limit(tree), frozenset(numbers), tuple(_outputs(tree)), tree,
        tuple(dict.fromkeys(table.name for table in tree.find_all(exp.Table))), relative,
    )  # fmt: skip


def _numbers_in(literal: exp.Literal) -> list[Decimal]:
    parent = literal.parent
    if isinstance(parent, exp.Add | exp.Sub) and parent.find(exp.CurrentDate):
        return [Decimal(n) for n in re.findall(r"\d+", literal.this)]
    is_interval = isinstance(parent, exp.Interval) or "interval" in str(parent).lower()
    return [Decimal(n) for n in re.findall(r"\d+", literal.this)] if is_interval else []


def _limit(tree: exp.Expr) -> int | None:
    limit = tree.args.get("limit")
    number = limit.args.get("expression") or limit.args.get("count") if limit else None
    if number is None and (source := _all_rows_of(tree)) is not None:
        return _limit(source)
    return int(number.this) if isinstance(number, exp.Literal) and number.is_int else None


_CHANGES: Final = ("joins", "laterals", "where", "group", "having", "distinct")
"""The parts of a query that make its rows others than those it reads."""


def _all_rows_of(tree: exp.Expr) -> exp.Expr | None:
    """Return the query whose rows `tree` shows one for one, perhaps in another order."""
    read = tree.args.get("from_") or tree.args.get("from")
    if not isinstance(tree, exp.Select) or read is None or any(map(tree.args.get, _CHANGES)):
        return None
    if any(one.find(exp.AggFunc) and not one.find(exp.Window) for one in tree.expressions):
        return None
    if isinstance(read.this, exp.Subquery):
        return read.this.this if isinstance(read.this.this, exp.Query) else None
    named = {cte.alias: cte.this for cte in tree.ctes}
    return named.get(read.this.name) if isinstance(read.this, exp.Table) else None


def _outputs(tree: exp.Expr) -> list[exp.Expr]:
    while isinstance(tree, exp.Union | exp.Subquery):
        tree = tree.this
    return list(tree.expressions) if isinstance(tree, exp.Select) else []


def _filters(tree: exp.Expr) -> tuple[list[Filter], set[int]]:
    found: list[Filter] = []
    used: set[int] = set()
    for node in tree.find_all(*_COMPARISONS, exp.Between, exp.In):
        if isinstance(node, exp.Between):
            pairs = [(">=", node.args["low"]), ("<=", node.args["high"])]
            left = node.this
        elif isinstance(node, exp.In):
            pairs = [("=", value) for value in node.expressions]
            left = node.this
        else:
            left, op, value = _sides(node)
            pairs = [(op, value)]
        for op, value in pairs:
            made = _filter(left, op, value, _is_scope(node))
            if made is not None:
                found.append(made)
                used |= {id(n) for n in value.find_all(exp.Literal)}
    return found, used


def _sides(node: exp.Expr) -> tuple[exp.Expr, str, exp.Expr]:
    left, right, op = node.this, node.expression, _COMPARISONS[type(node)]
    if _literal(left) is not None and _literal(right) is None:
        return right, _TURNED.get(op, op), left
    return left, op, right


def _literal(node: exp.Expr) -> exp.Literal | None:
    while isinstance(node, exp.Cast | exp.Paren | exp.Neg):
        node = node.this
    return node if isinstance(node, exp.Literal) else None


def _is_scope(node: exp.Expr) -> bool:
    return isinstance(node.find_ancestor(exp.Filter, exp.Case, exp.Select), exp.Select)


def _filter(left: exp.Expr, op: str, value: exp.Expr, is_scope: bool) -> Filter | None:
    literal = _literal(value)
    if literal is None:
        return None
    names = [column.name for column in left.find_all(exp.Column)]
    parts = [name_words(name) for name in names]
    if isinstance(left, exp.Extract | exp.Func) and left.args.get("unit") is not None:
        parts.append((str(left.args["unit"]).lower(),))
    if isinstance(left, exp.Extract):
        parts.append((str(left.this).lower(),))
    column = " ".join(word for words in parts for word in words)
    if not literal.is_string:
        sign = -1 if isinstance(value, exp.Neg) else 1
        return Filter(column, op, sign * Decimal(literal.this), is_scope=is_scope)
    text = literal.this
    return Filter(column, op, _number(text), text.strip("%"), _day(text), is_scope)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _day(text: str) -> date | None:
    match = re.match(r"(\d{4})-(\d\d)-(\d\d)", text)
    try:
        return date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None


def _by_column(filters: tuple[Filter, ...]) -> dict[str, list[Filter]]:
    grouped: dict[str, list[Filter]] = {}
    for one in filters:
        if one.day is not None:
            grouped.setdefault(one.column, []).append(one)
    return grouped


def _span(filters: list[Filter]) -> list[tuple[date | None, date | None]]:
    """Return spans from bounds: each lower bound ends at the next upper bound after it."""
    day = timedelta(days=1)
    spans: list[tuple[date | None, date | None]] = []
    spans += [(f.day, f.day) for f in filters if f.op in ("=", "~") and f.day]
    lows = sorted(
        {f.day if f.op == ">=" else f.day + day for f in filters if f.day and f.op in (">", ">=")}
    )
    highs = sorted(
        {f.day if f.op == "<=" else f.day - day for f in filters if f.day and f.op in ("<", "<=")}
    )
    for low in lows:
        high = next((h for h in highs if h >= low), None)
        spans.append((low, high))
    if not lows or (highs and highs[0] < lows[0]):
        spans += [(None, high) for high in highs[:1]]
    return spans
