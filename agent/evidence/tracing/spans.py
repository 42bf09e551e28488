"""Lengths of time between dates: "nearly two years" from the first to the last rental."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import combinations, groupby, pairwise
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.order.ranking import columns_of
from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.mentions import Form
from agent.evidence.text.moments import Moment
from agent.evidence.text.units import TIME_UNITS
from agent.evidence.words import FELL, ROSE

_DAY: Final = timedelta(days=1)
_MOST_ROWS: Final = 3
"""Rows up to which any row's dates may be meant without naming it."""
_IN_A_ROW: Final = re.compile(
    r"(?:\s*\w+)? (?:in a row|running|straight|in succession)\b|\s*(?:straight|consecutive)\b",
    re.IGNORECASE,
)
_IN_PERIOD: Final = {
    ("quarter", "month"): 3, ("half", "month"): 6, ("half", "quarter"): 2, ("year", "month"): 12,
    ("year", "quarter"): 4,
}  # fmt: skip
_STEPS: Final = ("year", "quarter", "month", "week", "day", "hour")


def is_run(claim: Claim, ground: Ground) -> bool:
    """Whether a number says how often in a row a series rose or fell."""
    mention = claim.mention
    is_period = bool(mention.unit) or mention.noun in ("quarter", *_STEPS)
    is_length = mention.form in (Form.TIME, Form.NUMBER) and is_period
    return (
        is_length
        and any(t.is_series for t in ground.tables)
        and bool(_IN_A_ROW.match(ground.rest(claim)))
    )


def span_source(claim: Claim, ground: Ground) -> str:
    """Return between which dates a length of time lies, in words; "" for none."""
    mention = claim.mention
    if mention.noun == "quarter" and mention.form is Form.NUMBER:
        unit = 3 * TIME_UNITS["month"]
    elif mention.form is Form.TIME and TIME_UNITS.get(mention.unit):
        unit = TIME_UNITS[mention.unit]
    else:
        return ""
    lengths = () if is_run(claim, ground) else _lengths(claim, ground)
    for length, source in lengths:
        value = Decimal(length.total_seconds()) / unit
        is_full = not mention.hedge and int(value) == mention.value  # full years, so far
        if is_full or any(r.holds(value) for r in mention.ranges):
            return source
    for count, source in (*_parts(claim, ground), *_steps(claim, ground)):
        if any(r.holds(Decimal(count)) for r in mention.ranges):
            return source
    return ""


def _lengths(claim: Claim, ground: Ground) -> Iterator[tuple[timedelta, str]]:
    for table in ground.tables:
        source = f"{table.name}, the time between its dates"
        yield from ((length, source) for length in _in_rows(claim, table))
    near = ground.scenes[max(0, claim.scene - 1) : claim.scene + 1]
    said = [f.moment for scene in near for f in scene.figures if f.moment is not None]
    for moments, source in ((said, "the dates beside it"), (ground.asked_moments, "the question")):
        days = [day for m in moments if (day := _time_of(m)) is not None]
        yield from ((abs(b - a), source) for a, b in combinations(days, 2))
    for table in ground.tables:
        for low, high in table.statement.periods:
            if low is not None and high is not None:
                yield high - low + _DAY, f"the period of query {table.number + 1}"


def _in_rows(claim: Claim, table: Table) -> Iterator[timedelta]:
    """Yield the time between dates of one row, and from the first to the last of a column."""
    times = {c: [_time_of(m) for m in moments] for c, moments in table.moments.items()}
    named = {row for group in claim.groups for name in group for row in name.rows(table.number)}
    rows = named or (set(range(len(table.rows))) if len(table.rows) <= _MOST_ROWS else set())
    for row in rows:
        known = [t for column in times.values() if (t := column[row]) is not None]
        yield from (abs(b - a) for a, b in combinations(known, 2))
    for column in times.values():
        every = [t for t in column if t is not None]
        some = [t for row in sorted(named) if (t := column[row]) is not None]
        for chosen in (every, some):
            if len(chosen) > 1:
                yield max(chosen) - min(chosen)


def _time_of(moment: Moment | None) -> datetime | None:
    if moment is None or moment.year is None:
        return None
    day = (moment.year, moment.month or 1, moment.day or 1)
    try:
        return datetime(*day, moment.hour or 0, moment.minute or 0)
    except ValueError:  # a text of a row may look like a date and be none
        return None


def _parts(claim: Claim, ground: Ground) -> Iterator[tuple[int, str]]:
    """Yield how many months or quarters a period has that a passage names: "all three months"."""
    unit = claim.mention.unit or claim.mention.noun
    if re.search(r"\b(?:all|the|its|each of the) $", ground.before(claim)[-15:]):
        for name in ground.scene_of(claim).names:
            parts = name.moment.parts() if name.moment is not None else {}
            finest = next((p for p in ("month", "quarter", "half", "year") if p in parts), "")
            if (finest, unit) in _IN_PERIOD:
                yield _IN_PERIOD[finest, unit], f"the {unit}s of {name.text}"


def _steps(claim: Claim, ground: Ground) -> Iterator[tuple[int, str]]:
    """Yield how many steps a series has, all of it and between the rows that a passage names."""
    names = [n for n in ground.scene_of(claim).pointing if n.dimension[0] == "time"]
    for table in ground.tables:
        unit = claim.mention.unit or claim.mention.noun
        if not table.is_series or unit not in _units(table):
            continue
        source = f"{table.name}, its {unit}s"
        if _IN_A_ROW.match(ground.rest(claim)):
            said = ground.text(claim)[: claim.mention.start]
            fell = max((m.end() for m in FELL.finditer(said)), default=-1)
            rose = max((m.end() for m in ROSE.finditer(said)), default=-1)
            sign = (rose > fell) - (fell > rose)
            yield from (
                (run, source) for run, way in _runs(table, ground.text(claim)) if sign in (0, way)
            )
            continue
        yield len(table.rows), source
        rows = sorted({min(r) for n in names if len(r := n.rows(table.number)) == 1})
        for first, last in combinations(rows, 2):
            yield last - first, source
            yield last - first + 1, source


def _runs(table: Table, text: str) -> Iterator[tuple[int, int]]:
    """Yield how often in a row each measure rose or fell, and 1 or -1 for the way."""
    for column in columns_of(table, text):
        values = [v for v in table.numbers[column] if v is not None]
        signs = [(b > a) - (b < a) for a, b in pairwise(values)]
        if table.meanings[column].is_change:
            signs = [(v > 0) - (v < 0) for v in values]
        yield from ((len(list(run)), sign) for sign, run in groupby(signs) if sign)


def _units(table: Table) -> set[str]:
    """Return what one row of a series stands for."""
    found = {m.unit for m in table.meanings if m.holds is Holds.CALENDAR}
    for moments in table.moments.values():
        parts = {name for m in moments if m is not None for name in m.parts()}
        firsts = all(m is None or m.day in (None, 1) for m in moments)
        fine = [s for s in reversed(_STEPS) if s in parts and not (s == "day" and firsts)]
        fine = [s for s in fine if s != "hour" or any(m is not None and m.hour for m in moments)]
        found |= set(fine[:1])
        days = [t for m in moments if (t := _time_of(m)) is not None]
        if len(days) > 1 and all(b - a == 7 * _DAY for a, b in pairwise(days)):
            found.add("week")
        if len(days) > 2 and all(t.day == 1 and t.month % 3 == 1 for t in days):
            found.add("quarter")
    return found
