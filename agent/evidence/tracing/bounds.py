"""The rows beyond, between or at the figures of a clause: "over $5,000", "32 each"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import product
from typing import Final

from agent.evidence.ground import Ground
from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.hedges import Hedge, Range
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.tracing.clauses import Clause
from agent.evidence.tracing.units import ranges_for, unit_fault

Rows = frozenset[int]

SAME: Final = re.compile(r"\b(?:tie[ds]?|share[sd]?|same|equal|each|both)\b", re.IGNORECASE)
_EACH: Final = re.compile(r"\s*(?:[\w-]+ ){0,2}?(?:each|apiece)\b|\s+each\b", re.IGNORECASE)
_HAVE: Final = re.compile(r"\b(?:have|has|had|got|stand at|are at|cost)\s+$", re.IGNORECASE)
_OVER: Final = (Hedge.OVER, Hedge.AT_LEAST, Hedge.JUST_OVER)
_STRICT: Final = (Hedge.OVER, Hedge.JUST_OVER, Hedge.UNDER, Hedge.JUST_UNDER, Hedge.NEARLY)
_PASSED: Final = re.compile(
    r"\b(?:beat|beats|cross(?:ed|es)?|clear(?:ed|s)?|break|broke|crack(?:ed)?|reach(?:ed|es)?|"
    r"hit|pass(?:ed|es)?|above|over|past)\s+(?:the )?$",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"\b(?:between|from)\s+$", re.IGNORECASE)
_LOST: Final = re.compile(r"\b(?:los[te]\w*|losses|deficits?|fell|dropped)\b", re.IGNORECASE)
_TO: Final = re.compile(r"\s*(?:and|to|-|–)\s*", re.IGNORECASE)


def any_of(rows: Iterable[int]) -> Iterator[Rows]:
    """Yield the set of some rows, if there are any."""
    found = frozenset(rows)
    if found:
        yield found


_MOST_BOUNDS = 20
"""Figures of one clause that are tried as bounds."""


def rows_at_bounds(clause: Clause, ground: Ground, table: Table, column: int) -> Iterator[Rows]:
    """Yield the rows at one side of a figure, between two, or at it: "over 200", "32 each"."""
    position = 0
    for number, figure in enumerate(clause.figures[:_MOST_BOUNDS]):
        position = clause.text.find(figure.text, position)
        if figure.form is Form.MOMENT or position < 0 or not _suits(figure, ground, table, column):
            continue
        before, after = clause.text[:position], clause.text[position + len(figure.text) :]
        other = clause.figures[number + 1] if number + 1 < len(clause.figures) else None
        if other is not None and _BETWEEN.search(before) and _is_next(other, after):
            yield from _rows_within(figure, other, table, column)
        elif figure.hedge.is_bound:
            yield from beyond_rows(figure, table, column)
            if table.values(column)[0] < 0 and _LOST.search(before):  # "lost more than $131"
                yield from _losses_beyond(figure, table, column)
        elif _PASSED.search(before):
            yield from _rows_from(figure, table, column)
        elif _EACH.match(after) or (
            not figure.hedge and (SAME.search(before) or _HAVE.search(before))
        ):
            yield from any_of(_rows_in(figure, table, column))


def _suits(figure: Mention, ground: Ground, table: Table, column: int) -> bool:
    """Whether a figure could be one of a column, as it is written."""
    is_percent = table.meanings[column].holds in (Holds.PERCENT, Holds.RATIO)
    if is_percent != (figure.form in (Form.PERCENT, Form.PART)):
        return False
    return not unit_fault(figure, "", table, column, ground.known)


def _is_next(other: Mention, after: str) -> bool:
    start = after.find(other.text)
    return start >= 0 and _TO.fullmatch(after[:start]) is not None


def _rows_in(figure: Mention, table: Table, column: int) -> Iterator[int]:
    for wanted in ranges_for(figure, table, column):
        yield from (spot.row for spot in table.find(column, wanted))


def rows_where(table: Table, column: int, low: Decimal | None, high: Decimal | None) -> Rows:
    numbers = enumerate(table.numbers[column])
    return frozenset(
        row
        for row, v in numbers
        if v is not None and (low is None or v >= low) and (high is None or v <= high)
    )


def _rows_within(low: Mention, high: Mention, table: Table, column: int) -> Iterator[Rows]:
    for one, other in product(ranges_for(low, table, column), ranges_for(high, table, column)):
        yield rows_where(table, column, one.low, other.high)
    for least, most in product(_values(low, table, column), _values(high, table, column)):
        yield rows_where(table, column, least, most)


def _rows_from(figure: Mention, table: Table, column: int) -> Iterator[Rows]:
    for value in _values(figure, table, column):
        yield rows_where(table, column, value, None)


def _values(figure: Mention, table: Table, column: int) -> Iterator[Decimal]:
    """Yield what a figure is worth in a column's own unit."""
    plain = replace(figure, ranges=(Range(figure.value, figure.value),))
    yield from (wanted.low for wanted in ranges_for(plain, table, column))


def beyond_rows(bound: Mention, table: Table, column: int) -> Iterator[Rows]:
    """Yield the rows whose cell lies beyond a figure such as "over $4,200"."""
    is_over = bound.hedge in _OVER
    for value in _values(bound, table, column):
        rows = rows_where(table, column, *((value, None) if is_over else (None, value)))
        at = frozenset(row for row in rows if table.numbers[column][row] == value)
        yield rows - at if bound.hedge in _STRICT else rows
        if at and bound.hedge in (Hedge.UP_TO, Hedge.AT_MOST):
            yield rows


def _losses_beyond(bound: Mention, table: Table, column: int) -> Iterator[Rows]:
    is_over = bound.hedge in _OVER
    for value in _values(bound, table, column):
        low, high = (None, -value) if is_over else (-value, Decimal(0))
        yield rows_where(table, column, low, high)


def beyond(bound: Mention, table: Table, column: int) -> Iterator[int]:
    """Yield how many cells of a column lie beyond a figure such as "over $4,200"."""
    yield from map(len, beyond_rows(bound, table, column))
