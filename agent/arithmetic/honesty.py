"""Whether a value comes from the data: no figure may be brought in through an expression.

- The plain numbers are factors that everybody may use, or stand in the question.
- Few of them are used, and added are only those that leave the meaning alone: 1 and 100, or what
  the question adds.
- Other cells would give another value: nothing is multiplied by zero or taken from itself.
- The cells come from tables, not from numbers that stand in the query.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from decimal import Decimal
from typing import Final

from sqlglot import exp

from agent.arithmetic.cells import Cells
from agent.arithmetic.evaluation import evaluate
from agent.arithmetic.tree import Call, Node, Number, Operation, Reference, parts, references
from agent.database.guard.second_reader import read_with_sqlglot
from agent.errors import CalculationRejected
from agent.messages import QueryResult

POWERS: Final = frozenset(Decimal(10) ** n for n in range(-3, 13))
"""Factors between units of one kind, percent among them; 0 changes nothing."""
SMALL: Final = frozenset(map(Decimal, range(2, 10)))
"""How many of something there are: two years, four quarters."""
UNITS: Final = frozenset(
    map(Decimal, [7, 12, 14, 24, 28, 30, 31, 52, 60, 90, 91, 180, 360, 364, 365, 366, 1440, 3600])
) | {Decimal("365.25"), Decimal(86_400)}
"""How many of one unit of time another one has."""
ADDED: Final = frozenset(map(Decimal, [0, 1, 100]))
MAX_SMALL: Final = 1
MAX_UNITS: Final = 2
MAX_NUMBERS: Final = 6
MAX_SAME: Final = 3
"""Times that one cell may be named: seven times a one is a seven."""
LEAST_CHANGE: Final = Decimal("1e-6")
"""Of the value, by which it must change when all cells change by some ten percent and more."""

_NUMBER: Final = re.compile(
    r"(\d[\d,.'’\u2009\u202f]*\d|\d)\s*(k|thousand|m|mn|million|bn|billion)?\b", re.IGNORECASE
)
_SCALES: Final = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "bn": 9, "billion": 9}


def check_origin(node: Node, cells: Cells, question: str) -> None:
    """Raise `CalculationRejected` unless the value of `node` comes from cells of query results."""
    named = references(node)
    if not named:
        raise CalculationRejected(
            "It names no cell of a query result.",
            "Figures come from queries: name the cells, such as r1.total[1].",
        )
    for reference, times in Counter(named).items():
        if times > MAX_SAME:
            raise CalculationRejected(
                f"It names {reference} {times} times.", "Write it more simply."
            )
    _check_numbers(node, numbers_of(question))
    for reference in named:
        _check_source(reference, cells)
    _check_dependence(node, cells)


def numbers_of(question: str) -> frozenset[Decimal]:
    """Return the numbers that stand in a question, and those that a percentage of it stands for."""
    found: set[Decimal] = set()
    for match in _NUMBER.finditer(question):
        scale = _SCALES.get((match[2] or "").lower(), 0)
        for text in {re.sub(r"[^\d.]", "", match[1]), re.sub(r"[^\d]", "", match[1])}:
            if text.count(".") <= 1:
                found |= {Decimal(text), Decimal(text).scaleb(scale)}
    shares = {each / 100 for each in found}
    return frozenset(found | shares | {1 + each for each in shares} | {1 - each for each in shares})


def _check_numbers(node: Node, asked: frozenset[Decimal]) -> None:
    used = [part.value for part in parts(node) if isinstance(part, Number)]
    for value in used:
        if value and value not in POWERS | SMALL | UNITS | asked:
            raise _brought_in(value)
    own = {value for value in used if value not in POWERS and value not in asked and value}
    small = own & SMALL - UNITS
    if len(small) > MAX_SMALL or len(own & UNITS) > MAX_UNITS or len(used) > MAX_NUMBERS:
        raise CalculationRejected(
            "It holds too many plain numbers.", "Use cells of results, and work in several steps."
        )
    for part in parts(node):
        if isinstance(part, Operation) and part.sign in "+-%":
            _check_added(part, asked)
        elif isinstance(part, Call) and not all(map(references, part.arguments)):
            raise CalculationRejected(f"{part.function}() takes cells, no plain numbers.")


def _check_added(operation: Operation, asked: frozenset[Decimal]) -> None:
    for side in (operation.left, operation.right):
        if references(side):
            continue
        for part in parts(side):
            if isinstance(part, Number) and part.value not in ADDED | asked:
                raise _brought_in(part.value)


def _brought_in(value: Decimal) -> CalculationRejected:
    return CalculationRejected(
        f"The number {value} comes from nowhere.",
        "Numbers are cells of results, or stand in the question; to scale, only factors such as "
        "100, 1000, 12 or 365 may be written.",
    )


def _check_source(reference: Reference, cells: Cells) -> None:
    """Refuse a column that a query did not read but write."""
    if not reference.column:
        return
    result, position = cells.place(reference)
    if not result.tables or _is_written(result, position):
        raise CalculationRejected(
            f"{reference} stands in the query and comes from no table.",
            "Calculate with what a query read.",
        )


def _is_written(result: QueryResult, position: int) -> bool:
    found = read_with_sqlglot(result.sql)
    select = found[0] if len(found) == 1 else None
    if not isinstance(select, exp.Select) or len(select.expressions) != len(result.columns):
        return False
    return not select.expressions[position].find(
        exp.Column, exp.Star, exp.AggFunc, exp.Query, exp.Window, exp.Anonymous
    )


def _check_dependence(node: Node, cells: Cells) -> None:
    value, rounded = evaluate(node, cells, rounds=False), evaluate(node, cells)
    for shift in (1, 2):
        shifted = _Shifted(cells, shift)
        try:
            other = evaluate(node, shifted, rounds=False)
            other_rounded = evaluate(node, shifted)
        except CalculationRejected:  # a division by what happens to be zero now
            continue
        least = LEAST_CHANGE * max(abs(value), abs(other))
        if abs(other - value) > least and other_rounded != rounded:
            return
    raise CalculationRejected(
        "The value would be the same whatever the cells hold, so it does not come from the data."
    )


class _Shifted:
    """The same cells with other values in them, each changed in its own way."""

    def __init__(self, cells: Cells, shift: int) -> None:
        self._cells = cells
        self._shift = shift

    def value(self, reference: Reference) -> Decimal:
        return self._other(self._cells.value(reference), reference, reference.first or 1)

    def values(self, reference: Reference) -> list[Decimal]:
        first = reference.first or 1
        return [
            self._other(value, reference, first + offset)
            for offset, value in enumerate(self._cells.values(reference))
        ]

    def count(self, reference: Reference) -> Decimal:
        return self._other(Decimal(self._cells.count(reference)), reference, 0)

    def _other(self, value: Decimal, reference: Reference, row: int) -> Decimal:
        # The same query run twice gives the same cells: its text counts, not its number.
        place = f"{self._cells.sql(reference)} {reference.column} {row} {self._shift}"
        share = Decimal(zlib.crc32(place.encode()) % 797 + 101) / 1000
        return value * (1 + share) + share
