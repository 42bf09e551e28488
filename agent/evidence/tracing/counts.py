"""Figures that count: rows, different values, the days of a period, names in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.hedges import Hedge
from agent.evidence.text.mentions import Form
from agent.evidence.text.nouns import (
    PERIODS,
    ROW_NOUNS,
    TALK_NOUNS,
    concept,
    is_entity,
    name_concepts,
)
from agent.evidence.tracing.conditions import meeting_counts

_CHOSEN: Final = re.compile(
    r"\b(?:top|first|last|bottom|leading|best|highest|lowest|largest|biggest|next|these|those|the|"
    r"all|only|both|other|remaining|following|longest|busiest|strongest|weakest|shown|listed|our|"
    r"its|just|worst|every one of the|any of the|most recent|latest)\s+(?:\w+ )?$",
    re.IGNORECASE,
)
_CHOSEN_BEHIND: Final = re.compile(
    r"\s(?:leaders|leading|best|most|highest|lowest|largest|longest|top|biggest)\b", re.IGNORECASE
)
_ALL_OF: Final = re.compile(r"\b(?:all|every)(?: of)?(?: the| our| these)? $", re.IGNORECASE)
_REST: Final = re.compile(
    r"\b(?:other|others|remaining|rest|another|further|more|additional|else)\b", re.IGNORECASE
)
_EXISTS: Final = re.compile(
    r"\b(?:there (?:are|were|is)|we (?:have|had|offer|run)|has|have|in total|altogether|"
    r"a total of|total|exist|in all|consists? of|database (?:has|holds|contains))\b",
    re.IGNORECASE,
)
_SHOWN: Final = re.compile(
    r"\b(?:top|first|shown|listed|these|those|below|above|best|leading|leaders|highest|lowest|"
    r"longest|limit|displayed|following|last|bottom|largest|biggest)\b",
    re.IGNORECASE,
)
_LABELS: Final = (Holds.TEXT, Holds.KEY, Holds.CALENDAR)


def count_source(claim: Claim, ground: Ground) -> str:
    """Return what a whole number counts, in words; "" where nothing has that many."""
    mention = claim.mention
    is_count = mention.form is Form.NUMBER or (mention.form is Form.TIME and mention.unit)
    if not is_count or mention.currency or mention.value != int(mention.value) or mention.value < 0:
        return ""
    if mention.noun in TALK_NOUNS and mention.value <= 10 and mention.noun not in ground.known:
        return "the answer's own words"
    sources = (source for t in ground.tables for source in _of_table(claim, ground, t))
    return next(sources, "") or _of_names(claim, ground)


def _fits(claim: Claim, value: int) -> bool:
    return any(r.holds(Decimal(value)) for r in claim.mention.ranges)


def _of_table(claim: Claim, ground: Ground, table: Table) -> Iterator[str]:
    rows = len(table.rows)
    may_be_rows = _may_be_rows(claim, ground, table)
    if may_be_rows and _fits(claim, rows) and _may_count_all(claim, ground, table):
        yield f"{table.name}, its {rows} rows"
    for column, count in table.varieties:
        if _fits(claim, count) and _may_count_values(claim, ground, table, column):
            yield f"{table.name}, {count} different values of {table.column_name(column)}"
    if may_be_rows and 0 < claim.mention.value <= rows and _is_chosen(claim, ground):
        yield f"{table.name}, {claim.mention.text} of its {rows} rows"
    if may_be_rows and any(_fits(claim, n) for n in meeting_counts(claim, ground, table)):
        yield f"{table.name}, rows counted"
    yield from _of_period(claim, table)


def _noun(claim: Claim) -> str:
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


def _may_be_rows(claim: Claim, ground: Ground, table: Table) -> bool:
    noun, rows = _noun(claim), _row_concepts(table)
    if not noun or noun in ROW_NOUNS or noun in rows:
        return True
    if noun in PERIODS:
        return bool(table.moments) or any(m.holds is Holds.CALENDAR for m in table.meanings)
    if not is_entity(noun) and noun not in ground.known:
        return True
    of_tables = {c for name in table.statement.tables for c in name_concepts(name)}
    is_unnamed = not rows - ROW_NOUNS and not table.statement.limit
    return noun in of_tables and ("name" in rows or is_unnamed)


def _may_count_all(claim: Claim, ground: Ground, table: Table) -> bool:
    """Whether a number may be that of all rows: not where a limit made it."""
    if not table.is_cut:
        return len(table.rows) > 1 or claim.mention.value == 1
    if claim.mention.hedge in (Hedge.AT_LEAST, Hedge.OVER):
        return True
    exists = _EXISTS.search(ground.before(claim)[-30:]) or _EXISTS.search(ground.after(claim)[:25])
    shown = _SHOWN.search(ground.text(claim)[: claim.mention.end])
    return shown is not None or exists is None


def _may_count_values(claim: Claim, ground: Ground, table: Table, column: int) -> bool:
    noun = _noun(claim)
    if not noun:
        return _CHOSEN.search(ground.before(claim)) is not None
    named = name_concepts(table.column_name(column)) | {table.meanings[column].unit}
    if noun in named or (noun in ROW_NOUNS and not table.is_cut):
        return True
    if noun in PERIODS:
        return column in table.moments or table.meanings[column].holds is Holds.CALENDAR
    return not is_entity(noun) and noun not in ground.known and not table.is_cut


def _is_chosen(claim: Claim, ground: Ground) -> bool:
    """Whether a number says how many of the rows are meant: "the top 3", "these two"."""
    before, after = ground.before(claim), ground.after(claim)
    if _ALL_OF.search(before):
        return False
    is_many = claim.mention.value > 3 and _noun(claim) not in PERIODS
    if is_many and re.search(r"\bthe $", before, re.IGNORECASE) and not _SHOWN.search(after[:20]):
        return False
    return bool(_CHOSEN.search(before) or _CHOSEN_BEHIND.match(after))


def _of_period(claim: Claim, table: Table) -> Iterator[str]:
    """Yield the length of the period that a query asks for: "those 12 days"."""
    for low, high in table.statement.scope_periods:
        if low is None or high is None:
            continue
        days = (high - low).days + 1
        months = (high.year - low.year) * 12 + high.month - low.month + 1
        lengths = {"day": days, "week": round(days / 7), "month": months, "year": months // 12}
        if _fits(claim, lengths.get(claim.mention.unit, -1)):
            yield f"the period of query {table.number + 1}"


def _of_names(claim: Claim, ground: Ground) -> str:
    """Return that a number counts names of the text ("both", "the other 13"); "" if it does not."""
    near = {
        name.text.lower()
        for scene in ground.scenes[max(0, claim.scene - 1) : claim.scene + 2]
        for name in scene.names
        if name.has_rows
    }
    before = ground.before(claim)
    if _CHOSEN.search(before) and len(near) > 1 and _fits(claim, len(near)):
        return "the names in the text"
    is_rest = _REST.search(before[-20:]) or claim.mention.noun in map(concept, _REST_NOUNS)
    for table in ground.tables if is_rest else ():
        rows = len(table.rows)
        if not table.is_cut and any(_fits(claim, rows - n) for n in _said_before(claim, ground)):
            return f"{table.name}, its other rows"
    return ""


_REST_NOUNS: Final = ("other", "more", "remaining", "further")


def _said_before(claim: Claim, ground: Ground) -> set[int]:
    """Return how many rows the text may have named or counted up to a claim."""
    here = {n.text.lower() for n in ground.scene_of(claim).names if n.has_rows}
    so_far = {
        n.text.lower() for s in ground.scenes[: claim.scene + 1] for n in s.names if n.has_rows
    }
    numbers = {
        int(c.mention.value)
        for c in ground.claims
        if c.source and c.mention.form is Form.NUMBER and 0 < c.mention.value < 1000
    }
    return {len(here), len(so_far), *numbers}
