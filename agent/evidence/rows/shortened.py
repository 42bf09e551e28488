"""The shorter and other names that people give to labels: "the US", "NC17", "Speedy", "Jane"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent.evidence.rows.countries import COUNTRY_CODES
from agent.evidence.rows.labels import COMMON, Key, key_of
from agent.evidence.text.nouns import is_noun
from agent.evidence.text.numerals import SMALL_WORDS

_ALIKE: Final = (
    ("usa", "us", "u s", "u s a", "united states", "united states of america", "the states"),
    ("uk", "u k", "united kingdom", "britain", "great britain"),
    ("czech republic", "czechia"),
    ("netherlands", "holland"),
    ("uae", "united arab emirates"),
    ("south korea", "korea"),
    ("russia", "russian federation"),
)
_OPEN_ENDS: Final = tuple(
    (joint, word) for joint in ("and", "or") for word in ("more", "over", "longer", "above", "up")
)
_ALIASED: Final = frozenset(name for kin in _ALIKE for name in kin)
_MINUTES: Final = frozenset(("min", "mins", "minute", "minutes"))
_UNITS: Final = {
    "min": ("minute", "minutes", "mins"),
    "mins": ("minute", "minutes", "min"),
    "minutes": ("min", "mins", "minute"),
    "h": ("hour", "hours", "hrs"),
    "hrs": ("hour", "hours", "h"),
    "hours": ("h", "hrs", "hour"),
}
_WEEKDAYS: Final = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
)  # fmt: skip
_LEAST: Final = 4
"""Letters of a first word that may stand for a label."""


def other_names(cell: str) -> Iterator[Key]:
    """Yield what else surely means a label: "NC17", "between 60 and 119 minutes", "the US"."""
    key = key_of(cell)
    if cell.lower() in _WEEKDAYS:
        yield from ((cell.lower()[:length],) for length in (3, 4, 5))
    elif 3 <= len(cell) <= 5:
        yield from ((day,) for day in _WEEKDAYS if day.startswith(cell.lower().rstrip(".")))
    if re.fullmatch(r"[^\W\d_]{1,4}-\d{1,3}", cell):
        yield ("".join(key),)
    for kin in _ALIKE:
        if " ".join(key) in kin:
            yield from (tuple(name.split()) for name in kin if name != " ".join(key))
    ends = [(*key[:-1], unit) for unit in _UNITS.get(key[-1], ())] if key else []
    yield from ends
    yield from _in_hours(key)
    if key[-2:] in _OPEN_ENDS and key[0].isdigit():
        for whole in (key, *((*key[:-3], unit, *key[-2:]) for unit in _UNITS.get(key[-3], ()))):
            yield from ((*whole[:-2], *end) for end in _OPEN_ENDS)
    if len(key) >= 2 and key[0].isdigit() and key[1].isdigit():
        for whole in (key, *ends):
            yield from ((whole[0], word, *whole[1:]) for word in ("and", "to"))


def may_be_said(cell: str, said: frozenset[str]) -> bool:
    """Whether a text with these words may name a label: by a word, by its initials, by an alias."""
    key = key_of(cell[:200])
    if not said.isdisjoint(key) or "".join(key) in said or cell.lower() in _WEEKDAYS:
        return True
    if (key[-1:] and key[-1] in _MINUTES) or cell.lower() in COUNTRY_CODES:
        return True
    return "".join(word[0] for word in key) in said or " ".join(key) in _ALIASED


def _in_hours(key: Key) -> Iterator[Key]:
    """Yield a label of whole hours as it may be said: "over 2h" for "over 120 min"."""
    numbers = [word for word in key if word.isdecimal()]
    lengths = {one: round(int(one) / 60) for one in numbers}
    is_whole = all(int(one) in (n * 60, n * 60 - 1) and n for one, n in lengths.items())
    if not numbers or not is_whole or key[-1] not in _MINUTES:
        return
    for spell in (str, _in_words):
        hours = tuple(spell(lengths[word]) if word in lengths else word for word in key[:-1])
        for unit in ("h", "hour", "hours", "hrs"):
            yield (*hours, unit)
            if len(numbers) == 2 == len(hours):
                yield from ((hours[0], joint, hours[1], unit) for joint in ("to", "and"))
        yield (*hours[:-1], f"{hours[-1]}h")
        if numbers == ["60"]:
            yield (*hours[:-1], "an", "hour")


def _in_words(number: int) -> str:
    return next((word for word, n in SMALL_WORDS.items() if n == number), str(number))


def short_names(cell: str) -> Iterator[Key]:
    """Yield what may mean a label if no other label could be meant: "Speedy", "BTS"."""
    key = key_of(cell)
    yield from ((code,) for code in COUNTRY_CODES.get(cell.lower(), ()))
    if 3 <= len(key) <= 6:
        yield from (key[:length] for length in range(2, len(key)))
    if not 2 <= len(key) <= 4 or any(word.isdigit() for word in key):
        return
    is_name = cell[0].isupper() and len(key[0]) >= _LEAST
    if is_name and key[0] not in COMMON and not is_noun(key[0]):
        yield (key[0],)
    if key[0] in ("the", "a"):
        yield key[1:]
    if all(word[0].isupper() for word in re.findall(r"[^\W\d_]+", cell)):
        yield ("".join(word[0] for word in key),)
