"""Names behind a dot. `(x).name` and `alias.name` may call a function or cast to a type.

PostgreSQL takes `alias.name` for a column first and for the call `name(alias)` only then, so a
name that could do harm passes only where every FROM item of that alias has such a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agent.database.guard import names
from agent.database.guard.columns import of_json_table
from agent.database.guard.policy import GuardPolicy
from agent.database.guard.rejection import rejection
from agent.database.guard.tree import Node, strings
from agent.errors import SqlRejected

_NOTHING: Final[frozenset[str]] = frozenset()
_NO_CAST_OF_A_ROW: Final = frozenset({"oid", "cid", "tid", "xid", "xml", "trigger", "internal"})
"""Types that no row can be cast to, nor is there such a function of a row: columns, or errors."""
_MOST_STARS: Final = 40
"""How many stars are followed, one inside the other, to the columns they stand for."""

_AS_A_COLUMN: Final = "Name a column of the table, or give the column another name with AS."

_Source = tuple[str, str]
"""What has columns: "item" and the alias of FROM items, or "cte" and a CTE's name."""


@dataclass(frozen=True)
class _Columns:
    """What the text makes certain: columns by name, and sources all of whose columns are there."""

    names: frozenset[str] = _NOTHING
    sources: tuple[_Source, ...] = ()


_UNKNOWN: Final = _Columns()


class Attributes:
    """Collects the dotted names of one query, and the columns of its FROM items by alias."""

    def __init__(self, policy: GuardPolicy) -> None:
        self._policy = policy
        self._found: dict[_Source, list[_Columns]] = {}
        self._doubtful: list[tuple[str, str]] = []

    def visit(self, kind: str, node: Node, *, is_cte: bool) -> None:
        """Look at one node; `is_cte` says that a RangeVar means a CTE."""
        if kind == "ColumnRef":
            parts = strings(node["fields"])
            if len(parts) > 1 and len(parts) == len(node["fields"]) and self._is_unsafe(parts[-1]):
                self._doubtful.append((parts[-2], parts[-1]))
        elif kind == "A_Indirection":
            for name in strings(node["indirection"]):
                # A bare 'x' fits even functions that no other value fits, such as input functions.
                is_bare = "A_Const" in node["arg"]
                no_field = is_bare or (_has_no_fields(node) and self._is_call(name))
                if no_field or self._is_unsafe(name):
                    raise _refuse(name, self._as_a_call(name))
        elif kind == "CommonTableExpr":
            self._add(("cte", node["ctename"]), _cte_columns(node))
        elif kind == "RangeVar":
            self._add_relation(node, is_cte)
        elif "alias" in node:
            self._add(("item", node["alias"]["aliasname"]), _item_columns(kind, node))
        elif kind == "JoinExpr" and "join_using_alias" in node:
            shared = frozenset(strings(node.get("usingClause", [])))
            self._add(("item", node["join_using_alias"]["aliasname"]), _Columns(shared))

    def finish(self) -> None:
        """Raise `SqlRejected` ("attribute_call") for a doubtful name that may be no column."""
        known: dict[_Source, frozenset[str]] = {}
        for alias, name in self._doubtful:
            if name not in self._resolve(("item", alias), known, _MOST_STARS):
                is_column = not name.startswith(("pg_", "_pg_"))
                raise _refuse(name, _AS_A_COLUMN if is_column else self._as_a_call(name))

    def _resolve(
        self, source: _Source, known: dict[_Source, frozenset[str]], stars: int
    ) -> frozenset[str]:
        """Return the columns that every item of that name has for certain."""
        if source not in known:
            known[source] = _NOTHING  # for a query that names itself
            each = []
            for columns in self._found.get(source, [_UNKNOWN]):
                inner = columns.sources if stars else ()
                parts = (self._resolve(item, known, stars - 1) for item in inner)
                each.append(columns.names.union(*parts))
            known[source] = frozenset.intersection(*each)
        return known[source]

    def _is_unsafe(self, name: str) -> bool:
        unsafe = self._policy.unsafe_attributes
        # _name is the array type of name.
        return (
            name.startswith(("pg_", "_pg_")) or name in unsafe or name.removeprefix("_") in unsafe
        )

    def _as_a_call(self, name: str) -> str:
        if self._is_call(name):
            return f"Write {name}(…) for the function, or name a column of the table."
        return "Name a column of the table: such a function may not be called."

    def _is_call(self, name: str) -> bool:
        return name in self._policy.functions or name in self._policy.shadowed_functions

    def _add(self, source: _Source, columns: _Columns) -> None:
        self._found.setdefault(source, []).append(columns)

    def _add_relation(self, node: Node, is_cte: bool) -> None:
        name = node["relname"]
        alias = node.get("alias", {})
        if alias.get("colnames"):
            columns = _Columns(frozenset(strings(alias["colnames"])))
        elif is_cte:
            columns = _Columns(sources=(("cte", name),))
        else:
            found = self._policy.resolve(node.get("schemaname", ""), name)
            known = self._policy.relations[found] if found else _NOTHING
            columns = _Columns(known or self._names_that_call_nothing())
        self._add(("item", alias.get("aliasname", name)), columns)

    def _names_that_call_nothing(self) -> frozenset[str]:
        """Return what may stand behind the name of a table whose columns nobody knows."""
        no_server = self._policy.unsafe_attributes is names.UNSAFE_ATTRIBUTES
        return _NO_CAST_OF_A_ROW if no_server else _NOTHING


