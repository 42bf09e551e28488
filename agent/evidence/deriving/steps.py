"""The step in time that a comparison names: "YoY" is a year, "MoM" a month."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from agent.evidence.deriving.pairs import Pair
from agent.evidence.deriving.workings import Term, Workings
from agent.evidence.rows.dates import dated_rows

_NAMED: Final = (
    r"\b(?:(?P<short>yoy|qoq|mom|wow)"
    r"|(?P<unit>year|quarter|month|week)[- ](?:over|on)[- ](?P=unit))\b"
)
_STEP: Final = re.compile(_NAMED, re.IGNORECASE)
_STEP_BEFORE: Final = re.compile(rf"{_NAMED}(?! and)[\w\s:(=]{{0,20}}$", re.IGNORECASE)
_SHORT: Final = {"yoy": "year", "qoq": "quarter", "mom": "month", "wow": "week"}
_PER_YEAR: Final = {"quarter": 4, "month": 12, "week": 52}
_SAME: Final = ("quarter", "month", "day")
"""What two rows a year apart have in common."""


def in_step(work: Workings, pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the pairs that are as far apart as the words right after a figure say."""
    match = _STEP.search(work.after[:25]) or _STEP_BEFORE.search(work.before)
    unit = _SHORT.get((match["short"] or "").lower(), match["unit"]) if match is not None else None
    for first, second in pairs:
        if unit is None or _are_apart(first, second, unit.lower()):
            yield first, second


def _are_apart(first: Term, second: Term, unit: str) -> bool:
    """Whether two rows may be one step apart; rows without a date, and sums, may be."""
    if first.table is not second.table or first.row == second.row or -1 in (first.row, second.row):
        return True
    one, other = _parts(first), _parts(second)
    if not one or not other:
        return True
    if unit == "year":
        is_same = all(one.get(part) == other.get(part) for part in _SAME)
        return is_same and abs(one.get("year", 0) - other.get("year", 0)) == 1
    if unit not in one or unit not in other:
        return unit == "week"
    places = [p.get("year", 0) * _PER_YEAR[unit] + p[unit] for p in (one, other)]
    return abs(places[0] - places[1]) == 1


def _parts(term: Term) -> dict[str, int]:
    for parts, rows in dated_rows(term.table):
        if term.row in rows:
            return parts
    return {}
