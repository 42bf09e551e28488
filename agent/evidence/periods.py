"""Dates, times and years: traced to cells, to the periods of the queries, to the question, to today."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal

from agent.evidence.columns import Holds
from agent.evidence.ground import Claim, Ground
from agent.evidence.moments import Moment, find_moments
from agent.evidence.statement import Statement

_RELATIVE = re.compile(
    r"\b(?:last|past|previous|this|current|today|yesterday|recent\w*|ago|since|now|so far|to date|latest)\b",
    re.IGNORECASE,
)


def moment_source(claim: Claim, ground: Ground) -> str:
    """Return what a date, a time or a period rests on, in words; "" where nothing has it."""
    moment = claim.mention.moment
    assert moment is not None
    for reading in (moment, *moment.either):
        source = _source(reading, claim, ground)
        if source:
            return source
    return ""


def _source(moment: Moment, claim: Claim, ground: Ground) -> str:
    for table in ground.tables:
        for column, moments in table.moments.items():
            for row, cell in enumerate(moments):
                if cell is not None and _covers(cell, moment):
                    return f"{table.name}, row {row + 1}, {table.column_name(column)}"
        for column in table.numbers:
            source = _in_calendar(moment, ground, table.number, column)
            if source:
                return source
    for table in ground.tables:
        if _in_statement(moment, table.statement, claim, ground):
            return f"a filter of query {table.number + 1}"
    if any(_agrees(moment, one) for one in ground.asked_moments):
        return "the question"
    return _of_today(moment, ground)


def _covers(cell: Moment, moment: Moment) -> bool:
    known = cell.parts()
    if "month" in known:
        known.setdefault("quarter", (known["month"] + 2) // 3)
        known.setdefault("half", (known["month"] + 5) // 6)
    if "year" in known:
        known.setdefault("decade", known["year"] // 10 * 10)
        if {"month", "day"} <= set(known):
            known["week"] = date(known["year"], known["month"], known["day"]).isocalendar()[1]
    wanted = moment.parts()
    if wanted.get("minute") == 0 and "minute" not in known:
        wanted.pop("minute")
    if cell.hour == 0 and cell.minute == 0 and wanted.get("hour") == 0:
        return False
    if wanted.get("day") == 1 and "day" not in known:
        wanted.pop("day")
    return bool(wanted) and all(known.get(name) == value for name, value in wanted.items())


def _in_calendar(moment: Moment, ground: Ground, table: int, column: int) -> str:
    """See to numbers that are parts of dates: a column `year`, `hour`, or revenue_2024's name."""
    one = ground.tables[table]
    meaning = one.meanings[column]
    if (
        moment.year is not None
        and not moment.month
        and not moment.quarter
        and str(moment.year) in one.column_name(column)
    ):
        return f"{one.name}, {one.column_name(column)}"
    if meaning.holds is not Holds.CALENDAR:
        return ""
    wanted = moment.parts()
    if wanted.get("minute") == 0 and meaning.unit == "hour":
        wanted.pop("minute")
    if "decade" in wanted and meaning.unit == "year":
        years = [v for v in one.numbers[column] if v is not None]
        return one.name if any(int(v) // 10 * 10 == wanted["decade"] for v in years) else ""
    value = wanted.pop(meaning.unit, None)
    if value is None or (wanted and not _rest_known(wanted, ground, table)):
        return ""
    values = one.numbers[column]
    row = next((r for r, v in enumerate(values) if v == value), None)
    if (
        row is None and meaning.unit == "hour"
    ):  # an hour ends where the next begins: "from 18:00 to 19:00"
        row = next((r for r, v in enumerate(values) if v is not None and v + 1 == value), None)
    return "" if row is None else f"{one.name}, row {row + 1}, {one.column_name(column)}"


def _rest_known(wanted: dict[str, int], ground: Ground, table: int) -> bool:
    one = ground.tables[table]
    for column in one.numbers:
        unit = one.meanings[column].unit
        if (
            one.meanings[column].holds is Holds.CALENDAR
            and Decimal(wanted.get(unit, -1)) in one.numbers[column]
        ):
            wanted = {name: value for name, value in wanted.items() if name != unit}
    if set(wanted) == {"year"}:
        return any(_year_inside(wanted["year"], span) for span in one.statement.periods)
    return not wanted


def _in_statement(moment: Moment, statement: Statement, claim: Claim, ground: Ground) -> bool:
    if any(
        _is_edge(moment, edge) for span in statement.periods for edge in _edges(span, claim, ground)
    ):
        return True
    for low, high in statement.periods:
        if _is_whole(moment, low, high):
            return True
        if (
            moment.year
            and len(moment.parts()) == 1
            and low
            and high
            and low.year <= moment.year <= high.year
        ):
            return True
    for one in statement.filters:
        words = one.column.split()
        if one.number is None:
            continue
        for unit in ("year", "month", "quarter", "hour", "week"):
            if unit in words and moment.parts() == {unit: int(one.number)}:
                return True
        if (
            moment.decade is not None
            and "year" in words
            and int(one.number) // 10 * 10 == moment.decade
        ):
            return True
        texts = [m for m in find_moments(one.text) if one.text and _agrees(moment, m)]
        if texts:
            return True
    texts = [f.text for f in statement.filters if f.text and f.day is None]
    return any(_agrees(moment, found) for text in texts for found in find_moments(text))


def _edges(span: tuple[date | None, date | None], claim: Claim, ground: Ground) -> Iterator[date]:
    low, high = span
    if low is not None:
        yield low
        if re.search(
            r"\b(?:after|until|till|up to|to|before|end of)\s*$", ground.before(claim), re.I
        ):
            yield low - timedelta(days=1)
    if high is not None:
        yield high
        if re.search(
            r"\b(?:before|until|till|up to|to|by|–|-)\s*(?:the )?$", ground.before(claim), re.I
        ):
            yield high + timedelta(days=1)


def _is_edge(moment: Moment, edge: date) -> bool:
    parts = moment.parts()
    known = {
        "year": edge.year,
        "month": edge.month,
        "day": edge.day,
        "quarter": (edge.month + 2) // 3,
        "half": (edge.month + 5) // 6,
    }
    return bool(parts) and all(known.get(name) == value for name, value in parts.items())


def _is_whole(moment: Moment, low: date | None, high: date | None) -> bool:
    """Whether a month or a quarter is all that a filter lets through."""
    if low is None or high is None:
        return False
    days = (high - low).days
    if moment.quarter and days < 95:
        return _is_edge(moment, low)
    return False


def _year_inside(year: int, span: tuple[date | None, date | None]) -> bool:
    low, high = span
    return (low is None or low.year <= year) and (high is None or year <= high.year)


def _agrees(moment: Moment, asked: Moment) -> bool:
    """Whether all that a date says is said by another one."""
    known = asked.parts()
    if "month" in known:
        known.setdefault("quarter", (known["month"] + 2) // 3)
    return all(known.get(name) == value for name, value in moment.parts().items())


def _of_today(moment: Moment, ground: Ground) -> str:
    today = ground.sources.today
    if today is None:
        return ""
    relative = bool(_RELATIVE.search(ground.sources.question)) or any(
        t.statement.is_relative for t in ground.tables
    )
    days = [today]
    if relative:
        days += [
            today - timedelta(days=1),
            date(today.year - 1, 12, 31),
            today.replace(day=1) - timedelta(days=1),
        ]
        spans = {int(n) for t in ground.tables for n in t.statement.numbers if 0 < n < 4000}
        days += [today - timedelta(days=n) for n in spans]
    parts = moment.parts()
    allowed = ("year",) if relative else ("year", "month", "day")
    for day in days:
        if (
            _is_edge(moment, day)
            and ("day" in parts or set(parts) <= {"year", "month"})
            and allowed
        ):
            return "the day of the question"
    return ""
