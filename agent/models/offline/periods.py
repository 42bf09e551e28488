"""A period: days from one date up to another, or months and weekdays that repeat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

_MOVES: Final = re.compile(r"(?:[a-z ]|\d+ )+, \d+ ")
"""How a label begins that names a period and then tells which days it is: last month, 1 Oct."""


@dataclass(frozen=True)
class Period:
    """Days from `low` up to, not including, `high`; or months and weekdays that repeat."""

    label: str
    low: date | None = None
    high: date | None = None
    months: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()
    """ISO numbers, Monday is 1."""
    unit: str = ""
    """What one such period is: year, quarter, month, week, day."""

    @property
    def is_relative(self) -> bool:
        """Whether it moves with today, so that its label has to tell which days it is."""
        return self.low is not None and _MOVES.match(self.label) is not None

    @property
    def is_year(self) -> bool:
        """Whether it is one whole calendar year, which an integer column may hold too."""
        return self.unit == "year" and self.low is not None and self.high is not None


@dataclass(frozen=True)
class FoundPeriod:
    """A period and the characters of the text that say it."""

    start: int
    end: int
    period: Period
