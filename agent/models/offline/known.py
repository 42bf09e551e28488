"""What the conversation says so far: the tables, keys and results that tools have shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.messages import PAST, Message, Observations, ToolCall, ToolResult, Turn, UserMessage
from agent.models.offline.afresh import Ending, since_fresh_start
from agent.models.offline.closing import leads_nowhere
from agent.models.offline.tool_texts import (
    COLUMN,
    SEARCH_ROW,
    TABLE_HEAD,
    Key,
    KnownColumn,
    KnownTable,
    Ran,
    read_column,
    read_keys,
    read_match,
    read_result,
)


@dataclass(frozen=True)
class Known:
    """Everything that this run's messages hold."""

    question: str = ""
    earlier: tuple[str, ...] = ()
    """The thread's earlier questions, oldest first."""
    endings: tuple[Ending, ...] = ()
    """How each earlier question ended."""
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
    nothing_granted: bool = False
    """A search said that the role may read no table at all."""


def read_messages(messages: Sequence[Message]) -> Known:
    """Fold the messages of a run into what is known."""
    said, question, rest = _split(messages)
    earlier, endings, question = since_fresh_start(said, _endings(messages), question)
    known = Known(question=question, earlier=earlier, endings=endings)
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


def _endings(messages: Sequence[Message]) -> tuple[Ending, ...]:
    """Tell how each earlier question ended; a question back ends with a question mark itself."""
    answers = [m.text for m in messages if isinstance(m, Turn) and m.stop_reason == PAST]
    return tuple(_ending(text.split("\n\n```sql", 1)[0].strip()) for text in answers)


def _ending(answer: str) -> Ending:
    if answer.startswith("(This question was not answered") or leads_nowhere(answer):
        return "failed"
    return "asked_back" if answer.endswith("?") else "answered"


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
            ran = read_result(str(call.arguments.get("query", "")), result)
            return replace(known, ran=(*known.ran, ran))
        case "generate_chart":
            if result.is_error:
                return replace(known, chart_errors=(*known.chart_errors, result.content))
            return replace(known, charts=known.charts + 1)
        case _:
            return known


def _learn_search(known: Known, text: str) -> Known:
    if text.startswith("No table may be read here"):
        return replace(known, nothing_granted=True)
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
            keys += read_keys(line)
        elif match := SEARCH_ROW.match(line):
            name = match["name"]
            if name not in tables or not tables[name].complete:
                tables[name] = read_match(match)
    tables = _with_ends(tables, keys)
    return replace(known, tables=tables, keys=tuple(dict.fromkeys(keys)), total_tables=total)


def _learn_schema(known: Known, text: str) -> Known:
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
