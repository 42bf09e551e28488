"""What a follow-up takes over from the question before it: values, numbers, periods."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from agent.models.offline.draft import Compare, Draft, Missing
from agent.models.offline.periods import Period

_SWAPS: Final = re.compile(r"\b(?:what about|how about|instead|same)\b|^\s*and\b", re.IGNORECASE)
_STEP: Final = re.compile(
    r"\b(?:the )?(?P<unit>day|week|month|quarter|year) (?:before|after)\W*$|"
    r"\b(?:the )?(?:previous|prior|preceding|following) (?P<unit2>day|week|month|quarter|year)\b",
    re.IGNORECASE,
)
_SAFE_DAY: Final = 28
"""Every month has this day."""


def without_step(text: str) -> str:
    """Return a message without "the month before", which only tells how far to move."""
    return _STEP.sub(" ", text)


def with_conditions_of(draft: Draft, after: Draft) -> Draft:
    """Return `draft` with the conditions that the next message adds or changes."""
    turn = 1 + max((value.turn for value in draft.values), default=0)
    swaps = bool(_SWAPS.search(after.text))
    new = tuple(replace(value, turn=turn, swaps=swaps) for value in after.values)
    draft = replace(draft, values=(*draft.values, *new))
    if shifted := _shifted(draft.periods, after.text):
        draft = replace(draft, periods=shifted)
    elif after.periods:
        draft = replace(
            draft,
            periods=_periods(draft, after),
            period_near=after.period_near or draft.period_near,
        )
    return replace(
        draft,
        compares=_compares(draft, after),
        likes=(*draft.likes, *after.likes),
        missing=_missing(draft, after),
        row_numbers=_row_numbers(draft, after),
        mentions=(*draft.mentions, *after.mentions),
    )


def _compares(draft: Draft, after: Draft) -> tuple[Compare, ...]:
    """Let a bare number take the place of the last one: and over 145?"""
    if not (draft.compares and after.compares):
        return (*draft.compares, *after.compares)
    last, new = draft.compares[-1], after.compares[0]
    bare = new.noun is None and new.measure is None and not new.concept and not new.unit
    if not bare:
        return (*draft.compares, *after.compares)
    merged = replace(last, op=new.op, number=new.number, upper=new.upper)
    return (*draft.compares[:-1], merged)


def _missing(draft: Draft, after: Draft) -> tuple[Missing, ...]:
    """Let an adjective take the place of its opposite: and inactive?"""
    new = {(link.table, link.column) for m in after.missing for link in m.noun.links if link.column}
    kept = [m for m in draft.missing if not new & {(k.table, k.column) for k in m.noun.links}]
    return (*kept, *after.missing)


def _row_numbers(draft: Draft, after: Draft) -> tuple:  # type: ignore[type-arg]
    new = {r.noun.best.table for r in after.row_numbers}
    return (*(r for r in draft.row_numbers if r.noun.best.table not in new), *after.row_numbers)


def _periods(draft: Draft, after: Draft) -> tuple[Period, ...]:
    repeats = all(p.months or p.weekdays for p in after.periods)
    had_ranges = [p for p in draft.periods if p.low or p.high]
    if not repeats:
        return after.periods
    if any(p.unit in ("month", "day", "week") for p in had_ranges):
        # December, said after November 2025, is that of 2025.
        years = {p.low.year for p in had_ranges if p.low}
        months = [month for p in after.periods for month in p.months]
        if len(years) == 1 and months and not any(p.weekdays for p in after.periods):
            return tuple(_month_of(min(years), month) for month in months)
    return (*had_ranges, *after.periods)


def _month_of(year: int, month: int) -> Period:
    low = date(year, month, 1)
    return Period(f"{low:%B %Y}", low, _moved(low, 1), unit="month")


def _moved(day: date, months: int) -> date:
    """Return the day `months` later, which must be no later in its month than the 28th."""
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, day.day)


def _shifted(periods: tuple[Period, ...], text: str) -> tuple[Period, ...]:
    """Read "the month before" as one step from the period that was asked about."""
    match = _STEP.search(text)
    if match is None or len(periods) != 1:
        return ()
    period, unit = periods[0], (match["unit"] or match["unit2"]).lower()
    low, high = period.low, period.high
    if low is None or high is None or low.day > _SAFE_DAY or high.day > _SAFE_DAY:
        return ()
    back = re.search("before|previous|prior|preceding", match[0], re.IGNORECASE) is not None
    sign = -1 if back else 1
    if unit in ("day", "week"):
        step = timedelta(days=sign * (7 if unit == "week" else 1))
        low, high = low + step, high + step
    else:
        months = sign * {"month": 1, "quarter": 3, "year": 12}[unit]
        low, high = _moved(low, months), _moved(high, months)
    return (Period(_named(low, high, period.unit), low, high, unit=period.unit),)


def _named(low: date, high: date, unit: str) -> str:
    if unit == "month":
        return f"{low:%B %Y}"
    if unit == "year":
        return str(low.year)
    last = high - timedelta(days=1)
    return f"{low.day} {low:%B %Y} to {last.day} {last:%B %Y}" if last != low else f"{low}"
