"""CTEs put in place of their names, so that a query reads as one."""

from __future__ import annotations

from typing import Final

from sqlglot import exp

MAX_NODES: Final = 3_000
"""A query of more parts than this is not looked into: it would take too long."""


def with_plain_ctes_in_place(tree: exp.Expr) -> exp.Expr:
    """Put the text of each CTE that only joins and chooses rows where its name stands.

    sqlglot merges a CTE that is read once; this makes it so for one that is read twice.
    """
    ctes = tree.args.get("with_")
    if ctes is None or ctes.recursive:
        return tree
    for cte in ctes.expressions:
        body, name = cte.this, cte.alias
        if not _is_plain(body) or cte.args["alias"].columns:
            continue
        readers = [node for node in tree.find_all(exp.Table) if node.name == name and not node.db]
        if len(readers) * size(body) > MAX_NODES:
            return tree
        for node in readers:
            if node.find_ancestor(exp.CTE) is not cte:
                node.replace(exp.Subquery(this=body.copy(), alias=_alias(node)))
    return tree


def _is_plain(body: exp.Expr) -> bool:
    taken = {name for name, value in body.args.items() if value}
    return (
        isinstance(body, exp.Select)
        and taken <= {"expressions", "from_", "joins", "where", "order"}
        and not any(map(has_aggregate, body.selects))
    )


def has_aggregate(expression: exp.Expr) -> bool:
    """Whether rows are brought together here, and not merely numbered or summed in a window."""
    return any(
        not isinstance(found.parent, exp.Window)
        and not (
            isinstance(found.parent, exp.Filter) and isinstance(found.parent.parent, exp.Window)
        )
        for found in expression.find_all(exp.AggFunc)
    )


def _alias(node: exp.Table) -> exp.TableAlias:
    return exp.TableAlias(this=exp.to_identifier(node.alias_or_name, quoted=True))


def size(tree: exp.Expr) -> int:
    """Return how many parts a query has."""
    return sum(1 for _ in tree.walk())
