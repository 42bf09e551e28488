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
    is_entity,
    name_concepts,
)
from agent.evidence.tracing.clauses import (
    answers_alone,
    clause_of,
    is_partitive,
    list_length,
    opens,
)
from agent.evidence.tracing.completeness import is_cut_number
from agent.evidence.tracing.conditions import NOTHING, Met
from agent.evidence.tracing.counted import may_be_rows, noun_of
from agent.evidence.tracing.parts import (
    asked_condition,
    named_just_before,
    own_condition,
    rest_counts,
    says_rest,
)

_CHOSEN: Final = re.compile(
    r"\b(?:top|first|last|bottom|leading|best|highest|lowest|largest|biggest|next|these|those|the|"
    r"all|only|both|following|longest|busiest|strongest|weakest|shown|listed|our|"
    r"its|just|worst|every one of the|any of the|most recent|latest)\s+(?:\w+ )?$",
    re.IGNORECASE,
)
_CHOSEN_BEHIND: Final = re.compile(
    r"\s(?:leaders|leading|best|most|highest|lowest|largest|longest|top|biggest)\b", re.IGNORECASE
)
_ALL_OF: Final = re.compile(r"\b(?:all|every)(?: of)?(?: the| our| these)? $", re.IGNORECASE)
_ONLY: Final = re.compile(r"\b(?:only|just|exactly) $", re.IGNORECASE)
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
    if not may_count(claim):
        return ""
    if mention.noun in TALK_NOUNS and mention.value <= 10 and mention.noun not in ground.known:
        return "the answer's own words"
    if mention.value == 0 and not mention.hedge:
        empty = next((t for t in ground.tables if not t.rows), None)
        return f"{empty.name}, its 0 rows" if empty is not None else ""
    sources = (source for t in ground.tables for source in _of_table(claim, ground, t))
    return next(sources, "") or _of_names(claim, ground)


def may_count(claim: Claim) -> bool:
    mention = claim.mention
    is_count = mention.form is Form.NUMBER or (mention.form is Form.TIME and mention.unit)
    is_count = is_count or mention.text.lower() in ("twice", "thrice")
    is_whole = mention.value == int(mention.value) and mention.value >= 0
    return bool(is_count and is_whole and not mention.currency)


def fits(claim: Claim, value: int) -> bool:
    """Whether a number may count so many; "over two years" lasts two."""
    mention = claim.mention
    lasts = mention.hedge is Hedge.OVER and mention.unit and mention.value == value
    return bool(lasts) or any(r.holds(Decimal(value)) for r in mention.ranges)


def _of_table(claim: Claim, ground: Ground, table: Table) -> Iterator[str]:
    is_cut = fits(claim, len(table.rows)) and is_cut_number(claim, ground, table)
    if may_be_rows(claim, ground, table) and not is_cut:
        yield from _of_rows(claim, ground, table)
    for column, count in table.varieties:
        may_be = _may_count_values(claim, ground, table, column)
        may_be = may_be and not is_cut_number(claim, ground, table)
        if fits(claim, count) and may_be and not says_rest(claim, ground):
            yield f"{table.name}, {count} different values of {table.column_name(column)}"
    yield from _of_period(claim, table)


def _of_rows(claim: Claim, ground: Ground, table: Table) -> Iterator[str]:
    """Yield which rows a number counts: all, those that meet a condition, the chosen, the rest."""
    rows, value = len(table.rows), claim.mention.value
    listed = list_length(claim, ground)
    if listed and not fits(claim, listed):
        return
    own, is_named = own_condition(claim, ground, table), noun_of(claim) in ("row", "result")
    if any(fits(claim, n) for n in own.counts):
        yield f"{table.name}, rows counted"
    is_subject = is_partitive(claim, ground) or opens(claim, ground)
    is_refuted = own.is_sure and (is_subject or _says_all(claim, ground))
    may_be_all = is_named or _may_count_all(claim, ground, table)
    if says_rest(claim, ground):
        if _fits_rest(claim, ground, table, own):
            yield f"{table.name}, its other rows"
        return
    if fits(claim, rows) and may_be_all and not (is_refuted and is_subject):
        yield f"{table.name}, its {rows} rows"
    if not 0 < value <= rows:
        return
    is_within = not is_refuted or value <= max(own.counts, default=0)
    if is_within and _is_chosen(claim, ground) and _only_fits(claim, ground, table, own):
        yield f"{table.name}, {claim.mention.text} of its {rows} rows"
    if not own.is_sure and fits(claim, named_just_before(claim, ground)):
        listed, is_subject = len(own.rows) + 1, True
    if not own.is_sure and (is_subject or listed):
        yield from _answers(claim, ground, table, is_listed=listed > 0, is_open=not own.rows)


