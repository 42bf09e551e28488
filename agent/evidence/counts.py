"""Figures that count: rows, different values, rows that meet a condition, names in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from agent.evidence.cells import Table
from agent.evidence.columns import Holds
from agent.evidence.ground import Claim, Ground
from agent.evidence.hedges import Hedge
from agent.evidence.mentions import Form
from agent.evidence.nouns import (
    ENTITIES,
    PERIODS,
    ROW_NOUNS,
    TALK_NOUNS,
    is_entity,
    name_concepts,
)

_CHOSEN: Final = re.compile(
    r"\b(?:top|first|last|bottom|leading|best|highest|lowest|largest|biggest|next|these|those|the|all|only|both|other|remaining|"
    r"following|longest|busiest|strongest|weakest|shown|listed|every one of the|any of the|our|its|just|worst|most recent|latest)\s+(?:\w+ )?$",
    re.IGNORECASE,
)
_REST: Final = re.compile(
    r"\b(?:other|others|remaining|rest|another|further|more|additional|else)\b", re.IGNORECASE
)
_EXISTS: Final = re.compile(
    r"\b(?:there (?:are|were|is)|we (?:have|had|offer|run)|has|have|in total|altogether|a total of|total|exist|in all|consists? of|database (?:has|holds|contains))\b",
    re.IGNORECASE,
)
_SHOWN: Final = re.compile(
    r"\b(?:top|first|shown|listed|these|those|below|above|best|leading|leaders|highest|lowest|longest|limit|displayed|following|last|bottom|largest|biggest)\b",
    re.IGNORECASE,
)
_UP: Final = re.compile(
    r"\b(?:r[io]se|grew|grow(?:s|n|th)?|increas\w+|gain\w*|up|improv\w+|climb\w*|positive|expand\w*|higher|better|risen)\b",
    re.IGNORECASE,
)
_FELL: Final = re.compile(
    r"\b(?:f[ae]ll\w*|declin\w+|decreas\w+|shr[aiu]nk|drop\w*|down|negative|lost|lower|worse|slipped)\b",
    re.IGNORECASE,
)
_NONE: Final = re.compile(
    r"\b(?:no|without|zero|none|not a single|unknown|missing|null|blank|empty|never|unrated|unspecified)\b",
    re.IGNORECASE,
)


def count_source(claim: Claim, ground: Ground) -> str:
    """Return what a whole number counts, in words; "" where nothing has that many."""
    mention = claim.mention
    is_count = mention.form is Form.NUMBER or (mention.form is Form.TIME and mention.unit)
    if not is_count or mention.currency or mention.value != int(mention.value) or mention.value < 0:
        return ""
    if mention.noun in TALK_NOUNS and mention.value <= 10 and mention.noun not in ground.known:
        return "the answer's own words"
    for table in ground.tables:
        for source in _of_table(claim, ground, table):
            return source
    return _of_names(claim, ground)


def _fits(claim: Claim, value: int) -> bool:
    return any(r.holds(Decimal(value)) for r in claim.mention.ranges)


def _of_table(claim: Claim, ground: Ground, table: Table) -> Iterator[str]:
    rows = len(table.rows)
    if _fits(claim, rows) and _may_count_rows(claim, ground, table):
        yield f"{table.name}, its {rows} rows"
    for column, count in _different(table):
        if _fits(claim, count) and _may_count_values(claim, ground, table, column):
            yield f"{table.name}, {count} different values of {table.column_name(column)}"
    if (
        _is_chosen(claim, ground)
        and 0 < claim.mention.value <= rows
        and _may_be_rows(claim, ground, table)
    ):
        yield f"{table.name}, {claim.mention.text} of its {rows} rows"
    yield from _meeting(claim, ground, table)
    yield from _labelled(claim, ground, table)
    yield from _of_period(claim, table)


def _noun(claim: Claim) -> str:
    nouns = (*claim.mention.nouns, *claim.mention.prep_nouns)
    if claim.mention.unit:
        return claim.mention.unit
    things = [n for n in nouns if is_entity(n) or n in PERIODS or n in ROW_NOUNS]
    return things[0] if things else (nouns[-1] if nouns else "")


def _row_concepts(table: Table) -> frozenset[str]:
    """Return what the rows of a result may be called."""
    found: set[str] = set()
    for column, one in enumerate(table.result.columns):
        if (
            table.meanings[column].holds in (Holds.TEXT, Holds.KEY, Holds.CALENDAR)
            or column in table.moments
        ):
            found |= name_concepts(one.name) | ({table.meanings[column].unit} - {""})
            found |= {ENTITIES.get(c, c) for c in name_concepts(one.name)}
    return frozenset(found)


def _may_be_rows(claim: Claim, ground: Ground, table: Table) -> bool:
    noun = _noun(claim)
    rows = _row_concepts(table)
    if not noun or noun in ROW_NOUNS or noun in rows:
        return True
    if noun in PERIODS:
        return bool(table.moments) or any(m.holds is Holds.CALENDAR for m in table.meanings)
    if noun in ground.known or is_entity(noun):
        named = {"title": "film", "name": "", "actor": "actor"}
        of_tables = {c for name in table.statement.tables for c in name_concepts(name)}
        return (
            noun in {named.get(r, r) for r in rows}
            or ("name" in rows and noun in of_tables)
            or (not table.statement.limit and not rows - ROW_NOUNS and noun in of_tables)
        )
    return True


def _may_count_rows(claim: Claim, ground: Ground, table: Table) -> bool:
    if not _may_be_rows(claim, ground, table):
        return False
    if len(table.rows) == 1 and claim.mention.value == 1:
        return True
    if not table.is_cut:
        return len(table.rows) > 1
    words = ground.text(claim)[: claim.mention.end]
    exists = _EXISTS.search(ground.before(claim)[-30:]) or _EXISTS.search(ground.after(claim)[:25])
    if claim.mention.hedge in (Hedge.AT_LEAST, Hedge.OVER):
        return True
    return bool(_SHOWN.search(words)) or not exists


def _different(table: Table) -> Iterator[tuple[int, int]]:
    for column, meaning in enumerate(table.meanings):
        if meaning.holds in (Holds.TEXT, Holds.KEY, Holds.CALENDAR) or column in table.moments:
            values = {row[column] for row in table.rows}
            yield column, len(values - {None})
    for moments in table.moments.values():
        for part in ("year", "month"):
            values_of_part = {tuple((m.year, getattr(m, part))) for m in moments if m is not None}
            yield next(iter(table.moments)), len(values_of_part)


def _may_count_values(claim: Claim, ground: Ground, table: Table, column: int) -> bool:
    noun = _noun(claim)
    if not noun:
        return bool(_CHOSEN.search(ground.before(claim)))
    words = name_concepts(table.column_name(column)) | {table.meanings[column].unit}
    if noun in words or (noun in ROW_NOUNS and not table.is_cut):
        return True
    if noun in PERIODS:
        return column in table.moments or table.meanings[column].holds is Holds.CALENDAR
    return not is_entity(noun) and noun not in ground.known and not table.is_cut


def _is_chosen(claim: Claim, ground: Ground) -> bool:
    """Whether a number says how many of the rows are meant: "the top 3", "these two"."""
    before, after = ground.before(claim), ground.after(claim)
    if re.search(r"\b(?:all|every)(?: of)?(?: the| our| these)? $", before, re.IGNORECASE):
        return False
    is_many = claim.mention.value > 3 and _noun(claim) not in PERIODS
    if re.search(r"\bthe $", before, re.IGNORECASE) and is_many and not _SHOWN.search(after[:20]):
        return False
    return _CHOSEN.search(before) is not None or bool(
        re.match(
            r"\s(?:leaders|leading|best|most|highest|lowest|largest|longest|top|biggest)\b",
            after,
            re.I,
        )
    )


def _meeting(claim: Claim, ground: Ground, table: Table) -> Iterator[str]:
    """Yield the count of rows that meet the condition in the words around a number."""
    if not _may_be_rows(claim, ground, table):
        return
    rest = ground.text(claim)[claim.mention.end :]
    text = ground.before(claim)[-60:] + " " + re.split(r"[;,.]", rest)[0]
    name = f"{table.name}, rows counted"
    for column in table.measures:
        values = [v for v in table.numbers[column] if v is not None]
        if _NONE.search(text) and _fits(claim, values.count(Decimal(0)) or -1):
            yield name
        if _FELL.search(rest) or _UP.search(rest):
            signs = [v for v in values if (v < 0) == bool(_FELL.search(rest)) and v != 0]
            if table.meanings[column].is_change and _fits(claim, len(signs)):
                yield name
            steps = [b - a for a, b in zip(values, values[1:], strict=False)]
            if table.moments and _fits(
                claim, sum((s < 0) == bool(_FELL.search(rest)) and s != 0 for s in steps)
            ):
                yield name
            yield from _pivot_changes(claim, table, column, bool(_FELL.search(rest)))
        if any(_fits(claim, count) for count in _over_threshold(claim, ground, table, column)):
            yield name
        if re.search(r"\b(?:tie[ds]?|share[sd]?|same|equal|each|both)\b", rest) and any(
            _fits(claim, values.count(v)) and values.count(v) > 1 for v in set(values)
        ):
            yield name
    if _NONE.search(text):
        for column in range(len(table.result.columns)):
            if _fits(claim, sum(row[column] is None for row in table.rows) or -1):
                yield name


def _pivot_changes(claim: Claim, table: Table, column: int, down: bool) -> Iterator[str]:
    for other in table.measures:
        if other <= column or table.meanings[other].holds is not table.meanings[column].holds:
            continue
        pairs = [
            (a, b)
            for a, b in zip(table.numbers[column], table.numbers[other], strict=True)
            if a is not None and b is not None
        ]
        if _fits(claim, sum((b < a) == down and a != b for a, b in pairs)):
            yield f"{table.name}, rows counted"


def _over_threshold(claim: Claim, ground: Ground, table: Table, column: int) -> Iterator[int]:
    """Yield how many cells of a column lie beyond a bound that the passage names."""
    from agent.evidence.fit import ranges_for

    values = [v for v in table.numbers[column] if v is not None]
    for other in ground.scenes[claim.scene].figures:
        if other is claim.mention or not other.hedge.is_bound or other.form is Form.MOMENT:
            continue
        over = other.hedge in (Hedge.OVER, Hedge.AT_LEAST, Hedge.JUST_OVER)
        for wanted in ranges_for(other, table, column):
            edge = wanted.low if over else wanted.high
            yield sum((v >= edge) if over else (v <= edge) for v in values)


def _labelled(claim: Claim, ground: Ground, table: Table) -> Iterator[str]:
    """Yield the count of rows that have a value which the passage names: "five are rated PG-13"."""
    for name in ground.scenes[claim.scene].names:
        rows = name.rows(table.number)
        if len(rows) > 1 and _fits(claim, len(rows)) and _may_be_rows(claim, ground, table):
            yield f"{table.name}, rows with {name.text}"


def _of_period(claim: Claim, table: Table) -> Iterator[str]:
    """Yield the length of the period that a query asks for: "those 12 days"."""
    unit = claim.mention.unit
    for low, high in table.statement.scope_periods:
        if low is None or high is None or unit not in ("day", "week", "month", "year"):
            continue
        days = (high - low).days + 1
        months = (high.year - low.year) * 12 + high.month - low.month + 1
        lengths = {"day": days, "week": round(days / 7), "month": months, "year": months / 12}
        if _fits(claim, int(lengths[unit])):
            yield f"the period of query {table.number + 1}"


def _of_names(claim: Claim, ground: Ground) -> str:
    """Return that a number counts names of the text ("both", "the other 13"); "" if it does not."""
    mention = claim.mention
    near = ground.scenes[max(0, claim.scene - 1) : claim.scene + 2]
    named = {n.text.lower() for scene in near for n in scene.names if n.rows_anywhere()}
    if _CHOSEN.search(ground.before(claim)) and _fits(claim, len(named)) and len(named) > 1:
        return "the names in the text"
    rest = _REST.search(ground.before(claim)[-20:]) or (
        mention.nouns and mention.nouns[0] in ("other", "more", "remaining", "further")
    )
    if not rest:
        return ""
    here = {
        n.text.lower()
        for scene in ground.scenes[: claim.scene + 1]
        for n in scene.names
        if n.rows_anywhere()
    }
    firsts = {
        len(here),
        len({n.text.lower() for n in ground.scenes[claim.scene].names if n.rows_anywhere()}),
    }
    firsts |= {
        int(c.mention.value)
        for c in ground.claims
        if c.source
        and c.mention.form is Form.NUMBER
        and 0 < c.mention.value < 1000
        and c.mention.value == int(c.mention.value)
    }
    for table in ground.tables:
        if any(_fits(claim, len(table.rows) - first) for first in firsts) and not table.is_cut:
            return f"{table.name}, its other rows"
    return ""
