"""Pairs of numbers of one kind that a passage compares: the earlier one, then the later."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from agent.evidence.deriving.subjects import has_object, is_against
from agent.evidence.deriving.workings import Term, Workings, is_of_other_row
from agent.evidence.rows.cells import Table
from agent.evidence.rows.pivots import is_older
from agent.evidence.text.mentions import Form
from agent.evidence.words import AVERAGE, TOGETHER, TOTAL

Pair = tuple[Term, Term]

_MOST_ROWS: Final = 14
_MOST_FIGURES: Final = 6
_MOST_ASKED: Final = 3
_MOST_RESULTS: Final = 8
_YEAR_BEFORE: Final = re.compile(
    r"\b(?:year[- ](?:before|earlier|ago|on[- ]year|over[- ]year)|(?:last|previous|prior) year|"
    r"yoy|same (?:month|quarter|period))\b",
    re.IGNORECASE,
)


def pairs(work: Workings) -> Iterator[Pair]:
    """Yield the pairs that a difference, a growth rate or a ratio may be made of."""
    for one, other in _all_pairs(work):
        if not _is_of_other_row(work, one, other) and is_against(work, one, other):
            yield one, other


def _is_of_other_row(work: Workings, one: Term, other: Term) -> bool:
    """Whether a pair lies within one row, and the figure belongs to another: "Porto gained"."""
    if one.table is not other.table or not is_of_other_row(work, one):
        return False
    is_growth = work.mention.form is Form.PERCENT and not has_object(work)
    return one.row == other.row or (is_growth and is_of_other_row(work, other))


def _all_pairs(work: Workings) -> Iterator[Pair]:
    near = work.near
    yield from _alike(near[-_MOST_FIGURES:])
    for table in work.tables:
        rows = work.rows_of(work.names, table) or work.rows_of(work.bound, table)
        asked = work.rows_of(work.asked, table)
        asked = [asked[0], asked[-1]] if len(asked) > _MOST_ASKED else asked
        own = rows if len(rows) == 1 else work.rows_of(work.bound, table)
        own = own if rows or work.names else asked[:1] if len(asked) == 1 else []
        for column in table.measures:
            if len(asked) > 1 and not rows:
                yield from _alike(work.cells(table, column, asked))
            elif asked and rows:
                yield from _with_asked(work, table, column, rows[:_MOST_FIGURES], asked)
            spans = _spans(work, table)
            if len(spans) > 1:
                yield from _alike([t for s in spans if (t := work.sum_of(table, column, s))])
            if len(rows) > 1 and (len(spans) < 2 or len(rows) <= _MOST_FIGURES):
                yield from _alike(work.cells(table, column, rows[:_MOST_ROWS]))
            if rows and near:
                yield from _near_with(work, table, column, rows, near)
            if len(own) == 1:
                yield from _with_one(work, table, column, own[0], near)
            elif not work.names:
                yield from _ends(work, table, column)
        yield from _across(work, table, rows)
    yield from _of_results(work)


def _spans(work: Workings, table: Table) -> list[list[int]]:
    """Return the rows of each name where each names several: quarters, over rows of months."""
    found: list[list[int]] = []
    for name in work.names or work.asked:
        rows = work.rows_of([name], table)
        found += [rows] if rows and rows not in found else []
    return found if all(len(rows) > 1 for rows in found) else []


def _with_asked(
    work: Workings, table: Table, column: int, rows: Sequence[int], asked: Sequence[int]
) -> Iterator[Pair]:
    """Yield the rows that a passage names with those that the question alone names."""
    for one in work.cells(table, column, rows):
        for other in work.cells(table, column, [row for row in asked if row not in rows]):
            yield _in_time(one, other)


def _near_with(
    work: Workings, table: Table, column: int, rows: Sequence[int], near: Sequence[Term]
) -> Iterator[Pair]:
    """Yield the figures near with the named rows: "145 minutes, six more than Harbour"."""
    own = [t for t in near if t.table is table and t.column == column and t.row not in rows]
    for one in own[:_MOST_FIGURES]:
        for other in work.cells(table, column, rows[:_MOST_FIGURES]):
            yield _in_time(one, other)


def _alike(terms: Sequence[Term]) -> Iterator[Pair]:
    for one, other in combinations(terms, 2):
        if one.meaning.holds is other.meaning.holds:
            yield _in_time(one, other)


def _in_time(one: Term, other: Term) -> Pair:
    """Return two numbers with the earlier one first, as far as their rows have a date."""
    if one.table is other.table:
        is_later_row = one.row > other.row and one.table.is_series
        names = [one.table.column_name(t.column) for t in (one, other)]
        is_later_column = one.row == other.row and (
            is_older(*names[::-1]) or (one.column > other.column and not is_older(*names))
        )
        if is_later_row or is_later_column:
            return other, one
    return one, other


def _with_one(
    work: Workings, table: Table, column: int, row: int, near: Sequence[Term]
) -> Iterator[Pair]:
    """Yield the pairs of a row that the passage names alone: with its neighbours, the average."""
    own = work.cells(table, column, [row])
    beside = [r for r in (row - 1, row + 1) if 0 <= r < len(table.rows)]
    beside += [] if table.is_series else [0]
    beside += _year_before(work, table, row)
    others = work.cells(table, column, [r for r in beside if r != row])
    others += [term for term in near if term.table is table and term.column == column]
    for other in others:
        yield from (_in_time(other, one) for one in own)
    values = table.values(column)
    if own and AVERAGE.search(work.sentence):
        mean = table.sum_of(column, range(len(table.rows))) / len(values)
        yield Term(mean, table, column, -1, "the average"), own[0]


def _year_before(work: Workings, table: Table, row: int) -> list[int]:
    """Return the row of the same month or quarter a year earlier, where the passage says so."""
    if not _YEAR_BEFORE.search(work.sentence):
        return []
    found = []
    for moments in table.moments.values():
        here = moments[row]
        wanted = here.parts() | {"year": (here.year or 0) - 1} if here is not None else {}
        found += [r for r, m in enumerate(moments) if m is not None and m.parts() == wanted]
    return found


def _ends(work: Workings, table: Table, column: int) -> Iterator[Pair]:
    """Yield first and last, lowest and highest, first and second, where no row is named."""
    last = len(table.rows) - 1
    low, high = table.ends(column)
    for first, second in {(0, last), (low, high), (0, 1)} if last > 0 else ():
        cells = work.cells(table, column, [first, second])
        if len(cells) == 2:
            yield _in_time(cells[0], cells[1])


def _across(work: Workings, table: Table, rows: Sequence[int]) -> Iterator[Pair]:
    """Yield the pairs of one kind within a row, or of the totals of two columns."""
    asked = work.rows_of(work.asked, table) if not work.names else []
    chosen = rows or asked or ([0] if len(table.rows) == 1 else [])
    says_all = (
        re.match(r"\s*of\s*$", work.after)
        or TOTAL.search(work.sentence)
        or TOGETHER.search(work.sentence)
    )
    for one, other in combinations(table.measures, 2):
        left, right = table.meanings[one], table.meanings[other]
        kinds = [(m.holds, m.is_change, m.is_average) for m in (left, right)]
        if kinds[0] != kinds[1]:
            continue
        for row in chosen[:4]:
            cells = [*work.cells(table, one, [row]), *work.cells(table, other, [row])]
            if len(cells) == 2:
                is_turned = is_older(table.column_name(other), table.column_name(one))
                yield (cells[1], cells[0]) if is_turned else (cells[0], cells[1])
        totals = [work.total(table, one), work.total(table, other)] if says_all and not rows else []
        known = [total for total in totals if total is not None]
        if len(known) == 2:
            yield known[0], known[1]


def _of_results(work: Workings) -> Iterator[Pair]:
    """Yield pairs of results that hold one number each: this year's and last year's."""
    singles = [
        term
        for table in work.tables
        if len(table.rows) == 1
        for column in table.measures[:3]
        for term in work.cells(table, column, [0])
    ]
    for one, other in combinations(singles[:_MOST_RESULTS], 2):
        if one.table is not other.table and one.meaning.holds is other.meaning.holds:
            yield (other, one) if _starts(one.table) > _starts(other.table) else (one, other)


def _starts(table: Table) -> str:
    periods = table.statement.scope_periods
    low, high = periods[0] if periods else (None, None)
    return str(low or high or "")
