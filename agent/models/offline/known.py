"""What the conversation says so far: the tables, keys and results that tools have shown."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.messages import PAST, Message, Observations, ToolCall, ToolResult, Turn, UserMessage


@dataclass(frozen=True)
class KnownColumn:
    """A column as far as it was shown; a search shows names only, then `type` is ""."""

    name: str
    type: str = ""
    nullable: bool = True
    comment: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Key:
    """A foreign key, from `columns` of `table` to `target_columns` of `target`."""

    table: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]


@dataclass(frozen=True)
class KnownTable:
    """A table as far as it was shown; `complete` once its schema was read."""

    name: str
    kind: str = "table"
    rows: int | None = None
    comment: str = ""
    columns: dict[str, KnownColumn] = field(default_factory=dict)
    primary_key: tuple[str, ...] = ()
    complete: bool = False


@dataclass(frozen=True)
class Ran:
    """A query that was sent, and what came back: rows, or an error's text."""

    sql: str
    number: int = 0
    columns: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    count: int = 0
    notes: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class Known:
    """Everything that this run's messages hold."""

    question: str = ""
    earlier: tuple[str, ...] = ()
    """The thread's earlier questions, oldest first."""
    asked_back: tuple[bool, ...] = ()
    """For each earlier question, whether the answer was a question back."""
    tables: dict[str, KnownTable] = field(default_factory=dict)
    keys: tuple[Key, ...] = ()
    searches: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    """Tables whose schema was asked for in vain."""
    ran: tuple[Ran, ...] = ()
    charts: int = 0
    chart_errors: tuple[str, ...] = ()
    hops: int = 0
    errors: int = 0
    total_tables: int = 0


def read_messages(messages: Sequence[Message]) -> Known:
    """Fold the messages of a run into what is known."""
    earlier, question, rest = _split(messages)
    known = Known(question=question, earlier=earlier, asked_back=_asked_back(messages))
    calls: dict[str, ToolCall] = {}
    for message in rest:
        if isinstance(message, Turn):
            calls = {call.id: call for call in message.tool_calls}
        elif isinstance(message, Observations):
            for result in message.results:
                call = calls.get(result.call_id)
                if call is not None:
                    known = _learn(known, call, result)
    return known


def _asked_back(messages: Sequence[Message]) -> tuple[bool, ...]:
    """Tell which past answers were questions: those whose own words end with a question mark."""
    answers = [m.text for m in messages if isinstance(m, Turn) and m.stop_reason == PAST]
    return tuple(text.split("\n\n```sql", 1)[0].strip().endswith("?") for text in answers)


def _split(messages: Sequence[Message]) -> tuple[tuple[str, ...], str, Sequence[Message]]:
    past = [n for n, m in enumerate(messages) if isinstance(m, Turn) and m.stop_reason == PAST]
    start = past[-1] + 1 if past else 0
    earlier = tuple(m.text for m in messages[:start] if isinstance(m, UserMessage))
    first = next(
        (n for n in range(start, len(messages)) if isinstance(messages[n], UserMessage)), None
    )
    if first is None:
        return earlier, "", ()
    message = messages[first]
    assert isinstance(message, UserMessage)
    return earlier, message.text, messages[first + 1 :]


def _learn(known: Known, call: ToolCall, result: ToolResult) -> Known:
    known = replace(known, hops=known.hops + 1, errors=known.errors + result.is_error)
    match call.name:
        case "find_tables":
            known = replace(known, searches=(*known.searches, str(call.arguments.get("words", ""))))
            return known if result.is_error else _learn_search(known, result.content)
        case "get_schema":
            if result.is_error:
                name = str(call.arguments.get("table_name", ""))
                return replace(known, unreadable=(*known.unreadable, name))
            return _learn_schema(known, result.content)
        case "execute_read_only_sql":
            ran = _read_result(str(call.arguments.get("query", "")), result)
            return replace(known, ran=(*known.ran, ran))
        case "generate_chart":
            if result.is_error:
                return replace(known, chart_errors=(*known.chart_errors, result.content))
            return replace(known, charts=known.charts + 1)
        case _:
            return known


