"""Numbers and dates out of single cells."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.evidence.rows.meanings import Holds
from agent.evidence.text.moments import Moment, read_moment
from agent.messages import Cell

FORMATTED: Final = re.compile(r"\s*([$€£]?)\s*(-?[\d,]*\d(?:\.\d+)?)\s*(%|USD|EUR|GBP|€|\$)?\s*")
"""A text that is a number, perhaps with the sign of its unit."""
_INTERVAL: Final = re.compile(r"(-?\d+) (year|mon|day)s?|(-)?(\d+):(\d\d):(\d\d(?:\.\d+)?)")
_SECONDS: Final = {"year": 31_557_600, "mon": 2_592_000, "day": 86_400}
_ISO: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?")


def read_number(cell: Cell, holds: Holds) -> Decimal | None:
    """Return the number that a cell is: an interval in seconds, a text by its digits."""
    if cell is None or isinstance(cell, bool):
        return None
    if not isinstance(cell, str):
        number = cell if isinstance(cell, Decimal) else Decimal(repr(cell))
        return number if number.is_finite() else None
    if holds is Holds.TIME:
        return _seconds(cell)
    match = FORMATTED.fullmatch(cell)
    return Decimal(match[2].replace(",", "")) if match else None


def _seconds(cell: str) -> Decimal | None:
    total, found = Decimal(0), False
    for match in _INTERVAL.finditer(cell):
        found = True
        if match[2]:
            total += Decimal(match[1]) * _SECONDS[match[2]]
        else:
            part = Decimal(match[4]) * 3600 + Decimal(match[5]) * 60 + Decimal(match[6])
            total += -part if match[3] else part
    return total if found else None


def read_date(cell: Cell) -> Moment | None:
    """Return the date that a cell is; None for all else."""
    if not isinstance(cell, str):
        return None
    match = _ISO.match(cell)
    if match is None:
        return read_moment(cell.strip())
    hour, minute = (int(match[4]), int(match[5])) if match[4] else (None, None)
    return Moment(
        0, len(cell), cell, int(match[1]), month=int(match[2]), day=int(match[3]), hour=hour,
        minute=minute,
    )  # fmt: skip
