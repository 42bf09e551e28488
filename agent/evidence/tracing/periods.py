"""Dates, times and years: of cells, of the periods of queries, of the question, of today."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final
from weakref import WeakKeyDictionary

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Table
from agent.evidence.rows.dates import chosen_parts, matches
from agent.evidence.rows.meanings import Holds
from agent.evidence.rows.statement import Filter, Statement
from agent.evidence.text.moments import Moment, find_moments, moment_of
from agent.evidence.text.nouns import words

_RELATIVE: Final = re.compile(
    r"\b(?:last|past|previous|this|current|today|yesterday|recent\w*|ago|since|now|so far|to date|"
    r"latest)\b",
    re.IGNORECASE,
)
_BEFORE_LOW: Final = re.compile(r"\b(?:after|until|till|up to|to|before|end of)\s*$", re.IGNORECASE)
_AFTER_HIGH: Final = re.compile(
    r"\b(?:before|until|till|up to|to|by)\s*(?:the )?$|[–-]\s*$", re.IGNORECASE
)
_OPEN: Final = re.compile(r"\b(?:before|since|until|after|from)\s*$", re.IGNORECASE)
_FIRST: Final = words("first earliest oldest min start started begin began since")
_LAST: Final = words("last latest newest max end ended recent recently finally")
_QUARTER_DAYS: Final = 95
_DAY: Final = timedelta(days=1)
_CALENDARS: Final[WeakKeyDictionary[Table, list[tuple[int, int, dict[str, int]]]]] = (
    WeakKeyDictionary()
)


def moment_source(claim: Claim, ground: Ground) -> str:
    """Return what a date, a time or a period rests on, in words; "" where nothing has it."""
    moment = claim.mention.moment
    readings = (moment, *moment.either) if moment is not None else ()
    return next((source for one in readings if (source := _source(one, claim, ground))), "")


def _source(moment: Moment, claim: Claim, ground: Ground) -> str:
    before = ground.before(claim)
    for table in ground.tables:
        for place in _in_rows(moment, table, before):
            return place
    for table in ground.tables:
        if _in_statement(moment, table.statement, before):
            return f"a filter of query {table.number + 1}"
    if _OPEN.search(before) and _is_decade_edge(moment, ground):
        return "the decades of the rows"
    if any(_agrees(moment, asked) for asked in ground.asked_moments):
        return "the question"
    return "the day of the question" if _is_of_today(moment, ground) else ""


def _is_decade_edge(moment: Moment, ground: Ground) -> bool:
    """Whether a year begins a decade that is in the rows: "before 1980", "since 1990"."""
    decades = (
        m.decade for t in ground.tables for ms in t.moments.values() for m in ms if m is not None
    )
    return set(moment.parts()) == {"year"} and moment.year in decades


def _is_other_end(table: Table, column: int, before: str) -> bool:
    """Whether "last on" stands before a date of a column called first_rental, or the reverse."""
    said = set(re.findall(r"[a-z]+", before[-40:].lower()))
    own = table.meanings[column].words
    for mine, other in ((_FIRST, _LAST), (_LAST, _FIRST)):
        if own & mine and said & other and not said & mine:
            return any(m.words & other for c, m in enumerate(table.meanings) if c in table.moments)
    return False


def _in_rows(moment: Moment, table: Table, before: str) -> Iterator[str]:
    wanted = moment.parts()
    for column, moments in table.moments.items():
        if _is_other_end(table, column, before):
            continue
        for row, cell in enumerate(moments):
            if cell is not None and _is_cell(wanted, cell, table):
                yield f"{table.name}, row {row + 1}, {table.column_name(column)}"
    for column in table.numbers:
        is_year_name = set(wanted) == {"year"} and str(moment.year) in table.column_name(column)
        if is_year_name:
            yield f"{table.name}, {table.column_name(column)}"
    yield from _in_calendar(wanted, table)


def _is_cell(wanted: dict[str, int], cell: Moment, table: Table) -> bool:
    known = cell.all_parts()
    if known.get("hour") == 0 and known.get("minute") == 0:
        del known["hour"], known["minute"]  # midnight stands for the whole day
    return matches(wanted, known) and _knows_year(wanted, known, table)


def _knows_year(wanted: dict[str, int], known: dict[str, int], table: Table) -> bool:
    """Whether a year that the rows leave open is one that the query chooses."""
    if "year" not in wanted or "year" in known:
        return True
    year = wanted["year"]
    return any(
        (low is None or low.year <= year) and (high is None or year <= high.year)
        for low, high in table.statement.periods
    )


def _calendar(table: Table) -> Iterator[tuple[int, int, dict[str, int]]]:
    """Yield the row and the column of each part of a date, with all that the row says of it."""
    calendar = [c for c in table.numbers if table.meanings[c].holds is Holds.CALENDAR]
    chosen = chosen_parts(table) if calendar else {}
    for row in range(len(table.rows) if calendar else 0):
        values = {c: int(v) for c in calendar if (v := table.numbers[c][row]) is not None}
        parts = chosen | {table.meanings[c].unit: v for c, v in values.items()}
        for column, value in values.items():
            own = parts | {table.meanings[column].unit: value}
            yield row, column, moment_of(0, 0, "", own).all_parts()


def _in_calendar(wanted: dict[str, int], table: Table) -> Iterator[str]:
    """Yield the rows whose columns of parts of dates (year, month, hour) make up a date."""
    if table not in _CALENDARS:
        _CALENDARS[table] = list(_calendar(table))
    at_end: list[str] = []
    for row, column, known in _CALENDARS[table]:
        # An hour ends where the next begins: "from 18:00 to 19:00".
        ends = {**known, "hour": known["hour"] + 1} if "hour" in known else known
        if matches(wanted, known) and _knows_year(wanted, known, table):
            yield f"{table.name}, row {row + 1}, {table.column_name(column)}"
        elif matches(wanted, ends) and _knows_year(wanted, ends, table):
            at_end.append(f"{table.name}, row {row + 1}, {table.column_name(column)}")
    yield from at_end


def _in_statement(moment: Moment, statement: Statement, before: str) -> bool:
    for low, high in statement.periods:
        if any(_is_day(moment, edge) for edge in _edges(low, high, before)):
            return True
        if low is None or high is None:
            continue
        if set(moment.parts()) == {"year"} and low.year <= (moment.year or 0) <= high.year:
            return True
        if moment.quarter and (high - low).days < _QUARTER_DAYS and _is_day(moment, low):
            return True
    return any(_in_filter(moment, one) for one in statement.filters)


def _edges(low: date | None, high: date | None, before: str) -> Iterator[date]:
    """Yield the first and the last day of a period, and the days just outside where so said."""
    if low is not None:
        yield low
        if _BEFORE_LOW.search(before):
            yield low - _DAY
    if high is not None:
        yield high
        if _AFTER_HIGH.search(before):
            yield high + _DAY


def _is_day(moment: Moment, day: date) -> bool:
    """Whether all that a moment names is true of a day."""
    parts = moment.parts()
    known = moment_of(0, 0, "", {"year": day.year, "month": day.month, "day": day.day}).all_parts()
    return bool(parts) and all(known.get(name) == value for name, value in parts.items())


def _in_filter(moment: Moment, one: Filter) -> bool:
    """See to filters on parts of dates and on texts: `year = 2025`, `month = '2025-03'`."""
    if one.number is not None:
        value, parts = int(one.number), moment.parts()
        if any(parts == {unit: value} for unit in one.column.split()):
            return True
        is_decade = moment.decade is not None and "year" in one.column.split()
        return is_decade and value // 10 * 10 == moment.decade
    texts = find_moments(one.text) if one.text and one.day is None else []
    return any(_agrees(moment, found) for found in texts)


def _agrees(moment: Moment, asked: Moment) -> bool:
    """Whether all that a date says is said by another one."""
    known = asked.all_parts()
    return all(known.get(name) == value for name, value in moment.parts().items())


def _is_of_today(moment: Moment, ground: Ground) -> bool:
    """Whether a date is today's, or follows from it: last year, 30 days ago."""
    today = ground.sources.today
    if today is None:
        return False
    days = [today]
    relative = any(t.statement.is_relative for t in ground.tables)
    if relative or _RELATIVE.search(ground.sources.question):
        days += [today - _DAY, date(today.year - 1, 12, 31), today.replace(day=1) - _DAY]
        spans = {int(n) for t in ground.tables for n in t.statement.numbers if 0 < n < 4000}
        days += [today - timedelta(days=n) for n in spans]
    return any(_is_day(moment, day) for day in days)
