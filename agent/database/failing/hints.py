"""One line of help for each way in which a query that the guard let through fails on the server."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from agent.database.nearest import nearest
from agent.database.schema import TableSchema

MAX_TABLES: Final = 4
MAX_COLUMNS: Final = 30
MAX_LABELS: Final = 30

_BY_STATE: Final = {
    "42601": "Write one plain SELECT, with no semicolon before its end.",
    "42803": "Put the column into GROUP BY or into an aggregate function.",
    "42883": "Check the number and types of the arguments; cast where needed, such as x::numeric.",
    "42702": "Write the table's alias before the column.",
    "42501": "That may not be read; use other tables or columns.",
    "22012": "Divide by nullif(x, 0).",
    "22003": "The number does not fit its type: cast to numeric, or make it smaller.",
    "2201B": "Write a simpler regular expression, or use LIKE.",
    "54000": "Make it smaller: shorter values, fewer of them, or fewer levels.",
    "54001": "Split it into simpler parts; write lists as IN (…).",
    "54011": "Select fewer columns.",
    "53400": "The query needs too much temporary space: filter or aggregate earlier.",
    "53200": "The query needs too much memory: filter or aggregate earlier.",
    "55P03": "Another session holds a lock; try again.",
    "57014": "Somebody stopped the query; try again.",
}
_COLUMN: Final = re.compile(r'column "?([^"]+?)"? does not exist')
_ENUM: Final = re.compile(r'for enum "?([^":]+)')


def hint_for(sqlstate: str, message: str, tables: Sequence[TableSchema]) -> str:
    """Return one line that helps to write the query right, "" where we know none."""
    if sqlstate == "42703":
        # A server that speaks another language names it too, but we do not know where.
        column = _COLUMN.search(message)
        return _column_hint(column[1].rpartition(".")[2] if column else "", tables)
    if sqlstate == "22P02" and (enum := _ENUM.search(message)):
        return _enum_hint(enum[1], tables)
    return _BY_STATE.get(sqlstate, "")


def _column_hint(name: str, tables: Sequence[TableSchema]) -> str:
    owners: dict[str, list[str]] = defaultdict(list)
    for table in tables:
        for column in table.columns:
            owners[column.name].append(f"{table.name}.{column.name}")
    near = (
        []
        if not name
        else [
            full for found in nearest(name, owners, limit=3, at_least=70) for full in owners[found]
        ]
    )
    advice = f"The nearest are: {', '.join(near[:6])}. " if near else ""
    lists = [f"Columns of {table.name}: {_columns(table)}." for table in tables[:MAX_TABLES]]
    return advice + " ".join(lists)


def _columns(table: TableSchema) -> str:
    names = [column.name for column in table.columns[:MAX_COLUMNS]]
    left_out = len(table.columns) - len(names)
    return ", ".join(names) + (f" and {left_out} more" if left_out else "")


def _enum_hint(type_name: str, tables: Sequence[TableSchema]) -> str:
    for table in tables:
        for column in table.columns:
            if column.enum_labels and column.type_name.split(".")[-1].strip('"') == type_name:
                labels = ", ".join(
                    "'" + label.replace("'", "''") + "'"
                    for label in column.enum_labels[:MAX_LABELS]
                )
                return f"{table.name}.{column.name} may be: {labels}."
    return ""
