"""What an expression of a query computes: a count, money, a share, a part of a date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from sqlglot import exp

from agent.evidence.rows.meanings import (
    CALENDAR,
    CHANGE_WORDS,
    Holds,
    Meaning,
    entity_of,
    meaning_by_name,
)
from agent.evidence.rows.statement import Statement
from agent.evidence.text.nouns import name_concepts, name_words

_DEEPEST: Final = 12
_RANKS: Final = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile)
_PARTS: Final = (exp.Extract, exp.TimestampTrunc, exp.DateTrunc)
_AVERAGES: Final = (exp.Avg, exp.PercentileCont, exp.Median)
_SECONDS: Final = {
    Decimal(1): "second",
    Decimal(60): "minute",
    Decimal(3600): "hour",
    Decimal(86400): "day",
}


def computed(node: exp.Expr, statement: Statement, depth: int = 0) -> Meaning | None:
    """Return what `node` computes; None where it does not tell."""
    if depth > _DEEPEST:
        return None
    match node:
        case exp.Count():
            return Meaning(Holds.COUNT, nouns=_counted(node), is_total=True)
        case exp.Column():
            return _column(node, statement, depth)
        case exp.Case():
            return _case(node, statement, depth)
        case exp.Subquery() | exp.Select():
            select = node.find(exp.Select)
            first = select.expressions[0] if select is not None and select.expressions else None
            return computed(first, statement, depth + 1) if first is not None else None
    if isinstance(node, _RANKS):
        return Meaning(Holds.RANK)
    if isinstance(node, _PARTS):
        return _part(node)
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div):
        return _arithmetic(node, statement, depth)
    return _wrapped(node, statement, depth)


def _wrapped(node: exp.Expr, statement: Statement, depth: int) -> Meaning | None:
    """See through functions that keep the meaning: sum, round, coalesce, a cast, a window."""
    if isinstance(node, exp.Avg) and _is_yes_or_no(node.this):
        return Meaning(Holds.RATIO)  # the average of ones and zeros
    inner = node.args.get("this")
    if isinstance(node, exp.WithinGroup):
        ordered = node.expression.find(exp.Ordered)
        inner = exp.Median(this=ordered.this.copy()) if ordered is not None else inner
    made = computed(inner, statement, depth + 1) if isinstance(inner, exp.Expr) else None
    if made is None or inner is None:
        return None
    if isinstance(node, exp.Avg) and made.holds is Holds.COUNT and inner.find(exp.Case):
        return Meaning(Holds.RATIO)  # the average of ones and zeros
    is_sum = isinstance(node, exp.Sum)
    return replace(
        made,
        is_average=made.is_average or isinstance(node, _AVERAGES),
        is_extreme=made.is_extreme or isinstance(node, exp.Min | exp.Max),
        is_total=is_sum or (made.is_total and not isinstance(node, exp.AggFunc)),
    )


def _is_yes_or_no(node: exp.Expr) -> bool:
    """Whether a number is made of a condition: `(length > 120)::int`."""
    while isinstance(node, exp.Cast | exp.Paren):
        node = node.this
    return isinstance(node, exp.Predicate | exp.Connector | exp.Not)


def _counted(node: exp.Expr) -> frozenset[str]:
    """Return the concepts of what a count counts."""
    names = [column.name for column in node.find_all(exp.Column)]
    found = {noun for name in names for word in name_words(name) if (noun := entity_of(word))}
    if isinstance(node.this, exp.Distinct):
        return frozenset(found or {c for name in names for c in name_concepts(name)})
    select = node.find_ancestor(exp.Select)
    source = select.args.get("from_") if select is not None else None
    table = source.this if source is not None else None
    if isinstance(table, exp.Table):
        found |= name_concepts(table.name)
    return frozenset(found)


def _column(node: exp.Column, statement: Statement, depth: int) -> Meaning | None:
    """Follow a name to where the query defines it, or take it by its words."""
    for alias in _definitions(node, statement):
        made = computed(alias.this, statement, depth + 1)
        if made is not None:
            return made
    named = meaning_by_name(name_words(node.name))
    if named is None:
        return None
    return Meaning(*named, is_change=bool(name_concepts(node.name) & CHANGE_WORDS))


def _definitions(node: exp.Column, statement: Statement) -> Iterator[exp.Alias]:
    own = node.find_ancestor(exp.Alias)
    for alias in statement.tree.find_all(exp.Alias) if statement.tree is not None else ():
        if alias.alias == node.name and alias is not own and alias.this is not node:
            yield alias


def _part(node: exp.Expr) -> Meaning | None:
    name = str(node.this if isinstance(node, exp.Extract) else node.args.get("unit")).lower()
    if name == "epoch":
        return Meaning(Holds.TIME, "second")
    return Meaning(Holds.CALENDAR, CALENDAR[name]) if name in CALENDAR else None


def _arithmetic(node: exp.Binary, statement: Statement, depth: int) -> Meaning | None:
    left = computed(node.left, statement, depth + 1)
    right = computed(node.right, statement, depth + 1)
    numbers = {Decimal(n.this) for n in node.find_all(exp.Literal) if not n.is_string}
    if isinstance(node, exp.Div):
        return _quotient(left, right, numbers)
    if isinstance(node, exp.Mul):
        return _product(left, right, numbers)
    made = left or right
    if made is None:
        is_span = isinstance(node, exp.Sub) and _is_day(node.left) and _is_day(node.right)
        return Meaning(Holds.TIME, "day") if is_span else None
    if made.holds is Holds.CALENDAR and made.unit == "year":
        return Meaning(Holds.TIME, "year")  # an age: 2025 - release_year
    is_change = isinstance(node, exp.Sub) and left is not None and right is not None
    return replace(made, is_change=made.is_change or is_change, is_total=False)


def _is_day(node: exp.Expr) -> bool:
    """Whether an expression is a day, so that the difference of two counts days."""
    return isinstance(node, exp.CurrentDate) or (
        isinstance(node, exp.Cast) and node.to.is_type(exp.DataType.Type.DATE)
    )


def _product(left: Meaning | None, right: Meaning | None, numbers: set[Decimal]) -> Meaning | None:
    both = [made for made in (left, right) if made is not None]
    ratio = next((m for m in both if m.holds in (Holds.RATIO, Holds.PERCENT)), None)
    if 100 in numbers and ratio is not None:
        return Meaning(Holds.PERCENT, is_change=ratio.is_change)
    money = next((m for m in both if m.holds is Holds.MONEY), None)
    return money or (both[0] if both else None)


def _quotient(left: Meaning | None, right: Meaning | None, numbers: set[Decimal]) -> Meaning | None:
    if left is not None and left.holds is Holds.TIME and right is None:
        per = Decimal(1000 if left.unit == "millisecond" else 1)
        units = (_SECONDS[n / per] for n in sorted(numbers) if n / per in _SECONDS)
        return Meaning(Holds.TIME, next(units, ""), is_average=left.is_average)
    if left is None or right is None:
        return None
    if left.holds is right.holds or left.holds is Holds.PERCENT:
        holds = Holds.PERCENT if 100 in numbers else Holds.RATIO
        return Meaning(holds, is_change=left.is_change)
    return replace(left, is_average=True, is_total=False)


def _case(node: exp.Case, statement: Statement, depth: int) -> Meaning | None:
    values = [branch.args.get("true") for branch in node.args.get("ifs", [])]
    first = next((v for v in values if isinstance(v, exp.Expr)), None)
    if isinstance(first, exp.Literal) and not first.is_string and first.this in ("1", "0"):
        return Meaning(Holds.COUNT, nouns=_counted(node), is_total=True)
    return computed(first, statement, depth + 1) if first is not None else None
