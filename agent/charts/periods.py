"""Calendar arithmetic: reading the server's dates, cutting them to periods, naming the periods.

Times are wall-clock times in the zone of the database session: an offset in the server's text is
dropped on purpose, since "rentals by hour" means the hour that stood on the clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal

Grain = Literal["year", "quarter", "month", "week", "day", "hour"]

GRAIN_OF_UNIT: Final[dict[str, Grain]] = {
    "year": "year",
    "yearquarter": "quarter",
    "yearmonth": "month",
    "yearweek": "week",
    "yearmonthdate": "day",
    "yearmonthdatehours": "hour",
}
UNIT_WORDS: Final = {
    **GRAIN_OF_UNIT,
    "quarter": "quarter",
    "month": "month",
    "date": "day of the month",
    "day": "weekday",
    "hours": "hour",
}
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SHORT_DAYS: Final = tuple(day[:3] for day in WEEKDAYS)
_SHORT_MONTHS: Final = tuple(month[:3] for month in MONTHS)
_CYCLES: Final[dict[str, tuple[str, ...]]] = {
    "quarter": ("Q1", "Q2", "Q3", "Q4"),
    "month": _SHORT_MONTHS,
    "date": tuple(str(day) for day in range(1, 32)),
    "day": _SHORT_DAYS,
    "hours": tuple(str(hour) for hour in range(24)),
}
_YEARS_AND_QUARTERS = (
    re.compile(r"(?P<year>(19|20)\d\d)\Z"),
    re.compile(r"Q(?P<part>[1-4])\Z"),
    re.compile(r"Q(?P<part>[1-4])[ /-]?(?P<year>(19|20)\d\d)\Z"),
    re.compile(r"(?P<year>(19|20)\d\d)[ /-]?[QW](?P<part>\d{1,2})\Z"),
)
_YEAR_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])\Z")
_DATE_START = re.compile(r"\d{4}-\d\d(-\d\d)?")


def parse_date(text: str) -> datetime | None:
    """Read a date or timestamp as PostgreSQL writes it, or a month such as "2024-03".

    Returns the wall-clock time without a zone; None for `infinity`, for years that a calendar
    library cannot hold, and for text that is no date.
    """
    if _YEAR_MONTH.match(text):
        text += "-01"
    if not _DATE_START.match(text):
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


def start_of(moment: datetime, grain: Grain) -> datetime:
    """Return the start of the period that `moment` lies in; weeks begin on Monday."""
    if grain == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if grain == "week":
        # The first days of year 1 have no Monday before them that a datetime could hold.
        return day - timedelta(days=min(day.weekday(), day.toordinal() - 1))
    if grain == "month":
        return day.replace(day=1)
    if grain == "quarter":
        return day.replace(day=1, month=day.month - (day.month - 1) % 3)
    if grain == "year":
        return day.replace(day=1, month=1)
    return day


def next_start(start: datetime, grain: Grain) -> datetime:
    """Return the start of the following period; the end of time stays where it is."""
    try:
        if grain == "hour":
            return start + timedelta(hours=1)
        if grain in ("day", "week"):
            return start + timedelta(days=7 if grain == "week" else 1)
        months = {"month": 1, "quarter": 3, "year": 12}[grain]
        year, month = divmod(start.month - 1 + months, 12)
        return start.replace(year=start.year + year, month=month + 1)
    except (OverflowError, ValueError):
        return datetime.max


def periods_between(first: datetime, last: datetime, grain: Grain, most: int) -> list[datetime]:
    """Return every period's start from `first` to `last`, but at most `most` + 1 of them."""
    starts = [first]
    while starts[-1] < last and len(starts) <= most:
        starts.append(next_start(starts[-1], grain))
    return starts


def grain_of(moments: Iterable[datetime]) -> Grain | None:
    """Return the coarsest period that all `moments` begin, or None for instants.

    Few values say little: one date alone is a day, and quarters need three witnesses.
    """
    distinct = set(moments)
    if not distinct:
        return None
    fitting: tuple[tuple[Grain, int], ...] = (
        ("year", 2),
        ("quarter", 3),
        ("month", 2),
        ("week", 3),
        ("day", 1),
        ("hour", 2),
    )
    for grain, witnesses in fitting:
        if len(distinct) >= witnesses and all(start_of(m, grain) == m for m in distinct):
            return grain
    return None


def name_period(start: datetime, grain: Grain | None) -> str:
    """Return a period's short name, such as "Mar 2024" or "Q1 2024"."""
    month = _SHORT_MONTHS[start.month - 1]
    if grain == "year":
        return str(start.year)
    if grain == "quarter":
        return f"Q{(start.month + 2) // 3} {start.year}"
    if grain == "month":
        return f"{month} {start.year}"
    day = f"{start.day} {month} {start.year}"
    return day if grain in ("day", "week") else f"{day} {start:%H:%M}"


def place_in_cycle(moment: datetime, unit: str) -> str:
    """Return where `moment` stands in a unit that comes round again, such as "Mon" or "Q3"."""
    position = {
        "quarter": (moment.month - 1) // 3,
        "month": moment.month - 1,
        "date": moment.day - 1,
        "day": moment.weekday(),
        "hours": moment.hour,
    }[unit]
    return _CYCLES[unit][position]


def cycle_names(unit: str) -> tuple[str, ...]:
    """Return all names of a unit that comes round again, in order; weeks begin on Monday."""
    return _CYCLES[unit]


def calendar_order(labels: Sequence[str]) -> tuple[str, ...]:
    """Return `labels` in calendar order if all are weekdays, months, years or quarters.

    Else nothing.
    """
    for names in (WEEKDAYS, _SHORT_DAYS, MONTHS, _SHORT_MONTHS):
        places = {name.casefold(): place for place, name in enumerate(names)}
        if all(label.casefold() in places for label in labels):
            return tuple(sorted(labels, key=lambda label: places[label.casefold()]))
    for written in _YEARS_AND_QUARTERS:
        found = {label: written.match(label) for label in labels}
        keys = {label: match.groupdict() for label, match in found.items() if match}
        if len(keys) == len(found) > 0:
            return tuple(sorted(keys, key=lambda label: _year_and_part(keys[label])))
    return ()


def _year_and_part(found: dict[str, str | None]) -> tuple[int, int]:
    return int(found.get("year") or 0), int(found.get("part") or 0)
