"""Lengths of time in words: "an hour and twenty minutes", "two and a half hours", "half a day"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from agent.evidence.text.hedges import allowed, hedge_before
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.numerals import NUMBER_WORDS, SMALL_WORDS, Numeral, read_words
from agent.evidence.text.units import TIME_UNITS, time_unit

_UNIT: Final = r"(?:second|minute|hour|day|week|month|year)"
_SMALL: Final = "|".join(word for word, number in SMALL_WORDS.items() if 1 <= number <= 20)
_COUNT: Final = rf"(?:an?|{_SMALL}|\d+)"
_LENGTH: Final = re.compile(
    rf"\b(?P<n>{_COUNT}) and a (?P<part>half|quarter) (?P<unit>{_UNIT})s?\b"
    rf"|\b(?P<n2>an?|one) (?P<unit2>{_UNIT}) and a (?P<part2>half|quarter)\b"
    rf"|\b(?P<three>three[ -])?(?P<part3>half|quarter|quarters)(?: of)? an? (?P<unit3>{_UNIT})\b"
    rf"|\b(?P<n4>{_COUNT}) (?P<unit4>{_UNIT})s? and "
    rf"(?P<rest>{NUMBER_WORDS}|\d+) (?P<small>{_UNIT})s?\b"
    r"|\b(?P<h>\d+) ?h(?:ours?|rs?)? ?(?P<m>\d{1,2}) ?m(?:in)?\b"
    r"|\b(?P<min>\d+) ?m(?:in)? ?(?P<s>\d{1,2}) ?s(?:ec)?\b",
    re.IGNORECASE,
)
_PARTS: Final = {"half": Decimal("0.5"), "quarter": Decimal("0.25"), "quarters": Decimal("0.25")}
_HALF: Final = Decimal("0.5")


def find_lengths(text: str, taken: Sequence[tuple[int, int]]) -> list[Mention]:
    """Return the lengths of time that `text` writes in words, outside the spans `taken`."""
    matches = (
        match
        for match in _LENGTH.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in taken)
    )
    return [_mention(text, match, *read) for match in matches for read in _read(match)]


def _read(match: re.Match[str]) -> Iterator[tuple[Decimal, str, Decimal]]:
    """Yield the value, the unit and the step of a length."""
    got = {name: (value or "").lower() for name, value in match.groupdict().items()}
    if got["h"] or got["min"]:
        unit = "minute" if got["h"] else "second"
        yield Decimal(got["h"] or got["min"]) * 60 + Decimal(got["m"] or got["s"]), unit, Decimal(1)
        return
    if got["rest"]:
        read = read_words(got["rest"]) if not got["rest"].isdigit() else None
        rest = read.value if read is not None else Decimal(got["rest"])
        big, small = TIME_UNITS[time_unit(got["unit4"])], TIME_UNITS[time_unit(got["small"])]
        if big > small:
            yield _whole(got["n4"]) * big / small + rest, time_unit(got["small"]), Decimal(1)
        return
    unit = time_unit(got["unit"] or got["unit2"] or got["unit3"])
    part = _PARTS[got["part"] or got["part2"] or got["part3"]]
    if got["part3"]:
        yield part * (3 if got["three"] else 1), unit, min(part, _HALF)
        return
    yield _whole(got["n"] or got["n2"]) + part, unit, part


def _whole(word: str) -> Decimal:
    if word in ("a", "an"):
        return Decimal(1)
    return Decimal(SMALL_WORDS.get(word, 0) or word)


def _mention(text: str, match: re.Match[str], value: Decimal, unit: str, step: Decimal) -> Mention:
    hedge, begin = hedge_before(text[: match.start()])
    return Mention(
        match[0], begin, match.end(), Form.TIME, value, allowed(Numeral(value, step), hedge),
        hedge=hedge, unit=unit, is_word=True, digits=2,
    )  # fmt: skip
