"""The cells of the results, ordered so that a figure finds those that it may rest on."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from agent.evidence.columns import Holds, Meaning, column_meaning
from agent.evidence.hedges import Range
from agent.evidence.moments import Moment, read_moment
from agent.evidence.statement import Statement, read_statement
from agent.messages import Cell, QueryResult

_INTERVAL = re.compile(r"(-?\d+) (year|mon|day)s?|(-)?(\d+):(\d\d):(\d\d(?:\.\d+)?)")
_SECONDS: Final = {"year": 31_557_600, "mon": 2_592_000, "day": 86_400}
_FORMATTED = re.compile(r"\s*([$€£]?)\s*(-?[\d,]*\d(?:\.\d+)?)\s*(%|USD|EUR|GBP|€|\$)?\s*")
_MOMENT_TYPES = ("date", "timestamp", "time")


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
        if meaning.holds is Holds.TEXT:
            return self._formatted_meaning(position, meaning)
        return meaning

    def _formatted_meaning(self, position: int, meaning: Meaning) -> Meaning:
        """See to texts that are numbers with a sign: "$1,234.50", "7.9%"."""
        first = next((row[position] for row in self.result.rows if row[position] is not None), None)
        match = _FORMATTED.fullmatch(first) if isinstance(first, str) else None
        if match is None or (not match[1] and not match[3]):
            return meaning
        holds = Holds.PERCENT if match[3] == "%" else Holds.MONEY
        return Meaning(holds, words=meaning.words)

    @property
    def name(self) -> str:
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

    @cached_property
    def numbers(self) -> dict[int, list[Decimal | None]]:
        """The numbers of each column that holds any, by row."""
        made = {}
        for column, meaning in enumerate(self.meanings):
            if meaning.holds is Holds.TEXT:
                continue
            values = [_number(row[column], meaning) for row in self.rows]
            if any(value is not None for value in values):
                made[column] = values
        return made

    @cached_property
    def sorted_numbers(self) -> dict[int, tuple[list[Decimal], list[int]]]:
        """For each column its numbers in rising order, and the rows that they stand in."""
        made = {}
        for column, values in self.numbers.items():
            pairs = sorted((value, row) for row, value in enumerate(values) if value is not None)
            made[column] = ([value for value, _ in pairs], [row for _, row in pairs])
        return made

    def find(self, column: int, wanted: Range) -> list[Spot]:
        """Return the cells of a column whose number lies in `wanted`."""
        values, rows = self.sorted_numbers[column]
        low, high = bisect_left(values, wanted.low), bisect_right(values, wanted.high)
        return [Spot(self.number, rows[i], column, values[i]) for i in range(low, high)]

    @cached_property
    def measures(self) -> tuple[int, ...]:
        """The columns whose numbers answers are about."""
        aside = (Holds.KEY, Holds.CALENDAR, Holds.RANK)
        return tuple(c for c in self.numbers if self.meanings[c].holds not in aside)

    @cached_property
    def percent_factors(self) -> dict[int, Decimal]:
        """What the numbers of each column are multiplied with to be percentages."""
        return {c: self._percent_factor(c) for c in self.numbers}

    def _percent_factor(self, column: int) -> Decimal:
        meaning = self.meanings[column]
        words = self.column_name(column).lower()
        values = [abs(v) for v in self.numbers[column] if v is not None]
        if meaning.holds is Holds.RATIO:
            return Decimal(100)
        if meaning.holds is not Holds.PERCENT or not values:
            return Decimal(1)
        outputs = self.statement.outputs
        if column < len(outputs) and re.search(r"\b100\b", outputs[column].sql()):
            return Decimal(1)
        if re.search(r"pct|perc|prozent", words):
            near_one = len(values) > 1 and abs(sum(values) - 1) < Decimal("0.02")
            return Decimal(100) if near_one else Decimal(1)
        return Decimal(100) if max(values) <= Decimal("1.5") else Decimal(1)

    def total(self, column: int) -> Decimal | None:
        """Return the sum of a column; None where rows are missing or a sum means nothing."""
        if self.is_cut or (not self.meanings[column].is_total and self.meanings[column].is_average):
            return None
        return self._sums.get(column)

    @cached_property
    def _sums(self) -> dict[int, Decimal]:
        return {
            column: sum((v for v in values if v is not None), Decimal(0))
            for column, values in self.numbers.items()
        }

    @cached_property
    def moments(self) -> dict[int, list[Moment | None]]:
        """The dates and times of each column that holds any, by row."""
        made: dict[int, list[Moment | None]] = {}
        for column, one in enumerate(self.result.columns):
            if column in self.numbers:
                continue
            is_date = one.type_name.startswith(_MOMENT_TYPES)
            if not is_date and not self._looks_dated(column):
                continue
            made[column] = [_moment(row[column]) for row in self.rows]
        return made

    def _looks_dated(self, column: int) -> bool:
        first = next((row[column] for row in self.rows if row[column] is not None), None)
        return isinstance(first, str) and len(first) <= 30 and _moment(first) is not None

    def spots(self) -> Iterator[Spot]:
        """Yield every number of the measures."""
        for column in self.measures:
            for row, value in enumerate(self.numbers[column]):
                if value is not None:
                    yield Spot(self.number, row, column, value)


def _number(cell: Cell, meaning: Meaning) -> Decimal | None:
    if cell is None or isinstance(cell, bool):
        return None
    if isinstance(cell, str):
        return _interval_seconds(cell) if meaning.holds is Holds.TIME else _formatted(cell)
    return cell if isinstance(cell, Decimal) else Decimal(repr(cell))


def _formatted(cell: str) -> Decimal | None:
    match = _FORMATTED.fullmatch(cell)
    return Decimal(match[2].replace(",", "")) if match else None


def _interval_seconds(cell: str) -> Decimal | None:
    total, found = Decimal(0), False
    for match in _INTERVAL.finditer(cell):
        found = True
        if match[2]:
            total += Decimal(match[1]) * _SECONDS[match[2]]
        else:
            part = Decimal(match[4]) * 3600 + Decimal(match[5]) * 60 + Decimal(match[6])
            total += -part if match[3] else part
    return total if found else None


_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?")


def _moment(cell: Cell) -> Moment | None:
    if not isinstance(cell, str):
        return None
    match = _ISO.match(cell)
    if match is None:
        return read_moment(cell.strip())
    hour, minute = (int(match[4]), int(match[5])) if match[4] else (None, None)
    month = int(match[2])
    return Moment(
        0, len(cell), cell, int(match[1]), (month + 2) // 3, (month + 5) // 6, month, int(match[3]),
        hour=hour, minute=minute,
    )  # fmt: skip
