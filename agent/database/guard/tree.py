"""Walks PostgreSQL's parse tree: every node, without recursion, each with the CTEs in scope.

libpg_query writes a node as `{"Type": {field: value}}`; where the grammar fixes the type of a
field, the wrapper is left out. A type, or such a field, that is not named here is refused, so that
grammar we have never seen cannot slip through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from agent.database.guard.rejection import RejectionCode, rejection
from agent.errors import SqlRejected

Node = Mapping[str, Any]

_NODE_TYPES_TEXT: Final = (
    "SelectStmt ResTarget ColumnRef A_Const A_Expr A_Star A_Indices A_Indirection A_ArrayExpr List"
    " String Integer BoolExpr NullTest BooleanTest CaseExpr CaseWhen CoalesceExpr MinMaxExpr"
    " SubLink FuncCall NamedArgExpr TypeCast TypeName CollateClause SQLValueFunction RowExpr"
    " GroupingFunc GroupingSet SortBy WindowDef JoinExpr RangeVar RangeSubselect RangeFunction"
    " RangeTableSample Alias CommonTableExpr ColumnDef"
    " JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor JsonObjectAgg"
    " JsonArrayAgg JsonKeyValue JsonValueExpr JsonIsPredicate JsonFuncExpr JsonArgument JsonTable"
    " JsonTableColumn JsonTablePathSpec JsonParseExpr JsonScalarExpr JsonSerializeExpr"
)
NODE_TYPES: Final = frozenset(_NODE_TYPES_TEXT.split())

_BARE_FIELDS: Final = {
    "larg": "SelectStmt",
    "rarg": "SelectStmt",
    "withClause": "WithClause",
    "intoClause": "IntoClause",
    "alias": "Alias",
    "join_using_alias": "Alias",
    "over": "WindowDef",
    "typeName": "TypeName",
    "search_clause": "CTESearchClause",
    "cycle_clause": "CTECycleClause",
    "constructor": "JsonAggConstructor",
    "arg": "JsonValueExpr",
    "expr": "JsonValueExpr",
    "value": "JsonValueExpr",
    "val": "JsonValueExpr",
    "context_item": "JsonValueExpr",
    "format": "JsonFormat",
    "output": "JsonOutput",
    "returning": "JsonReturning",
    "on_empty": "JsonBehavior",
    "on_error": "JsonBehavior",
    "pathspec": "JsonTablePathSpec",
    "collClause": "CollateClause",
}

MAX_DEPTH: Final = 400
"""Nodes inside nodes. The parser's own limit lies above it, and depends on who calls."""

Scope = frozenset[str]
"""Names of the CTEs that a FROM item may mean."""


def walk(root: Node) -> Iterator[tuple[str, Node, Scope]]:
    """Yield (type, node, CTEs in scope) for `root`, a SelectStmt, and for all beneath it.

    Raises `SqlRejected`: "construct" for a node or field that is not on the list, "too_deep".
    """
    stack: list[tuple[str, Node, Scope, int]] = [("SelectStmt", root, frozenset(), 0)]
    while stack:
        kind, node, scope, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise rejection(
                "too_deep", "", "The query is nested too deeply.", "Use WITH to flatten it."
            )
        yield kind, node, scope
        if kind == "A_Const":
            continue
        if kind == "SelectStmt" and "withClause" in node:
            inner, queries = _enter_with(node["withClause"], scope)
            stack.extend((*query, depth + 1) for query in queries)
            scope = inner
        for field, value in node.items():
            if isinstance(value, (dict, list)) and field != "withClause":
                stack.extend((k, n, scope, depth + 1) for k, n in _children(field, value))


def _enter_with(clause: Node, scope: Scope) -> tuple[Scope, list[tuple[str, Node, Scope]]]:
    """Return the scope of the main query, and each CTE with its own scope.

    Without RECURSIVE a CTE sees only those before it; with it, all of them.
    """
    ctes = [item["CommonTableExpr"] for item in clause["ctes"]]
    names = [cte["ctename"] for cte in ctes]
    if clause.get("recursive"):
        inner = scope.union(names)
        return inner, [("CommonTableExpr", cte, inner) for cte in ctes]
    found = []
    for cte, name in zip(ctes, names, strict=True):
        found.append(("CommonTableExpr", cte, scope))
        scope = scope | {name}
    return scope, found


def _children(field: str, value: Any) -> Iterator[tuple[str, Node]]:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending.extend(item)
        elif isinstance(item, dict) and item:
            yield _unwrap(field, item)


def _unwrap(field: str, item: Node) -> tuple[str, Node]:
    kind = next(iter(item))
    if len(item) == 1 and kind[:1].isupper():
        if kind in NODE_TYPES:
            return kind, item[kind]
        raise refuse_construct(kind)
    if field in _BARE_FIELDS:
        return _BARE_FIELDS[field], item
    raise refuse_construct(field)


_SPELLINGS: Final[Mapping[str, tuple[RejectionCode, str, str, str]]] = {
    "ParamRef": ("parameter", "$n", "A parameter has no value here.", "Write the value itself."),
    "LockingClause": (
        "row_lock", "FOR UPDATE/SHARE", "A query may not lock rows.",
        "Leave FOR UPDATE or FOR SHARE out.",
    ),
    "XmlExpr": ("construct", "XML", "There is no XML here.", "Use the functions for json."),
    "XmlSerialize": ("construct", "XML", "There is no XML here.", "Use the functions for json."),
    "RangeTableFunc": ("construct", "XMLTABLE", "There is no XML here.", "Use json functions."),
    "SetToDefault": ("construct", "DEFAULT", "A query has no DEFAULT.", "Write the value itself."),
    "InsertStmt": ("write_in_cte", "INSERT", "A query may not write.", "Only SELECT in WITH."),
    "UpdateStmt": ("write_in_cte", "UPDATE", "A query may not write.", "Only SELECT in WITH."),
    "DeleteStmt": ("write_in_cte", "DELETE", "A query may not write.", "Only SELECT in WITH."),
    "MergeStmt": ("write_in_cte", "MERGE", "A query may not write.", "Only SELECT in WITH."),
}  # fmt: skip


def refuse_construct(kind: str) -> SqlRejected:
    """Return the rejection of a node type that is not on the list."""
    if kind in _SPELLINGS:
        return rejection(*_SPELLINGS[kind])
    return rejection(
        "construct", kind, f"The construct {kind} is not allowed.", "Say it with plain SELECT SQL."
    )


def strings(items: list[Node]) -> list[str]:
    """Return the words of a list of String nodes, such as a qualified name."""
    return [item["String"].get("sval", "") for item in items if "String" in item]
