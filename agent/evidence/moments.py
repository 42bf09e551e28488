"""Dates, times and periods in a text, each as the parts that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

_MONTHS: Final = (
    "january januar janvier jan jänner", "february februar février feb", "march märz mars mar mär",
    "april avril apr", "may mai", "june juni juin jun", "july juli juillet jul",
    "august août aug", "september septembre sep sept", "october oktober octobre oct okt",
    "november novembre nov", "december dezember décembre dec dez",
)  # fmt: skip
MONTH_NUMBERS: Final = {
    word: number for number, words in enumerate(_MONTHS, start=1) for word in words.split()
}
_MONTH = r"(?:" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_YEAR = r"(?:1[5-9]|20|21)\d\d"
_SHORT_YEAR = r"(?:" + _YEAR + r"|'\d\d)"
_CLOCK = r"(?:[01]?\d|2[0-4])"
_AM = r"(?:a\.?m\b\.?|p\.?m\b\.?)"
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "final": 4}
_NOT_IN = r"(?<![\w.,$€£-])"
_NOT_ON = r"(?![\w%]|[.,]\d)"

_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<y>{_YEAR})-(?P<m>\d\d)-(?P<d>\d\d)(?:[T ](?P<h>\d\d):(?P<i>\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?",
        rf"(?P<d>{_DAY})(?:st|nd|rd|th|\.)?\s*(?:-|–|to|and|until|through|bis)\s*(?P<d2>{_DAY})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<mn>{_MONTH})(?:,?\s+(?P<y>{_SHORT_YEAR}))?",
        rf"(?P<mn>{_MONTH})\s+(?P<d>{_DAY})(?:st|nd|rd|th)?\s*(?:-|–|to|and|until|through)\s*(?P<d2>{_DAY})(?:st|nd|rd|th)?(?![\d:.,]\d)(?:,?\s+(?P<y>{_YEAR}))?",
        rf"(?P<d>{_DAY})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<mn>{_MONTH})(?:,?\s+(?P<y>{_SHORT_YEAR}))?",
        rf"(?P<mn>{_MONTH})\s+(?:the\s+)?(?P<d>{_DAY})(?:st|nd|rd|th)?(?![\d:%]|[.,]\d)(?:,?\s+(?P<y>{_YEAR}))?",
        rf"(?P<mn>{_MONTH})(?:,)?\s*(?:of\s+|-)?(?P<y>{_SHORT_YEAR})",
        rf"(?P<y>{_YEAR})[-/](?P<m>0[1-9]|1[0-2])(?![\d/-])",
        rf"(?P<y>{_YEAR})\s*[-–/]\s*(?P<y2>{_YEAR}|\d\d)(?![\d-])",
        rf"(?P<d>{_DAY})\.(?P<m>0?[1-9]|1[0-2])\.(?P<y>{_YEAR}|\d\d)?",
        rf"(?P<m>{_DAY})/(?P<d>{_DAY})/(?P<y>{_YEAR}|\d\d)",
        rf"(?P<m>0?[1-9]|1[0-2])/(?P<y>{_YEAR})",
        rf"(?P<y>{_YEAR})\s*[-/]?\s*Q(?P<q>[1-4])",
        rf"Q(?P<q>[1-4])(?:\s*(?:of\s+|/|-)?\s*(?P<y>{_SHORT_YEAR}|FY\d\d))?",
        rf"(?P<qn>first|second|third|fourth|last|final|1st|2nd|3rd|4th) quarter(?:(?: of)? (?P<y>{_YEAR}))?",
        rf"H(?P<half>[12])(?:\s*(?:of\s+)?(?P<y>{_YEAR}))",
        rf"(?P<hn>first|second) half(?: (?:of )?(?P<y>{_YEAR}))?",
        rf"(?:(?:calendar )?week|CW|KW)\s?(?P<w>\d\d?)(?:,? (?:of )?(?P<y>{_YEAR}))?",
        rf"(?P<y>{_YEAR})-?W(?P<w>\d\d)",
        rf"(?P<h>{_CLOCK})(?::(?P<i>\d\d))?(?:\s*{_AM})?\s*(?:-|–|to|and|until)\s*(?P<h2>{_CLOCK})(?::(?P<i2>\d\d))?\s?(?P<ap>{_AM})",
        rf"(?P<h>{_CLOCK}):(?P<i>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<ap>{_AM}))?",
        rf"(?P<h>{_CLOCK})\s?(?P<ap>{_AM})",
        rf"(?P<h>{_CLOCK})(?:\s?Uhr| o'clock|h(?P<i>[0-5]\d))",
        rf"(?:the\s+)?(?P<dec>{_YEAR[:-4]}\d0)s",
        rf"(?:FY\s?)?(?P<y>{_YEAR})",
        rf"(?P<mn>{_MONTH})",
    )
)  # fmt: skip

_JOINT = re.compile(r"\s*(?:-|–|/|to|and|until|through|bis)\s*$")


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
        return any(c.isdigit() for c in self.text) or self.quarter is not None

    def parts(self) -> dict[str, int]:
        """Return the parts that are named."""
        names = ("year", "quarter", "half", "month", "day", "week", "hour", "minute", "decade")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def find_moments(text: str) -> list[Moment]:
    """Return the dates, times and periods of `text` in their order; none overlaps another."""
    taken: list[tuple[int, int]] = []
    found: list[Moment] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if not _stands_alone(text, match) or any(s < end and start < e for s, e in taken):
                continue
            made = list(_moments(match))
            if made:
                taken.append((start, end))
                found += made
    return _with_years(sorted(found, key=lambda m: m.start), text)


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if re.search(r"[\w$€£]$|\d[.,:/]$", before) or re.match(r"[\w%]|[.,:/]\d", after):
        return False
    groups = match.groupdict()
    if groups.get("mn") and len(groups) == 1:  # a bare month: "may", "march" are words too
        return match[0][0].isupper()
    if set(groups) == {"y"} and re.match(r"\s?(?:%|percent|USD|EUR|€|\$)", text[end : end + 9]):
        return False
    return not (before.endswith("-") and before[:1].isalnum() and set(groups) == {"y"})


def _moments(match: re.Match[str]) -> Iterator[Moment]:
    got = {name: value for name, value in match.groupdict().items() if value}
    start, end = match.span()
    parts = _parts(got)
    if not _is_possible(parts):
        swapped = parts | {"month": parts.get("day", 0), "day": parts.get("month", 0)}
        if "mn" in got or not _is_possible(swapped) or "/" not in match[0]:
            return
        parts = swapped
    either: tuple[Moment, ...] = ()
    if "/" in match[0] and "d" in got and parts["day"] <= 12:
        swapped = parts | {"month": parts["day"], "day": parts["month"]}
        either = (Moment(start, end, match[0], **swapped),)
    second = {"d2": "day", "h2": "hour", "y2": "year"}
    extra = next((name for name in second if name in got), None)
    if extra is None:
        yield Moment(start, end, match[0], **parts, either=either)
        return
    middle = match.start(extra)
    whole = match.string
    yield Moment(start, middle, _JOINT.sub("", whole[start:middle]), **parts)
    last = dict(parts)
    last[second[extra]] = (
        _hour(got["h2"], got.get("ap")) if extra == "h2" else _second_year(got, extra)
    )
    yield Moment(middle, end, whole[middle:end], **last)


def _second_year(got: dict[str, str], extra: str) -> int:
    value = got[extra]
    if extra == "y2" and len(value) == 2:
        return int(got["y"][:2] + value)
    return int(value)


def _parts(got: dict[str, str]) -> dict[str, int]:
    parts: dict[str, int] = {}
    for name, part in (
        ("m", "month"),
        ("d", "day"),
        ("q", "quarter"),
        ("w", "week"),
        ("half", "half"),
        ("i", "minute"),
    ):
        if name in got:
            parts[part] = int(got[name])
    if "y" in got:
        digits = re.sub(r"\D", "", got["y"])
        parts["year"] = int(digits) + (2000 if len(digits) == 2 else 0)
    if "mn" in got:
        parts["month"] = MONTH_NUMBERS[got["mn"].lower().rstrip(".")]
    if "qn" in got:
        parts["quarter"] = _QUARTERS.get(got["qn"].lower()) or int(got["qn"][0])
    if "hn" in got:
        parts["half"] = 1 if got["hn"].lower() == "first" else 2
    if "h" in got:
        parts["hour"] = _hour(got["h"], got.get("ap"))
    if "dec" in got:
        parts["decade"] = int(got["dec"])
    return parts


def _hour(text: str, half_day: str | None) -> int:
    hour = int(text)
    if half_day is None:
        return hour
    return hour % 12 + (12 if half_day.lower().startswith("p") else 0)


def _is_possible(parts: dict[str, int]) -> bool:
    if not 1 <= parts.get("month", 1) <= 12 or not 1 <= parts.get("week", 1) <= 53:
        return False
    try:
        date(parts.get("year", 2000), parts.get("month", 1), parts.get("day", 1))
    except ValueError:
        return False
    return True


def _with_years(moments: list[Moment], text: str) -> list[Moment]:
    """Let a range share its year: "January to March 2024", "Q1 and Q2 2024"."""
    done: list[Moment] = []
    for position, moment in enumerate(moments):
        after = moments[position + 1] if position + 1 < len(moments) else None
        between = text[moment.end : after.start] if after is not None else ""
        joined = re.fullmatch(r"\s*(?:-|–|to|and|until|through|bis|&)\s*", between)
        if (
            after is not None and joined and moment.year is None and after.year is not None
            and moment.hour is None and (moment.month or moment.quarter)
        ):  # fmt: skip
            fields = {name: value for name, value in moment.parts().items()}
            moment = Moment(
                moment.start, moment.end, moment.text, **(fields | {"year": after.year})
            )
        done.append(moment)
    return done


def read_moment(text: str) -> Moment | None:
    """Return the moment that the whole of `text` is; None where it is anything else."""
    found = find_moments(text)
    whole = len(found) == 1 and found[0].start == 0 and found[0].end == len(text.rstrip())
    return found[0] if whole else None
