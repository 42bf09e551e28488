"""What the server has said since a schema was read: names that changed, and names that are gone.

A catalogue may be older than the tables. The error of a query then names what is not there, and
lists what is; the tables are known by that from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from agent.models.offline.known import Known, Renamed
from agent.models.offline.tool_texts import Key, KnownTable

_NO_COLUMN: Final = re.compile(r'column "?(?:(?P<alias>\w+)\.)?(?P<column>\w+)"? does not exist')
_NEAREST: Final = re.compile(r"The nearest are: (?P<names>[\w.]+(?:, [\w.]+)*)\.(?: |$)")
_COLUMNS_OF: Final = re.compile(r"Columns of (?P<table>[\w.]+): (?P<names>\w+(?:, \w+)*)\.")
_NO_TABLE: Final = re.compile(
    r"There is no table (?P<table>[\w.]+) that may be read\."
    r"(?: The nearest names are: (?P<near>\w+(?:, \w+)*)\.)?"
)
_DENIED: Final = re.compile(
    r"permission denied for (?:table|view|materialized view) (?P<table>\w+)"
)
_ALIKE: Final = 60
_TABLE_ALIKE: Final = 75
"""How alike, in percent, an old name and a new one are."""
_QUOTED: Final = re.compile(r"('(?:[^']|'')*')")


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
    old = missing["column"]
    for name, there, is_whole in _columns_told(error):
        table = known.tables.get(name)
        if table is None or old not in table.columns or old in there:
            continue
        if not is_whole and missing["alias"] not in (None, name):
            continue
        new = _likeliest(old, [each for each in there if each not in table.columns])
        if new or is_whole:
            known = _with_column(known, table, old, new)
    return known


def _columns_told(error: str) -> Iterator[tuple[str, list[str], bool]]:
    """Yield tables with columns that they have now, and whether these are all of them."""
    nearest = _NEAREST.search(error)
    for full in nearest["names"].split(", ") if nearest else ():
        table, _, column = full.rpartition(".")
        yield table, [column], False
    for told in _COLUMNS_OF.finditer(error):
        yield told["table"], told["names"].split(", "), True


def _likeliest(old: str, new: list[str]) -> str:
    """Return what a column is called now; "" where none of the new names can be it."""
    from rapidfuzz import fuzz, process

    best = process.extractOne(old, new, scorer=fuzz.ratio, score_cutoff=_ALIKE)
    return str(best[0]) if best else new[0] if len(new) == 1 else ""


def _with_column(known: Known, table: KnownTable, old: str, new: str) -> Known:
    """Note the new name of a column; where there is none, the column is no more."""
    if new:
        renamed = (*known.renamed, Renamed(table.name, old, new))
        said = f"The column {old} of {table.name} is now called {new}"
        return replace(known, renamed=renamed, changes=(*known.changes, said))
    columns = {name: column for name, column in table.columns.items() if name != old}
    keys = tuple(key for key in known.keys if not _uses(key, table.name, old))
    tables = {**known.tables, table.name: replace(table, columns=columns)}
    said = f"{table.name} has no column {old} any more"
    return replace(known, tables=tables, keys=keys, changes=(*known.changes, said))


def _uses(key: Key, table: str, column: str) -> bool:
    return (key.table == table and column in key.columns) or (
        key.target == table and column in key.target_columns
    )


def _with_table(known: Known, error: str) -> Known:
    missing = _NO_TABLE.search(error)
    old = missing["table"] if missing else ""
    if missing is None or old not in known.tables:
        return known
    near = [name for name in (missing["near"] or "").split(", ") if name not in known.tables]
    new = _alike_table(old, near)
    if not new:
        return _without_table(known, old, f"There is no table {old} any more")
    said = f"The table {old} is now called {new}"
    renamed = (*known.renamed, Renamed(old, "", new))
    return replace(known, renamed=renamed, changes=(*known.changes, said))


def _alike_table(old: str, near: list[str]) -> str:
    from rapidfuzz import fuzz, process

    named = [name for name in near if name]
    best = process.extractOne(old, named, scorer=fuzz.ratio, score_cutoff=_TABLE_ALIKE)
    return "" if best is None else str(best[0])


def as_now(sql: str, renamed: Sequence[Renamed]) -> str:
    """Return a query of ours with the names that hold now; what it quotes is left as it is."""
    for name in renamed:
        sql = "\n".join(_line_as_now(line, name) for line in sql.split("\n"))
    return sql


def _line_as_now(line: str, name: Renamed) -> str:
    # A probe reads one table in each line, and so writes its columns alone.
    alone = re.search(rf"\bFROM {name.table}\b(?! AS )", line) is not None
    parts = _QUOTED.split(line)
    return "".join(p if n % 2 else _put_name(p, name, alone) for n, p in enumerate(parts))


def _put_name(text: str, name: Renamed, alone: bool) -> str:
    base = name.table.rpartition(".")[2]
    if name.column:
        text = re.sub(rf"\b({base}(?:_\d+)?)\.{name.column}\b", rf"\1.{name.new}", text)
        single = rf"(?<![\w.]){name.column}(?=::|\)| \|\|)"
        return re.sub(single, name.new, text) if alone else text
    text = re.sub(rf"\b(FROM|JOIN) {name.table} AS ", rf"\1 {name.new} AS ", text)
    return re.sub(rf"\b(FROM|JOIN) {name.table}(?! AS )\b(?!\.)", rf"\1 {name.new} AS {base}", text)


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
