"""What a number counts, and what the rows of a result may be called."""

from __future__ import annotations

from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.nouns import PERIODS, ROW_NOUNS, is_entity, name_concepts
from agent.evidence.tracing.clauses import is_partitive

_LABELS: Final = (Holds.TEXT, Holds.KEY, Holds.CALENDAR)


def noun_of(claim: Claim) -> str:
    """Return the concept of what a number counts, as the words behind it tell."""
    if claim.mention.unit:
        return claim.mention.unit
    nouns = (*claim.mention.nouns, *claim.mention.prep_nouns)
    things = [n for n in nouns if is_entity(n) or n in PERIODS or n in ROW_NOUNS]
    return things[0] if things else (nouns[-1] if nouns else "")


def _row_concepts(table: Table) -> frozenset[str]:
    """Return what the rows of a result may be called."""
    found: set[str] = set()
    for column, one in enumerate(table.result.columns):
        if table.meanings[column].holds in _LABELS or column in table.moments:
            found |= name_concepts(one.name) | ({table.meanings[column].unit} - {""})
    return frozenset(found)


def may_be_rows(claim: Claim, ground: Ground, table: Table) -> bool:
    """Whether a number may count rows of a result, as the noun behind it tells."""
    noun, rows = noun_of(claim), _row_concepts(table)
    if not noun or noun in ROW_NOUNS or noun in rows:
        return True
    if noun in PERIODS:
        is_named = bool(rows & PERIODS)  # a text: "Monday", "2024-Q1"
        return (
            bool(table.moments)
            or is_named
            or any(m.holds is Holds.CALENDAR for m in table.meanings)
        )
    if not is_entity(noun) and (noun not in ground.known or is_partitive(claim, ground)):
        return True  # "three of seven score 8 or better"
    of_tables = {c for name in table.statement.tables for c in name_concepts(name)}
    is_unnamed = not rows - ROW_NOUNS and not table.statement.limit
    return noun in of_tables and ("name" in rows or is_unnamed)
