"""The columns that a subquery, a CTE or a function in FROM gives to the query around it."""

from __future__ import annotations

from typing import Any, Final

from agent.database.guard.tree import Node, strings

Output = tuple[str, Any]
"""The name of a column, or of a whole row, and what fills it; None: it may be any column."""

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
    own = list(map(_name, rows[0])) if rows else []
    certain = min((_before_a_star(row) for row in rows), default=0)
    for row in rows:
        for place, item in enumerate(row):
            is_renamed = place < min(certain, len(names))
            name = names[place] if is_renamed else (own[place] if place < len(own) else "")
            found.append((name, item.get("val", item)))
    return found + [(name, None) for name in names[certain:]]


def _before_a_star(row: list[Node]) -> int:
    return next((place for place, item in enumerate(row) if _name(item) == "*"), len(row))


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


def _name(item: Node) -> str:
    """Return the name of a column as PostgreSQL makes it, "*" for a star."""
    if "name" in item:
        return str(item["name"])
    kind, inner = next(iter(item["val"].items()))
    while kind == "TypeCast":
        cast = inner
        kind, inner = next(iter(inner["arg"].items()))
        if kind == "A_Const":
            return strings(cast["typeName"]["names"])[-1]
    if kind == "ColumnRef":
        last = inner["fields"][-1]
        return "*" if "A_Star" in last else strings([last])[0]
    if kind == "FuncCall":
        return strings(inner["funcname"])[-1]
    return {"CaseExpr": "case", "CoalesceExpr": "coalesce", "A_ArrayExpr": "array"}.get(
        kind, "?column?"
    )
