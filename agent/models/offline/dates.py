"""Dates and periods in a question: "in March 2024", "last quarter", "since 2023", "Q3 2024"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Final

from agent.models.offline.date_words import PATTERNS
from agent.models.offline.periods import FoundPeriod, Period


def find_periods(text: str, today: date, *, ranges: bool = True) -> tuple[FoundPeriod, ...]:
    """Return the periods that `text` names, in the order of the text, with their connectors.

    Without `ranges`, "between 2024 and 2025" stays two periods: they are compared.
    """
    low = text.lower()
    found: list[FoundPeriod] = []
    for pattern, read in PATTERNS:
        for match in pattern.finditer(low):
            if any(match.start() < f.end and f.start < match.end() for f in found):
                continue
            period = read(match, today)
            if period is not None:
                found.append(FoundPeriod(match.start(), match.end(), period))
    return _connect(low, sorted(found, key=lambda f: f.start), ranges)


_OPENERS: Final = (
    (
        re.compile(
            r"\b(?:since|starting (?:in|from|on)|beginning (?:in|with))(?: the)? (?:start "
            r"of |beginning of )?$"
        ),
        "since",
    ),
    (
        re.compile(
            r"\b(?:after|later than|newer than|younger than)(?: the)? (?:start of |beginning of )?$"
        ),
        "after",
    ),
    (re.compile(r"\b(?:before|earlier than|older than|prior to)(?: the)? $"), "before"),
    (re.compile(r"\b(?:until|till|up to|through|by the end of)(?: the)? (?:end of )?$"), "until"),
    (re.compile(r"\b(?:in|during|for|from|on|of|within|over|throughout|at)(?: the)? $"), "in"),
)

_CLOSERS: Final = re.compile(r"^ (?:or|and) (?:later|after|onwards?|newer)|^ onwards?")


def _connect(text: str, found: list[FoundPeriod], ranges: bool) -> tuple[FoundPeriod, ...]:
    joined: list[FoundPeriod] = []
    position = 0
    while position < len(found):
        here = found[position]
        if (
            ranges
            and position + 1 < len(found)
            and (span := _range(text, here, found[position + 1]))
        ):
            joined.append(span)
            position += 2
            continue
        joined.append(_opened(text, here))
        position += 1
    return tuple(joined)


def _range(text: str, first: FoundPeriod, second: FoundPeriod) -> FoundPeriod | None:
    """Read "from X to Y", "between X and Y", "X to Y" and "X - Y"."""
    between = text[first.end : second.start]
    before = re.search(r"\b(?:between|from)(?: the)? $", text[: first.start])
    dash = re.fullmatch(r" ?(?:to|until|till|through|up to|-|–|—)(?: the)? ?", between)
    if not (dash or (before and re.fullmatch(r" and(?: the)? ", between))):
        return None
    if first.period.low is None or second.period.high is None:
        return None
    start = before.start() if before else first.start
    label = f"{first.period.label} to {second.period.label}"
    return FoundPeriod(start, second.end, Period(label, first.period.low, second.period.high))


def _opened(text: str, found: FoundPeriod) -> FoundPeriod:
    period, end = found.period, found.end
    opener = next(
        (
            (m.start(), word)
            for pattern, word in _OPENERS
            if (m := pattern.search(text[: found.start]))
        ),
        (found.start, "in"),
    )
    start, word = opener
    if word == "in" and (match := _CLOSERS.match(text[end:])):
        return FoundPeriod(start, end + match.end(), _bounded(period, "since", text))
    return FoundPeriod(start, end, _bounded(period, word, text))


def _bounded(period: Period, word: str, text: str) -> Period:
    if period.low is None or period.high is None or word == "in":
        return period
    label = f"{word} {period.label}"
    match word:
        case "since":
            return replace(period, label=label, high=None, unit="")
        case "after":
            # "after the start of September" includes it; "after 2024" begins in 2025.
            inclusive = re.search(r"after (?:the )?(?:start|beginning) of", text) is not None
            low = period.low if inclusive else period.high
            return replace(period, label=label, low=low, high=None, unit="")
        case "before":
            return replace(period, label=label, low=None, high=period.low, unit="")
        case _:
            return replace(period, label=label, low=None, unit="")
