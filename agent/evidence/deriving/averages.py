"""Averages, and one number per another: revenue per rental, rentals a day."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from agent.evidence.deriving.changes import Worked
from agent.evidence.deriving.workings import Workings
from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.words import AVERAGE

_PER: Final = re.compile(r"\b(?:per|each|an?|every|apiece)\b", re.IGNORECASE)
_PER_TIME: Final = re.compile(r"\b(?:a|per|each|every) (?P<unit>day|week|month|year)\b")
_MEDIAN: Final = re.compile(r"\bmedian\b", re.IGNORECASE)


def averages(work: Workings) -> Iterator[Worked]:
    """Yield the averages and rates that a figure may be."""
    near = f"{work.before[-30:]} {work.after[:30]}"
    says_per = _PER.search(near) or re.search(r"\bper\b", work.sentence)
    if not AVERAGE.search(work.sentence) and not says_per:
        return
    for table in work.tables:
        rows = work.rows_of(work.bound, table) or work.rows_of(work.names, table)
        for column in table.measures:
            if work.suits(table, column):
                yield from _means(work, table, column, rows)
                yield from _per_count(work, table, column, rows)
                yield from _per_time(work, table, column)


def _means(work: Workings, table: Table, column: int, rows: Sequence[int]) -> Iterator[Worked]:
    name = f"{table.name}, {table.column_name(column)}"
    values = sorted(s.value for s in table.cells(column, rows)) if rows else table.values(column)
    if len(values) < 2:
        return
    total = table.sum_of(column, rows or range(len(table.rows)))
    if work.fits(total / len(values)):
        yield f"{name}, the average of {len(values)} rows", None
    middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
    if _MEDIAN.search(work.sentence) and work.fits(middle):
        yield f"{name}, the median of {len(values)} rows", None


def _per_count(work: Workings, table: Table, column: int, rows: Sequence[int]) -> Iterator[Worked]:
    """Yield a number over a count: of the same row, of the totals, of another result."""
    is_single = len(table.rows) == 1
    for other, count in work.columns(Holds.COUNT):
        if other is table and count != column:
            for row in rows[:6] or ([0] if is_single else []):
                if _is_quotient(work, table.numbers[column][row], table.numbers[count][row]):
                    yield _name(table, column, count, table), None
            if not rows and _is_quotient(work, table.total(column), table.total(count)):
                yield _name(table, column, count, table), None
        elif other is not table and is_single and len(other.rows) == 1:
            top, bottom = table.numbers[column][0], other.numbers[count][0]
            if _is_quotient(work, top, bottom):
                yield _name(table, column, count, other), None


def _is_quotient(work: Workings, top: Decimal | None, bottom: Decimal | None) -> bool:
    return top is not None and bool(bottom) and work.fits(top / (bottom or 1))


def _name(table: Table, column: int, count: int, other: Table) -> str:
    return f"{table.name}, {table.column_name(column)} per {other.column_name(count)}"


def _per_time(work: Workings, table: Table, column: int) -> Iterator[Worked]:
    """Yield a number over the length of the period that its query asks for: 33 rentals a day."""
    match = _PER_TIME.search(work.after[:40])
    total = table.numbers[column][0] if len(table.rows) == 1 else table.total(column)
    for low, high in table.statement.scope_periods:
        if match is None or total is None or low is None or high is None:
            continue
        days = Decimal((high - low).days + 1)
        months = Decimal((high.year - low.year) * 12 + high.month - low.month + 1)
        spans = {"day": days, "week": days / 7, "month": months, "year": months / 12}
        if work.fits(total / spans[match["unit"]]):
            yield f"{table.name}, {table.column_name(column)} per {match['unit']}", None
