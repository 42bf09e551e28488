"""The columns that a subquery, a CTE or a function in FROM gives to the query around it."""

from __future__ import annotations

from typing import Any, Final

from agent.database.guard.tree import Node, strings

Output = tuple[str, Any]
"""The name of a column, or of a whole row, and the expressions that fill it."""

GIVING: Final = frozenset({"CommonTableExpr", "RangeSubselect", "RangeFunction"})


def outputs(kind: str, node: Node) -> list[Output]:
    """Return what this node gives, nothing where it is no such node.

    A column behind a star is there under each of the names that it may have.
    """
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
    first = list(map(_name, rows[0])) if rows else []
    for row in rows:
        has_star = any(_name(item) == "*" for item in row)
        for place, item in enumerate(row):
            own = (names[place:] if has_star else names[place : place + 1]) or [
                first[place] if place < len(first) else _name(item)
            ]
            found += [(name, item.get("val", item)) for name in own]
    return found


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
