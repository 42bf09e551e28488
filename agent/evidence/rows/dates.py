"""The dates of rows, and which of them a date in a text means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from weakref import WeakKeyDictionary

from sqlglot import exp

from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.moments import Moment, moment_of

Dated = list[tuple[dict[str, int], frozenset[int]]]
"""The parts of a date, and the rows that are about it."""


_ORDER: Final = ("year", "quarter", "month", "week", "day", "hour")


_DATED: Final[WeakKeyDictionary[Table, Dated]] = WeakKeyDictionary()


def dated_rows(table: Table) -> Dated:
    """Return the dates that rows are about, each with its rows; a group's date, no aggregate's."""
    if table not in _DATED:
        _DATED[table] = _dated_rows(table)
    return _DATED[table]


def _dated_rows(table: Table) -> Dated:
    found: dict[tuple[tuple[str, int], ...], set[int]] = {}
    for row, parts in _row_dates(table):
        found.setdefault(tuple(parts.items()), set()).add(row)
    return [
        (moment_of(0, 0, "", dict(parts)).all_parts(), frozenset(rows))
        for parts, rows in found.items()
    ]


def _row_dates(table: Table) -> Iterator[tuple[int, dict[str, int]]]:
    for column, moments in table.moments.items():
        if not _is_aggregate(table, column):
            for row, moment in enumerate(moments):
                if moment is not None:
                    yield row, moment.parts()
    calendar = [c for c in table.numbers if table.meanings[c].holds is Holds.CALENDAR]
    chosen = chosen_parts(table)
    for row in range(len(table.rows) if calendar else 0):
        values = ((table.meanings[c].unit, table.numbers[c][row]) for c in calendar)
        yield row, chosen | {unit: int(value) for unit, value in values if value is not None}


def _is_aggregate(table: Table, column: int) -> bool:
    outputs = table.statement.outputs
    return column < len(outputs) and outputs[column].find(exp.AggFunc) is not None


def matches(wanted: dict[str, int], known: dict[str, int]) -> bool:
    """Whether a row's date is the one that a text names.

    A year that the rows do not have is let pass, and so are the first of a month, and the 0 and 59
    minutes that begin and end an hour.
    """
    if set(wanted) == {"year"} and "year" not in known:
        return False
    is_midnight = wanted.get("hour") == 0 and wanted.get("minute") == 0
    for name, value in wanted.items():
        silent = (name == "minute" and value in (0, 59)) or (name == "day" and value == 1)
        silent = silent or (name == "hour" and is_midnight)
        if name in known:
            if known[name] != value:
                return False
        elif name != "year" and not silent:
            return False
    return True


def chosen_parts(table: Table) -> dict[str, int]:
    """Return the parts of dates by which all rows are chosen: `extract(month from day) = 12`."""
    return {
        unit: int(one.number)
        for one in table.statement.filters
        for unit in one.column.split()[-1:]
        if one.is_scope and one.op == "=" and unit in _ORDER and one.number is not None
    }


def rows_beside(dated: Dated, moment: Moment, word: str) -> frozenset[int]:
    """Return the rows that lie before, until, after or since a moment, as `word` says."""
    wanted = moment.parts()
    keys = [key for key in _ORDER if key in wanted]
    ends = tuple(wanted[key] for key in keys)
    if not keys or ("year" not in wanted and len({k.get("year") for k, _ in dated}) > 1):
        return frozenset()
    found: set[int] = set()
    for known, rows in dated:
        parts = known if keys != ["year"] else {"year": known.get("decade", 0)} | known
        if all(key in parts for key in keys):
            own = tuple(parts[key] for key in keys)
            is_same = own == ends and word in ("until", "till", "through", "up to", "since", "from")
            is_later = word in ("since", "from", "after", "starting", "beginning")
            if is_same or (own > ends if is_later else own < ends):
                found |= rows
    return frozenset(found)


def lies_in(moment: Moment, table: Table) -> bool:
    """Whether a year or a month is the period by which all rows of a result are chosen."""
    for low, high in table.statement.scope_periods:
        if low is None or high is None or moment.year is None or moment.day is not None:
            continue
        same_year = low.year == high.year == moment.year
        if same_year and moment.month in (None, low.month) and moment.month in (None, high.month):
            return True
    return False
