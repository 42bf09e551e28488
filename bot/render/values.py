"""Values of a result column -> what a person reads. Rounds for the eye and says so; pure.

A column is looked at whole, so that its figures line up and a year is not written "2,024".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from agent.messages import Cell, Column
from bot.render.dates import readable_dates
from bot.render.reader import ENGLISH, Reader
from bot.render.text import inert

NULL: Final = "–"
EMPTY: Final = "(empty)"

_EXACT_DECIMALS: Final = 4  # as many are shown as they are; money and rates have no more
_SIGNIFICANT: Final = 4
_SMALLEST: Final = -8  # beyond these powers of ten a figure is written with one
_LARGEST: Final = 24
_NAMES_A_THING: Final = frozenset(
    {"id", "code", "zip", "zipcode", "postal", "postcode", "phone", "key", "isbn", "pin", "ean"}
)
_YEAR_WORDS: Final = frozenset({"year", "yr", "years", "extract", "date_part", "part"})
_MONEY: Final = re.compile(r"(-?)([$€£¥₹])((?:\d{1,3}(?:,\d{3})*|\d+)(?:\.\d+)?)")
"""What PostgreSQL writes for its type money, in the English form that most servers have."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True)
class Shown:
    """A column as a person reads it."""

    heading: str
    cells: tuple[str, ...]
    is_number: bool
    rounded: bool = False
    """Some figure, or the fraction of a second, is shown with fewer digits than it has."""


def readable(column: Column, values: Sequence[Cell], reader: Reader = ENGLISH) -> Shown:
    """Return the column's heading and its values as `reader` writes them; no text is empty."""
    known = [value for value in values if value is not None]
    numbers = [value for value in known if _is_number(value)]
    rounded = False
    if known and len(numbers) == len(known):
        cells, rounded = _figures(column, values, reader)
    elif known and all(isinstance(value, str) for value in known):
        texts = [None if value is None else str(value) for value in values]
        dates = readable_dates(column.name, column.type_name, texts, reader)
        rounded = dates is not None and dates.rounded
        read = _money if column.type_name == "money" else _text
        cells = list(dates.cells) if dates else [read(value, reader) for value in values]
    else:
        cells = [_text(value, reader) for value in values]
    is_number = bool(numbers) and len(numbers) == len(known)
    return Shown(heading(column.name), tuple(cells), is_number, rounded)


def heading(name: str) -> str:
    """Return a column's label in words: "total_revenue" -> "Total revenue"."""
    if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        words = name.replace("_", " ")
        name = re.sub(r"\bid\b", "ID", words[0].upper() + words[1:], flags=re.IGNORECASE)
    return inert(name) or EMPTY


def _is_number(value: Cell) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _text(value: Cell, reader: Reader) -> str:
    if value is None:
        return NULL
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return inert(value) or EMPTY
    return _figure(Decimal(str(value)), _natural_decimals(value), reader, grouped=True)


def _money(value: Cell, reader: Reader) -> str:
    found = _MONEY.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return _text(value, reader)
    amount = Decimal(found[3].replace(",", ""))
    written = reader.figure(amount, len(found[3].partition(".")[2]))
    return found[1] + reader.amount(written, found[2])


def _figures(column: Column, values: Sequence[Cell], reader: Reader) -> tuple[list[str], bool]:
    exact = [None if value is None else Decimal(str(value)) for value in values]
    known = [value for value in exact if value is not None and value.is_finite()]
    natural = max((_natural_decimals(value) for value in values), default=0)
    largest = max((value.copy_abs() for value in known), default=Decimal(0))
    decimals = natural
    if natural > _EXACT_DECIMALS:
        decimals = min(natural, _needed_decimals(largest))
    grouped = not _names_things(column.name, known)
    cells, rounded = [], False
    for cell, value in zip(values, exact, strict=True):
        if value is None:
            cells.append(NULL)
            continue
        own = _enough(value, _natural_decimals(cell), decimals)
        rounded |= _natural_decimals(cell) > own or _is_out_of_range(value)
        cells.append(_figure(value, own, reader, grouped=grouped))
    return cells, rounded


def _natural_decimals(value: Cell) -> int:
    """How many decimals a value has; of a long or binary fraction without its last zeros."""
    if value is None:
        return 0
    number = Decimal(str(value))
    if not number.is_finite():
        return 0
    _, digits, exponent = number.as_tuple()
    decimals = max(-int(exponent), 0)
    if isinstance(value, float) or decimals > _EXACT_DECIMALS:
        zeros = len(digits) - len("".join(map(str, digits)).rstrip("0"))
        decimals = 0 if not any(digits) else max(decimals - zeros, 0)
    return decimals


def _needed_decimals(value: Decimal) -> int:
    """Decimals that show four digits of the value that say something, two at the least."""
    return max(2, _SIGNIFICANT - 1 - value.adjusted()) if value else 2


def _enough(value: Decimal, natural: int, decimals: int) -> int:
    """More decimals for a small value that would otherwise read as nothing, or nearly so."""
    if not value or not value.is_finite() or value.adjusted() >= 1 - decimals:
        return decimals
    return max(decimals, min(natural, 1 - value.adjusted()))


def _figure(value: Decimal, decimals: int, reader: Reader, *, grouped: bool) -> str:
    if not value.is_finite():
        return "not a number" if value.is_nan() else ("∞" if value > 0 else "-∞")
    if _is_out_of_range(value):
        return f"{value:.{_SIGNIFICANT - 1}e}".replace(".", reader.notation.point)
    return reader.figure(value, decimals, grouped=grouped)


def _is_out_of_range(value: Decimal) -> bool:
    """Whether a figure is too large or too small to be written without a power of ten."""
    return value.is_finite() and bool(value) and not _SMALLEST <= value.adjusted() <= _LARGEST


def _names_things(name: str, values: Sequence[Decimal]) -> bool:
    """Whether the figures are names (a key, a year) rather than amounts."""
    words = [word.lower() for word in _WORD.findall(name)]
    if words and words[-1] in _NAMES_A_THING:
        return True
    is_year = all(value == value.to_integral_value() and 1000 <= value < 3000 for value in values)
    return is_year and bool(_YEAR_WORDS.intersection(words))
