"""What the notes under a result say of values that do not occur, and which were meant instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_LITERAL: Final = r"'(?:[^']|'')*'"
_NOTE: Final = re.compile(
    rf"^No (?P<thing>.+?) has the (?P<column>.+?) (?P<wanted>{_LITERAL})\..*"
    rf"Values of (?P<place>\S+): (?P<values>{_LITERAL}(?:, {_LITERAL})*)"
)
_SHORT: Final = 5
"""A word of fewer letters is seldom a misspelt one: it may well be another word."""
_SURE: Final = 84
"""How alike, in percent, a value is that is taken for a misspelt one."""


@dataclass(frozen=True)
class Missing:
    """A value that a query asked for in vain, and those that occur; as SQL writes them."""

    thing: str
    column: str
    wanted: str
    offered: tuple[str, ...]


def missing_values(notes: Sequence[str]) -> tuple[Missing, ...]:
    """Return the values that do not occur, as the notes under a result tell them."""
    found = (_NOTE.match(note) for note in notes)
    return tuple(
        Missing(m["thing"], m["column"], m["wanted"], tuple(re.findall(_LITERAL, m["values"])))
        for m in found
        if m is not None
    )


def with_occurring_value(sql: str, notes: Sequence[str]) -> tuple[str, str] | None:
    """Return the query with the value that was clearly meant, and the sentence that says so.

    None where every value occurs, or where more than one may be meant.
    """
    for missing in missing_values(notes):
        meant = clearly_meant(missing.wanted[1:-1], [value[1:-1] for value in missing.offered])
        if meant and missing.wanted in sql:
            said = f"No {missing.thing} has the {missing.column} {missing.wanted}; I took '{meant}'"
            return sql.replace(missing.wanted, f"'{meant}'"), said
    return None


def clearly_meant(wanted: str, offered: Sequence[str]) -> str:
    """Return the one value that `wanted` is a misspelling of; "" where none is, or several are."""
    scored = [(likeness_of_values(wanted.lower(), value.lower()), value) for value in offered]
    best = max((score for score, _ in scored), default=0.0)
    rivals = [value for score, value in scored if score >= best - 3]
    return rivals[0] if best >= _SURE and len(rivals) == 1 else ""


def likeness_of_values(said: str, value: str) -> float:
    """Return how sure it is, in percent, that `said` is meant for `value`; both in lower case.

    A hyphen or a space more or less changes nothing, one slip of the keyboard hardly anything.
    """
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA

    if len(bare(said)) >= _SHORT - 1 and bare(said) == bare(value):
        return 100.0
    if len(said) < _SHORT:
        return 0.0
    slipped = said[0] == value[:1] and OSA.distance(said, value, score_cutoff=1) == 1
    return max(fuzz.ratio(said, value), 90.0 if slipped else 0.0)


def bare(value: str) -> str:
    """Return a value's letters and digits alone: PG13 for PG-13."""
    return re.sub(r"[\W_]+", "", value).lower()
