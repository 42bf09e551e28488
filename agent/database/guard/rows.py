"""Which columns a row has for certain: of a FROM item, of a subquery, of an expression."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from agent.database.guard import names
from agent.database.guard.levels import OPEN, Expression, Item, Level, Levels, Row, Value, called
from agent.database.guard.outputs import column_name
from agent.database.guard.policy import GuardPolicy
from agent.database.guard.tree import Node, strings

SYSTEM_COLUMNS: Final = frozenset({"tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"})
_DEEPEST: Final = 60
_ROW_OF_FIRST: Final = frozenset(
    "lag lead first_value last_value nth_value any_value min max mode"
    " json_populate_record json_populate_recordset jsonb_populate_record"
    " jsonb_populate_recordset array_append array_cat array_remove array_reverse".split()
)
"""Functions whose value has the type of their first argument."""
_NOTHING: Final = Row({})
_Columns = list[tuple[str, Value | None]]


class Rows:
    """Works out the rows of one query; what it has found it keeps."""

    def __init__(self, policy: GuardPolicy, levels: Levels) -> None:
        self._policy = policy
        self._levels = levels
        self._items: dict[int, Row] = {}
        self._depth = 0
        self._kinds: dict[str, Callable[[Any, Level], Row | None]] = {
            "ColumnRef": self._of_column,
            "TypeCast": self._of_cast,
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

    def item(self, name: str, level: Level) -> Item | None:
        """Return the item of FROM that a name means: of the nearest level that has one."""
        for each in level.chain():
            for item in each.items:
                if item.name == name and not item.is_hidden:
                    return item
        return None

    def of_item(self, item: Item) -> Row:
        """Return the columns of an item of FROM."""
        key = id(item.node) + (item.kind == "using")
        if key not in self._items:
            self._items[key] = OPEN  # for a query that names itself
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
            return self._of_functions(item, written)
        if item.kind == "JsonTable":
            return Row(dict.fromkeys([*names_of_json_table(node), *written]))
        if item.kind == "using":
            return Row(dict.fromkeys(strings(node.get("usingClause", []))))
        joined = _merged([self.of_item(part) for part in _joined(item)])
        return replace(joined, columns={**joined.columns, **dict.fromkeys(written)})

    def _of_relation(self, node: Node, level: Level, written: list[str]) -> Row:
        name, schema = node["relname"], node.get("schemaname", "")
        if not schema and name in level.ctes:
            cte, around = level.ctes[name]
            own = strings(cte.get("aliascolnames", []))
            row = self._of_query(cte["ctequery"].get("SelectStmt", {}), around, own)
            columns = [*row.columns.items(), *((column, None) for column in _searched(cte))]
            return Row(dict(_renamed(columns, written)), row.is_open)
        found = self._policy.resolve(schema, name)
        known = self._policy.relations[found] if found else frozenset()
        return Row(dict.fromkeys([*known, *written, *SYSTEM_COLUMNS]), is_open=not known)

    def _of_query(self, select: Node, outer: Level, written: list[str]) -> Row:
        level = self._levels.enter(select, outer)
        while "larg" in select:
            select = select["larg"]
            level = self._levels.enter(select, level)
        columns: _Columns = []
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
        return Row(dict(_renamed(columns, written)), is_open)

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
            item = self.item(words[-1], level)
            return self.of_item(item) if item else OPEN
        return _merged([self.of_item(each) for each in level.items if each.kind != "using"])

    def _of_functions(self, item: Item, written: list[str]) -> Row:
        columns: _Columns = []
        is_open = False
        alias = item.node.get("alias", {}).get("aliasname")
        for entry in item.node["functions"]:
            call, defined = entry["List"]["items"][0], entry["List"]["items"][1:]
            row = self._of_function(call, alias, item.level)
            columns += row.columns.items()
            is_open = is_open or row.is_open
            columns += [(name, None) for name in _defined(defined)]
        columns += [(name, None) for name in _defined(item.node.get("coldeflist", []))]
        columns += [("ordinality", None)] if item.node.get("ordinality") else []
        return Row(dict(_renamed(columns, written)), is_open)

    def _of_function(self, call: Expression, alias: str | None, level: Level) -> Row:
        name = called([{"List": {"items": [call]}}])
        arguments = call["FuncCall"].get("args", []) if name else []
        of = arguments[0] if name == "unnest" and len(arguments) == 1 else call
        row = self.of(of, level)
        if row is not None and row.is_array == (of is not call):
            return replace(row, is_array=False)
        out = names.OUT_COLUMNS.get(name, ())
        value = (call, level)
        if out and name != "unnest":
            return Row(dict.fromkeys(out, value))
        if name.endswith(("_to_record", "_to_recordset")):
            return _NOTHING
        # One value: a column of the alias's name; or the columns of rows that nobody knows.
        is_open = of is not call and ("ColumnRef" in of or "SubLink" in of)
        return Row({alias or name: value, name: value, **dict.fromkeys(out)}, is_open)

    def _of_column(self, node: Node, level: Level) -> Row | None:
        words = strings(node["fields"])
        if not words:
            return None
        if len(words) == 1 and len(node["fields"]) == 1:
            for each in level.chain():
                for item in each.items:
                    value = self.of_item(item).columns.get(words[0], ())
                    if value != ():
                        return self.of(*value) if value else None
        meant = self.item(words[0] if len(words) == 1 else words[-2], level)
        if meant is None:
            return None
        row = self.of_item(meant)
        is_whole = len(words) == 1 or len(words) < len(node["fields"])
        return row if is_whole else self.field(row, words[-1])[1]

    def _of_cast(self, node: Node, level: Level) -> Row | None:
        parts = strings(node["typeName"]["names"])
        found = self._policy.find_type(".".join(parts[:-1]), parts[-1])
        if found is None or found not in self._policy.relations:
            return None
        known = self._policy.relations[found]
        is_array = "arrayBounds" in node["typeName"]
        return Row(dict.fromkeys(known), is_open=not known, is_array=is_array)

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
            return replace(row, is_array=True) if row and not row.is_array else None
        return self.of(first, level) if name in _ROW_OF_FIRST else None

    def _of_sublink(self, node: Node, level: Level) -> Row | None:
        kind = node["subLinkType"]
        if kind not in ("EXPR_SUBLINK", "ARRAY_SUBLINK"):
            return None
        row = self._of_query(node["subselect"]["SelectStmt"], level, [])
        value = next(iter(row.columns.values()), None)
        inner = self.of(*value) if value else None
        if inner is None or kind == "EXPR_SUBLINK":
            return inner
        return None if inner.is_array else replace(inner, is_array=True)

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
        row = self._first(elements, level)
        return replace(row, is_array=True) if row and not row.is_array else None

    def _first(self, expressions: list[Expression], level: Level) -> Row | None:
        """Return the row of the first that is no NULL: all of them have its type."""
        rest = [e for e in expressions if e and not e.get("A_Const", {}).get("isnull")]
        return self.of(rest[0], level) if rest else None


def names_of_json_table(table: Node) -> Iterator[str]:
    """Yield the columns of a JSON_TABLE, nested ones too."""
    pending = list(table["columns"])
    while pending:
        column = pending.pop()["JsonTableColumn"]
        pending += column.get("columns", [])
        if "name" in column and "columns" not in column:
            yield column["name"]


def _searched(cte: Node) -> Iterator[str]:
    """Yield the columns that SEARCH and CYCLE add."""
    search, cycle = cte.get("search_clause", {}), cte.get("cycle_clause", {})
    for clause, name in (
        (search, "search_seq_column"), (cycle, "cycle_mark_column"), (cycle, "cycle_path_column")
    ):  # fmt: skip
        if name in clause:
            yield clause[name]


def _defined(columns: list[Expression]) -> list[str]:
    """Return the names in a list of column definitions, which may stand in a list of its own."""
    found = []
    pending = list(columns)
    while pending:
        part = pending.pop()
        if "List" in part:
            pending += part["List"]["items"]
        elif "ColumnDef" in part:
            found.append(part["ColumnDef"]["colname"])
    return found


def _renamed(columns: _Columns, written: list[str]) -> _Columns:
    """Return the columns with the names that an alias gives them, from the first one on."""
    values = [value for _, value in columns]
    renamed = [(name, values[i] if i < len(values) else None) for i, name in enumerate(written)]
    return renamed + columns[len(written) :]


def _merged(rows: list[Row]) -> Row:
    columns: dict[str, Value | None] = {}
    for row in rows:
        columns.update(row.columns)
    return Row(columns, any(row.is_open for row in rows))


def _joined(join: Item) -> Iterator[Item]:
    """Yield the items inside a join that has a name of its own."""
    inside = set()
    pending = [join.node["larg"], join.node["rarg"]]
    while pending:
        ((kind, node),) = pending.pop().items()
        if kind == "RangeTableSample":
            pending.append(node["relation"])
        elif kind == "JoinExpr":
            pending += [node["larg"], node["rarg"]]
        inside.add(id(node))
    return (each for each in join.level.items if id(each.node) in inside and each.kind != "using")
