"""Signs and words for units: currencies, scales, percent, lengths of time."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

_CODES: Final = "USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|PLN"
CURRENCY: Final = rf"(?:US|U\.S\.|CA|A|C)?\$|[€£¥₹]|(?:{_CODES})\b"
SCALES: Final = {
    "k": 1_000, "tsd": 1_000, "thousand": 1_000, "tausend": 1_000, "grand": 1_000,
    "m": 1_000_000, "mn": 1_000_000, "mm": 1_000_000, "mio": 1_000_000, "million": 1_000_000,
    "millionen": 1_000_000, "millions": 1_000_000, "bn": 1_000_000_000, "b": 1_000_000_000,
    "mrd": 1_000_000_000, "billion": 1_000_000_000, "milliarden": 1_000_000_000,
    "hundred": 100, "trillion": 1_000_000_000_000, "dozen": 12,
}  # fmt: skip
SCALE: Final = "|".join(sorted(SCALES, key=len, reverse=True))
UNIT: Final = (
    r"(?P<points>percentage[ -]points?|percent points?|%[ -]?points?|pps?\b|p\.p\."
    r"|Prozentpunkte|points?\b)"
    r"|(?P<percent>%|percent\b|per cent\b|pct\b|Prozent\b|pour cent\b)"
    r"|(?P<cents>cents?\b|¢)"
    r"|(?P<money>(?:US |U\.S\. |American )?dollars?\b|bucks\b|euros?\b|pounds?\b(?! of)"
    rf"|(?:{CURRENCY})(?!\d))"  # not "2024 $30"
)

TIME_UNITS: Final[dict[str, Decimal]] = {
    "second": Decimal(1), "minute": Decimal(60), "hour": Decimal(3600), "day": Decimal(86_400),
    "week": Decimal(604_800), "month": Decimal(2_629_800), "year": Decimal(31_557_600),
    "millisecond": Decimal("0.001"),
}  # fmt: skip
"""Seconds of a unit of time."""
_TIME_NAMES: Final = {
    "second": "second seconds sec secs s sekunde sekunden",
    "minute": "minute minutes min mins minuten",
    "hour": "hour hours hr hrs h stunde stunden",
    "day": "day days night nights tag tage tagen",
    "week": "week weeks woche wochen",
    "month": "month months monat monate monaten",
    "year": "year years yr yrs jahr jahre jahren",
    "millisecond": "millisecond milliseconds ms",
}
_TIMES: Final = {name: unit for unit, names in _TIME_NAMES.items() for name in names.split()}
_TIME_NAME: Final = "|".join(sorted(_TIMES, key=len, reverse=True))
_DECADE: Final = r"(?<=\d\d)(?<!\.\d\d)s\b"
TIME_WORD: Final = re.compile(rf"(?!{_DECADE})[ -]?(?P<unit>{_TIME_NAME})(?![\w'])", re.IGNORECASE)

_SIZES: Final = {"k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
SIZE: Final = re.compile(
    r"[ -]?(?:(?P<short>[kKMGTP])i?B|(?P<long>kilo|mega|giga|tera|peta)?bytes?)\b(?!/)"
)
"""A unit of storage, right behind a number."""


def size_factors(match: re.Match[str]) -> tuple[Decimal, ...]:
    """Return how many bytes a match of `SIZE` may stand for: GB are told by 1000s and by 1024s."""
    power = _SIZES.get((match["short"] or match["long"] or " ")[0].lower(), 0)
    return (Decimal(1000) ** power, Decimal(1024) ** power)[: power + 1]


def time_unit(word: str) -> str:
    """Return the unit of time that a word is a name of; "" for none."""
    return _TIMES.get(word.lower(), "")
