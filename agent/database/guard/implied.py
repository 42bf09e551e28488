"""What a query uses without writing it: the server may look it up by name all the same.

An operator that somebody has added to the database, for types of its own choice, may be the one
that BETWEEN means. And what is grammar to PostgreSQL 17, such as JSON_VALUE(…), is the call of a
function to an older server: one that somebody has written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent.database.guard.policy import GuardPolicy
from agent.database.guard.rejection import rejection
from agent.database.guard.tree import Node

_BETWEEN: Final = {
    "AEXPR_BETWEEN": (">=", "<="),
    "AEXPR_BETWEEN_SYM": (">=", "<="),
    "AEXPR_NOT_BETWEEN": ("<", ">"),
    "AEXPR_NOT_BETWEEN_SYM": ("<", ">"),
}
_CALLS: Final = {
    "JsonParseExpr": "json",
    "JsonScalarExpr": "json_scalar",
    "JsonSerializeExpr": "json_serialize",
    "JsonArrayConstructor": "json_array",
    "JsonArrayQueryConstructor": "json_array",
    "JsonObjectConstructor": "json_object",
    "JsonArrayAgg": "json_arrayagg",
    "JsonObjectAgg": "json_objectagg",
    "JsonTable": "json_table",
    "JsonFuncExpr": "",
}
KINDS: Final = frozenset({"A_Expr", "CaseExpr", "JoinExpr", "SubLink", *_CALLS})
"""The nodes that may imply something."""


def check(kind: str, node: Node, policy: GuardPolicy) -> None:
    """Raise `SqlRejected` ("operator", "function") for what this database has redefined."""
    if kind in _CALLS:
        name = _CALLS[kind] or node["op"].lower().removesuffix("_op")
        if name in policy.own_functions:
            raise rejection(
                "function", name, f"This database has a {name} of its own.",
                "Use the functions and operators for jsonb, such as jsonb_path_query_first.",
            )  # fmt: skip
    for name, words in _operators(kind, node):
        if name not in policy.operators:
            raise rejection(
                "operator", name, f"{words} uses {name}, which this database has redefined.",
                f"Compare with OPERATOR(pg_catalog.{name}) instead.",
            )  # fmt: skip


def _operators(kind: str, node: Node) -> Iterator[tuple[str, str]]:
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
