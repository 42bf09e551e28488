"""Averages, and one number per another: revenue per rental, rentals a day."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import permutations, product
from typing import Final

from agent.evidence.deriving.changes import Worked
from agent.evidence.deriving.subsets import subsets
from agent.evidence.deriving.workings import Term, Workings
from agent.evidence.rows.cells import Table
from agent.evidence.rows.dates import dated_rows
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.mentions import Form
from agent.evidence.words import AVERAGE, TOTAL

_PER: Final = re.compile(r"\b(?:per|each|an?|every|apiece)\b", re.IGNORECASE)
_PER_TIME: Final = re.compile(r"\b(?:a|per|each|every) (?P<unit>day|week|month|year)\b")
_ASKED: Final = re.compile(
    r"\b(?:per|average|averages|mean|each|apiece|a head|typical\w*|aov|arpu|basket|"
    r"worth|rate|value)\b",
    re.IGNORECASE,
)
_DIVISORS: Final = (4, 7, 12, 24, 30, 52, 60, 100, 365, 366, 1000, 1024)
_EXACT: Final = 4
"""Digits from which on a figure is no average by chance."""
_MOST_ROWS: Final = 12
_MONTHLY: Final = re.compile(
    r"\b(?:per |each |every |average )(?P<unit>day|week|month|daily|weekly|monthly)\b",
    re.IGNORECASE,
)
_MEDIAN: Final = re.compile(r"\bmedian\b", re.IGNORECASE)

_OF_ALL: Final = re.compile(
    r"\b(?:average|mean)(?: of| is| was|:| \()?\s*(?:about |roughly |around )?$", re.IGNORECASE
)


def averages(work: Workings) -> Iterator[Worked]:
    """Yield the averages and rates that a figure may be."""
    near = f"{work.before[-30:]} {work.after[:30]}"
    says_per = _PER.search(near) or re.search(r"\bper\b", work.sentence)
    asked = _ASKED.search(work.ground.asked.text)
    is_total = TOTAL.search(f"{work.before[-40:]} # {re.split('[,;.(]', work.after)[0]}")
    asked = None if is_total else asked
    if not AVERAGE.search(work.sentence) and not (says_per or asked or _goes_on(work)):
        yield from _of_near(work)
        return
    for table in work.tables:
        rows = work.rows_of(work.bound, table)
        asked_rows = work.rows_of(work.asked, table) if asked else []
        named = {*work.rows_of(work.names, table), *asked_rows}
        rows = rows or sorted(named | set(_lone_rows(work, table) if named else ()))
        for column in table.measures:
            if work.suits(table, column):
                yield from _means(work, table, column, rows)
                if rows and _OF_ALL.search(work.before) and not _is_of_label(work):
                    yield from _means(work, table, column, [])
                if work.mention.digits > 2 and AVERAGE.search(work.sentence):
                    yield from _means_of_some(work, table, column)
                yield from _per_count(work, table, column, rows)
                yield from _per_time(work, table, column)


def _goes_on(work: Workings) -> bool:
    """Whether an exact figure goes on with what the last passage of its line speaks of: "East
    trails at $61.02" behind averages."""
    number, scenes = work.claim.scene, work.ground.scenes
    if work.mention.written < _EXACT or not number or not work.bound:
        return False
    last, own = scenes[number - 1], scenes[number]
    is_line = last.passage.line == own.passage.line and not own.is_row
    return is_line and bool(AVERAGE.search(last.text) or re.search(r"\bper\b", last.text))


def _of_near(work: Workings) -> Iterator[Worked]:
    """Yield a figure beside over a count beside: "$6.45 (90.24 over 14 invoices)"."""
    near = work.near if work.mention.written > 2 else []
    for one, other in permutations(near[-4:], 2):
        own, is_count = (one.table, one.column), other.meaning.holds is Holds.COUNT
        if is_count and work.suits(*own) and _is_quotient(work, own, one.value, other.value):
            yield f"{one.text} over {other.text}", None


def _means(work: Workings, table: Table, column: int, rows: Sequence[int]) -> Iterator[Worked]:
    name = f"{table.name}, {table.column_name(column)}"
    values = sorted(s.value for s in table.cells(column, rows)) if rows else table.values(column)
    if len(values) < 2:
        return
    total = table.sum_of(column, rows or range(len(table.rows)))
    if work.fits(total / len(values)):
        yield f"{name}, the average of {len(values)} rows", None
    middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
    if _MEDIAN.search(work.sentence) and work.fits_in(middle, table, column):
        yield f"{name}, the median of {len(values)} rows", None


def _is_of_label(work: Workings) -> bool:
    return any(name.dimension[0] == "label" for name in work.bound)


def _means_of_some(work: Workings, table: Table, column: int) -> Iterator[Worked]:
    """Yield the averages of the rows that the words list, count or choose: "the top three"."""
    for rows in subsets(work, table, only_bound=True):
        if len(rows) > 1 and work.fits(table.sum_of(column, rows) / len(rows)):
            yield f"{table.name}, {table.column_name(column)}, {len(rows)} rows on average", None


