"""Where pg_typeof may stand: its value is a number to the server, the name of a type to a reader.

So beside another number, in CASE or in a list, it would turn that number into a name out of the
catalogue. Alone in the output, or cast to text at once, it tells only what it should.
"""

from __future__ import annotations

from typing import Final

from agent.database.guard.rejection import rejection
from agent.database.guard.tree import Node, strings

_NAME: Final = "pg_typeof"
KINDS: Final = frozenset({"TypeCast", "SelectStmt", "FuncCall"})
"""The nodes that a `TypeNames` looks at."""
_TEXTS: Final = (["text"], ["varchar"], ["pg_catalog", "text"], ["pg_catalog", "varchar"])


class TypeNames:
    """Collects the places of one query where pg_typeof may stand, from the outside in."""

    def __init__(self) -> None:
        self._places: set[int] = set()
        self._has_root = False

    def visit(self, kind: str, node: Node) -> None:
        """Look at one node, before those beneath it."""
        if kind == "TypeCast":
            of_type = node["typeName"]
            if strings(of_type["names"]) in _TEXTS and "arrayBounds" not in of_type:
                self._add(node["arg"])
        elif kind == "SelectStmt" and not self._has_root:
            self._has_root = True
            for item in node.get("targetList", []):
                self._add(item["ResTarget"]["val"])
            for item in node.get("groupClause", []):
                self._add(item)
            for item in node.get("sortClause", []):
                self._add(item["SortBy"]["node"])
        elif kind == "FuncCall" and strings(node["funcname"])[-1] == _NAME:
            self._check(node)

    def _add(self, item: Node) -> None:
        if "FuncCall" in item:
            self._places.add(id(item["FuncCall"]))

    def _check(self, call: Node) -> None:
        if id(call) not in self._places:
            raise rejection(
                "function", _NAME, f"The value of {_NAME} may only be shown, or made text at once.",
                f"Write {_NAME}(…)::text.",
            )  # fmt: skip
