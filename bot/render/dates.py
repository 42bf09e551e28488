"""Dates and times as PostgreSQL writes them -> as a person reads them; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Final

from bot.render.reader import ENGLISH, Reader

_STAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?)?"
)
_UTC: Final = frozenset({"Z", "+00", "+00:00", "+0000"})


@dataclass(frozen=True)
class Dates:
    """A column of dates in words; `rounded` when fractions of a second were left out."""

    cells: tuple[str, ...]
    rounded: bool


@dataclass(frozen=True)
class _Moment:
    day: date
    clock: time
    fraction: str
    zone: str

    @property
    def is_midnight(self) -> bool:
        return self.clock == time() and not self.fraction.strip(".0")


def readable_dates(
    name: str, type_name: str, values: Sequence[str | None], reader: Reader = ENGLISH
) -> Dates | None:
    """Return a column of dates or times as `reader` writes them; None where it holds anything else.

    The time is left out where every moment is midnight; the day, where the column is called a
    month and every moment begins one; seconds where all are zero.
    """
    if not type_name.lower().startswith(("date", "timestamp")):
        return None
    moments = [None if value is None else _read(value) for value in values]
    known = [moment for moment in moments if moment is not None]
    if not known or len(known) != sum(value is not None for value in values):
        return None
    day_only = all(moment.is_midnight for moment in known)
    seconds = any(moment.clock.second for moment in known)
    if day_only:
        begins = _period(name, known)
        cells = ["–" if each is None else _day(each.day, begins, reader) for each in moments]
    else:
        cells = ["–" if each is None else _moment(each, seconds, reader) for each in moments]
    return Dates(tuple(cells), any(moment.fraction.strip(".0") for moment in known))


def _read(text: str) -> _Moment | None:
    found = _STAMP.fullmatch(text)
    if found is None:
        return None
    year, month, day, *clock = found.groups()
    try:
        on = date(int(year), int(month), int(day))
        hour, minute, second = (int(part or 0) for part in clock[:3])
        at = time(hour, minute, second)
    except ValueError:
        return None
    return _Moment(on, at, clock[3] or "", clock[4] or "")


def _period(name: str, moments: Sequence[_Moment]) -> str:
    words = name.lower()
    if "year" in words and all((each.day.month, each.day.day) == (1, 1) for each in moments):
        return "year"
    if "month" in words and all(each.day.day == 1 for each in moments):
        return "month"
    return "day"


def _day(day: date, period: str, reader: Reader) -> str:
    if period == "year":
        return str(day.year)
    return reader.month(day) if period == "month" else reader.day(day)


def _moment(moment: _Moment, seconds: bool, reader: Reader) -> str:
    clock = reader.clock(moment.clock, seconds=seconds)
    zone = "UTC" if moment.zone in _UTC else moment.zone
    return f"{reader.day(moment.day)}, {clock} {zone}".rstrip()