def _per_count(work: Workings, table: Table, column: int, rows: Sequence[int]) -> Iterator[Worked]:
    """Yield a number over a count: of the same row, of the totals, of another result."""
    is_single, own = len(table.rows) == 1, (table, column)
    for other, count in work.columns(Holds.COUNT):
        if other is table and count != column:
            for row in rows[:_MOST_ROWS] or _lone_rows(work, table):
                if _is_quotient(work, own, table.numbers[column][row], table.numbers[count][row]):
                    yield _name(table, column, count, table), _term(work, own, row)
            if not rows and _is_quotient(work, own, table.total(column), table.total(count)):
                yield _name(table, column, count, table), None
        elif other is not table and is_single and len(other.rows) == 1:
            top, bottom = table.numbers[column][0], other.numbers[count][0]
            if _is_quotient(work, own, top, bottom):
                yield _name(table, column, count, other), None


def _lone_rows(work: Workings, table: Table) -> Sequence[int]:
    """Return the rows that a figure may be about without naming them."""
    rows = len(table.rows)
    return range(rows) if rows == 1 or (work.mention.written > 3 and rows <= _MOST_ROWS) else ()


def _term(work: Workings, own: tuple[Table, int], row: int) -> Term:
    """Return a quotient as a number that growth may follow from."""
    return Term(work.mention.value, *own, row, work.mention.text)


def _is_quotient(
    work: Workings, own: tuple[Table, int], top: Decimal | None, bottom: Decimal | None
) -> bool:
    return top is not None and bool(bottom) and work.fits_in(top / (bottom or 1), *own)


def _name(table: Table, column: int, count: int, other: Table) -> str:
    return f"{table.name}, {table.column_name(column)} per {other.column_name(count)}"


def portions(work: Workings) -> Iterator[Worked]:
    """Yield what a percentage of a row stands for: "about 823 (7.9 % of 10,420)"."""
    for table in work.tables:
        own = work.bound or work.names or work.asked
        rows = work.rows_of(own, table) or _lone_rows(work, table)
        kinds = {column: table.meanings[column] for column in table.measures}
        counts = [c for c, m in kinds.items() if m.holds is Holds.COUNT and work.suits(table, c)]
        shares = [
            c for c, m in kinds.items()
            if m.holds in (Holds.PERCENT, Holds.RATIO) and not m.is_change
        ]  # fmt: skip
        for share, count, row in product(shares, counts, rows):
            part, whole = table.numbers[share][row], table.numbers[count][row]
            part = (part or Decimal(0)) * table.percent_factors[share] / 100
            if whole is not None and work.fits(part * whole):
                yield f"{table.name}, row {row + 1}, {table.column_name(share)} of it", None


def products(work: Workings) -> Iterator[Worked]:
    """Yield an average times what it is the average of: "about $4,800 (400 parcels at $12.00)"."""
    for table in work.tables:
        rows = work.rows_of(work.bound or work.names or work.asked, table)
        kinds = {column: table.meanings[column] for column in table.measures}
        counts = [c for c, m in kinds.items() if m.holds is Holds.COUNT]
        means = [c for c, m in kinds.items() if m.is_average and work.suits(table, c)]
        for mean, count, row in product(means, counts, rows if work.mention.written > 1 else ()):
            each, many = table.numbers[mean][row], table.numbers[count][row]
            if each is not None and many is not None and work.fits_in(each * many, table, mean):
                yield f"{table.name}, row {row + 1}, {table.column_name(mean)} in all", None


def unit_lengths(work: Workings) -> Iterator[Worked]:
    """Yield what a reckoning divides by: "228,550.40 / 12"."""
    is_divisor = re.search(r"[/÷×*]\s*$", work.before) and work.mention.form is Form.NUMBER
    if is_divisor and work.mention.value in _DIVISORS:
        yield "the length of a unit", None


def _per_time(work: Workings, table: Table, column: int) -> Iterator[Worked]:
    """Yield a number over the length of the period that its query asks for: 33 rentals a day."""
    match = _PER_TIME.search(work.after[:40]) or _MONTHLY.search(work.ground.asked.text)
    if match is None:
        return
    unit = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}.get(
        match["unit"].lower(), match["unit"].lower()
    )
    for value, days, months in _spans(work, table, column):
        spans = {"day": days, "week": days / 7, "month": months, "year": months / 12}
        if work.fits_in(value / spans[unit], table, column):
            yield f"{table.name}, {table.column_name(column)} per {unit}", None


def _spans(work: Workings, table: Table, column: int) -> Iterator[tuple[Decimal, Decimal, Decimal]]:
    """Yield a number with the days and months that it is the total of: a query's, a year's."""
    total = table.numbers[column][0] if len(table.rows) == 1 else table.total(column)
    if len(table.rows) > 1 and work.rows_of(work.bound, table):
        total = None  # "September: 16" is no part of the whole year
    for low, high in table.statement.scope_periods if total is not None else ():
        if low is not None and high is not None:
            months = (high.year - low.year) * 12 + high.month - low.month + 1
            yield total or Decimal(0), Decimal((high - low).days + 1), Decimal(months)
    rows = work.rows_of(work.bound or work.names or work.asked, table)
    for parts, about in dated_rows(table):
        own = table.numbers[column][min(about)] if set(parts) <= {"year", "decade"} else None
        if own is not None and len(about) == 1 and (about & set(rows)):
            yield own, Decimal(366 if parts["year"] % 4 == 0 else 365), Decimal(12)
