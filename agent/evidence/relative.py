"""Periods that a text names from where it stands: "last year", "the year before", "this month"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from agent.evidence.rows.names import Name, Register
from agent.evidence.scenes import Scene
from agent.evidence.text.moments import Moment

_PERIOD: Final = re.compile(
    r"\b(?P<before>last|previous|prior|preceding|past)[ -](?P<unit>year|month)\b"
    r"|\b(?P<this>this|current) (?P<unit2>year|month)\b"
    r"|\b(?:the |a )?(?P<unit3>year|month) (?:before|earlier|prior|ago)\b"
    r"|\bthe (?:following|next|subsequent) (?P<unit4>year|month)\b"
    r"|\b(?:the|a|one) (?P<unit5>year|month) (?:later|after)\b",
    re.IGNORECASE,
)
_DAY: Final = timedelta(days=1)


def with_relative(
    scene: Scene, register: Register, today: date | None, asked: Sequence[Moment]
) -> Scene:
    """Add the periods that a passage names by words such as "last year".

    They may count from the day of the question, or from a period that the passage or the question
    names; so such a name points at the rows of all of these.
    """
    if scene.is_row:
        return scene
    said = [n.moment for n in scene.names if n.moment is not None] + list(asked)
    found = []
    for match in _PERIOD.finditer(scene.text):
        moments = list(_moments(match, today, said))
        hits = [hit for m in moments for hit in register.of_moment(m).hits]
        if hits and not any(n.start < match.end() and match.start() < n.end for n in scene.names):
            said += moments[:1]
            span = (match.start(), match.end(), match[0])
            found.append(Name(*span, ("time", ""), tuple(hits), moment=moments[0]))
    names = sorted((*scene.names, *found), key=lambda n: (n.start, n.end))
    return replace(scene, names=tuple(names)) if found else scene


def _next(unit: str, said: Sequence[Moment]) -> Iterator[Moment]:
    """Yield the years or months that follow those that are named."""
    for year, month in ((m.year, m.month or 12) for m in said if m.year is not None):
        if unit == "year":
            yield Moment(0, 0, "", year=year + 1)
        else:
            yield Moment(0, 0, "", year=year + month // 12, month=month % 12 + 1)


def _moments(match: re.Match[str], today: date | None, said: Sequence[Moment]) -> Iterator[Moment]:
    later = match["unit4"] or match["unit5"]
    if later:
        yield from _next(later.lower(), said)
        return
    unit = (match["unit"] or match["unit2"] or match["unit3"]).lower()
    is_now = match["this"] is not None
    bases = [(today.year, today.month)] if today is not None else []
    if not is_now:
        now = today.year if today is not None else 0
        bases += [(m.year or now, m.month or 1) for m in said if m.year or (m.month and now)]
    for year, month in bases:
        if unit == "year":
            made = Moment(0, 0, "", year=year if is_now else year - 1)
        else:
            day = date(year, month, 1) - (timedelta(0) if is_now else _DAY)
            made = Moment(0, 0, "", year=day.year, month=day.month)
        yield made
