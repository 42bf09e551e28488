"""Plain words for columns and numbers: titles without underscores, figures as people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from agent.notation import ENGLISH_NOTATION, MARK, Notation
from agent.untrusted import without_invisible

Number = int | float | Decimal

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufffe\uffff]+")
_MOST_DECIMALS: Final = 12
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")
_JOINED = re.compile(
    "[\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\ufe0e\ufe0f]|(?<=[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f])\u200d"
)
_COMMON = re.compile(r"[^\W_]")
_UPPER: Final = frozenset({"id", "usd", "eur", "gbp", "chf", "jpy", "url", "sku", "vat", "sql"})
_CURRENCIES: Final = frozenset({"usd", "eur", "gbp", "chf", "jpy"})
_PERCENT_WORDS: Final = frozenset({"percent", "percentage", "pct"})
_SHARE_WORDS: Final = frozenset({"share", "fraction", "portion", "proportion"})
_TOTAL_WORDS: Final = frozenset(
    {"total", "sum", "count", "revenue", "sales", "turnover", "number", "quantity", "rentals"}
    | {"payments", "orders", "customers", "n"}
)
NO_TOTAL_WORDS: Final = frozenset(
    {"avg", "average", "mean", "median", "min", "max", "rate", "ratio", "per", "price", "running"}
    | {"cumulative", "rank", "growth", "change"}
)
_AGGREGATE_NAMES: Final = {
    "sum": "total",
    "mean": "average",
    "average": "average",
    "median": "median",
    "min": "lowest",
    "max": "highest",
    "distinct": "different",
}


def words_of(name: str) -> list[str]:
    """Split a column name into lower-case words."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word.casefold() for word in re.split(r"[\s_.\-]+", spaced) if word]


def drawable(text: str) -> str:
    """Return the text without what a renderer cannot draw, and may die of."""
    return without_invisible(_CONTROL.sub(" ", text)).strip()


def drawn_apart(text: str) -> str:
    """Return a label in which no emoji is made of several characters, if other text stands in it.

    A renderer puts a label together from two fonts only where both make as many shapes of it. So a
    flag becomes its two letters, and what joins or colours emoji goes.
    """
    if not _JOINED.search(text) or not _COMMON.search(text):
        return text
    letters = _FLAG.sub(lambda found: chr(ord(found[0]) - 0x1F1E6 + ord("A")), text)
    return _JOINED.sub("", letters)


def plain_name(name: str) -> str:
    """Return a column name as a title: "Rental count" for rental_count, "Sales (EUR)"."""
    words = [word.upper() if word in _UPPER else word for word in words_of(name)]
    if len(words) > 1 and words[-1].casefold() in _CURRENCIES:
        words[-1] = f"({words[-1]})"
    text = drawable(" ".join(words) or name)
    return text[:1].upper() + text[1:]


def measure_name(column: str, aggregate: str) -> str:
    """Return the title of a measured column: "Average length", "Number of rows"."""
    if aggregate == "count":
        return "Number of rows" if not column else f"Number of {plain_name(column).casefold()}"
    if aggregate:
        name = plain_name(column)
        return f"{_AGGREGATE_NAMES[aggregate].capitalize()} {name[:1].lower()}{name[1:]}"
    return plain_name(column)


def sounds_additive(column: str) -> bool:
    """Whether values of a column so named may be added up: totals may, averages may not."""
    words = frozenset(words_of(column))
    return bool(words & _TOTAL_WORDS) and not words & NO_TOTAL_WORDS


