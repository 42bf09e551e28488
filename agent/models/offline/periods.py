"""A period: days from one date up to another, or months and weekdays that repeat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date


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
        return (
            self.low is not None
            and re.search(r"\(\d{4}-\d\d-\d\d|yesterday|today", self.label) is not None
        )

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
