"""Which columns a row has for certain: of a FROM item, of a subquery, of an expression."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from agent.database.guard import names
from agent.database.guard.called_items import of_functions
from agent.database.guard.columns import (
    OF_FIRST,
    SYSTEM_COLUMNS,
    Columns,
    joined,
    merged,
    of_json_table,
    of_type,
    renamed,
    searched,
)
from agent.database.guard.levels import OPEN, Expression, Item, Level, Levels, Row
from agent.database.guard.outputs import column_name
from agent.database.guard.policy import GuardPolicy
from agent.database.guard.tree import Node, strings

_DEEPEST: Final = 60
_NOTHING: Final = Row({})


class Rows:
    """Works out the rows of one query; what it has found it keeps."""

    def __init__(self, policy: GuardPolicy, levels: Levels) -> None:
        self._policy = policy
        self._levels = levels
        self._items: dict[int, Row] = {}
        self._depth = 0
        self._kinds: dict[str, Callable[[Any, Level], Row | None]] = {
            "ColumnRef": self._of_column,
            "TypeCast": lambda node, level: of_type(node["typeName"], policy),
            "FuncCall": self._of_call,
            "SubLink": self._of_sublink,
            "A_Indirection": self._of_indirection,
            "A_ArrayExpr": lambda node, level: self._array(node.get("elements", []), level),
            "CoalesceExpr": lambda node, level: self._first(node["args"], level),
            "MinMaxExpr": lambda node, level: self._first(node["args"], level),
            "CaseExpr": self._of_case,
            "RowExpr": lambda node, level: Row(
                {f"f{i}": (part, level) for i, part in enumerate(node.get("args", []), 1)}
            ),
        }

    def of(self, expression: Expression, level: Level) -> Row | None:
        """Return the row that an expression is, None where it is not certain to be one."""
        if self._depth > _DEEPEST or not expression:
            return None
        self._depth += 1
        try:
            ((kind, node),) = expression.items()
            return self._kinds[kind](node, level) if kind in self._kinds else None
        finally:
            self._depth -= 1

    def of_item(self, item: Item) -> Row:
        """Return the columns of an item of FROM."""
        key = id(item.node) + (item.kind == "using")
        if key not in self._items:
            self._items[key] = _NOTHING  # for a query that names itself
            self._depth += 1
            self._items[key] = self._columns_of(item) if self._depth <= _DEEPEST else _NOTHING
            self._depth -= 1
        return self._items[key]

    def field(self, row: Row | None, name: str) -> tuple[bool, Row | None]:
        """Say whether `name` is a column of a row, and return what row that column is itself."""
        if row is None or row.is_array:
            return False, None
        if name not in row.columns:
            return row.is_open, None
        value = row.columns[name]
        return True, self.of(*value) if value else None

    def _columns_of(self, item: Item) -> Row:
        node = item.node
        written = strings(node.get("alias", {}).get("colnames", []))
        if item.kind == "RangeVar":
            return self._of_relation(node, item.level, written)
        if item.kind == "RangeSubselect":
            return self._of_query(node["subquery"].get("SelectStmt", {}), item.level, written)
        if item.kind == "RangeFunction":
            return of_functions(item, written, self.of)
        if item.kind == "JsonTable":
            return Row(dict.fromkeys([*of_json_table(node), *written]))
        if item.kind == "using":
            return Row(dict.fromkeys(strings(node.get("usingClause", []))))
        row = merged([self.of_item(part) for part in joined(item.node, item.level)])
        return replace(row, columns={**row.columns, **dict.fromkeys(written)})

    def _of_relation(self, node: Node, level: Level, written: list[str]) -> Row:
        name, schema = node["relname"], node.get("schemaname", "")
        if not schema and name in level.ctes:
            cte, around = level.ctes[name]
            own = strings(cte.get("aliascolnames", []))
            row = self._of_query(cte["ctequery"].get("SelectStmt", {}), around, own)
            columns = [*row.columns.items(), *((column, None) for column in searched(cte))]
            return Row(dict(renamed(columns, written)), row.is_open)
        found = self._policy.resolve(schema, name)
        known = self._policy.relations[found] if found else frozenset()
        every = dict.fromkeys([*known, *written, *SYSTEM_COLUMNS])
        return Row(every, is_open=not known, is_typed=True)

    def _of_query(self, select: Node, outer: Level, written: list[str]) -> Row:
        level = self._levels.enter(select, outer)
        while "larg" in select:
            select = select["larg"]
            level = self._levels.enter(select, level)
        columns: Columns = []
        is_open = False
        if "valuesLists" in select:
            first = select["valuesLists"][0]["List"]["items"]
            columns = [(f"column{i}", (part, level)) for i, part in enumerate(first, 1)]
        for entry in select.get("targetList", []):
            target = entry["ResTarget"]
            star = self._of_star(target["val"], level)
            if star is None:
                columns.append((column_name(target), (target["val"], level)))
            else:
                columns += star.columns.items()
                is_open = is_open or star.is_open
        return Row(dict(renamed(columns, written)), is_open)

    def _of_star(self, value: Expression, level: Level) -> Row | None:
        """Return the columns that `*`, `a.*` or `(x).*` stands for, None for anything else."""
        if "A_Indirection" in value:
            node = value["A_Indirection"]
            if "A_Star" not in node["indirection"][-1]:
                return None
            inner = {**node, "indirection": node["indirection"][:-1]}
            return self._of_indirection(inner, level) or OPEN
        fields = value.get("ColumnRef", {}).get("fields", [{}])
        if "A_Star" not in fields[-1]:
            return None
        words = strings(fields)
        if words:
            meant = level.named(words[-1])
            return self.of_item(meant[0]) if len(meant) == 1 else _NOTHING
        return merged([self.of_item(each) for each in level.items if each.kind != "using"])

    def _of_column(self, node: Node, level: Level) -> Row | None:
        words = strings(node["fields"])
        if not words:
            return None
        is_bare = len(words) == 1 and len(node["fields"]) == 1
        if is_bare:
            is_column, row = self._named(words[0], level)
            if is_column:
                return row
        meant = level.named(words[0] if len(words) == 1 else words[-2])
        if len(meant) != 1 or (is_bare and self._may_be_a_column(meant[0], level)):
            return None
        row = self.of_item(meant[0])
        is_whole = len(words) == 1 or len(words) < len(node["fields"])
        if not is_whole:
            return self.field(row, words[-1])[1]
        # With names given by an alias, its columns are called otherwise where it is handed on.
        is_renamed = "colnames" in meant[0].node.get("alias", {})
        return None if row.is_value or is_renamed else row

    def _named(self, name: str, level: Level) -> tuple[bool, Row | None]:
        """Say whether a bare name is a column, and return what row it is, if that is certain."""
        is_certain = True
        for each in level.chain():
            for item in each.items:
                row = self.of_item(item)
                if name in row.columns:
                    return True, self.field(row, name)[1] if is_certain else None
            is_certain = is_certain and not self._is_open(each)
        return False, None

    def _may_be_a_column(self, meant: Item, level: Level) -> bool:
        """Whether a table of unknown columns may have one of the name that a subquery bears."""
        return not self.of_item(meant).is_open and any(map(self._is_open, level.chain()))

    def _is_open(self, level: Level) -> bool:
        return any(self.of_item(item).is_open for item in level.items)

    def _of_call(self, node: Node, level: Level) -> Row | None:
        name, arguments = strings(node["funcname"])[-1], node.get("args", [])
        out = names.OUT_COLUMNS.get(name, ())
        first = arguments[0] if arguments else {}
        if name == "unnest" and arguments:
            row = self.of(first, level)
            return replace(row, is_array=False) if row else Row(dict.fromkeys(out))
        if len(out) > 1:
            return Row(dict.fromkeys(out))
        if name == "array_agg":
            row = self.of(first, level)
            return _array_of(row)
        return _handed_on(self.of(first, level)) if name in OF_FIRST else None

    def _of_sublink(self, node: Node, level: Level) -> Row | None:
        kind = node["subLinkType"]
        if kind not in ("EXPR_SUBLINK", "ARRAY_SUBLINK"):
            return None
        row = self._of_query(node["subselect"]["SelectStmt"], level, [])
        value = next(iter(row.columns.values()), None)
        inner = self.of(*value) if value else None
        return _handed_on(inner) if kind == "EXPR_SUBLINK" else _array_of(inner)

    def _of_indirection(self, node: Node, level: Level) -> Row | None:
        row = self.of(node["arg"], level)
        for step in node["indirection"]:
            if row is None:
                return None
            if "String" in step:
                row = self.field(row, step["String"].get("sval", ""))[1]
            elif "A_Indices" in step and not step["A_Indices"].get("is_slice"):
                row = replace(row, is_array=False) if row.is_array else None
        return row

    def _of_case(self, node: Node, level: Level) -> Row | None:
        results = [case["CaseWhen"]["result"] for case in node["args"]]
        return self._first([*results, node.get("defresult", {})], level)

    def _array(self, elements: list[Expression], level: Level) -> Row | None:
        return _array_of(self._first(elements, level))

    def _first(self, expressions: list[Expression], level: Level) -> Row | None:
        """Return the row of the first that is no NULL: all of them have its type."""
        rest = [e for e in expressions if e and not e.get("A_Const", {}).get("isnull")]
        return _handed_on(self.of(rest[0], level)) if rest else None


def _handed_on(row: Row | None) -> Row | None:
    """Return a row as an expression hands it on: without a type nothing is known of it there."""
    return row if row and row.is_typed else None


def _array_of(row: Row | None) -> Row | None:
    return replace(row, is_array=True) if row and row.is_typed and not row.is_array else None
