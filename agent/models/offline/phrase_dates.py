"""Dates that lean on one another, each written out: "15 to 20 March 2024", "in the week of …"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from agent.models.offline.reading import listed

_NAMES: Final = listed(
    "january february march april may june july august september october november december"
)
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_YEAR: Final = r"(?:19|20)\d\d"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_AND: Final = r"(?:and|to|until|till|through|-|–|—)"
_COUNT: Final = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10,
    "": 1,
}  # fmt: skip


def spell_out_dates(text: str) -> str:
    """Return `text` with each date whole: what one leaves out is taken from the other."""
    for pattern, write in _PATTERNS:
        text = pattern.sub(write, text)
    return text


def _number(name: str) -> int:
    return next(n for n, full in enumerate(_NAMES, 1) if full.startswith(name.lower()[:3]))


def _days(first: date, last: date) -> str:
    return f"from {first.day} {_month(first)} to {last.day} {_month(last)}"


def _month(day: date) -> str:
    return f"{_NAMES[day.month - 1].capitalize()} {day.year}"


def _two_days_of_months(match: re.Match[str]) -> str:
    return (
        f"from {match['d1']} {match['m1']} {match['y']} to {match['d2']} {match['m2']} {match['y']}"
    )


def _two_days_of_one(match: re.Match[str]) -> str:
    return (
        f"from {match['d1']} {match['m']} {match['y']} to {match['d2']} {match['m']} {match['y']}"
    )


def _two_months(match: re.Match[str]) -> str:
    return f"from {match['m1']} {match['y']} to {match['m2']} {match['y']}"


def _week_of(match: re.Match[str]) -> str:
    try:
        day = date(int(match["y"]), _number(match["m"]), int(re.sub(r"\D", "", match["d"])))
    except ValueError:
        return match[0]
    monday = day - timedelta(days=day.weekday())
    return _days(monday, monday + timedelta(days=6))


def _first_or_last(match: re.Match[str]) -> str:
    word = match["n"] or ""
    count = int(word) if word.isdigit() else _COUNT.get(word.lower(), 0)
    span = count * (7 if match["unit"].lower().startswith("week") else 1)
    month, year = _number(match["m"]), int(match["y"])
    last = monthrange(year, month)[1]
    if not 0 < span <= last:
        return match[0]
    if match["end"].lower() == "first":
        return _days(date(year, month, 1), date(year, month, span))
    return _days(date(year, month, last - span + 1), date(year, month, last))


def _alone(match: re.Match[str]) -> str:
    return f"{match['lead'] or ''}in {match['what']}"


_PATTERNS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), write)
    for pattern, write in (
        (
            rf"\b(?:between|from) (?:the )?(?P<d1>{_DAY}) (?:of )?(?P<m1>{_MONTH}) {_AND} (?:the )?"
            rf"(?P<d2>{_DAY}) (?:of )?(?P<m2>{_MONTH})\.?,? (?P<y>{_YEAR})",
            _two_days_of_months,
        ),
        (
            rf"\b(?:between|from) (?:the )?(?P<m1>{_MONTH}) (?P<d1>{_DAY}) {_AND} (?:the )?"
            rf"(?P<m2>{_MONTH}) (?P<d2>{_DAY}),? (?P<y>{_YEAR})",
            _two_days_of_months,
        ),
        (
            rf"\b(?:(?:between|from) )?(?:the )?(?P<d1>{_DAY}) ?{_AND} ?(?:the )?(?P<d2>{_DAY}) "
            rf"(?:of )?(?P<m>{_MONTH})\.?,? (?P<y>{_YEAR})",
            _two_days_of_one,
        ),
        (
            rf"\b(?:between|from) (?P<m1>{_MONTH}) {_AND} (?P<m2>{_MONTH}) (?:of )?(?P<y>{_YEAR})",
            _two_months,
        ),
        (
            rf"\b(?:in |during |for |of )?the week (?:of|starting|beginning|from|containing)"
            rf"(?: on)?(?: the)? (?:monday,? )?(?P<d>{_DAY}) "
            rf"(?:of )?(?P<m>{_MONTH}),? (?P<y>{_YEAR})",
            _week_of,
        ),
        (
            rf"\b(?:in |during |for |of |over |within )?the (?P<end>first|last) "
            rf"(?:(?P<n>\w+) )?(?P<unit>days?|weeks?) (?:of|in) (?P<m>{_MONTH}),? (?P<y>{_YEAR})",
            _first_or_last,
        ),
        (
            rf"^\W*(?P<lead>and |only |just |now )?(?:for |in )?"
            rf"(?P<what>{_MONTH}(?: {_YEAR})?|{_YEAR})(?: (?:then|instead|only))?\W*$",
            _alone,
        ),
    )
)
