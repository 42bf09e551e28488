"""The values of named cells, exact; what does not exist is refused with what does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from agent.arithmetic.tree import Reference
from agent.errors import CalculationRejected
from agent.messages import Cell, QueryResult

MAX_LISTED: Final = 20
"""Columns that a refusal lists."""

_IDENTIFIER: Final = re.compile(r"(?i:^id|_id)$|[a-z](Id|ID)$")


class Cells:
    """The query results of a run, by their numbers."""

    def __init__(self, results: Sequence[QueryResult]) -> None:
        self._results = tuple(results)

    def values(self, reference: Reference) -> list[Decimal]:
        """Return the numbers of a column, or of some of its rows, NULL left out.

        Raises `CalculationRejected` for what does not exist and for what is no number.
        """
        result, position = self._find(reference)
        self._check_whole(reference, result)
        cells = self._rows(reference, result, position)
        return [self._number(reference, cell) for cell in cells if cell is not None]

    def value(self, reference: Reference) -> Decimal:
        """Return the number in one cell; in a result of one row its number need not be said.

        Raises `CalculationRejected`, for NULL as well.
        """
        result, position = self._find(reference)
        cells = self._rows(reference, result, position)
        if len(cells) != 1:
            raise CalculationRejected(
                f"{reference} stands for {len(cells)} cells.",
                f"Name one, such as {Reference(reference.result, reference.column, 1, 1)}, or take "
                f"sum({reference}).",
            )
        if cells[0] is None:
            raise CalculationRejected(f"{reference} is NULL: there is no value to calculate with.")
        return self._number(reference, cells[0])

    def count(self, reference: Reference) -> int:
        """Return how many rows there are, or how many cells of a column hold a value.

        Raises `CalculationRejected`.
        """
        if not reference.column:
            result = self._result(reference)
            self._check_whole(reference, result)
            return len(result.rows)
        result, position = self._find(reference)
        self._check_whole(reference, result)
        return sum(cell is not None for cell in self._rows(reference, result, position))

    def place(self, reference: Reference) -> tuple[QueryResult, int]:
        """Return the result and the position of the column that are meant."""
        return self._find(reference)

    def sql(self, reference: Reference) -> str:
        """Return the query that the cells come from."""
        return self._result(reference).sql

    def named(self, reference: Reference) -> Reference:
        """Return `reference` with its column as the result calls it, and the row where there is
        but one. Raises `CalculationRejected`.
        """
        if not reference.column:
            return reference
        result, position = self._find(reference)
        first, last = reference.first, reference.last
        if first is None and len(result.rows) == 1:
            first = last = 1
        return Reference(reference.result, result.columns[position].name, first, last)

    def _result(self, reference: Reference) -> QueryResult:
        if not 1 <= reference.result <= len(self._results):
            raise CalculationRejected(
                f"There is no result r{reference.result}.", f"There is {self._names()}."
            )
        return self._results[reference.result - 1]

    def _names(self) -> str:
        count = len(self._results)
        return {0: "none yet: run a query first", 1: "r1"}.get(count, f"r1 to r{count}")

    def _find(self, reference: Reference) -> tuple[QueryResult, int]:
        result = self._result(reference)
        names = [column.name for column in result.columns]
        if reference.column in names:
            return result, names.index(reference.column)
        folded = [_folded(name) for name in names]
        if reference.column and folded.count(_folded(reference.column)) == 1:
            return result, folded.index(_folded(reference.column))
        listed = ", ".join(names[:MAX_LISTED]) + (", …" if len(names) > MAX_LISTED else "")
        what = f"no column {reference.column!r}" if reference.column else "no column named"
        raise CalculationRejected(
            f"There is {what} in r{reference.result}.", f"Its columns are: {listed}."
        )

    def _rows(self, reference: Reference, result: QueryResult, position: int) -> list[Cell]:
        count = len(result.rows)
        first, last = reference.first or 1, reference.last or count
        if last > count or not count:
            rows = {0: "no rows", 1: "only row 1"}.get(count, f"only the rows 1 to {count}")
            raise CalculationRejected(
                f"There is no row {last or 1} in r{reference.result}.", f"It has {rows}."
            )
        return [row[position] for row in result.rows[first - 1 : last]]

    def _check_whole(self, reference: Reference, result: QueryResult) -> None:
        if result.truncated and reference.first is None:
            raise CalculationRejected(
                f"r{reference.result} was cut, so {reference} is not all of its rows.",
                "Let a query add up or count.",
            )

    def _number(self, reference: Reference, cell: Cell) -> Decimal:
        if _IDENTIFIER.search(reference.column):
            raise CalculationRejected(
                f"{reference} is an identifier: it can be counted, not calculated with."
            )
        if isinstance(cell, bool) or not isinstance(cell, (int, float, Decimal)):
            shown = repr(cell) if not isinstance(cell, str) or len(cell) < 40 else "a text"
            raise CalculationRejected(f"{reference} holds {shown}, which is no number.")
        return Decimal(repr(cell)) if isinstance(cell, float) else Decimal(cell)


def _folded(name: str) -> str:
    return re.sub(r"[^\w]+", "_", name.casefold()).strip("_")
