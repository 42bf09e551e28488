"""What a column of a result holds: from its name, its type, and what the query computes it from."""

from __future__ import annotations

from typing import Final

from agent.evidence.rows.expressions import computed
from agent.evidence.rows.meanings import (
    AVERAGE_WORDS,
    CHANGE_WORDS,
    PART_WORDS,
    PERCENT_WORDS,
    RANK_WORDS,
    RATE_WORDS,
    Holds,
    Meaning,
    entity_of,
    is_numeric,
    meaning_by_name,
    unit_in_name,
)
from agent.evidence.rows.statement import Statement
from agent.evidence.text.nouns import name_concepts, name_words, words

_ASIDE: Final = words("with without no not having has have per by in of missing")
_TOLD: Final = (
    Holds.COUNT, Holds.MONEY, Holds.CALENDAR, Holds.PERCENT, Holds.TIME, Holds.RATIO,
)  # fmt: skip


def column_meaning(name: str, type_name: str, position: int, statement: Statement) -> Meaning:
    """Return what the column at `position` of a result holds."""
    said, concepts = name_words(name), name_concepts(name)
    if type_name == "interval":
        return Meaning(Holds.TIME, "second", words=concepts)
    if not is_numeric(type_name):
        return Meaning(Holds.TEXT, words=concepts)
    outputs = statement.outputs
    made = computed(outputs[position], statement) if position < len(outputs) else None
    holds, unit = _holds(said, type_name, made)
    nouns = frozenset(noun for word in _head(said) if (noun := entity_of(word)))
    if made is not None and (not nouns or len(said) > 1):
        nouns |= made.nouns
    return Meaning(
        holds,
        unit,
        nouns,
        is_change=bool(concepts & CHANGE_WORDS) or (made is not None and made.is_change),
        is_average=bool(AVERAGE_WORDS & set(said)) or (made is not None and made.is_average),
        is_extreme=made is not None and made.is_extreme,
        is_total=made is None or made.is_total,
        words=concepts,
    )


def _head(name: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name before what sets it apart: films of films_with_trailers."""
    aside = [n for n, word in enumerate(name) if word in _ASIDE]
    return name[: aside[0]] if aside else name


def _holds(name: tuple[str, ...], type_name: str, made: Meaning | None) -> tuple[Holds, str]:
    """Let the name decide where it is plain, then the expression, then the rest of the name."""
    got = made.holds if made is not None else None
    named = set(name)
    if named & PERCENT_WORDS or (named & PART_WORDS and got is not Holds.MONEY):
        return Holds.PERCENT, ""
    if named & RATE_WORDS and got in (Holds.RATIO, Holds.PERCENT):
        return Holds.PERCENT, ""
    if named & RANK_WORDS or got is Holds.RANK:
        return Holds.RANK, ""
    unit = unit_in_name(name)
    if unit and got is not Holds.COUNT:
        return Holds.TIME, unit
    if made is not None and made.holds in _TOLD:
        return made.holds, made.unit
    return meaning_by_name(name, type_name) or (got or Holds.NUMBER, "")