def _says_all(claim: Claim, ground: Ground) -> bool:
    """Whether a condition holds for all that is counted: "the top six all earned over $5,000"."""
    return re.search(r"\b(?:all|each|every)\b", clause_of(claim, ground).behind) is not None


def _only_fits(claim: Claim, ground: Ground, table: Table, own: Met) -> bool:
    """Whether "only three" are as many as meet the condition, where there is one."""
    if not _ONLY.search(ground.before(claim)):
        return True
    met = own if own.is_sure else asked_condition(ground, table)
    return not met.is_sure or any(fits(claim, n) for n in met.counts)


def _answers(
    claim: Claim, ground: Ground, table: Table, *, is_listed: bool, is_open: bool
) -> Iterator[str]:
    """Yield the rows that a number may count whose condition the question has, or nobody can
    evaluate: "Six: Children, Horror, …", "four of them are new"."""
    is_asked = answers_alone(claim, ground) or _ONLY.search(ground.before(claim))
    asked = asked_condition(ground, table) if is_asked else NOTHING
    if any(fits(claim, n) for n in asked.counts):
        yield f"{table.name}, rows counted"
    elif not asked.is_sure and (is_listed or (is_open and is_partitive(claim, ground))):
        yield f"{table.name}, {claim.mention.text} of its {len(table.rows)} rows"


def _fits_rest(claim: Claim, ground: Ground, table: Table, own: Met) -> bool:
    if own.is_sure:
        return False
    return any(fits(claim, n) for n in rest_counts(claim, ground, table, own.counts))


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
    noun = noun_of(claim)
    if not noun:
        return _CHOSEN.search(ground.before(claim)) is not None
    named = name_concepts(table.column_name(column)) | {table.meanings[column].unit}
    if noun in named or (noun in ROW_NOUNS and not table.is_cut):
        return True
    if noun in PERIODS:
        return column in table.moments or table.meanings[column].holds is Holds.CALENDAR
    return not is_entity(noun) and noun not in ground.known and not table.is_cut


def is_chosen_part(claim: Claim, ground: Ground) -> bool:
    """Whether a number picks some of the rows, without saying that there are no more."""
    return _is_chosen(claim, ground) and not _ONLY.search(ground.before(claim))


def _is_chosen(claim: Claim, ground: Ground) -> bool:
    """Whether a number says how many of the rows are meant: "the top 3", "these two"."""
    before, after = ground.before(claim), ground.after(claim)
    if _ALL_OF.search(before):
        return False
    is_many = claim.mention.value > 3 and noun_of(claim) not in PERIODS
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
        if fits(claim, lengths.get(claim.mention.unit, -1)):
            yield f"the period of query {table.number + 1}"


def _of_names(claim: Claim, ground: Ground) -> str:
    """Return that a number counts names of the text ("both", "the other 13"); "" if it does not."""
    near = {
        name.text.lower()
        for scene in ground.scenes[max(0, claim.scene - 1) : claim.scene + 2]
        for name in scene.names
        if name.has_rows
    }
    is_meant = _CHOSEN.search(ground.before(claim)) and not says_rest(claim, ground)
    return "the names in the text" if is_meant and len(near) > 1 and fits(claim, len(near)) else ""
