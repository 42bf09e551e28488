"""Rows that stand for spans of a number: "none", "1-9", "10-24", "25+"."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.rows.cells import Table
from agent.evidence.text.hedges import Hedge
from agent.evidence.text.mentions import Form, Mention

_SPAN: Final = re.compile(
    r"(?P<low>\d+)\s*(?:-|–|to)\s*(?P<high>\d+)|(?P<from>\d+)\s*(?:\+|(?:or|and) more)|"
    r"(?:over|more than|>)\s*(?P<over>\d+)|(?:under|less than|fewer than|<)\s*(?P<under>\d+)|"
    r"(?P<one>\d+)|(?P<none>none|zero|never|no)",
    re.IGNORECASE,
)
_UNITS: Final = r"\s*(?:[a-z]+)?"
_LAST: Final = 10**9
_LEAST: Final = 3
_STARTS: Final = {Hedge.AT_LEAST: 0, Hedge.OVER: 1, Hedge.JUST_OVER: 1}
_STOPS: Final = {Hedge.AT_MOST: 0, Hedge.UP_TO: 0, Hedge.UNDER: -1, Hedge.JUST_UNDER: -1}

Span = tuple[int, int]


def spans_of(table: Table) -> list[Span]:
    """Return the least and the greatest number of each row; [] where a row is no such span."""
    if not _LEAST <= len(table.rows) <= 30:
        return []
    for column, one in enumerate(table.result.columns):
        if one.type_name not in ("text", "varchar", "character varying"):
            continue
        found = [_span(str(row[column])) for row in table.rows]
        spans = [span for span in found if span is not None]
        has_width = sum(low < high for low, high in spans) > 1
        if len(spans) == len(table.rows) and has_width:
            return spans
    return []


def _span(label: str) -> Span | None:
    match = re.fullmatch(f"(?:{_SPAN.pattern}){_UNITS}", label.strip(), re.IGNORECASE)
    if match is None:
        return None
    got = match.groupdict()
    if got["low"]:
        return int(got["low"]), int(got["high"])
    if got["from"] or got["over"]:
        return (int(got["from"]), _LAST) if got["from"] else (int(got["over"]) + 1, _LAST)
    if got["under"]:
        return 0, int(got["under"]) - 1
    return (int(got["one"]),) * 2 if got["one"] else (0, 0)


def rows_beyond(bound: Mention, spans: list[Span]) -> list[int]:
    """Return the rows on the named side of a bound that parts them cleanly; [] for none."""
    if bound.form not in (Form.NUMBER, Form.TIME) or bound.value != int(bound.value):
        return []
    value = int(bound.value)
    if bound.hedge in _STARTS:
        low, high = value + _STARTS[bound.hedge], _LAST
    elif bound.hedge in _STOPS:
        low, high = 0, value + _STOPS[bound.hedge]
    else:
        return []
    inside = [row for row, (a, b) in enumerate(spans) if low <= a and b <= high]
    parted = [row for row, (a, b) in enumerate(spans) if a <= high and b >= low]
    return inside if inside == parted else []
