"""Words around a number that say how it is meant, and the true values that it then allows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from agent.evidence.text.numerals import Numeral


class Hedge(StrEnum):
    """How a number is meant."""

    PLAIN = ""
    ABOUT = "about"
    OVER = "over"
    JUST_OVER = "just over"
    AT_LEAST = "at least"
    UNDER = "under"
    NEARLY = "nearly"
    JUST_UNDER = "just under"
    AT_MOST = "at most"
    UP_TO = "up to"

    @property
    def is_bound(self) -> bool:
        return self not in (Hedge.PLAIN, Hedge.ABOUT)


@dataclass(frozen=True)
class Range:
    """The true values that a figure allows, both ends included."""

    low: Decimal
    high: Decimal

    def holds(self, value: Decimal) -> bool:
        return self.low <= value <= self.high

    def negative(self) -> Range:
        return Range(-self.high, -self.low)

    def scaled(self, factor: Decimal) -> Range:
        return Range(self.low * factor, self.high * factor)

    def meets(self, other: Range) -> bool:
        return self.low <= other.high and other.low <= self.high


_VERY: Final = r"(?:well |far |comfortably |clearly |significantly |a good |much )?"
_A_LITTLE: Final = (
    r"(?:just|only just|slightly|barely|marginally|narrowly|a (?:little|bit|touch|hair|shade)) "
)
_BEFORE: Final = (
    (
        Hedge.AT_MOST,
        r"(?:not|no|never|nor) (?:more|higher|longer|greater|larger) than|at (?:the )?most|"
        r"not (?:over|above)|≤|<=|capped at|höchstens|au plus",
    ),
    (
        Hedge.UP_TO,
        r"(?<!add )(?<!adds )(?<!added )(?<!adding )up to|bis zu|as (?:much|many|high|long) as",
    ),
    (
        Hedge.AT_LEAST,
        r"(?:not|no) (?:less|fewer|lower|shorter|smaller) than|at (?:the )?least|≥|>=|mindestens|"
        r"au moins|not (?:under|below)",
    ),
    (
        Hedge.JUST_OVER,
        _A_LITTLE + r"(?:over|above|more than|past|upwards? of|higher than|north of|exceeding)|"
        r"knapp über|gut|un peu plus de",
    ),
    (
        Hedge.JUST_UNDER,
        _A_LITTLE + r"(?:under|below|shy of|short of|less than|fewer than)|knapp unter",
    ),
    (
        Hedge.NEARLY,
        r"nearly|almost|close to|approaching|not quite|shy of|just about|nearing|practically|"
        r"virtually|fast|knapp|beinahe|presque|"
        + _A_LITTLE + r"(?:under|below|shy of|short of|less than|fewer than)",
    ),
    (
        Hedge.OVER,
        _VERY + r"(?:over|above|more than|greater than|higher than|longer than|larger than|"
        r"bigger than|better than|older than|exceed(?:s|ed|ing)?|upwards? of|"
        r"(?:beyond|past|cross(?:ed|es|ing)?|clear(?:ed|s)|broke|topp(?:ed|ing)|tops)(?: the)?|"
        r"surpass(?:es|ed|ing)?|north of|in excess of|mehr als|über|plus de)|>",
    ),
    (
        Hedge.UNDER,
        _VERY + r"(?:under|below|less than|fewer than|lower than|shorter than|smaller than|"
        r"short of|south of|cheaper than|weniger als|unter|moins de)|<",
    ),
    (
        Hedge.ABOUT,
        r"(?:at |of |by |to )?(?:about(?: a)?|around|approximately|approx\.?|roughly|circa|ca\.?|"
        r"c\.|some|an estimated|near|somewhere around|on the order of|more or less|give or take|"
        r"in the (?:region|area|neighbou?rhood|ballpark|range) of|rounded(?: to)?|rounds to|"
        r"rund|etwa|ungefähr|zirka|environ|à peu près)|~|≈|±|≅",
    ),
)  # fmt: skip
_BEFORE_PATTERNS: Final = tuple(
    (hedge, re.compile(rf"(?:^|(?<=[^\w]))(?:{words})\s*(?:of\s+|a\s+)?$", re.IGNORECASE))
    for hedge, words in _BEFORE
)
_AFTER: Final = (
    (
        Hedge.AT_LEAST,
        # Neither "rental 3 and more." nor "7,800 and more than 5,500".
        r"\+(?!\d)|\s?(?:\w+ )?(?:or|and(?! more(?: than\b|\s*(?:[.;)]|$)))) "
        r"(?:more|longer|higher|over|above|up|upwards|better|later|older)\b",
    ),
    (
        Hedge.AT_MOST,
        r"\s?(?:\w+ )?(?:or|and) (?:less|fewer|lower|under|below|shorter|younger|earlier)\b|"
        r"\s(?:\w+ )?at (?:the )?most\b",
    ),
    (
        Hedge.ABOUT,
        r"\s?(?:\w+ )?or so\b|-?ish\b|\s?(?:\w+ )?(?:approximately|roughly|give or take)\b",
    ),
)
_AFTER_PATTERNS: Final = tuple((h, re.compile(words, re.IGNORECASE)) for h, words in _AFTER)
_OVER_COUNTED: Final = re.compile(
    r"(?:(?<![-/])\b[\d,]+(?:\.\d+)?|USD|EUR|€|\$|%|dollars|euros|,|"
    r"turns?|turned|turning|left|handed|went|"
    r"spread|split|distributed|divided|averaged|measured) over$",
    re.IGNORECASE,
)
"""As in "715.20 over 180 payments"."""
_HAIR: Final = Decimal("0.000000001")
_ABOUT: Final = Decimal("0.075")
"""How far "about" may be off, as a share."""
_ROUNDED: Final = Decimal("0.2")
"""How far a last digit such as that of 2k may be off, as a share."""
_CLOSE: Final = {
    Hedge.NEARLY: Decimal("0.92"),
    Hedge.JUST_UNDER: Decimal("0.94"),
    Hedge.UP_TO: Decimal("0.95"),
}
"""The least share of such a bound that the true value must reach."""
_BEYOND: Final = Decimal("1.1")
"""How far beyond a bound the true value may lie: "over 5,000" is no fair word for 9,000."""


def hedge_before(text: str) -> tuple[Hedge, int]:
    """Return how the number that follows `text` is meant, and where the words for it begin."""
    tail = text[-45:]
    for hedge, pattern in _BEFORE_PATTERNS:
        match = pattern.search(tail)
        if match and hedge is Hedge.OVER and _OVER_COUNTED.search(tail[: match.start() + 4]):
            continue
        if match:
            return hedge, len(text) - len(tail) + match.start()
    return Hedge.PLAIN, len(text)


def hedge_after(text: str) -> tuple[Hedge, int]:
    """Return how the number before `text` is meant, and how far the words for it reach."""
    for hedge, pattern in _AFTER_PATTERNS:
        match = pattern.match(text)
        if match:
            return hedge, match.end()
    return Hedge.PLAIN, 0


def allowed(numeral: Numeral, hedge: Hedge, *, is_rounded: bool = False) -> tuple[Range, ...]:
    """Return the ranges of true values for which `numeral` is a fair writing.

    `is_rounded`: the writing itself says so ("5.3k"), so a rough last digit is meant.
    """
    half = numeral.step / 2
    if hedge in (Hedge.OVER, Hedge.JUST_OVER, Hedge.AT_LEAST):
        return (_above(numeral, hedge),)
    if hedge is Hedge.ABOUT:
        return (_capped(numeral.value, max(half, numeral.round_step / 2), _ABOUT, half),)
    if hedge is not Hedge.PLAIN:
        return (_below(numeral, hedge),)
    if is_rounded and numeral.step > 1:
        return (_capped(numeral.value, half, _ROUNDED),)
    return (Range(numeral.value - half, numeral.value + half),)


def _above(numeral: Numeral, hedge: Hedge) -> Range:
    low = numeral.value if hedge is Hedge.AT_LEAST else numeral.value + _HAIR
    reach = numeral.step / 2 if hedge is Hedge.JUST_OVER else numeral.round_step
    return Range(low, max(numeral.value * _BEYOND, numeral.value + reach))


def _below(numeral: Numeral, hedge: Hedge) -> Range:
    """Return what an upper bound allows; "nearly" keeps closer to it than "under"."""
    value, half = numeral.value, numeral.step / 2
    is_close = hedge in _CLOSE
    low = min(
        value * _CLOSE.get(hedge, 1 / _BEYOND), value - (half if is_close else numeral.round_step)
    )
    is_open = hedge in (Hedge.UNDER, Hedge.NEARLY, Hedge.JUST_UNDER)
    return Range(low, value - _HAIR if is_open else value + half)


def _capped(value: Decimal, half: Decimal, share: Decimal, least: Decimal = Decimal(0)) -> Range:
    half = max(min(half, abs(value) * share), least)
    return Range(value - half, value + half)
