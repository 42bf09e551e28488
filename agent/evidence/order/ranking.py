"""Which columns a clause ranks or compares by."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.nouns import MONEY_NOUNS, concept, is_entity

_EARNED: Final = re.compile(r"\b(?:earn\w*|brought in|gross\w*|revenue)\b", re.IGNORECASE)
_RATE: Final = re.compile(r"\b(?:rate|share|percent\w*|proportion|ratio|growth)\b|%", re.IGNORECASE)
_AVERAGE: Final = re.compile(r"\b(?:average|avg|mean|median|typical)\b", re.IGNORECASE)


def columns_of(table: Table, clause: str) -> list[int]:
    """Return the measures that a clause is about; all of them where it does not say."""
    per = [c for c in table.measures if "per" in table.meanings[c].words]
    if per and re.search(r"\bper\b", clause):
        return per
    clause = re.sub(r"\bper \w+", " ", clause)
    said = {concept(word) for word in re.findall(r"[^\W\d_]+", clause)}
    is_money = bool(said & MONEY_NOUNS) or _EARNED.search(clause) is not None
    named = [
        column
        for column in table.measures
        if said & (table.meanings[column].words | table.meanings[column].nouns)
        or (is_money and table.meanings[column].holds is Holds.MONEY)
    ]
    averages = [c for c in table.measures if table.meanings[c].is_average]
    if averages and _AVERAGE.search(clause):
        return [c for c in averages if c in named] or averages
    rates = [c for c in named or table.measures if table.meanings[c].holds is Holds.PERCENT]
    if rates and _RATE.search(clause):
        return rates
    return named or list(table.measures)


def columns_ranked(table: Table, clause: str, superlative: str) -> list[int]:
    """Return the measures that a superlative ranks by: from the words behind it, then before it."""
    kind = Holds.TIME if superlative.lower() in ("longest", "shortest") else None
    of_kind = [c for c in table.measures if table.meanings[c].holds is kind]
    if of_kind:
        return of_kind
    before, _, after = clause.partition(superlative)
    named = columns_of(table, after)
    if len(named) < len(table.measures):
        return named
    return columns_of(
        table, " ".join(word for word in before.split() if not is_entity(concept(word)))
    )


def is_derived(table: Table, clause: str) -> bool:
    """Whether a clause is about an average or a rate that no column has."""
    said = _AVERAGE.search(clause) or _RATE.search(clause) or re.search(r"\bper\b", clause)
    holds = (Holds.PERCENT, Holds.RATIO)
    has = any(m.is_average or m.holds in holds for m in table.meanings)
    return said is not None and not has