@dataclass(frozen=True)
class NumberStyle:
    """How one measured column is written, on axes and in words."""

    decimals: int
    label_decimals: int = 0
    """Decimals in the little room next to a bar; the same for all bars of a chart."""
    percent: bool = False
    factor: float = 1.0
    """What a value is multiplied by before it is drawn: 0.01 for percents, 1e-9 for billions."""
    in_millions: bool = False
    """Whether labels count in millions ("1.25M")."""
    unit: str = ""
    """Said in the axis title, such as "billions"."""
    axis_format: str = ",f"
    """In d3's language, for drawn values."""
    sign: str = ""
    """What stands before each number: "$" where the format says so."""
    notation: Notation = ENGLISH_NOTATION
    """The marks in them."""

    def text(self, value: Number) -> str:
        """Write a value (as it stands in the result) in full."""
        if self.percent:
            text = f"{float(value) * self.factor:.{max(self.decimals, 1)}%}"
            return self.notation.rewritten(text)
        return self._signed(f"{value:,.{self.decimals}f}")

    def label(self, value: Number) -> str:
        """Write a drawn value in the little room next to a bar."""
        drawn = float(value) * self.factor
        if self.percent:
            text = f"{drawn:.1%}"
        elif self.in_millions:
            millions = drawn / 1_000_000
            text = f"{millions:,.{_digits_after(abs(millions))}f}M"
        else:
            text = f"{drawn:,.{self.label_decimals}f}"
        return self._signed(text).replace("-", "−")

    def _signed(self, text: str) -> str:
        """Return a number that is written in English, with its sign where the notation has it."""
        written = self.notation.rewritten(text.removeprefix("-"))
        minus = "-" if text.startswith("-") else ""
        if not self.sign:
            return minus + written
        before, after = (side.replace(MARK, self.sign) for side in self.notation.money)
        return f"{minus}{before}{written}{after}"


def _digits_after(number: float) -> int:
    """Return the decimals that leave a number with three digits: 1.25, 11.6, 172."""
    return 2 if number < 10 else 1 if number < 100 else 0


def style_of(column: str, values: Sequence[Number], given_format: str = "") -> NumberStyle:
    """Choose how a measured column is written, from its name, its values and a given d3 format."""
    largest = max((abs(float(value)) for value in values), default=0.0)
    most = _most_decimals(largest)
    decimals = max((_decimals(value, most) for value in values), default=0)
    factor = _percent_factor(column, [float(value) for value in values], given_format)
    if factor is not None:
        shown = largest * factor
        axis = _without_noughts(given_format) or (".0%" if shown >= 0.05 else ".1%")
        return NumberStyle(min(decimals, 2), percent=True, factor=factor, axis_format=axis)
    factor, unit = _large_unit(largest)
    in_millions = largest * factor >= 1_000_000
    axis = _without_noughts(given_format) or ("~s" if in_millions else ",f")
    few = _digits_after(largest * factor) if unit else 0
    small = decimals if largest < 1_000 else few
    return NumberStyle(
        decimals,
        small,
        factor=factor,
        in_millions=in_millions,
        unit=unit,
        axis_format=axis,
        sign="$" if "$" in given_format else "",
    )


def _without_noughts(given_format: str) -> str:
    """Return a d3 format for ticks: those at whole numbers need no decimals."""
    has_decimals = (
        "." in given_format and given_format[-1:] in ("f", "%") and "~" not in given_format
    )
    return f"{given_format[:-1]}~{given_format[-1]}" if has_decimals else given_format


def _decimals(value: Number, most: int) -> int:
    if isinstance(value, int) or value == int(value):
        return 0
    if isinstance(value, Decimal):
        return min(most, max(0, -int(value.normalize().as_tuple().exponent)))
    return most


def _most_decimals(largest: float) -> int:
    """Return 2, or as many as leave the largest value two digits: 0.00031."""
    if not 0 < largest < 0.1:
        return 2
    return min(_MOST_DECIMALS, 1 - math.floor(math.log10(largest)))


def _large_unit(largest: float) -> tuple[float, str]:
    """d3 writes 5 billion as "5G", which no one reads; so divide, and say it in the title."""
    if largest >= 1e12:
        return 1e-12, "trillions"
    if largest >= 1e9:
        return 1e-9, "billions"
    return 1.0, ""


def _percent_factor(column: str, values: list[float], given_format: str) -> float | None:
    """Return what makes fractions of the values if they are shares, else None.

    A column "share" with small values may hold fractions or percents: only a sum near 1, or values
    that cannot be fractions, decide; otherwise the numbers are left as they stand.
    """
    if given_format:
        return 1.0 if given_format.endswith("%") and given_format[:1] != "%" else None
    words = frozenset(words_of(column))
    if words & _PERCENT_WORDS:
        return 0.01
    if not words & _SHARE_WORDS or not values or min(values) < 0:
        return None
    if 0.9 <= sum(values) <= 1.02:
        return 1.0
    return 0.01 if 1.0 < max(values) <= 100 else None
