"""The marks in figures by locale: 5,314.21 here, 5.314,21 there; pure.

What a locale writes comes from the Unicode CLDR by way of Babel. Digits are always 0 to 9.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from babel import Locale, UnknownLocaleError

MARK: Final = "¤"
"""Stands for the sign of a currency."""

_ALIKE: Final = {"es_LA": "es_419"}
"""What Slack calls a locale, and what everybody else does."""
_FIGURE: Final = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\d,.]*\d)")
_QUOTED: Final = re.compile(r"“[^”\n]*”|'[^'\n]*'|\"[^\"\n]*\"")


@dataclass(frozen=True)
class Notation:
    """The marks in figures: 12,34,567.89 and where "$" and "%" stand."""

    point: str = "."
    group: str = ","
    sizes: tuple[int, int] = (3, 3)
    """How many digits the last group has, and the groups before it."""
    money: tuple[str, str] = (MARK, "")
    """What stands before an amount and behind it."""
    percent: tuple[str, str] = ("", "%")

    def whole(self, digits: str) -> str:
        """Return digits in groups."""
        last, others = self.sizes
        head, groups = digits[:-last], [digits[-last:]]
        while head:
            groups.append(head[-others:])
            head = head[:-others]
        return self.group.join(reversed(groups))

    def rewritten(self, words: str) -> str:
        """Return words of our own, whose figures are in English, with the marks of this notation.

        What stands between quotation marks is somebody else's, and stays.
        """
        if self == ENGLISH_NOTATION:
            return words
        parts, end = [], 0
        for quoted in _QUOTED.finditer(words):
            parts += [_FIGURE.sub(self._figure, words[end : quoted.start()]), quoted[0]]
            end = quoted.end()
        return "".join([*parts, _FIGURE.sub(self._figure, words[end:])])

    def _figure(self, found: re.Match[str]) -> str:
        whole, decimals = found[1], found[2] or ""
        whole = self.whole(whole.replace(",", "")) if "," in whole else whole
        return whole + decimals.replace(".", self.point)

    @property
    def for_vega(self) -> dict[str, Any]:
        """The same as Vega's configuration wants it."""
        last, others = self.sizes
        number = {
            "decimal": self.point,
            "thousands": self.group,
            "grouping": [last] if last == others else [last, *[others] * 8],
            "currency": [side.replace(MARK, "$") for side in self.money],
        }
        return {"number": number}


ENGLISH_NOTATION: Final = Notation()


def notation_of(locale: str) -> Notation:
    """Return the marks of a locale such as "de-DE"; English ones where nobody knows it."""
    known = known_locale(locale)
    return ENGLISH_NOTATION if known is None else _notation(known)


@lru_cache(maxsize=256)
def known_locale(name: str) -> Locale | None:
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
