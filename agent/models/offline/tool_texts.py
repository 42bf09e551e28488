"""The texts of the tools, read back into values."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from agent.messages import ToolResult


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


SEARCH_ROW = re.compile(
    r"^- (?P<name>.+?) \((?P<kind>[^,()]+)(?:, about (?P<rows>\d+) rows)?\): (?P<rest>.*)$"
)

_MORE = re.compile(r",? and \d+ more")


def read_match(match: re.Match[str]) -> KnownTable:
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


TABLE_HEAD = re.compile(
    r"^(?P<kind>materialized view|partitioned table|foreign table|view|table) "
    r"(?P<name>(?:\"[^\"]+\"|[^\s:\"]+))"
    r"(?:: (?P<comment>.*?))?(?: \(about (?P<rows>\d+) rows\))?$"
)

COLUMN = re.compile(
    r"^- (?P<name>\"(?:[^\"]|\"\")+\"|\S+) (?P<type>[^:]+?)(?P<null> not null)?(?:: (?P<note>.*))?$"
)

_LABELS = re.compile(r"(?:^|; )one of (?P<labels>'.*)$")


def read_column(match: re.Match[str]) -> KnownColumn:
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


def read_keys(line: str) -> list[Key]:
    match = _KEY.match(line)
    ends = [_END.match(side) for side in (match["left"], match["right"])] if match else []
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return []
    (table, columns), (target, targets) = (
        (end["table"], tuple(end["columns"].strip("()").split(", "))) for end in ends if end
    )
    return [Key(table, columns, target, targets)]


_AGAIN = re.compile(
    r"^You made this very call before; it failed: (?P<error>.*) It is not run again", re.DOTALL
)


def read_result(sql: str, result: ToolResult) -> Ran:
    if result.is_error:
        again = _AGAIN.match(result.content)
        return Ran(sql, error=again["error"] if again else result.content)
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
