"""Dates, times and periods in a text, each as the parts that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Final

from agent.evidence.text.moment_patterns import MONTH_NUMBERS, PATTERNS

_PARTS: Final = (
    "year", "quarter", "half", "month", "day", "week", "hour", "minute", "decade",
)  # fmt: skip
_IN_DIGITS: Final = {
    "m": "month", "d": "day", "q": "quarter", "w": "week", "half": "half", "i": "minute",
    "dec": "decade",
}  # fmt: skip
_ENDS: Final = {"d2": "day", "h2": "hour", "w2": "week", "y2": "year"}
_QUARTERS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "final": 4}
_JOINT: Final = re.compile(r"\s*(?:-|–|/|to|and|until|through|bis)\s*$")
_SHARES_YEAR: Final = re.compile(r"\s*(?:-|–|to|and|until|through|bis|&)\s*")
_YEAR_BEFORE: Final = re.compile(
    r"\b(?:in|since|from|of|year|before|after|until|to|and|between|by|oldest|newest)[: ]\s*$",
    re.IGNORECASE,
)
_DAYS_LISTED: Final = re.compile(
    r"(?<![\d.,$€£])(?:\d{1,2}(?:st|nd|rd|th|\.)?(?:, (?:and )?| and | & | und ))+$"
)
_LAST_SHORT: Final = 60
"""The last two-digit year of this century: '61 is 1961."""
_FULL_DATE: Final = re.compile(r"(?<!\d)\d{1,2}\.\d{1,2}\.\d{4}\b")
_DATED: Final = re.compile(
    r"\b(?:on|am|week of|weeks? (?:starting|beginning)|ab|zum|vom|den|bis) (?:the )?$",
    re.IGNORECASE,
)
"""What says that "8.12." is a day."""
_MONEY_BEHIND: Final = re.compile(r"\s?(?:%|percent|USD|EUR|[€$](?!\d))")