_SEARCH_ROW = re.compile(
    r"^- (?P<name>.+?) \((?P<kind>[^,()]+)(?:, about (?P<rows>\d+) rows)?\): (?P<rest>.*)$"
)
_MORE = re.compile(r",? and \d+ more")


def _learn_search(known: Known, text: str) -> Known:
    tables = dict(known.tables)
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
            keys += _key(line)
        elif match := _SEARCH_ROW.match(line):
            name = match["name"]
            if name not in tables or not tables[name].complete:
                tables[name] = _searched(match)
    tables = _with_ends(tables, keys)
    return replace(known, tables=tables, keys=tuple(dict.fromkeys(keys)), total_tables=total)


def _searched(match: re.Match[str]) -> KnownTable:
    listed, _, comment = match["rest"].partition(": ")
    listed = _MORE.sub("", listed)
    names = [name for name in re.split(r",\s+(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", listed) if name]
    return KnownTable(
        match["name"],
        match["kind"],
        int(match["rows"]) if match["rows"] else None,
        comment,
        {name: KnownColumn(name) for name in names},
    )


_TABLE_HEAD = re.compile(
    r"^(?P<kind>materialized view|partitioned table|foreign table|view|table) "
    r"(?P<name>(?:\"[^\"]+\"|[^\s:\"]+))"
    r"(?:: (?P<comment>.*?))?(?: \(about (?P<rows>\d+) rows\))?$"
)
_COLUMN = re.compile(
    r"^- (?P<name>\"(?:[^\"]|\"\")+\"|\S+) (?P<type>[^:]+?)(?P<null> not null)?(?:: (?P<note>.*))?$"
)
_LABELS = re.compile(r"(?:^|; )one of (?P<labels>'.*)$")


def _learn_schema(known: Known, text: str) -> Known:
    lines = text.splitlines()
    head = _TABLE_HEAD.match(lines[0])
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
        elif section == "columns:" and (match := _COLUMN.match(line)):
            columns[match["name"]] = _column(match)
        elif section != "columns:":
            keys += _key(line)
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


def _column(match: re.Match[str]) -> KnownColumn:
    note = match["note"] or ""
    labels: tuple[str, ...] = ()
    if found := _LABELS.search(note):
        labels = tuple(
            label.replace("''", "'") for label in re.findall(r"'((?:[^']|'')*)'", found["labels"])
        )
        note = note[: found.start()]
    return KnownColumn(match["name"], match["type"].strip(), match["null"] is None, note, labels)


_KEY = re.compile(r"^- (?P<left>.+) -> (?P<right>.+)$")
_END = re.compile(r"^(?P<table>.+)\.(?P<columns>\([^()]+\)|\"(?:[^\"]|\"\")+\"|[^.\"]+)$")


def _key(line: str) -> list[Key]:
    match = _KEY.match(line)
    ends = [_END.match(side) for side in (match["left"], match["right"])] if match else []
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return []
    (table, columns), (target, targets) = (
        (end["table"], tuple(end["columns"].strip("()").split(", "))) for end in ends if end
    )
    return [Key(table, columns, target, targets)]


def _read_result(sql: str, result: ToolResult) -> Ran:
    if result.is_error:
        return Ran(sql, error=result.content)
    lines = result.content.splitlines()
    head = re.match(r"result (\d+): (\d+) rows? in", lines[0]) if lines else None
    if head is None:
        return Ran(sql, error=result.content)
    columns = re.findall(
        r"(?:^columns: |, )(.+?) \(([^()]*(?:\([^()]*\))?[^()]*)\)(?=, |$)", lines[1]
    )
    start, stop = lines.index("<data>"), lines.index("</data>")
    rows = tuple(tuple(json.loads(line)) for line in lines[start + 1 : stop])
    notes = tuple(line.removeprefix("note: ") for line in lines[stop + 1 :])
    names, types = tuple(c[0] for c in columns), tuple(c[1] for c in columns)
    return Ran(sql, int(head[1]), names, types, rows, int(head[2]), notes)
