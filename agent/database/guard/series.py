"""How many values a generate_series has, where the text alone says so."""

from __future__ import annotations

import math
import re
from typing import Final

from agent.database.guard.numbers import Expression, exact
from agent.database.guard.tree import strings

_DAY: Final = 86_400.0
_NOW: Final = 2_030 * 365.25 * _DAY
"""Seconds up to a day not far away: all that matters is the order of magnitude."""
_CLOCKS: Final = frozenset({"now", "clock_timestamp", "statement_timestamp"})

_DATE: Final = re.compile(r"\s*(\d{4,6})-(\d{1,2})-(\d{1,2})(?!\d)")
_AMOUNT: Final = re.compile(r"\s*([-+]?\d*\.?\d+)\s*([a-zµ]+)[\s,]*", re.IGNORECASE)
_CLOCK_TIME: Final = re.compile(r"\s*([-+]?)(\d+):(\d+)(?::(\d+(?:\.\d+)?))?\s*")
_UNITS: Final = (
    (1e-6, "microsecond microseconds us usec usecs"),
    (1e-3, "millisecond milliseconds ms msec msecs"),
    (1.0, "second seconds sec secs s"),
    (60.0, "minute minutes min mins m"),
    (3_600.0, "hour hours hr hrs h"),
    (_DAY, "day days d"),
    (7 * _DAY, "week weeks w"),
    (30 * _DAY, "month months mon mons"),
    (365.25 * _DAY, "year years yr yrs y"),
)
_SECONDS: Final = {unit: seconds for seconds, units in _UNITS for unit in units.split()}


def steps(arguments: list[Expression]) -> float:
    """Return about how many values a series has, 0 where the text alone does not say."""
    if len(arguments) < 2:
        return 0
    numbers = [exact(argument) for argument in arguments[:3]]
    if None in numbers:
        numbers = [_moment(arguments[0]), _moment(arguments[1]), *map(_interval, arguments[2:3])]
    if None in numbers:
        return 0
    start, stop, step = ([number for number in numbers if number is not None] + [1.0])[:3]
    distance = stop - start
    return 0 if step == 0 or math.isnan(distance) else max(0.0, distance / step)


def _constant(node: Expression) -> str:
    for _ in range(3):
        node = node.get("TypeCast", {}).get("arg", node)
    return str(node.get("A_Const", {}).get("sval", {}).get("sval", ""))


def _moment(node: Expression) -> float | None:
    """Return a date or time in seconds, roughly."""
    if _is_clock(node):
        return _NOW
    written = _constant(node)
    if written.strip().lower() in ("infinity", "-infinity"):
        return float(written)
    found = _DATE.match(written)
    if not found:
        return None
    year, month, day = map(int, found.groups())
    return (year * 365.25 + month * 30 + day) * _DAY


def _is_clock(node: Expression) -> bool:
    for _ in range(3):
        node = node.get("TypeCast", {}).get("arg", node)
    call = node.get("FuncCall", {})
    return "SQLValueFunction" in node or bool(call and strings(call["funcname"])[-1] in _CLOCKS)


def _interval(node: Expression) -> float | None:
    """Return the seconds of an interval such as '1 day 2 hours' or '00:15', roughly."""
    written = _constant(node)
    place, seconds = 0, 0.0
    while place < len(written):
        amount, clock = _AMOUNT.match(written, place), _CLOCK_TIME.match(written, place)
        if clock:
            sign, hours, minutes, rest = clock.groups()
            of_clock = float(hours) * 3_600 + float(minutes) * 60 + float(rest or 0)
            seconds += -of_clock if sign == "-" else of_clock
            place = clock.end()
        elif amount and amount[2].lower() in _SECONDS:
            seconds += float(amount[1]) * _SECONDS[amount[2].lower()]
            place = amount.end()
        else:
            return None
    return seconds if written else None
