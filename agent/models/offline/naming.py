"""How well a phrase fits a column's name, in part or loosely."""

from __future__ import annotations

from typing import Final

from agent.models.offline.likeness import all_alike, likeness
from agent.models.offline.reading import stem, stems

SUFFIXES: Final = frozenset(
    {
        "id",
        "date",
        "name",
        "at",
        "on",
        "num",
        "no",
        "number",
        "year",
        "time",
        "bool",
        "flag",
        "is",
        "has",
        "text",
        "code",
        "usd",
        "eur",
        "gbp",
    }
)

_TAILS: Final = stems("address number name code value title level date type status")
"""Words that people put behind a column's name: email address, phone number."""


def within_table(stems: tuple[str, ...], words: tuple[str, ...]) -> float:
    """Score "film length", once the table's own words are taken off."""
    inner = likeness(stems, words)
    if inner >= 0.9:
        return inner + 0.02
    core = tuple(w for w in words if w not in SUFFIXES)
    return 0.85 if core and core == stems else 0.0


def partly(stems: tuple[str, ...], words: tuple[str, ...]) -> float:
    """Score phrases that leave out, or add, words that say little: return for return_date."""
    core = tuple(w for w in words if w not in SUFFIXES)
    if core and core != words and (core == stems or all_alike(stems, core)):
        return 0.75 if core == stems else 0.7
    if len(words) == 1 and words[0].endswith("bool") and (stem(words[0][:-4]),) == stems:
        return 0.9
    if len(stems) == len(words) + 1 and stems[-1] in _TAILS and stems[:-1] == words:
        return 0.85
    if len(stems) <= len(words) and all(s in words for s in stems):
        return 0.65 if len(stems) > 1 else 0.6
    return 0.0
