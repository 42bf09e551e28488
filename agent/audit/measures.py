"""The sums, counts and averages of a SELECT: what they take, and from which of its sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, walk_in_scope

_AVERAGES: Final = (
    exp.Avg, exp.Stddev, exp.StddevPop, exp.StddevSamp, exp.Variance, exp.VariancePop,
    exp.PercentileCont, exp.PercentileDisc, exp.Median,
)  # fmt: skip

MeasureKind = Literal["sum", "count", "average"]


@dataclass(frozen=True)
class Measure:
    """An aggregate that gives something else when rows come twice."""

    kind: MeasureKind
    sources: frozenset[str]
    """The aliases whose values are taken; empty where rows are merely counted."""
    columns: frozenset[str]
    """The names of the columns that are taken."""
    condition: str = ""
    """SQL of what a row must fulfil to be taken, where not all rows are."""
    is_distinct: bool = False


def measures(scope: Scope) -> Iterator[Measure]:
    """Yield the aggregates of a SELECT that depend on how often a row comes."""
    select = scope.expression
    parts = [*select.expressions, select.args.get("having"), select.args.get("order")]
    for part in parts:
        for node in walk_in_scope(part) if part is not None else ():
            if isinstance(node, exp.AggFunc) and not _is_window(node):
                yield from _measure(node)


def _is_window(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, (exp.Filter, exp.WithinGroup)):
        parent = parent.parent
    return isinstance(parent, exp.Window)


def _measure(node: exp.AggFunc) -> Iterator[Measure]:
    kind = _kind(node)
    if kind is None:
        return
    value, conditions = node.this, list(_filters(node))
    if isinstance(node.parent, exp.WithinGroup):
        value = node.parent.expression
    is_distinct = isinstance(value, exp.Distinct)
    if is_distinct and kind == "count":
        return
    if value is not None and value.find(exp.Query):
        return
    value = value.unnest() if value is not None else value
    if isinstance(value, exp.Case) and len(value.args["ifs"]) == 1 and _is_nothing(value):
        conditions.append(value.args["ifs"][0].this)
    taken = list(_taken(value))
    yield Measure(
        kind,
        frozenset(column.table for column in taken),
        frozenset(column.name for column in taken),
        " AND ".join(f"({condition.sql('postgres')})" for condition in conditions),
        is_distinct,
    )


def _kind(node: exp.AggFunc) -> MeasureKind | None:
    if isinstance(node, exp.Sum):
        return "sum"
    if isinstance(node, exp.Count):
        return "count"
    return "average" if isinstance(node, _AVERAGES) else None


def _filters(node: exp.Expr) -> Iterator[exp.Expr]:
    parent = node.parent.parent if isinstance(node.parent, exp.WithinGroup) else node.parent
    if isinstance(parent, exp.Filter):
        yield parent.expression.this


def _is_nothing(case: exp.Case) -> bool:
    """Whether a CASE gives NULL or 0 in all other cases: it chooses rows, like a FILTER."""
    default = case.args.get("default")
    if case.this is not None:
        return False
    return default is None or isinstance(default, exp.Null) or default.sql() == "0"


def _taken(value: exp.Expr | None) -> Iterator[exp.Column]:
    """Yield the columns whose values are taken: what a CASE looks at is none of them."""
    if value is None or isinstance(value, exp.Star):
        return
    if isinstance(value, exp.Column):
        yield value
    elif isinstance(value, exp.Case):
        for branch in value.args["ifs"]:
            yield from _taken(branch.args.get("true"))
        yield from _taken(value.args.get("default"))
    else:
        for child in value.iter_expressions():
            yield from _taken(child)
