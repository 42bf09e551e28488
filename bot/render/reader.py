"""How the one who reads a card writes figures, dates and times; pure.

A `Reader` without a locale reads plain English, which is what stands where nobody is known. Digits
are always 0 to 9, in whatever script: those of a table are read beside those of the words above it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from functools import lru_cache
from typing import Final

from babel import Locale
from babel.dates import format_date, format_skeleton, format_time

from agent.notation import MARK, Notation, known_locale, notation_of

# Not strftime: its month names follow the process's locale.
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


@dataclass(frozen=True)
class Reader:
    """Somebody who reads a card; `locale` is such as "de-DE", "" where it is not known."""

    locale: str = ""

    @property
    def notation(self) -> Notation:
        """The marks in their figures; English ones for a locale that nobody knows."""
        return notation_of(self.locale)

    def figure(self, value: Decimal, decimals: int, *, grouped: bool = True) -> str:
        """Return a figure with so many decimals."""
        whole, _, rest = f"{value.copy_abs():.{decimals}f}".partition(".")
        notation = self.notation
        whole = notation.whole(whole) if grouped else whole
        sign = "-" if value.is_signed() else ""
        return sign + whole + (notation.point + rest if rest else "")

    def count(self, number: int) -> str:
        """Return a whole number: "1,024"."""
        return self.figure(Decimal(number), 0)

    def amount(self, figure: str, symbol: str) -> str:
        """Return a figure without sign, as it is written, with the symbol of its currency."""
        return "".join(part.replace(MARK, symbol) for part in _around(figure, self.notation.money))

    def percentage(self, figure: str) -> str:
        """Return a figure, as it is written, with the sign for percent."""
        return "".join(_around(figure, self.notation.percent))

    def day(self, day: date) -> str:
        """Return a day such as "31 Dec 2026", unambiguous in its locale."""
        locale = known_locale(self.locale)
        if locale is None:
            return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
        return format_date(day, _day_pattern(locale), locale=locale)

    def month(self, day: date) -> str:
        """Return the month of a day: "Dec 2026"."""
        locale = known_locale(self.locale)
        if locale is None:
            return f"{_MONTHS[day.month - 1]} {day.year}"
        return format_skeleton("yMMM", day, locale=locale)

    def clock(self, at: time, *, seconds: bool) -> str:
        """Return a time of day: "14:05"."""
        locale = known_locale(self.locale)
        if locale is None:
            return f"{at.hour:02}:{at.minute:02}" + (f":{at.second:02}" if seconds else "")
        return format_time(at, "medium" if seconds else "short", locale=locale)


ENGLISH: Final = Reader()
"""Who reads where nobody is known."""


def _around(figure: str, marks: tuple[str, str]) -> tuple[str, str, str]:
    return marks[0], figure, marks[1]


@lru_cache(maxsize=256)
def _day_pattern(locale: Locale) -> str:
    """Return how a day is written: 3/4/2026 is a March day to some, and one of April to others."""
    usual = str(locale.date_formats["medium"].pattern)
    is_year_first = usual.startswith("y")
    is_named, has_slash = "MMM" in usual, "/" in usual
    return usual if is_named or is_year_first or not has_slash else "d MMM y"