def _has_no_fields(node: Node) -> bool:
    """Say whether what a name stands behind is plainly no row: a name there is a call for sure."""
    kind, inner = next(iter(node["arg"].items()))
    if kind == "TypeCast":
        return strings(inner["typeName"]["names"])[-1] in names.TYPES - {"record"}
    return kind in ("A_Const", "A_ArrayExpr", "A_Expr", "BoolExpr")


def _cte_columns(node: Node) -> _Columns:
    if "aliascolnames" in node:
        return _Columns(frozenset(strings(node["aliascolnames"])))
    return _output_columns(node["ctequery"].get("SelectStmt", {}))


def _item_columns(kind: str, node: Node) -> _Columns:
    written = strings(node["alias"].get("colnames", []))
    if written:
        return _Columns(frozenset(written))
    if kind == "RangeSubselect":
        return _output_columns(node["subquery"].get("SelectStmt", {}))
    if kind == "RangeFunction":
        defined = [item["ColumnDef"]["colname"] for item in node.get("coldeflist", [])]
        return _Columns(frozenset(defined))
    return _Columns(frozenset(of_json_table(node))) if kind == "JsonTable" else _UNKNOWN


def _output_columns(select: Node) -> _Columns:
    """Return the columns of a query that its text makes certain."""
    while "larg" in select:
        select = select["larg"]
    named: set[str] = set()
    sources: list[_Source] = []
    for item in select.get("targetList", []):
        target = item["ResTarget"]
        if "name" in target:
            named.add(target["name"])
        elif "ColumnRef" in target["val"]:
            fields = target["val"]["ColumnRef"]["fields"]
            words = strings(fields)
            if len(words) == len(fields):
                named.add(words[-1])
            else:  # a star, of one item or of all
                aliases = words[-1:] or _aliases(select.get("fromClause", []))
                sources += [("item", alias) for alias in aliases]
    return _Columns(frozenset(named), tuple(sources))


def _aliases(items: list[Node]) -> list[str]:
    """Return the names of FROM items; joined ones each by its own."""
    found = []
    pending = list(items)
    while pending:
        ((kind, item),) = pending.pop().items()
        if "alias" in item:
            found.append(item["alias"]["aliasname"])
        elif kind == "JoinExpr":
            pending += [item["larg"], item["rarg"]]
        elif kind == "RangeVar":
            found.append(item["relname"])
    return found


def _refuse(name: str, hint: str) -> SqlRejected:
    return rejection("attribute_call", name, f"{name} behind a dot would call a function.", hint)
