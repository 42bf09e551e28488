"""The conditions of a query: those that every row meets, and a count of all others; pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

_OTHER_KINDS = (exp.Except, exp.Intersect, exp.TableSample)
"""What leaves rows out without being a condition."""


@dataclass(frozen=True)
class Conditions:
    """What a query asks of its rows."""

    whole: tuple[exp.Expr, ...]
    """Each holds for all rows that the result comes from."""
    others: int
    """How many hold for a part of them: in one of several subqueries, for one column."""


def conditions_of(tree: exp.Query) -> Conditions:
    """Return the conditions of a query."""
    chain = tuple(_chain(tree))
    whole: list[exp.Expr] = []
    others = sum(1 for _ in tree.find_all(*_OTHER_KINDS))
    for select in tree.find_all(exp.Select):
        own = list(_own(select))
        if any(select is each for each in chain):
            whole += own
        else:
            others += len(own)
        others += _cuts(select, is_outermost=bool(chain) and select is chain[0])
    others += sum(1 for _ in _of_columns(tree))
    return Conditions(tuple(whole), others)


def _chain(tree: exp.Expr) -> Iterator[exp.Select]:
    """Yield the outermost SELECT and the one that all its rows come from, and so on."""
    ctes = {cte.alias: cte.this for cte in tree.find_all(exp.CTE)}
    seen: set[str] = set()
    node: exp.Expr | None = tree
    while node is not None:
        node = node.unnest() if isinstance(node, exp.Subquery) else node
        if not isinstance(node, exp.Select):
            return
        yield node
        node = _only_source(node, ctes, seen)


def _only_source(select: exp.Select, ctes: dict[str, exp.Expr], seen: set[str]) -> exp.Expr | None:
    """Return the one subquery that the rows come from; None for none, or several."""
    start = select.args.get("from_") or select.args.get("from")
    joins = select.args.get("joins") or []
    sources: list[exp.Expr] = [part.this for part in (start, *joins) if part is not None]
    if not all(isinstance(source, (exp.Subquery, exp.Table)) for source in sources):
        return None
    derived = [source for source in sources if _is_derived(source, ctes)]
    if len(derived) != 1 or any(join.side for join in joins):
        return None
    if isinstance(derived[0], exp.Subquery):
        return derived[0].unnest()
    name = derived[0].name
    if name in seen:
        return None
    seen.add(name)
    return ctes[name]


def _is_derived(source: exp.Expr, ctes: dict[str, exp.Expr]) -> bool:
    if isinstance(source, exp.Subquery):
        return True
    return isinstance(source, exp.Table) and not source.db and source.name in ctes


def _own(select: exp.Select) -> Iterator[exp.Expr]:
    joins = select.args.get("joins") or []
    for clause in ("where", "having", "qualify"):
        part = select.args.get(clause)
        if part is not None:
            is_joined_here = any(
                not (join.args.get("on") or join.args.get("using")) for join in joins
            )
            for each in _split(part.this):
                if not (is_joined_here and _joins(each)):
                    yield each
    for join in joins:
        if join.args.get("on") is not None:
            yield from (each for each in _split(join.args["on"]) if not _joins(each, bare=True))


def _split(condition: exp.Expr) -> Iterator[exp.Expr]:
    condition = condition.unnest()
    if isinstance(condition, exp.And):
        yield from _split(condition.left)
        yield from _split(condition.right)
    elif not (isinstance(condition, exp.Boolean) and condition.this):
        yield condition


def _joins(condition: exp.Expr, *, bare: bool = False) -> bool:
    """Whether it only says which rows of two tables belong together.

    `bare`: columns that do not name their table are of two.
    """
    if not isinstance(condition, exp.EQ):
        return False
    left, right = condition.left.unnest(), condition.right.unnest()
    if not (isinstance(left, exp.Column) and isinstance(right, exp.Column)):
        return False
    return left.table != right.table if left.table and right.table else bare


def _cuts(select: exp.Select, *, is_outermost: bool) -> int:
    """How many rows are left out by their place: LIMIT inside, OFFSET, DISTINCT ON."""
    distinct = select.args.get("distinct")
    cuts = [
        select.args.get("limit") is not None and not is_outermost,
        select.args.get("offset") is not None,
        distinct is not None and distinct.args.get("on") is not None,
    ]
    return sum(cuts)


def _of_columns(tree: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the conditions that a single column is counted or added up by."""
    yield from tree.find_all(exp.Filter)
    for case in tree.find_all(exp.Case):
        if isinstance(case.find_ancestor(exp.AggFunc, exp.Select), exp.AggFunc):
            yield case
