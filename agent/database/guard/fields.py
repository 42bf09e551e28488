"""Names behind a dot where nobody knows the functions of the database.

PostgreSQL reads `(x).name`, and `alias.name` where that item has no such column, as the call of a
function. With a server each such function is known; without one, a name passes only where the text
and the list of tables make sure that it is a column.
"""

from __future__ import annotations

from typing import Any, Final

from agent.database.guard.columns import joined
from agent.database.guard.levels import Expression, Level, Levels
from agent.database.guard.policy import GuardPolicy
from agent.database.guard.rejection import rejection
from agent.database.guard.rows import Rows
from agent.database.guard.suggestions import quoted
from agent.database.guard.tree import Node, strings
from agent.database.nearest import nearest
from agent.errors import SqlRejected

_OF_A_QUERY: Final = "SelectStmt"


def check_fields(query: Node, policy: GuardPolicy) -> None:
    """Raise `SqlRejected` ("attribute_call") for a name behind a dot that may be no column."""
    checked = _Fields(policy)
    pending: list[tuple[Any, Level]] = [({_OF_A_QUERY: query}, Level())]
    while pending:
        part, level = pending.pop()
        if isinstance(part, list):
            pending += [(each, level) for each in part]
        elif isinstance(part, dict):
            for kind, node in part.items():
                if isinstance(node, (dict, list)):
                    pending += checked.visit(kind, node, level)


class _Fields:
    def __init__(self, policy: GuardPolicy) -> None:
        self._policy = policy
        self._levels = Levels()
        self._rows = Rows(policy, self._levels)

    def visit(self, kind: str, node: Any, level: Level) -> list[tuple[Any, Level]]:
        """Look at one node, and return what is inside it, each part with its level."""
        if kind == _OF_A_QUERY:
            return self._query(node, level)
        if kind == "ColumnRef":
            self._column(strings(node["fields"]), level, len(node["fields"]))
            return []
        if kind == "A_Indirection":
            self._indirection(node, level)
        return [(node, level)]

    def _query(self, select: Node, outer: Level) -> list[tuple[Any, Level]]:
        level = self._levels.enter(select, outer)
        parts: list[tuple[Any, Level]] = []
        for name, part in select.items():
            if name in ("larg", "rarg"):
                parts.append(({_OF_A_QUERY: part}, level))
            elif name == "withClause":
                for entry in part["ctes"]:
                    cte = entry["CommonTableExpr"]
                    parts.append((cte["ctequery"], level.bodies[cte["ctename"]]))
            elif name != "fromClause" and isinstance(part, (dict, list)):
                parts.append((part, level))
        return parts + self._from(select.get("fromClause", []), level)

    def _from(self, items: list[Expression], level: Level) -> list[tuple[Any, Level]]:
        parts: list[tuple[Any, Level]] = []
        pending = list(items)
        inside = {id(item.node): item.level for item in level.items}
        while pending:
            part = pending.pop()
            ((kind, node),) = part.items()
            if kind == "JoinExpr":
                pending += [node["larg"], node["rarg"]]
                parts.append((node.get("quals", []), level.within(joined(node, level))))
            elif kind == "RangeTableSample":
                parts.append(([node.get("args", []), node.get("repeatable", [])], level.within([])))
            else:
                parts.append((part, inside.get(id(node), level)))
        return parts

    def _column(self, words: list[str], level: Level, length: int) -> None:
        if len(words) < 2 or len(words) != length:
            return
        meant = level.named(words[-2])  # nothing: an error of the server's
        if len(words) > 2:
            listed = self._policy.resolve(words[-3], words[-2])
            are = [listed and self._is_relation(item.node, words[-3]) for item in meant]
            if not meant or not all(are):
                raise _refuse(words[-1], "Write alias.column, or schema.table.column.")
        for item in meant:
            row = self._rows.of_item(item)
            if not self._rows.field(row, words[-1])[0]:
                raise _refuse(words[-1], _nearest(words[-1], item.name, list(row.columns)))

    def _is_relation(self, node: Node, schema: str) -> bool:
        written = node.get("schemaname", "")
        found = self._policy.resolve(written, node.get("relname", ""))
        return found is not None and found[0] == schema

    def _indirection(self, node: Node, level: Level) -> None:
        before: list[Expression] = []
        for step in node["indirection"]:
            if "String" in step:
                name = step["String"].get("sval", "")
                inner = {"A_Indirection": {"arg": node["arg"], "indirection": before}}
                row = self._rows.of(inner, level)
                if not self._rows.field(row, name)[0]:
                    columns = list(row.columns) if row else []
                    raise _refuse(name, _nearest(name, "", columns))
            before = [*before, step]


def _nearest(name: str, alias: str, columns: list[str]) -> str:
    near = nearest(name, columns, limit=3)
    if near:
        dotted = f"{quoted(alias)}." if alias else ""
        return f"The nearest columns are: {', '.join(dotted + quoted(each) for each in near)}."
    return "Name a column of a table, or of a row: (alias).column."


def _refuse(name: str, hint: str) -> SqlRejected:
    reason = f"{name} behind a dot may call a function: no column of that name is known there."
    return rejection("attribute_call", name, reason, hint)
