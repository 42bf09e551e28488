"""Days and periods as people say them of a log: "this week", "since 3 May", "in November".

A log only knows the past, so a day or month without a year is the latest that has begun.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

import dateparser

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_YEAR = r"20\d\d"
_NUMBER: Final = {
    **{str(number): number for number in range(1, 1000)},
    **{
        word: number
        for number, word in enumerate(
            ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
        )
    },
}

_PERIOD: Final = re.compile(
    rf"""
    (?P<day>today|yesterday|now
        |(?:last\ )?{_WEEKDAY}\b
        |\d{{1,3}}\ days?\ ago
        |\d{{1,2}}(?:st|nd|rd|th)?\ (?:of\ )?{_MONTH}(?:,?\ {_YEAR})?
        |{_MONTH}\ \d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,?\ {_YEAR})?
        |{_YEAR}-\d\d-\d\d|\d{{1,2}}\.\d{{1,2}}\.{_YEAR})
    |(?:the\ )?(?P<which>this|last|past|previous)\ (?P<unit>week|month|quarter|year)\b
    |(?:the\ )?(?:last|past)\ (?P<count>\d{{1,3}}|{"|".join(list(_NUMBER)[-10:])})
        \ (?P<units>day|week|month|year)s?\b
    |(?P<month>{_MONTH})(?:\ (?P<of>{_YEAR}))?
    |(?P<year>{_YEAR})\b
    """,
    re.VERBOSE,
)
_OPENER: Final = re.compile(
    r"(?P<since>since|from|starting)|(?P<after>after)|(?P<before>before)"
    r"|(?P<until>until|till|up to)|(?P<within>in|on|during|of|within|over)"
)
_BETWEEN: Final = re.compile(r"(?:between|from) ")
_AND: Final = re.compile(r" (?:and|to|until|till|-|–) ")


@dataclass(frozen=True)
class Span:
    """Days from `low` up to, not including, `high`; None is open."""

    low: date | None
    high: date | None


def read_span(text: str, today: date) -> tuple[Span, int] | None:
    """Return the period with which `text` begins, and how many characters say it; else None.

    `text` is in lower case, with single spaces.
    """
    return _between(text, today) or _opened(text, today)


def _between(text: str, today: date) -> tuple[Span, int] | None:
    opener = _BETWEEN.match(text)
    if opener is None or (first := _read(text, opener.end(), today)) is None:
        return None
    middle = _AND.match(text, first[1])
    if middle is None or (second := _read(text, middle.end(), today)) is None:
        return None
    return Span(first[0].low, second[0].high), second[1]


def _opened(text: str, today: date) -> tuple[Span, int] | None:
    opener = _OPENER.match(text)
    start = opener.end() + 1 if opener is not None and text[opener.end() :][:1] == " " else 0
    found = _read(text, start, today)
    if found is None:
        return None
    span, end = found
    match opener.lastgroup if opener is not None and start else None:
        case "since":
            span = Span(span.low, None)
        case "after":
            span = Span(span.high, None)
        case "before":
            span = Span(None, span.low)
        case "until":
            span = Span(None, span.high)
    return span, end


def _read(text: str, start: int, today: date) -> tuple[Span, int] | None:
    found = _PERIOD.match(text, start)
    if found is None:
        return None
    span = _span(found, today)
    return None if span is None else (span, found.end())


def _span(found: re.Match[str], today: date) -> Span | None:
    if found["day"]:
        return _days(found["day"], today)
    if found["unit"]:
        begin = _begin(found["unit"], today)
        if found["which"] == "this":
            return Span(begin, _later(found["unit"], begin, 1))
        return Span(_later(found["unit"], begin, -1), begin)
    tomorrow = today + timedelta(days=1)
    if found["units"]:
        return Span(_later(found["units"], tomorrow, -_NUMBER[found["count"]]), tomorrow)
    if found["month"]:
        return _month(found["month"], found["of"], today)
    year = int(found["year"])
    return Span(date(year, 1, 1), date(year + 1, 1, 1))


def _days(words: str, today: date) -> Span | None:
    day = _parse("today" if words == "now" else words.removeprefix("last "), today)
    return None if day is None else Span(day, day + timedelta(days=1))


def _month(name: str, year: str | None, today: date) -> Span | None:
    first = _parse(f"1 {name.rstrip('.')} {year or ''}", today)
    return None if first is None else Span(first, _later("month", first, 1))


def _parse(words: str, today: date) -> date | None:
    """Return the latest such day up to today, or exactly the one of that year."""
    read = dateparser.parse(
        words,
        languages=["en"],
        settings={
            "PREFER_DATES_FROM": "past",
            "RELATIVE_BASE": datetime.combine(today, time(23, 59)),
            "DATE_ORDER": "YMD" if words[:4].isdigit() else "DMY",
        },
    )
    return None if read is None else read.date()


def _begin(unit: str, day: date) -> date:
    match unit:
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return date(day.year, day.month - (day.month - 1) % 3, 1)
    return date(day.year, 1, 1)


def _later(unit: str, day: date, count: int) -> date:
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + count * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(months, 12)
    last = (date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return date(year, month + 1, min(day.day, last))
