"""Numbers in digits and in words: their value, and the step in which they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from agent.evidence.text.plain import THIN

DIGITS: Final = (
    r"\d{1,3}(?:[ " + THIN + r"]\d{3})+(?:[.,]\d+)?(?!\d)|\d{1,3}(?:'\d{3})+(?:[.,]\d+)?(?!\d)"
    r"|\d(?:[\d.,]*\d)?|(?<!\d)[.,]\d+"
)
"""What a number in digits looks like; `read_digits` says which numbers it may be."""


@dataclass(frozen=True)
class Numeral:
    """A number as it is written."""

    value: Decimal
    step: Decimal
    """The worth of its last digit: 0.01 for 5,314.21, 100 for 5.3k."""

    def times(self, scale: Decimal) -> Numeral:
        return Numeral(self.value * scale, self.step * scale)

    @property
    def round_step(self) -> Decimal:
        """The worth of the last digit that is not a zero: 100 for 5,300."""
        step = self.step
        if step < 1 or not self.value:
            return step
        whole, tens = int(self.value), int(step)
        while whole % (tens * 10) == 0:
            tens *= 10
        return Decimal(tens)


_EUROPEAN = re.compile(
    r"\d\.\d{3},\d|(?<![\d.,])\d{1,3},\d{1,2}(?![\d,])(?! and \d)|\d\.\d{3}\.\d{3}\b"
)
_ENGLISH = re.compile(r"\d,\d{3}(?!\d)|(?<![\d.])\d+\.\d{1,2}(?![\d.])|\d\.\d{4,}")


def is_european(text: str) -> bool:
    """Whether a text writes 1.234,56 rather than 1,234.56, as far as its numbers tell."""
    return len(_EUROPEAN.findall(text)) > len(_ENGLISH.findall(text))


def read_digits(text: str, *, european: bool) -> tuple[Numeral, ...]:
    """Return the numbers that `text`, which matches `DIGITS`, may stand for; likeliest first."""
    bare = re.sub(rf"[ '{THIN}](?=\d{{3}})", "", text)
    marks = [c for c in bare if c in ".,"]
    if not marks:
        return (_numeral(bare, ""),)
    if len(set(marks)) == 2:
        return (_numeral(bare.replace(marks[0], ""), marks[-1]),) if marks[-1] != marks[0] else ()
    mark = marks[0]
    if len(marks) > 1:
        groups = bare.split(mark)
        if all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3:
            return (_numeral(bare.replace(mark, ""), ""),)
        return ()
    whole, _, rest = bare.partition(mark)
    as_decimal, as_thousands = _numeral(bare, mark), _numeral(whole + rest, "")
    if len(rest) != 3 or not 1 <= len(whole) <= 3 or whole.startswith("0") or bare != text:
        return (as_decimal,)
    if european:
        return (as_thousands,) if mark == "." else (as_decimal,)
    return (as_thousands,) if mark == "," else (as_decimal, as_thousands)


def _numeral(digits: str, mark: str) -> Numeral:
    whole, _, decimals = digits.partition(mark) if mark else (digits, "", "")
    value = Decimal(f"{whole or 0}.{decimals}" if decimals else whole or "0")
    return Numeral(value, Decimal(1).scaleb(-len(decimals)))


_UNITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SMALL_WORDS: Final[dict[str, int]] = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=2)},
}
SCALE_WORDS: Final[dict[str, int]] = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
_WORD = "|".join(sorted((*SMALL_WORDS, *SCALE_WORDS), key=len, reverse=True))
NUMBER_WORDS: Final = (
    rf"(?:half a|a couple of|a|one|two|three|four|five|six) dozen\b|"
    rf"(?:a (?=hundred|thousand|million|billion))?(?:{_WORD})(?:(?:[ -]| and )(?:{_WORD}))*\b"
)
"""What a number in words looks like, in lower case."""


def read_words(text: str) -> Numeral | None:
    """Return the number that `text`, which matches `NUMBER_WORDS`, stands for; None for none."""
    words = re.findall(r"[a-z]+", text.lower())
    if words[-1] == "dozen":
        count = 6 if words[0] == "half" else 12 * SMALL_WORDS.get(words[0], 1)
        return Numeral(Decimal(24 if "couple" in words else count), Decimal(1))
    total, part, step = 0, 0, 1
    for word in words:
        if word in SMALL_WORDS:
            if 0 < part % 100 < 20 and SMALL_WORDS[word] < 10:
                return None  # "two three": no number
            part, step = part + SMALL_WORDS[word], 1
        elif word == "hundred":
            part, step = (part or 1) * 100, 100
        elif word in SCALE_WORDS:
            total += (part or 1) * SCALE_WORDS[word]
            part, step = 0, SCALE_WORDS[word]
    return Numeral(Decimal(total + part), Decimal(1 if total + part < 100 else step))
