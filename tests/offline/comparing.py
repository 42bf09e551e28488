"""Whether an answer's rows are the truth's rows: by value, whatever the columns are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

Row = Sequence[Any]
TOLERANCE = 1e-6


def same_rows(truth: Sequence[Row], answer: Sequence[Row], *, ordered: bool = False) -> bool:
    """Whether some choice of the answer's columns holds the truth's rows; more columns may stand
    beside them. Two empty results prove nothing and never match."""
    if not truth or len(truth) != len(answer):
        return False
    wanted = [tuple(_plain(cell) for cell in row) for row in truth]
    given = [tuple(_plain(cell) for cell in row) for row in answer]
    for mapping in _mappings(wanted, given):
        picked = [tuple(row[index] for index in mapping) for row in given]
        if _equal(wanted, picked) if ordered else _equal(_sorted(wanted), _sorted(picked)):
            return True
    return False


def cut_at_tie(truth: Sequence[Row], sure: int, answer: Sequence[Row]) -> list[Row]:
    """Return the truth with only those of its tied last rows that the answer shows.

    `truth` is in order and goes on past the limit while the last place is tied; its first `sure`
    rows lie before that tie. Whoever cuts the tie may show any of the rows in it.
    """
    shown = [{_plain(cell) for cell in row} for row in answer]
    tied = [
        row for row in truth[sure:] if any({_plain(c) for c in row} <= cells for cells in shown)
    ]
    return [*truth[:sure], *tied]


def _mappings(wanted: list[tuple[Any, ...]], given: list[tuple[Any, ...]]) -> Iterator[list[int]]:
    """Yield the ways to find each wanted column among the given ones, by its values alone."""
    fits = [
        [n for n in range(len(given[0])) if _equal(_column(wanted, c), _column(given, n))]
        for c in range(len(wanted[0]))
    ]

    def choose(column: int, taken: list[int]) -> Iterator[list[int]]:
        if column == len(fits):
            yield taken
            return
        for candidate in fits[column]:
            if candidate not in taken:
                yield from choose(column + 1, [*taken, candidate])

    return choose(0, [])


def _column(rows: list[tuple[Any, ...]], index: int) -> list[tuple[Any, ...]]:
    return _sorted([(row[index],) for row in rows])


def _sorted(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=lambda row: [_rank(cell) for cell in row])


def _rank(cell: Any) -> tuple[int, float, str]:
    if isinstance(cell, float):
        return 0, float(f"{cell:.7g}"), ""
    return (2, 0.0, "") if cell is None else (1, 0.0, cell)


def _equal(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> bool:
    return all(
        _same(a, b)
        for left, right in zip(one, other, strict=True)
        for a, b in zip(left, right, strict=True)
    )


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= TOLERANCE * max(abs(one), abs(other), 1e-9)
    return type(one) is type(other) and one == other


def _plain(cell: Any) -> Any:
    if cell is None or isinstance(cell, bool):
        return cell if cell is None else str(cell)
    try:
        return float(cell)
    except (TypeError, ValueError):
        text = str(cell).strip()
        return re.sub(r" 00:00:00(?:[+-]\d\d(?::\d\d)?)?$", "", text)
