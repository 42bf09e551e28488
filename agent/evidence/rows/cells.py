"""The cells of a result, ordered so that a figure finds those that it may rest on."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Final

from agent.evidence.rows.columns import column_meaning
from agent.evidence.rows.meanings import NAMING, Holds, Meaning
from agent.evidence.rows.pivots import find_pivots, pivot_order
from agent.evidence.rows.reading import FORMATTED, read_date, read_number
from agent.evidence.rows.statement import Statement, read_statement
from agent.evidence.text.hedges import Range
from agent.evidence.text.moments import Moment
from agent.messages import Cell, QueryResult

_LABELS: Final = (Holds.TEXT, Holds.KEY, Holds.CALENDAR)
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

    def ends(self, column: int) -> tuple[int, int]:
        """Return the rows of the least and of the greatest number of a column."""
        values, rows = self._sorted[column]
        return rows[0], rows[bisect_left(values, values[-1])]

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
        if holds is Holds.NUMBER and "rate" in self.meanings[column].words:
            return max(abs(values[0]), abs(values[-1])) <= 1
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
        running = self._running.get(column)
        return running[-1] if running else None

    @cached_property
    def _running(self) -> dict[int, list[Decimal]]:
        """For each column the sums of its first 0, 1, 2, … rows."""
        return {
            column: list(accumulate((v or Decimal(0) for v in values), initial=Decimal(0)))
            for column, values in self.numbers.items()
        }

    def sum_of(self, column: int, rows: Sequence[int]) -> Decimal:
        """Return the sum of a column over some rows, in rising order."""
        first, last = rows[0], rows[-1]
        if last - first + 1 == len(rows):
            running = self._running[column]
            return running[last + 1] - running[first]
        return sum((cell.value for cell in self.cells(column, rows)), Decimal(0))

    @cached_property
    def empty_counts(self) -> frozenset[int]:
        """How many rows of a column have no value, and how many a zero, for each column."""
        empty = {sum(row[c] is None for row in self.rows) for c in range(len(self.result.columns))}
        zeros = {self.values(column).count(Decimal(0)) for column in self.measures}
        return frozenset(empty | zeros) - {0}

    @cached_property
    def varieties(self) -> tuple[tuple[int, int], ...]:
        """How many different values the labels, keys and dates of each column have."""
        found = [
            (column, len({row[column] for row in self.rows} - {None}))
            for column, meaning in enumerate(self.meanings)
            if meaning.holds in _LABELS or column in self.moments
        ]
        for column, moments in self.moments.items():
            known = [m for m in moments if m is not None]
            found.append((column, len({m.year for m in known})))
            found.append((column, len({(m.year, m.month) for m in known})))
        return tuple(found)

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
                read = {cell: read_date(cell) for cell in {row[column] for row in self.rows}}
                made[column] = [read[row[column]] for row in self.rows]
        return made

    @cached_property
    def is_series(self) -> bool:
        """Whether the rows follow each other in time."""
        for moments in self.moments.values():
            if _is_rising(tuple(m.parts().values()) for m in moments if m is not None):
                return True
        calendar = [c for c in self.numbers if self.meanings[c].holds is Holds.CALENDAR]
        return any(
            _is_rising((int(v),) for v in self.numbers[column] if v is not None)
            for column in calendar
        )

    @cached_property
    def pivots(self) -> dict[str, frozenset[int]]:
        """The dates by which columns of one kind differ, with the columns of each."""
        return find_pivots(
            (c, self.column_name(c), self.meanings[c].holds.name) for c in self.measures
        )

    def is_pivot_pair(self, earlier: int, later: int) -> bool:
        """Whether two columns hold the same for two times, the first of them the earlier one."""
        order = {c: pivot_order(token) for token, columns in self.pivots.items() for c in columns}
        return earlier in order and later in order and order[earlier] < order[later]


def _is_rising(keys: Iterable[tuple[int, ...]]) -> bool:
    """Whether there are several keys, each greater than the one before."""
    count = 0
    for before, after in pairwise(keys):
        if before >= after:
            return False
        count += 1
    return count > 0
