"""From the texts of tools to what is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.messages import ToolCall, ToolResult
from agent.models.offline.known import Known
from agent.models.offline.tool_texts import (
    COLUMN,
    SEARCH_ROW,
    TABLE_HEAD,
    Key,
    KnownColumn,
    KnownTable,
    read_column,
    read_keys,
    read_match,
    read_result,
)


def learn(known: Known, call: ToolCall, result: ToolResult) -> Known:
    """Return what is known after a tool call, from what it gave."""
    known = replace(known, hops=known.hops + 1, errors=known.errors + result.is_error)
    match call.name:
        case "find_tables":
            if result.is_error:
                return known
            known = replace(known, searches=(*known.searches, str(call.arguments.get("words", ""))))
            return _learn_search(known, result.content)
        case "get_schema":
            known = replace(known, reads=known.reads + 1)
            if result.is_error:
                name = str(call.arguments.get("table_name", ""))
                return replace(known, unreadable=(*known.unreadable, name))
            return learn_schema(known, result.content)
        case "execute_read_only_sql":
            ran = read_result(str(call.arguments.get("query", "")), result)
            return replace(known, ran=(*known.ran, ran))
        case "generate_chart":
            if result.is_error:
                return replace(known, charts_in_vain=(*known.charts_in_vain, call.arguments))
            return replace(known, charts=known.charts + 1)
        case _:
            return known


def _learn_search(known: Known, text: str) -> Known:
    if text.startswith("No table may be read here"):
        return replace(known, nothing_granted=True)
    # What was read before the question came is no more to the point than what the search finds.
    first = len(known.searches) == 1
    tables = {} if first else dict(known.tables)
    keys = list(known.keys)
    total = known.total_tables
    in_joins = False
    for line in text.splitlines():
        head = re.match(r"\d+ of (\d+) tables? fits?", line)
        if head:
            total = int(head[1])
        elif line.startswith("joins between them"):
            in_joins = True
        elif in_joins:
            keys += read_keys(line)
        elif match := SEARCH_ROW.match(line):
            name = match["name"]
            held = known.tables.get(name)
            tables[name] = held if held is not None and held.complete else read_match(match)
    tables = _with_ends(
        {**tables, **{n: t for n, t in known.tables.items() if n not in tables}}, keys
    )
    return replace(known, tables=tables, keys=tuple(dict.fromkeys(keys)), total_tables=total)


def learn_schema(known: Known, text: str) -> Known:
    """Return what is known after reading the schema of one table."""
    lines = text.splitlines()
    head = TABLE_HEAD.match(lines[0])
    if head is None:
        return known
    columns: dict[str, KnownColumn] = {}
    keys = list(known.keys)
    primary: tuple[str, ...] = ()
    section = ""
    for line in lines[1:]:
        if line.startswith("primary key: "):
            primary = tuple(line.removeprefix("primary key: ").split(", "))
        elif line.endswith(":") and not line.startswith("- "):
            section = line
        elif section == "columns:" and (match := COLUMN.match(line)):
            columns[match["name"]] = read_column(match)
        elif section != "columns:":
            keys += read_keys(line)
    rows = int(head["rows"]) if head["rows"] else None
    table = KnownTable(
        head["name"], head["kind"], rows, head["comment"] or "", columns, primary, complete=True
    )
    tables = _with_ends({**known.tables, table.name: table}, keys)
    return replace(known, tables=tables, keys=tuple(dict.fromkeys(keys)))


def _with_ends(tables: dict[str, KnownTable], keys: Sequence[Key]) -> dict[str, KnownTable]:
    """Add tables that only keys name: of them nothing is known but how to pass through."""
    ends = {name for key in keys for name in (key.table, key.target)}
    return {**{name: KnownTable(name) for name in sorted(ends - set(tables))}, **tables}
