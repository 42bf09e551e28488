"""The columns of functions in FROM, as far as the text and the built-in list tell them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent.database.guard import names
from agent.database.guard.columns import Columns, defined, renamed
from agent.database.guard.levels import Expression, Item, Level, Row, called

RowOf = Callable[[Expression, Level], Row | None]
"""Returns the row that an expression is, None where it is not certain to be one."""


def of_functions(item: Item, written: list[str], of_value: RowOf) -> Row:
    """Return the columns of the functions that one item of FROM calls."""
    columns: Columns = []
    is_open = False
    row = Row({})
    alias = item.node.get("alias", {}).get("aliasname")
    for entry in item.node["functions"]:
        call, listed = entry["List"]["items"][0], entry["List"]["items"][1:]
        row = _of_function(call, alias, item.level, of_value)
        columns += row.columns.items()
        is_open = is_open or row.is_open
        columns += [(name, None) for name in defined(listed)]
    columns += [(name, None) for name in defined(item.node.get("coldeflist", []))]
    columns += [("ordinality", None)] if item.node.get("ordinality") else []
    if len(item.node["functions"]) > 1 or "ordinality" in item.node:
        row = Row({})
    return replace(row, columns=dict(renamed(columns, written)), is_open=is_open)


def _of_function(call: Expression, alias: str | None, level: Level, of_value: RowOf) -> Row:
    name = called([{"List": {"items": [call]}}])
    arguments = call["FuncCall"].get("args", []) if name else []
    of = arguments[0] if name == "unnest" and len(arguments) == 1 else call
    row = of_value(of, level)
    if row is not None and row.is_array == (of is not call):
        return replace(row, is_array=False)
    out = names.OUT_COLUMNS.get(name, ())
    value = (call, level)
    if out and name != "unnest":
        return Row(dict.fromkeys(out, value), is_value=len(out) == 1)
    if name.endswith(("_to_record", "_to_recordset")):
        return Row({})
    # One value: a column of the alias's name; or the columns of rows that nobody knows.
    is_open = of is not call and ("ColumnRef" in of or "SubLink" in of)
    return Row({alias or name: value, name: value, **dict.fromkeys(out)}, is_open, is_value=True)
