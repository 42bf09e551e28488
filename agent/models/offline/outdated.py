"""What the server has said since a schema was read: names that changed, and names that are gone.

A catalogue may be older than the tables. The error of a query then names what is not there, and
lists what is; the tables are known by that from then on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from agent.models.offline.known import Known
from agent.models.offline.tool_texts import Key, KnownTable

_NO_COLUMN: Final = re.compile(r'column "?(?:\w+\.)?(?P<column>\w+)"? does not exist')
_COLUMNS_OF: Final = re.compile(r"Columns of (?P<table>[\w.]+): (?P<names>\w+(?:, \w+)*)\.")
_NO_TABLE: Final = re.compile(
    r"There is no table (?P<table>[\w.]+) that may be read\."
    r"(?: The nearest names are: (?P<near>\w+(?:, \w+)*)\.)?"
)
_DENIED: Final = re.compile(
    r"permission denied for (?:table|view|materialized view) (?P<table>\w+)"
)
_ALIKE: Final = 60
"""How alike, in percent, an old name and a new one are."""


def up_to_date(known: Known) -> Known:
    """Return what is known, with the names that the errors of this run's queries tell."""
    for ran in known.ran:
        if ran.error:
            known = _without_denied(
                _with_table(_with_columns(known, ran.error), ran.error), ran.error
            )
    return known


def _with_columns(known: Known, error: str) -> Known:
    missing = _NO_COLUMN.search(error)
    if missing is None:
        return known
    for told in _COLUMNS_OF.finditer(error):
        table = known.tables.get(told["table"])
        if table is None or missing["column"] not in table.columns:
            continue
        there = told["names"].split(", ")
        if missing["column"] not in there:
            new = [name for name in there if name not in table.columns]
            known = _with_column(
                known, table, missing["column"], _likeliest(missing["column"], new)
            )
    return known


def _likeliest(old: str, new: list[str]) -> str:
    """Return what a column is called now; "" where none of the new names can be it."""
    from rapidfuzz import fuzz, process

    best = process.extractOne(old, new, scorer=fuzz.ratio, score_cutoff=_ALIKE)
    return str(best[0]) if best else new[0] if len(new) == 1 else ""


def _with_column(known: Known, table: KnownTable, old: str, new: str) -> Known:
    column = table.columns[old]
    was = column.was or old
    renamed = {new: replace(column, name=new, was=was)} if new else {}
    columns = {
        name: each
        for key, value in table.columns.items()
        for name, each in (renamed if key == old else {key: value}).items()
    }
    names = {old: new} if new else {}
    primary = tuple(names.get(name, name) for name in table.primary_key)
    changed = replace(table, columns=columns, primary_key=primary)
    keys = tuple(
        _renamed_key(key, table.name, names)
        for key in known.keys
        if new or not _uses(key, table.name, old)
    )
    said = (
        f"The column {was} of {table.name} is now called {new}"
        if new
        else f"{table.name} has no column {was} any more"
    )
    tables = {**known.tables, table.name: changed}
    return replace(known, tables=tables, keys=keys, changes=(*known.changes, said))


def _uses(key: Key, table: str, column: str) -> bool:
    return (key.table == table and column in key.columns) or (
        key.target == table and column in key.target_columns
    )


def _renamed_key(key: Key, table: str, names: Mapping[str, str]) -> Key:
    own = tuple(names.get(c, c) for c in key.columns) if key.table == table else key.columns
    other = (
        tuple(names.get(c, c) for c in key.target_columns)
        if key.target == table
        else key.target_columns
    )
    return Key(key.table, own, key.target, other)


def _with_table(known: Known, error: str) -> Known:
    missing = _NO_TABLE.search(error)
    old = missing["table"] if missing else ""
    if missing is None or old not in known.tables:
        return known
    near = [name for name in (missing["near"] or "").split(", ") if name not in known.tables]
    new = _alike_table(old, near)
    if not new:
        return _without_table(known, old, f"There is no table {old} any more")
    tables = {
        new if name == old else name: replace(table, name=new, was=old) if name == old else table
        for name, table in known.tables.items()
    }
    names = {old: new}
    keys = tuple(
        replace(
            key, table=names.get(key.table, key.table), target=names.get(key.target, key.target)
        )
        for key in known.keys
    )
    said = f"The table {old} is now called {new}"
    return replace(known, tables=tables, keys=keys, changes=(*known.changes, said))


def _alike_table(old: str, near: list[str]) -> str:
    from rapidfuzz import fuzz, process

    best = process.extractOne(
        old, [name for name in near if name], scorer=fuzz.ratio, score_cutoff=75
    )
    return "" if best is None else str(best[0])


def _without_denied(known: Known, error: str) -> Known:
    denied = _DENIED.search(error)
    if denied is None or denied["table"] not in known.tables:
        return known
    return _without_table(known, denied["table"], f"I may not read {denied['table']}")


def _without_table(known: Known, name: str, said: str) -> Known:
    tables = {key: table for key, table in known.tables.items() if key != name}
    keys = tuple(key for key in known.keys if name not in (key.table, key.target))
    unreadable = (*known.unreadable, name)
    return replace(
        known, tables=tables, keys=keys, unreadable=unreadable, changes=(*known.changes, said)
    )
