"""Columns by their names: those that an alias gives, a join has, or grammar adds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent.database.guard.levels import Expression, Item, Level, Row, Value
from agent.database.guard.policy import GuardPolicy
from agent.database.guard.tree import Node, strings

Columns = list[tuple[str, Value | None]]
"""The columns of a row in their order, each with what fills it."""

SYSTEM_COLUMNS: Final = frozenset({"tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"})
OF_FIRST: Final = frozenset(
    {"lag", "lead", "first_value", "last_value", "nth_value", "any_value", "min", "max", "mode",
     "json_populate_record", "json_populate_recordset", "jsonb_populate_record",
     "jsonb_populate_recordset", "array_append", "array_cat", "array_remove", "array_reverse"}
)  # fmt: skip
"""Functions whose value has the type of their first argument."""


def of_json_table(table: Node) -> Iterator[str]:
    """Yield the columns of a JSON_TABLE, nested ones too."""
    pending = list(table["columns"])
    while pending:
        column = pending.pop()["JsonTableColumn"]
        pending += column.get("columns", [])
        if "name" in column and "columns" not in column:
            yield column["name"]


def searched(cte: Node) -> Iterator[str]:
    """Yield the columns that SEARCH and CYCLE add."""
    search, cycle = cte.get("search_clause", {}), cte.get("cycle_clause", {})
    for clause, name in (
        (search, "search_seq_column"), (cycle, "cycle_mark_column"), (cycle, "cycle_path_column")
    ):  # fmt: skip
        if name in clause:
            yield clause[name]


def defined(columns: list[Expression]) -> list[str]:
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


def renamed(columns: Columns, written: list[str]) -> Columns:
    """Return the columns with the names that an alias gives them, from the first one on."""
    values = [value for _, value in columns]
    first = [(name, values[i] if i < len(values) else None) for i, name in enumerate(written)]
    return first + columns[len(written) :]


def merged(rows: list[Row]) -> Row:
    """Return a row of all the columns of some others."""
    columns: dict[str, Value | None] = {}
    for row in rows:
        columns.update(row.columns)
    return Row(columns, any(row.is_open for row in rows))


def joined(join: Node, level: Level) -> list[Item]:
    """Return the items of a level that stand inside a join."""
    inside = set()
    pending = [join["larg"], join["rarg"]]
    while pending:
        ((kind, node),) = pending.pop().items()
        if kind == "RangeTableSample":
            pending.append(node["relation"])
        elif kind == "JoinExpr":
            pending += [node["larg"], node["rarg"]]
        inside.add(id(node))
    return [each for each in level.items if id(each.node) in inside]


def of_type(written: Node, policy: GuardPolicy) -> Row | None:
    """Return the row of a type that a listed table has made, None for any other type."""
    parts = strings(written["names"])
    found = policy.find_type(".".join(parts[:-1]), parts[-1])
    if found is None or found not in policy.relations:
        return None
    known = policy.relations[found]
    return Row(
        dict.fromkeys(known), is_open=not known, is_array="arrayBounds" in written, is_typed=True
    )
