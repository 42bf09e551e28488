"""The ways in which people write dates, each read by one small function."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from agent.models.offline.periods import Period

_MONTHS: Final = (
    {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
    | {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name}
    | {"sept": 9}
)

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)

_YEAR = r"(?P<year>(?:19|20)\d\d)"

_ORDINAL: Final = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "last": 4,
}

_WEEKDAYS: Final = {name.lower(): n for n, name in enumerate(calendar.day_name, start=1)}

_UNIT = r"(?P<unit>day|week|month|quarter|year)"


def _shift(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _start_of(unit: str, day: date) -> date:
    if unit == "year":
        return date(day.year, 1, 1)
    if unit == "quarter":
        return date(day.year, 3 * ((day.month - 1) // 3) + 1, 1)
    if unit == "month":
        return day.replace(day=1)
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return day


def _after(unit: str, day: date, count: int = 1) -> date:
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    return _shift(day, count * {"month": 1, "quarter": 3, "year": 12}[unit])


def _whole(unit: str, low: date, label: str) -> Period:
    return Period(label, low, _after(unit, low), unit=unit)


def _read_day(match: re.Match[str], today: date) -> Period | None:
    month = _MONTHS[match["month"].rstrip(".")]
    return _day(int(match["year"]), month, int(match["day"]))


def _read_iso(match: re.Match[str], today: date) -> Period | None:
    return _day(int(match["year"]), int(match["m"]), int(match["d"]))


def _read_slashes(match: re.Match[str], today: date) -> Period | None:
    first, second, year = int(match["a"]), int(match["b"]), int(match["year"])
    if first > 12:
        return _day(year, second, first)
    # Both orders are in use: only a day past the twelfth, or twice the same, tells which.
    return _day(year, first, second) if second > 12 or first == second else None


def _day(year: int, month: int, day: int) -> Period | None:
    try:
        low = date(year, month, day)
    except ValueError:
        return None
    return _whole("day", low, f"{low.day} {calendar.month_name[month]} {year}")


def _read_month(match: re.Match[str], today: date) -> Period | None:
    month, year = _MONTHS[match["month"].rstrip(".")], int(match["year"])
    return _whole("month", date(year, month, 1), f"{calendar.month_name[month]} {year}")


def _read_months(match: re.Match[str], today: date) -> Period | None:
    first, last = _MONTHS[match["month"].rstrip(".")], _MONTHS.get(match["last"])
    if last is None or last < first:
        return None
    year = int(match["year"])
    label = f"{calendar.month_name[first]} to {calendar.month_name[last]} {year}"
    return Period(label, date(year, first, 1), _shift(date(year, last, 1), 1))


def _read_iso_month(match: re.Match[str], today: date) -> Period | None:
    month, year = int(match["m"]), int(match["year"])
    if not 1 <= month <= 12:
        return None
    return _whole("month", date(year, month, 1), f"{calendar.month_name[month]} {year}")


def _read_quarter(match: re.Match[str], today: date) -> Period | None:
    number = int(match["q"]) if match["q"] else _ORDINAL[match["nth"]]
    year = int(match["year"]) if match["year"] else None
    if year is None:
        months = tuple(range(3 * number - 2, 3 * number + 1))
        return Period(f"the {match[0].strip()}", months=months)
    return _whole("quarter", date(year, 3 * number - 2, 1), f"Q{number} {year}")


def _read_half(match: re.Match[str], today: date) -> Period | None:
    number = int(match["h"]) if match["h"] else _ORDINAL[match["nth"]]
    low = date(int(match["year"]), 1 if number == 1 else 7, 1)
    return Period(f"H{1 if number == 1 else 2} {low.year}", low, _shift(low, 6), unit="half")


def _read_decade(match: re.Match[str], today: date) -> Period | None:
    low = date(int(match["decade"]), 1, 1)
    return Period(f"the {match['decade']}s", low, _shift(low, 120), unit="decade")


def _read_year(match: re.Match[str], today: date) -> Period | None:
    year = int(match["year"])
    return _whole("year", date(year, 1, 1), str(year))


def _read_relative(match: re.Match[str], today: date) -> Period | None:
    unit = match["unit"]
    here = _start_of(unit, today)
    low = {"this": here, "current": here, "next": _after(unit, here)}.get(
        match["which"], _after(unit, here, -1)
    )
    return _whole(unit, low, _dated(f"{match['which']} {unit}", low, _after(unit, low)))


def _read_last_n(match: re.Match[str], today: date) -> Period | None:
    count = int(match["n"]) if match["n"].isdigit() else _spelled(match["n"])
    if count is None:
        return None
    high = today + timedelta(days=1)
    low = _after(match["unit"], high, -count)
    return Period(_dated(f"the last {count} {match['unit']}s", low, high), low, high)


def _spelled(word: str) -> int | None:
    from number_parser import parse_number

    value = parse_number(word, language="en")
    return int(value) if value is not None else None


def _read_named_day(match: re.Match[str], today: date) -> Period | None:
    low = today - timedelta(days=1 if match[0] == "yesterday" else 0)
    return _whole("day", low, f"{match[0]}, {low.day} {low:%b %Y}")


def _read_to_date(match: re.Match[str], today: date) -> Period | None:
    low, high = date(today.year, 1, 1), today + timedelta(days=1)
    return Period(_dated("the year to date", low, high), low, high)


def _dated(label: str, low: date, high: date) -> str:
    last = high - timedelta(days=1)
    if low == last:
        return f"{label}, {low.day} {low:%b %Y}"
    return f"{label}, {low.day} {low:%b %Y} to {last.day} {last:%b %Y}"


def _read_bare_month(match: re.Match[str], today: date) -> Period | None:
    month = _MONTHS[match["month"].rstrip(".")]
    return Period(calendar.month_name[month], months=(month,))


def _read_weekday(match: re.Match[str], today: date) -> Period | None:
    name = match["weekday"].rstrip("s")
    if name == "weekend":
        return Period("weekends", weekdays=(6, 7))
    if name == "weekday":
        return Period("weekdays", weekdays=(1, 2, 3, 4, 5))
    return Period(f"{name.title()}s", weekdays=(_WEEKDAYS[name],))


_Read = Callable[[re.Match[str], date], Period | None]

_NTH = r"(?P<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)"

_NUMBER = r"(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|ninety)"

PATTERNS: Final[tuple[tuple[re.Pattern[str], _Read], ...]] = tuple(
    (re.compile(rf"\b{pattern}\b"), read)
    for pattern, read in (
        (rf"{_YEAR}[-/](?P<m>\d\d?)[-/](?P<d>\d\d?)", _read_iso),
        (rf"(?P<a>\d\d?)/(?P<b>\d\d?)/{_YEAR}", _read_slashes),
        (rf"(?P<d>\d\d?)\.(?P<m>\d\d?)\.{_YEAR}", _read_iso),
        (rf"(?:the )?(?P<day>\d\d?)(?:st|nd|rd|th)? (?:of )?{_MONTH},? {_YEAR}", _read_day),
        (rf"{_MONTH} (?:the )?(?P<day>\d\d?)(?:st|nd|rd|th)?,? {_YEAR}", _read_day),
        (
            rf"(?:from |between )?{_MONTH} (?:to|until|till|through|and|-|–) "
            rf"(?P<last>[a-z]{{3,9}}),? {_YEAR}",
            _read_months,
        ),
        (rf"{_MONTH}(?: of| in)?,? {_YEAR}", _read_month),
        (rf"{_YEAR}-(?P<m>\d\d)", _read_iso_month),
        (rf"(?:the )?(?:q(?P<q>[1-4])|{_NTH} quarter)(?:,? (?:of |in )?{_YEAR})?", _read_quarter),
        (rf"(?:the )?(?:h(?P<h>[12])|{_NTH} half),? (?:of |in )?{_YEAR}", _read_half),
        (r"(?:the )?(?P<decade>(?:19|20)\d0)'?s", _read_decade),
        (rf"(?:the )?(?:last|past|previous) {_NUMBER} {_UNIT}s", _read_last_n),
        (
            rf"(?:the )?(?P<which>this|current|last|past|previous|next) {_UNIT}(?! (?:of|to))",
            _read_relative,
        ),
        (r"(?:the )?year[ -]to[ -]date|ytd", _read_to_date),
        (r"today|yesterday", _read_named_day),
        (rf"(?:the )?(?:(?:whole |full |calendar )?year (?:of )?)?{_YEAR}", _read_year),
        (
            r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays(?! ))",
            _read_weekday,
        ),
        (rf"(?<=in ){_MONTH}", _read_bare_month),
        (rf"(?<=only ){_MONTH}", _read_bare_month),
        (rf"(?<=about ){_MONTH}", _read_bare_month),
        (rf"(?<=for ){_MONTH}", _read_bare_month),
    )
)
