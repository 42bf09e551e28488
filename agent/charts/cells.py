"""Single cells of a result, read as numbers, as moments and as labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from agent.charts.periods import parse_date
from agent.charts.spec import Kind
from agent.charts.wording import Number, drawable, drawn_apart
from agent.errors import ChartRejected
from agent.messages import Cell, Column

Value = Number | str | datetime | None

NO_VALUE: Final = "(none)"
"""How NULL is called where it is a category."""
MAX_LABEL: Final = 60
_LARGEST: Final = 10**300
_MONEY = re.compile(r"(?P<sign>-?)\W?(?P<digits>[\d,]+(\.\d+)?)\Z")


def countable(cell: Cell) -> Value:
    """Return a cell as something that can be counted and told apart."""
    return cell if cell is None or isinstance(cell, (int, float, Decimal)) else str(cell)


def kind_of(cells: Sequence[Cell], column: Column) -> Kind:
    """Return what a column's cells are by themselves.

    Raises `ChartRejected` if all are NULL.
    """
    present = [cell for cell in cells if cell is not None]
    if not present:
        raise ChartRejected(
            f"Column {column.name} is NULL in every row, so there is nothing to draw. "
            "Look at the query, or tell the person that there are no values."
        )
    if column.type_name == "money" or all(
        isinstance(cell, (int, float, Decimal)) and not isinstance(cell, bool) for cell in present
    ):
        return "quantitative"
    dates = [parse_date(cell) if isinstance(cell, str) else None for cell in present]
    if column.type_name.startswith(("date", "timestamp")) or all(dates):
        return "temporal"
    return "nominal"


def moment_of(cell: Cell) -> datetime | None:
    """Return a date's or timestamp's wall-clock time, or the start of a year; None if neither."""
    if isinstance(cell, str):
        return parse_date(cell)
    year = number_of(cell)
    if year is not None and year == int(year) and 1000 <= year <= 2999:
        return datetime(int(year), 1, 1)
    return None


def number_of(cell: Cell) -> Number | None:
    """Return a cell as a finite number (money and numbers in text too), or None."""
    if cell is None or isinstance(cell, bool):
        return None if cell is None else int(cell)
    if isinstance(cell, str):
        money = _MONEY.match(cell.strip())
        text = f"{money['sign']}{money['digits'].replace(',', '')}" if money else cell
        try:
            cell = Decimal(text)
        except InvalidOperation:
            return None
    if isinstance(cell, Decimal) and cell.is_nan():
        return None  # comparing it would raise
    return cell if -_LARGEST < cell < _LARGEST else None


def is_undrawable(cell: Cell) -> bool:
    """Whether a cell is NaN, an infinity or near it: a number that no chart can show."""
    try:
        number = Decimal(str(cell))
    except InvalidOperation:
        return False
    return number.is_nan() or abs(number) >= _LARGEST


def labels_of(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Clean and shorten labels without making two different values look the same."""
    found: dict[Cell, str] = {}
    taken: set[str] = set()
    for cell in dict.fromkeys(cells):
        label = plain = label_of(cell)
        number = 1
        while label in taken:
            number += 1
            label = f"{plain} ({number})"
        taken.add(label)
        found[cell] = label
    return tuple(found[cell] for cell in cells)


def label_of(cell: Cell) -> str:
    """Return a cell as a category's name: one short line without control characters."""
    if cell is None:
        return NO_VALUE
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, (float, Decimal)):
        return f"{cell:.10g}" if isinstance(cell, float) else f"{cell:f}"
    text = drawn_apart(drawable(str(cell)))
    return (text[: MAX_LABEL - 1] + "…" if len(text) > MAX_LABEL else text) or "(empty)"
