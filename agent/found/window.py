"""The limits in time of a query, in words; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from sqlglot import exp

from agent.found.names import Names

_STAMP: Final = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?)?")
# Not strftime: its names follow the process's locale.
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_LOWS: Final = (exp.GT, exp.GTE)
_HIGHS: Final = (exp.LT, exp.LTE)
_ABOUT_TIME: Final = (
    *(exp.TimestampTrunc, exp.DateTrunc, exp.Extract, exp.TimeToStr, exp.AtTimeZone),
    *(exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime),
)


@dataclass(frozen=True)
class _Limit:
    """One end of a window, or both."""

    subject: str
    low: exp.Expr | None = None
    high: exp.Expr | None = None
    is_low_in: bool = True
    is_high_in: bool = False
    is_by_day: bool = False
    """Days are compared, so that one that is in is in as a whole."""


def windows_of(conditions: Iterable[exp.Expr]) -> tuple[list[str], list[exp.Expr]]:
    """Return the limits in time in words, and the conditions that are none."""
    limits: dict[str, list[_Limit]] = {}
    rest: list[exp.Expr] = []
    for condition in conditions:
        limit = _limit(condition, Names.of(condition))
        if limit is None:
            rest.append(condition)
        else:
            limits.setdefault(limit.subject, []).append(limit)
    return [words for found in limits.values() for words in _told(found)], rest


def is_about_time(tree: exp.Expr) -> bool:
    """Whether a query cuts, groups or reads anything by time."""
    return tree.find(*_ABOUT_TIME) is not None


def zones_in(tree: exp.Expr) -> tuple[str, ...]:
    """Return the time zones that a query names."""
    zones = (each.args.get("zone") for each in tree.find_all(exp.AtTimeZone))
    named = (zone.name for zone in zones if isinstance(zone, exp.Literal) and zone.is_string)
    return tuple(dict.fromkeys(named))


def moment(node: exp.Expr) -> str | None:
    """Return a constant point in time in words: "31 Jan 2024", "30 days before today"."""
    node = node.unnest()
    if isinstance(node, (exp.Cast, exp.Date)) and node.this is not None:
        return moment(node.this)
    if isinstance(node, exp.Literal) and node.is_string:
        return _stamp(node.name)
    if isinstance(node, exp.CurrentDate):
        return "today"
    if isinstance(node, exp.CurrentTimestamp):
        return "now"
    if isinstance(node, (exp.TimestampTrunc, exp.DateTrunc)):
        inner, unit = moment(node.this), node.args.get("unit")
        if inner and unit is not None:
            return f"the beginning of the {unit.name.lower()} of {inner}"
    if isinstance(node, (exp.Sub, exp.Add)):
        inner, length = moment(node.left), _length(node.right)
        way = "before" if isinstance(node, exp.Sub) else "after"
        return f"{length} {way} {inner}" if inner and length else None
    return None


def _limit(condition: exp.Expr, names: Names) -> _Limit | None:
    """Read a condition on a point in time; None for any other."""
    condition = condition.unnest()
    if condition.args.get("negate"):
        return None
    if isinstance(condition, exp.Between):
        subject = _subject(condition.this, names)
        low, high = condition.args["low"], condition.args["high"]
        if subject and moment(low) and moment(high):
            by_day = _is_day(condition.this)
            return _Limit(subject, low, high, is_high_in=True, is_by_day=by_day)
        return None
    if not isinstance(condition, (exp.EQ, *_LOWS, *_HIGHS)):
        return None
    left, right = condition.left, condition.right
    is_turned = left.find(exp.Column) is None
    if is_turned:
        left, right = right, left
    if isinstance(condition, exp.EQ):
        return _at(left.unnest(), right, names)
    subject = _subject(left, names)
    if not subject or not moment(right):
        return None
    is_in = isinstance(condition, (exp.GTE, exp.LTE))
    if isinstance(condition, _LOWS) is not is_turned:
        return _Limit(subject, low=right, is_low_in=is_in)
    return _Limit(subject, high=right, is_high_in=is_in, is_by_day=_is_day(left))


def _at(left: exp.Expr, right: exp.Expr, names: Names) -> _Limit | None:
    """Read a whole year or month, or one day: date_trunc('month', d) = '2024-05-01'."""
    if isinstance(left, exp.Extract) and left.this.name.upper() == "YEAR":
        subject, year = _subject(left.expression, names), right.unnest()
        if subject and isinstance(year, exp.Literal) and re.fullmatch(r"[12]\d{3}", year.name):
            return _Limit(subject, _day(f"{year.name}-01-01"), _day(f"{int(year.name) + 1}-01-01"))
        return None
    if isinstance(left, (exp.TimestampTrunc, exp.DateTrunc)):
        subject, first = _subject(left.this, names), _date(right)
        unit = left.args.get("unit")
        after = _next(first, unit.name.lower()) if first and unit is not None else None
        if subject and first and after:
            return _Limit(subject, _day(first.isoformat()), _day(after.isoformat()))
        return None
    subject = _subject(left, names)
    if subject and moment(right):
        return _Limit(subject, right, right, is_high_in=True, is_by_day=True)
    return None


def _next(first: date, unit: str) -> date | None:
    """Return the first day after a unit that begins with `first`."""
    match unit:
        case "day":
            return first + timedelta(days=1)
        case "week":
            return first + timedelta(days=7)
        case "month":
            return (first.replace(day=1) + timedelta(days=31)).replace(day=1)
        case "quarter":
            return (first.replace(day=1) + timedelta(days=93)).replace(day=1)
        case "year":
            return first.replace(year=first.year + 1)
    return None


def _subject(node: exp.Expr, names: Names) -> str:
    """Return the column that holds the moments, in words; "" for anything else."""
    node = node.unnest()
    while isinstance(node, (exp.Cast, exp.Date, exp.AtTimeZone)) and node.this is not None:
        node = node.this.unnest()
    return names.column(node) or "" if isinstance(node, exp.Column) else ""


def _is_day(node: exp.Expr) -> bool:
    node = node.unnest()
    return isinstance(node, exp.Date) or (isinstance(node, exp.Cast) and node.to.is_type("date"))


def _told(limits: list[_Limit]) -> list[str]:
    """Put the limits of one column into words; two that make a window are told as one."""
    lows = [each for each in limits if each.low is not None and each.high is None]
    highs = [each for each in limits if each.high is not None and each.low is None]
    both = [each for each in limits if each.low is not None and each.high is not None]
    if len(lows) == len(highs) == 1 and not both:
        low, high = lows[0], highs[0]
        both = [replace(high, low=low.low, is_low_in=low.is_low_in)]
        lows, highs = [], []
    return [_words(each) for each in (*both, *lows, *highs)]


def _words(limit: _Limit) -> str:
    if limit.low is None or limit.high is None:
        return f"{limit.subject} {_from(limit) if limit.low is not None else _until(limit)}"
    first, last = _date(limit.low), _date(limit.high)
    if last is not None and not limit.is_high_in:
        last -= timedelta(days=1)
    is_whole = limit.is_low_in and (limit.is_by_day or not limit.is_high_in)
    if first is None or last is None or not is_whole or first > last:
        if moment(limit.low) == moment(limit.high):
            return f"{limit.subject} {moment(limit.low)}"
        return f"{limit.subject} {_from(limit)} {_until(limit)}"
    return f"{limit.subject} {_span(first, last)}"


def _from(limit: _Limit) -> str:
    assert limit.low is not None
    return f"{'from' if limit.is_low_in else 'after'} {moment(limit.low)}"


def _until(limit: _Limit) -> str:
    assert limit.high is not None
    return f"{'up to' if limit.is_high_in else 'before'} {moment(limit.high)}"


def _span(first: date, last: date) -> str:
    """Return "2024", "May 2024", "1 Jan 2024" or "1 Jan 2024 – 31 Dec 2025"."""
    after = last + timedelta(days=1)
    if (first.day, after.day) == (1, 1):
        if (first.month, after.month, after.year) == (1, 1, first.year + 1):
            return str(first.year)
        if after == _next(first, "month"):
            return f"{_MONTHS[first.month - 1]} {first.year}"
    return _short(first) if first == last else f"{_short(first)} – {_short(last)}"


def _short(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _day(text: str) -> exp.Expr:
    return exp.Literal.string(text)


def _date(node: exp.Expr) -> date | None:
    """Return the day of a constant that is a date, or the midnight with which one begins."""
    node = node.unnest()
    while isinstance(node, (exp.Cast, exp.Date)) and node.this is not None:
        node = node.this.unnest()
    read = _STAMP.fullmatch(node.name) if isinstance(node, exp.Literal) else None
    if read is None or (read[4] or "00:00") != "00:00" or int(read[5] or 0):
        return None
    try:
        return date(int(read[1]), int(read[2]), int(read[3]))
    except ValueError:
        return None


def _stamp(text: str) -> str | None:
    read = _STAMP.fullmatch(text.strip())
    if read is None:
        return None
    try:
        day = _short(date(int(read[1]), int(read[2]), int(read[3])))
    except ValueError:
        return None
    if read[4] is None:
        return day
    seconds = f":{read[5]}" if read[5] and read[5] != "00" else ""
    return f"{day}, {read[4]}{seconds}"


def _length(node: exp.Expr) -> str | None:
    """Return a constant length of time: "30 days", "1 month"."""
    node = node.unnest()
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        count, unit = node.name, "day"  # a date less a number
    elif isinstance(node, exp.Interval) and isinstance(node.this, exp.Literal):
        count, unit = node.this.name, str(node.args["unit"].name if node.args.get("unit") else "")
    else:
        return None
    unit = unit.lower().rstrip("s")
    if not count.isdigit() or not unit:
        return None
    return f"{count} {unit}" + ("" if count == "1" else "s")