@dataclass(frozen=True)
class Moment:
    """A date, a time or a period, as far as a text names it."""

    start: int
    end: int
    text: str
    year: int | None = None
    quarter: int | None = None
    half: int | None = None
    month: int | None = None
    day: int | None = None
    week: int | None = None
    hour: int | None = None
    minute: int | None = None
    decade: int | None = None
    either: tuple[Moment, ...] = ()
    """Other readings, such as 3/1/2024 in the other order."""

    @property
    def has_digits(self) -> bool:
        """Whether it is a figure, as a bare "March" is not."""
        return any(c.isdigit() for c in self.text) or self.quarter is not None

    def parts(self) -> dict[str, int]:
        """Return the parts that are named."""
        return dict(self._parts)

    def all_parts(self) -> dict[str, int]:
        """Return the parts that are named, and those that follow from them: a month's quarter."""
        return dict(self._all_parts)

    @cached_property
    def _parts(self) -> dict[str, int]:
        return {name: value for name in _PARTS if (value := getattr(self, name)) is not None}

    @cached_property
    def _all_parts(self) -> dict[str, int]:
        made = self.parts()
        if self.month is not None:
            made.setdefault("quarter", (self.month + 2) // 3)
            made.setdefault("half", (self.month + 5) // 6)
        elif self.quarter is not None:
            made.setdefault("half", (self.quarter + 1) // 2)
        if self.year is not None:
            made.setdefault("decade", self.year // 10 * 10)
            if self.month is not None and self.day is not None and _is_possible(made):
                made["week"] = date(self.year, self.month, self.day).isocalendar()[1]
        return made


def moment_of(start: int, end: int, text: str, parts: dict[str, int]) -> Moment:
    """Return the moment with these parts; others, as the day of the week, place nothing."""
    known = {name: value for name, value in parts.items() if name in _PARTS}
    return replace(Moment(start, end, text), **known)  # type: ignore[arg-type]


def find_moments(text: str) -> list[Moment]:
    """Return the dates, times and periods of `text` in their order; none overlaps another."""
    taken: list[tuple[int, int]] = []
    found: list[Moment] = []
    for pattern in PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if not _stands_alone(text, match) or any(s < end and start < e for s, e in taken):
                continue
            made = list(_moments(match))
            if made:
                taken.append((start, end))
                found += made
    days = (day for moment in found for day in _days_before(moment, text))
    listed = {d.start: d for d in days if not any(s < d.end and d.start < e for s, e in taken)}
    places = listed | {moment.start: moment for moment in found}
    return _with_years([places[start] for start in sorted(places)], text)


def _days_before(moment: Moment, text: str) -> Iterator[Moment]:
    """Yield the days that a list shares its month with: 6 and 7 in "6, 7, 8 and 9 November"."""
    listed = _DAYS_LISTED.search(text, 0, moment.start)
    leads = re.match(r"\d{1,2}(?!\d)", moment.text)  # not "2025-12-22": "25" before it is no day
    is_day = moment.month is not None and leads is not None and int(leads[0]) == moment.day
    for day in re.finditer(r"\d+", listed[0]) if listed is not None and is_day else ():
        start = (listed.start() if listed is not None else 0) + day.start()
        if 0 < int(day[0]) <= 31:
            end = start + len(day[0])
            yield replace(moment, start=start, end=end, text=day[0], day=int(day[0]), either=())


def read_moment(text: str) -> Moment | None:
    """Return the moment that the whole of `text` is; None where it is anything else."""
    found = find_moments(text)
    whole = len(found) == 1 and found[0].start == 0 and found[0].end == len(text.rstrip())
    return found[0] if whole else None


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if re.search(r"[\w$€£]$|\d[.,:/]$", before) or re.match(r"[\w%]|[.,:/]\d", after):
        return False
    groups = set(match.groupdict())
    if groups == {"d", "m"}:
        return bool(_FULL_DATE.search(text) or _DATED.search(text[:start]))
    if groups == {"mn"}:  # a bare month: "may", "march" are words too
        return match[0][0].isupper()
    if groups != {"y"} or text[start] == "'":
        return True
    is_compound = before.endswith("-") and before[:1].isalnum()
    if not 1900 <= int(match["y"]) < 2100 and not _YEAR_BEFORE.search(text[:start]):
        return False
    return not is_compound and _MONEY_BEHIND.match(text[end : end + 9]) is None


def _moments(match: re.Match[str]) -> Iterator[Moment]:
    got = {name: value for name, value in match.groupdict().items() if value}
    start, end = match.span()
    readings = [parts for parts in _readings(got, match[0]) if _is_possible(parts)]
    if not readings:
        return
    parts, others = readings[0], readings[1:]
    last = next((name for name in _ENDS if name in got), None)
    if last is None:
        either = tuple(moment_of(start, end, match[0], other) for other in others)
        yield replace(moment_of(start, end, match[0], parts), either=either)
        return
    middle, whole = match.start(last), match.string
    yield moment_of(start, middle, _JOINT.sub("", whole[start:middle]), parts)
    yield moment_of(middle, end, whole[middle:end], parts | {_ENDS[last]: _end(got, last)})


def _readings(got: dict[str, str], text: str) -> Iterator[dict[str, int]]:
    parts = _parts(got)
    yield parts
    if "/" in text and "d" in got and parts["day"] != parts["month"]:
        yield parts | {"month": parts["day"], "day": parts["month"]}


def _end(got: dict[str, str], name: str) -> int:
    value = got[name]
    if name == "h2":
        return _hour(value, got.get("ap"))
    return int(got["y"][:2] + value) if name == "y2" and len(value) == 2 else int(value)


def _parts(got: dict[str, str]) -> dict[str, int]:
    parts = {part: int(got[name]) for name, part in _IN_DIGITS.items() if name in got}
    if parts.get("decade", 100) < 100:
        parts["decade"] += 1900
    if "y" in got:
        digits = re.sub(r"\D", "", got["y"])
        parts["year"] = int(digits) + (_century(int(digits)) if len(digits) == 2 else 0)
    if "mn" in got:
        parts["month"] = MONTH_NUMBERS[got["mn"].lower().rstrip(".")]
    if "qn" in got:
        parts["quarter"] = _QUARTERS.get(got["qn"].lower()) or int(got["qn"][0])
    if "hn" in got:
        parts["half"] = 1 if got["hn"].lower() == "first" else 2
    if "noon" in got:
        parts["hour"] = 0 if got["noon"].lower() == "midnight" else 12
    if "h" in got:
        parts["hour"] = _hour(got["h"], got.get("ap"))
    return parts


def _century(year: int) -> int:
    return 1900 if year > _LAST_SHORT else 2000


def _hour(text: str, half_day: str | None) -> int:
    hour = int(text)
    if half_day is None:
        return hour
    return hour % 12 + (12 if half_day.lower().startswith("p") else 0)


def _is_possible(parts: dict[str, int]) -> bool:
    if not 1 <= parts.get("week", 1) <= 53:
        return False
    try:
        date(parts.get("year", 2000), parts.get("month", 1), parts.get("day", 1))
    except ValueError:
        return False
    return True


def _with_years(moments: list[Moment], text: str) -> list[Moment]:
    """Let a range share its year: "January to March 2024", "Q1 and Q2 2024"."""
    done = list(moments)
    for position, (first, second) in enumerate(pairwise(moments)):
        joined = _SHARES_YEAR.fullmatch(text[first.end : second.start])
        is_date = first.hour is None and (first.month is not None or first.quarter is not None)
        if joined and is_date and first.year is None and second.year is not None:
            done[position] = replace(first, year=second.year)
    return done
