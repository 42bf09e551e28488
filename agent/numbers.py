"""Numbers on their way to JSON: a decimal stays exact, or becomes text."""

from __future__ import annotations

from decimal import Decimal

from agent.messages import Cell

JsonCell = None | bool | int | float | str


def plain_number(cell: Cell) -> JsonCell:
    """Return a value that JSON can hold without losing a digit.

    A decimal becomes a JSON number where a double holds it exactly as written (5314.21), else its
    digits as text.
    """
    if not isinstance(cell, Decimal):
        return cell
    if cell == cell.to_integral_value() and abs(cell) < 2**53:
        return int(cell) if cell.as_tuple().exponent == 0 else float(cell)
    number = float(cell)
    return number if Decimal(repr(number)) == cell else str(cell)
