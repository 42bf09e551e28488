"""Rows to JSON and back, with their types kept.

JSON has no decimal, and PostgreSQL's jsonb has no NaN and turns 1e20 into a whole number, so those
are written as tagged objects.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from agent.messages import Cell

Row = tuple[Cell, ...]

ROWS_KEPT = 1000
"""Rows of one result that are kept."""
BYTES_KEPT = 1_000_000
"""Length of one result's rows as JSON, in bytes."""


def clean(text: str) -> str:
    """Return `text` without what PostgreSQL's text cannot hold: NUL and half surrogate pairs."""
    if text.isascii():
        return text.replace("\x00", "")
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def to_json(rows: Sequence[Row]) -> tuple[str, int]:
    """Return a JSON array of the first rows, and how many it holds, within the two ceilings."""
    parts: list[str] = []
    size = 2
    for row in rows[:ROWS_KEPT]:
        part = json.dumps([_plain(cell) for cell in row], ensure_ascii=False)
        size += len(part.encode()) + 2
        if size > BYTES_KEPT:
            break
        parts.append(part)
    return f"[{', '.join(parts)}]", len(parts)


def from_json(rows: Sequence[Sequence[Any]]) -> tuple[Row, ...]:
    """Return the rows that `to_json` wrote, from the parsed array."""
    return tuple(tuple(_cell(value) for value in row) for row in rows)


def _plain(cell: Cell) -> Any:
    if isinstance(cell, Decimal):
        return {"decimal": str(cell)}
    if isinstance(cell, float) and (not math.isfinite(cell) or "e" in repr(cell)):
        return {"float": repr(cell)}
    return clean(cell) if isinstance(cell, str) else cell


def _cell(value: Any) -> Cell:
    if isinstance(value, dict):
        return Decimal(value["decimal"]) if "decimal" in value else float(value["float"])
    cell: Cell = value
    return cell
