"""The columns that a subquery, a CTE or a function in FROM gives to the query around it."""

from __future__ import annotations

from typing import Any, Final

from agent.database.guard.tree import Node, strings

Output = tuple[str, Any]
"""The name of a column, or of a whole row, and what fills it; None: it may be any column."""

_NAMED: Final = {
    "CoalesceExpr": "coalesce",
    "A_ArrayExpr": "array",
    "RowExpr": "row",
    "GroupingFunc": "grouping",
    "JsonParseExpr": "json",
    "JsonScalarExpr": "json_scalar",
    "JsonSerializeExpr": "json_serialize",
    "JsonObjectConstructor": "json_object",
    "JsonArrayConstructor": "json_array",
    "JsonArrayQueryConstructor": "json_array",
    "JsonObjectAgg": "json_objectagg",
    "JsonArrayAgg": "json_arrayagg",
}
GIVING: Final = frozenset({"CommonTableExpr", "RangeSubselect", "RangeFunction"})


def outputs(kind: str, node: Node) -> list[Output]:
    """Return what this node gives, nothing where it is no such node."""
    if kind == "CommonTableExpr":
        names = strings(node.get("aliascolnames", []))
        return _given(node["ctename"], names, node["ctequery"].get("SelectStmt", {}))
    alias = node.get("alias", {})
    names = strings(alias.get("colnames", []))
    if kind == "RangeSubselect":
        return _given(alias.get("aliasname", ""), names, node["subquery"].get("SelectStmt", {}))
    if kind == "RangeFunction":
        names += [item["ColumnDef"]["colname"] for item in node.get("coldeflist", [])]
        names += [alias["aliasname"]] if alias else []
        return [(name, node["functions"]) for name in [*names, "value"]]
    return []


def _given(whole: str, names: list[str], query: Node) -> list[Output]:
    rows = _rows(query)
    found: list[Output] = [(whole, [item.get("val", item) for item in row]) for row in rows]
    own = list(map(column_name, rows[0])) if rows else []
    certain = min((_before_a_star(row) for row in rows), default=0)
    for row in rows:
        for place, item in enumerate(row):
            is_renamed = place < min(certain, len(names))
            name = names[place] if is_renamed else (own[place] if place < len(own) else "")
            found.append((name, item.get("val", item)))
    return found + [(name, None) for name in names[certain:]]


def _before_a_star(row: list[Node]) -> int:
    return next((place for place, item in enumerate(row) if column_name(item) == "*"), len(row))


def _rows(query: Node) -> list[list[Node]]:
    """Return the rows of expressions that fill the columns: of each SELECT, and of VALUES."""
    found: list[list[Node]] = []
    pending = [query]
    while pending:
        part = pending.pop()
        if "larg" in part:
            pending += [part["rarg"], part["larg"]]
        elif "valuesLists" in part:
            found += [
                [{"name": f"column{place}", "val": item} for place, item in enumerate(items, 1)]
                for items in (row["List"]["items"] for row in part["valuesLists"])
            ]
        else:
            found.append([item["ResTarget"] for item in part.get("targetList", [])])
    return found


def column_name(item: Node) -> str:
    """Return the name of an output column as PostgreSQL makes it, "*" for a star."""
    return str(item["name"]) if "name" in item else _figured(item["val"])[0] or "?column?"


def _figured(value: Any) -> tuple[str, bool]:
    """Return the name that an expression gives a column, and whether a cast around it keeps it."""
    weak = ""  # the outermost cast names what has no name of its own
    while value:
        ((kind, inner),) = value.items()
        if kind == "TypeCast":
            weak = weak or strings(inner["typeName"]["names"])[-1]
            value = inner["arg"]
        elif kind == "CollateClause":
            value = inner["arg"]
        elif kind == "A_Indirection":
            if "A_Star" in inner["indirection"][-1]:
                return "*", True
            named = strings(inner["indirection"])
            if named:
                return named[-1], True
            value = inner["arg"]
        elif kind == "SubLink" and inner["subLinkType"] == "EXPR_SUBLINK":
            target = _first_target(inner["subselect"]["SelectStmt"])
            if "name" in target:
                return target["name"], True
            value = target.get("val")
        elif kind == "CaseExpr":
            name, is_kept = _figured(inner.get("defresult"))
            return (name, True) if is_kept else (weak or "case", False)
        else:
            name = _own_name(kind, inner)
            return (name, True) if name else (weak, False)
    return weak, False


def _first_target(query: Node) -> Node:
    while "larg" in query:
        query = query["larg"]
    targets = query.get("targetList", [])
    return dict(targets[0]["ResTarget"]) if targets else {"name": "column1"}


def _own_name(kind: str, node: Node) -> str:
    if kind == "ColumnRef":
        last = node["fields"][-1]
        return "*" if "A_Star" in last else strings([last])[0]
    if kind == "FuncCall":
        return strings(node["funcname"])[-1]
    if kind == "SQLValueFunction":
        return str(node["op"]).removeprefix("SVFOP_").removesuffix("_N").lower()
    if kind == "MinMaxExpr":
        return str(node["op"]).removeprefix("IS_").lower()
    if kind == "SubLink":
        return {"EXISTS_SUBLINK": "exists", "ARRAY_SUBLINK": "array"}.get(node["subLinkType"], "")
    if kind == "A_Expr":
        return "nullif" if node["kind"] == "AEXPR_NULLIF" else ""
    if kind == "JsonFuncExpr":
        return str(node["op"]).lower().removesuffix("_op")
    return _NAMED.get(kind, "")
