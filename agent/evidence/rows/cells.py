"""The cells of a result, ordered so that a figure finds those that it may rest on."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from agent.evidence.rows.columns import column_meaning
from agent.evidence.rows.meanings import NAMING, Holds, Meaning
from agent.evidence.rows.reading import FORMATTED, read_date, read_number
from agent.evidence.rows.statement import Statement, read_statement
from agent.evidence.text.hedges import Range
from agent.evidence.text.moments import Moment
from agent.messages import Cell, QueryResult

_MOMENT_TYPES: Final = ("date", "timestamp", "time")


@dataclass(frozen=True)
class Spot:
    """A number of a result: its cell, counted from 0, and its value."""

    table: int
    row: int
    column: int
    value: Decimal


class Table:
    """A result as the check reads it."""

    def __init__(self, number: int, result: QueryResult) -> None:
        self.number = number
        """Counted from 0."""
        self.result = result
        self.statement: Statement = read_statement(result.sql)
        self.meanings: tuple[Meaning, ...] = tuple(
            self._meaning(position) for position in range(len(result.columns))
        )

    def _meaning(self, position: int) -> Meaning:
        column = self.result.columns[position]
        meaning = column_meaning(column.name, column.type_name, position, self.statement)
        first = self._first(position) if meaning.holds is Holds.TEXT else None
        match = FORMATTED.fullmatch(first) if isinstance(first, str) else None
        if match is None or not (match[1] or match[3]):
            return meaning
        # A text that is a number with a sign: "$1,234.50", "7.9%".
        return Meaning(Holds.PERCENT if match[3] == "%" else Holds.MONEY, words=meaning.words)

    def _first(self, column: int) -> Cell:
        return next((row[column] for row in self.rows if row[column] is not None), None)

    @property
    def name(self) -> str:
        """What sources call it: "result 1"."""
        return f"result {self.number + 1}"

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        return self.result.rows

    @property
    def is_cut(self) -> bool:
        """Rows are missing that a total would need."""
        limit = self.statement.limit
        return self.result.truncated or (limit is not None and len(self.rows) >= limit > 1)

    def column_name(self, column: int) -> str:
        return self.result.columns[column].name

    def place(self, spot: Spot) -> str:
        """Return where a cell stands, in words: "result 1, row 2, revenue"."""
        return f"{self.name}, row {spot.row + 1}, {self.column_name(spot.column)}"

    @cached_property
    def numbers(self) -> dict[int, list[Decimal | None]]:
        """The numbers of each column that holds any, by row."""
        made = {}
        for column, meaning in enumerate(self.meanings):
            if meaning.holds is not Holds.TEXT:
                values = [read_number(row[column], meaning.holds) for row in self.rows]
                if any(value is not None for value in values):
                    made[column] = values
        return made

    @cached_property
    def _sorted(self) -> dict[int, tuple[list[Decimal], list[int]]]:
        made = {}
        for column, values in self.numbers.items():
            known = [(value, row) for row, value in enumerate(values) if value is not None]
            known.sort()
            made[column] = ([value for value, _ in known], [row for _, row in known])
        return made

    def values(self, column: int) -> list[Decimal]:
        """Return the numbers of a column in rising order."""
        return self._sorted[column][0]

    def find(self, column: int, wanted: Range) -> list[Spot]:
        """Return the cells of a column whose number lies in `wanted`."""
        values, rows = self._sorted[column]
        low, high = bisect_left(values, wanted.low), bisect_right(values, wanted.high)
        return [Spot(self.number, rows[i], column, values[i]) for i in range(low, high)]

    def cells(self, column: int, rows: Sequence[int]) -> list[Spot]:
        """Return the numbers of a column in some rows."""
        values = self.numbers[column]
        return [
            Spot(self.number, row, column, value)
            for row in rows
            if (value := values[row]) is not None
        ]

    @cached_property
    def measures(self) -> tuple[int, ...]:
        """The columns whose numbers answers are about."""
        return tuple(c for c in self.numbers if self.meanings[c].holds not in NAMING)

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """The columns of numbers that name their row, such as store_id."""
        return tuple(c for c in self.numbers if self.meanings[c].holds is Holds.KEY)

    @cached_property
    def percent_factors(self) -> dict[int, Decimal]:
        """What the numbers of each column are multiplied with to be percentages."""
        return {c: Decimal(100 if self._is_fraction(c) else 1) for c in self.numbers}

    def _is_fraction(self, column: int) -> bool:
        """Whether 0.079 stands for 7.9 %."""
        holds, values = self.meanings[column].holds, self.values(column)
        if holds is not Holds.PERCENT:
            return holds is Holds.RATIO
        outputs = self.statement.outputs
        if column < len(outputs) and re.search(r"\b100\b", outputs[column].sql()):
            return False
        if re.search(r"pct|perc|prozent|%", self.column_name(column).lower()):
            return len(values) > 1 and abs(sum(values, Decimal(0)) - 1) < Decimal("0.02")
        return max(abs(values[0]), abs(values[-1])) <= Decimal("1.5")

    def total(self, column: int) -> Decimal | None:
        """Return the sum of a column; None where rows are missing or a sum means nothing."""
        meaning = self.meanings[column]
        if self.is_cut or meaning.is_extreme or (meaning.is_average and not meaning.is_total):
            return None
        return self._sums.get(column)

    @cached_property
    def _sums(self) -> dict[int, Decimal]:
        return {column: sum(self.values(column), Decimal(0)) for column in self.numbers}

    @cached_property
    def moments(self) -> dict[int, list[Moment | None]]:
        """The dates and times of each column that holds any, by row."""
        made: dict[int, list[Moment | None]] = {}
        for column, one in enumerate(self.result.columns):
            if column in self.numbers:
                continue
            first = self._first(column)
            is_dated = isinstance(first, str) and len(first) <= 30 and read_date(first)
            if is_dated or one.type_name.startswith(_MOMENT_TYPES):
                made[column] = [read_date(row[column]) for row in self.rows]
        return made
