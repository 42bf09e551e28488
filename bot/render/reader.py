"""How the one who reads a card writes figures, dates and times; pure.

A `Reader` without a locale reads plain English, which is what stands where nobody is known. Digits
are always 0 to 9, in whatever script: those of a table are read beside those of the words above it.
What a locale writes comes from the Unicode CLDR by way of Babel.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from functools import lru_cache
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton, format_time

_ALIKE: Final = {"es_LA": "es_419"}
"""What Slack calls a locale, and what everybody else does."""
# Not strftime: its month names follow the process's locale.
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_MARK: Final = "¤"


@dataclass(frozen=True)
class Notation:
    """The marks in figures: 12,34,567.89 and where "$" and "%" stand."""

    point: str = "."
    group: str = ","
    sizes: tuple[int, int] = (3, 3)
    """How many digits the last group has, and the groups before it."""
    money: tuple[str, str] = (_MARK, "")
    """What stands before an amount and behind it; ¤ stands for the currency."""
    percent: tuple[str, str] = ("", "%")

    def whole(self, digits: str) -> str:
        """Return digits in groups."""
        last, others = self.sizes
        head, groups = digits[:-last], [digits[-last:]]
        while head:
            groups.append(head[-others:])
            head = head[:-others]
        return self.group.join(reversed(groups))


ENGLISH_NOTATION: Final = Notation()


@dataclass(frozen=True)
class Reader:
    """Somebody who reads a card; `locale` is such as "de-DE", "" where it is not known."""

    locale: str = ""

    @property
    def notation(self) -> Notation:
        """The marks in their figures; English ones for a locale that nobody knows."""
        locale = _locale(self.locale)
        return ENGLISH_NOTATION if locale is None else _notation(locale)

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
        return "".join(part.replace(_MARK, symbol) for part in _around(figure, self.notation.money))

    def percentage(self, figure: str) -> str:
        """Return a figure, as it is written, with the sign for percent."""
        return "".join(_around(figure, self.notation.percent))

    def day(self, day: date) -> str:
        """Return a day such as "31 Dec 2026", unambiguous in its locale."""
        locale = _locale(self.locale)
        if locale is None:
            return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
        return format_date(day, _day_pattern(locale), locale=locale)

    def month(self, day: date) -> str:
        """Return the month of a day: "Dec 2026"."""
        locale = _locale(self.locale)
        if locale is None:
            return f"{_MONTHS[day.month - 1]} {day.year}"
        return format_skeleton("yMMM", day, locale=locale)

    def clock(self, at: time, *, seconds: bool) -> str:
        """Return a time of day: "14:05"."""
        locale = _locale(self.locale)
        if locale is None:
            return f"{at.hour:02}:{at.minute:02}" + (f":{at.second:02}" if seconds else "")
        return format_time(at, "medium" if seconds else "short", locale=locale)


ENGLISH: Final = Reader()
"""Who reads where nobody is known."""


def _around(figure: str, marks: tuple[str, str]) -> tuple[str, str, str]:
    return marks[0], figure, marks[1]


@lru_cache(maxsize=256)
def _locale(name: str) -> Locale | None:
    """Return a locale; the language's own where the country is not known, None for neither."""
    wanted = name.replace("-", "_")
    for each in (_ALIKE.get(wanted, wanted), wanted.partition("_")[0]):
        try:
            return Locale.parse(each) if each else None
        except (UnknownLocaleError, ValueError, TypeError):
            continue
    return None


@lru_cache(maxsize=256)
def _notation(locale: Locale) -> Notation:
    symbols = locale.number_symbols["latn"]
    last, others = locale.decimal_formats[None].grouping
    return Notation(
        point=symbols["decimal"],
        group=symbols["group"],
        sizes=(last, others),
        money=_affixes(locale.currency_formats["standard"].pattern),
        percent=_affixes(locale.percent_formats[None].pattern),
    )


def _affixes(pattern: str) -> tuple[str, str]:
    """Return what a pattern of CLDR, such as "#,##0.00 ¤;-#,##0.00 ¤", has around its figure."""
    positive = pattern.partition(";")[0]
    marks = [at for at, sign in enumerate(positive) if sign in "#0,."]
    before, after = positive[: marks[0]], positive[marks[-1] + 1 :]
    # Marks of direction are invisible, and what is invisible is taken out of all that is shown.
    return _visible(before), _visible(after)


def _visible(text: str) -> str:
    return "".join(sign for sign in text if sign not in "\u200e\u200f\u061c")


@lru_cache(maxsize=256)
def _day_pattern(locale: Locale) -> str:
    """Return how a day is written: 3/4/2026 is a March day to some, and one of April to others."""
    usual = str(locale.date_formats["medium"].pattern)
    is_year_first = usual.startswith("y")
    is_named, has_slash = "MMM" in usual, "/" in usual
    return usual if is_named or is_year_first or not has_slash else "d MMM y"
