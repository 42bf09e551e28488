"""What a column may hold, and what its name alone tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from agent.evidence.text.nouns import MONEY_NOUNS, concept, is_entity, words
from agent.evidence.text.units import time_unit


class Holds(StrEnum):
    """The kinds of columns, as far as figures are concerned."""

    MONEY = "an amount of money"
    COUNT = "a count"
    PERCENT = "a percentage"
    TIME = "a length of time"
    CALENDAR = "a part of a date"
    KEY = "a key"
    RANK = "a rank"
    RATIO = "a ratio"
    NUMBER = "a number"
    TEXT = "a text"


NAMING: Final = (Holds.KEY, Holds.CALENDAR, Holds.RANK)
"""What names a row and is no amount."""


@dataclass(frozen=True)
class Meaning:
    """What a column holds."""

    holds: Holds
    unit: str = ""
    """Of a length of time: "minute"; of a part of a date: "month"."""
    nouns: frozenset[str] = frozenset()
    """The concepts of what is counted."""
    is_change: bool = False
    """A difference or a growth rate: its sign tells the direction."""
    is_average: bool = False
    is_extreme: bool = False
    """A least or a greatest value, which nothing can be added to."""
    is_total: bool = False
    """A sum or a count, which may be summed further."""
    words: frozenset[str] = frozenset()
    """The concepts of its name."""


PERCENT_WORDS: Final = words("pct percent percentage perc prozent")
PART_WORDS: Final = words("share ratio proportion fraction quota")
RATE_WORDS: Final = words("rate growth change increase decrease margin yoy mom")
CHANGE_WORDS: Final = words(
    "change growth diff difference delta increase decrease decline gain loss gap yoy mom"
)
AVERAGE_WORDS: Final = words("avg average mean median per")
RANK_WORDS: Final = words("rank rnk rn position")
CALENDAR: Final = {
    "year": "year", "yr": "year", "isoyear": "year", "jahr": "year", "month": "month",
    "monat": "month", "quarter": "quarter", "week": "week", "hour": "hour", "dow": "dow",
    "isodow": "dow", "weekday": "dow", "day": "day", "doy": "doy", "decade": "decade",
    "minute": "clock",
}  # fmt: skip
_COUNT_WORDS: Final = words("count n num number cnt total qty quantity anzahl times")
_KEY_ENDS: Final = words("id key code no zip phone nr")
_WHOLE: Final = ("int", "bigint", "smallint")
_NUMERIC: Final = (*_WHOLE, "numeric", "decimal", "real", "double", "money", "float", "oid")
_SHORT_UNITS: Final = words("ms sec secs min mins hr hrs")
_VERBAL: Final = ("ed", "ing")


def is_numeric(type_name: str) -> bool:
    """Whether a column of this type holds numbers."""
    return type_name.lower().startswith(_NUMERIC)


def entity_of(word: str) -> str:
    """Return the concept of a word of a name that is a counted thing; "" for "rented"."""
    noun = concept(word)
    return noun if is_entity(noun) and not word.endswith(_VERBAL) else ""


def meaning_by_name(name: tuple[str, ...], type_name: str = "") -> tuple[Holds, str] | None:
    """Return what the words of a name say it holds, and its unit; None where they say nothing."""
    named = set(name)
    last = name[-1] if name else ""
    if last in _KEY_ENDS:
        return Holds.KEY, ""
    if last in CALENDAR and len(name) <= 2:
        return Holds.CALENDAR, CALENDAR[last]
    if named & MONEY_NOUNS or type_name == "money" or name[-2:] == ("rental", "rate"):
        return Holds.MONEY, ""
    if named & {"length", "runtime", "runlength"}:
        return Holds.TIME, "minute"
    if name[-2:] == ("rental", "duration"):
        return Holds.TIME, "day"
    if "duration" in named:
        return Holds.TIME, ""
    if named & PART_WORDS or "growth" in named:
        return Holds.PERCENT, ""
    is_counted = named & _COUNT_WORDS or any(entity_of(word) for word in name)
    if type_name.lower().startswith(_WHOLE) and is_counted:
        return Holds.COUNT, ""
    return None


def unit_in_name(name: tuple[str, ...]) -> str:
    """Return the unit of time that a name ends in or holds in the plural: "avg_minutes"."""
    if len(name) > 1 and name[-1] in _SHORT_UNITS:
        return time_unit(name[-1])
    return next((time_unit(w) for w in reversed(name) if w.endswith("s") and len(w) > 3), "")
