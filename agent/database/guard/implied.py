"""Operators that a query uses without writing them: the server looks them up by name all the same.

So one that somebody has added to the database, for types of its own choice, may be the one found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent.database.guard.tree import Node

_BETWEEN: Final = {
    "AEXPR_BETWEEN": (">=", "<="),
    "AEXPR_BETWEEN_SYM": (">=", "<="),
    "AEXPR_NOT_BETWEEN": ("<", ">"),
    "AEXPR_NOT_BETWEEN_SYM": ("<", ">"),
}

KINDS: Final = frozenset({"A_Expr", "CaseExpr", "JoinExpr", "SubLink"})
"""The nodes that may imply operators."""


def operators(kind: str, node: Node) -> Iterator[tuple[str, str]]:
    """Yield each operator that this node implies, and the words that imply it."""
    if kind == "A_Expr":
        for name in _BETWEEN.get(node.get("kind", ""), ()):
            yield name, "BETWEEN"
    elif kind == "CaseExpr" and "arg" in node:
        yield "=", "CASE … WHEN"
    elif kind == "JoinExpr" and node.get("isNatural"):
        yield "=", "NATURAL JOIN"
    elif kind == "JoinExpr" and "usingClause" in node:
        yield "=", "USING"
    elif kind == "SubLink" and node.get("subLinkType") == "ANY_SUBLINK" and "operName" not in node:
        yield "=", "IN"
