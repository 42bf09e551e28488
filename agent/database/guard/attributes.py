"""Names behind a dot. `(x).name` and `alias.name` may call a function or cast to a type.

PostgreSQL takes `alias.name` for a column first and for the call `name(alias)` only then, so a
name that could do harm passes only where every FROM item of that alias has such a column.
"""

from __future__ import annotations

from typing import Final

from agent.database.guard.policy import GuardPolicy
from agent.database.guard.tree import Node, strings
from agent.errors import SqlRejected

_NOTHING: Final[frozenset[str]] = frozenset()


class Attributes:
    """Collects the dotted names of one query, and the columns of its FROM items by alias."""

    def __init__(self, policy: GuardPolicy) -> None:
        self._policy = policy
        self._columns: dict[str, frozenset[str]] = {}
        self._cte_columns: dict[str, frozenset[str]] = {}
        self._cte_aliases: list[tuple[str, str]] = []
        self._doubtful: list[tuple[str, str]] = []

    def visit(self, kind: str, node: Node, *, is_cte: bool) -> None:
        """Look at one node; `is_cte` says that a RangeVar means a CTE."""
        if kind == "ColumnRef":
            parts = strings(node["fields"])
            if len(parts) > 1 and len(parts) == len(node["fields"]) and self._is_unsafe(parts[-1]):
                self._doubtful.append((parts[-2], parts[-1]))
        elif kind == "A_Indirection":
            for name in strings(node["indirection"]):
                if self._is_unsafe(name):
                    raise _refuse(name)
        elif kind == "CommonTableExpr":
            self._add(self._cte_columns, node["ctename"], _cte_columns(node))
        elif kind == "RangeVar":
            self._add_relation(node, is_cte)
        elif "alias" in node:
            self._add(self._columns, node["alias"]["aliasname"], _item_columns(kind, node))
        elif kind == "JoinExpr" and "join_using_alias" in node:
            names = frozenset(strings(node.get("usingClause", [])))
            self._add(self._columns, node["join_using_alias"]["aliasname"], names)

    def finish(self) -> None:
        """Raise `SqlRejected` ("attribute_call") for a doubtful name that may be no column."""
        for alias, cte in self._cte_aliases:
            self._add(self._columns, alias, self._cte_columns.get(cte, _NOTHING))
        for alias, name in self._doubtful:
            if name not in self._columns.get(alias, _NOTHING):
                raise _refuse(name)

    def _is_unsafe(self, name: str) -> bool:
        return name.startswith("pg_") or name in self._policy.unsafe_attributes

    @staticmethod
    def _add(columns: dict[str, frozenset[str]], alias: str, names: frozenset[str]) -> None:
        columns[alias] = columns[alias] & names if alias in columns else names

    def _add_relation(self, node: Node, is_cte: bool) -> None:
        name = node["relname"]
        alias = node.get("alias", {})
        if alias.get("colnames"):
            self._add(self._columns, alias["aliasname"], frozenset(strings(alias["colnames"])))
        elif is_cte:
            self._cte_aliases.append((alias.get("aliasname", name), name))
        else:
            found = self._policy.resolve(node.get("schemaname", ""), name)
            known = self._policy.relations[found] if found else _NOTHING
            self._add(self._columns, alias.get("aliasname", name), known)


def _cte_columns(node: Node) -> frozenset[str]:
    if "aliascolnames" in node:
        return frozenset(strings(node["aliascolnames"]))
    return _output_names(node["ctequery"].get("SelectStmt", {}))


def _item_columns(kind: str, node: Node) -> frozenset[str]:
    names = strings(node["alias"].get("colnames", []))
    if names:
        return frozenset(names)
    if kind == "RangeSubselect":
        return _output_names(node["subquery"].get("SelectStmt", {}))
    return _NOTHING


def _output_names(select: Node) -> frozenset[str]:
    """Return the column names of a query that its text makes certain."""
    while "larg" in select:
        select = select["larg"]
    found = set()
    for item in select.get("targetList", []):
        target = item["ResTarget"]
        if "name" in target:
            found.add(target["name"])
        elif "ColumnRef" in target["val"]:
            found.update(strings(target["val"]["ColumnRef"]["fields"])[-1:])
    return frozenset(found)


def _refuse(name: str) -> SqlRejected:
    return SqlRejected(
        "attribute_call", name, f"{name} behind a dot would call a function.",
        "Name a column of the table, or give the column another name with AS.",
    )  # fmt: skip
