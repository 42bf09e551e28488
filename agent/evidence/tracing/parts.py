"""The conditions that a count stands under, and how many rows are left of those named before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Table
from agent.evidence.rows.names import Name
from agent.evidence.text.mentions import Form
from agent.evidence.tracing.bounds import beyond_rows
from agent.evidence.tracing.clauses import (
    Clause,
    behind_count,
    clause_of,
    is_list,
    items_of,
    whole_of,
)
from agent.evidence.tracing.conditions import NOTHING, Met, meeting

_BOUNDS: Final = (Form.NUMBER, Form.PERCENT, Form.TIME)
_APPOSED: Final = re.compile(
    r"\s*(?:\([^()]*\)\s*)?(?:[:–—(]|,? (?:so|i\.e\.|that is|that's|which makes|thus)\b)\s*"
    r"(?:just|only)?\s*",
    re.IGNORECASE,
)
_UNTIL: Final = re.compile(r"\s*(?:to|through|until|till|–|-)\s*(?:the )?", re.IGNORECASE)
_REST: Final = re.compile(
    r"\b(?:other|others|remaining|rest|another|further|more|additional|else)\b(?: \w+)? $",
    re.IGNORECASE,
)
_REST_BEHIND: Final = re.compile(
    r" (?:other|others|more|remaining|further|additional)\b(?! than)|"
    r" (?:\w+ )?(?:follow|trail|come (?:after|next))\b",
    re.IGNORECASE,
)

_OTHER: Final = re.compile(r"\b(?:other|remaining|rest)\b(?: \w+)? $", re.IGNORECASE)


def own_condition(claim: Claim, ground: Ground, table: Table) -> Met:
    """Return the rows that meet what the words around a count say."""
    scene = ground.scene_of(claim)
    before = [f for f in scene.amounts if f.end <= claim.mention.start]
    if whole_of(claim.mention, before, scene.text):
        return NOTHING
    near = ground.scenes[max(0, claim.scene - 2) : claim.scene + 1]
    context = " ".join([ground.asked.text, *(s.text for s in near)])
    clause = clause_of(claim, ground)
    if says_rest(claim, ground):  # "12 under an hour: A, B and 10 more": the bound is not theirs
        clause = behind_count(clause, claim)
    return meeting(clause, ground, table, context)


def asked_condition(ground: Ground, table: Table) -> Met:
    """Return the rows that meet what the question asks for."""
    asked = ground.asked
    clause = Clause(asked.text, asked.figures, ground.asked_names, asked.text)
    return meeting(clause, ground, table, asked.text)


def says_rest(claim: Claim, ground: Ground) -> bool:
    """Whether a number counts what others leave: "the other four", "and 12 more"."""
    before, rest = ground.before(claim), ground.rest(claim)
    return bool(_REST.search(before[-25:]) or _REST_BEHIND.match(rest))


def named_just_before(claim: Claim, ground: Ground) -> int:
    """Return how many names stand right before a count: "Cirrus and Echo Jet, so two of five"."""
    start, scene = claim.mention.start, ground.scene_of(claim)
    items = items_of([n for n in scene.names if n.end <= start], scene.text)
    if not items:
        return 0
    first, end = items[0][0].start, items[-1][-1].end
    if _APPOSED.fullmatch(scene.text[end:start]) is None:
        return 0
    if is_list(items, scene.text, first, end):
        return len(items)
    return _rows_between(items, scene.text, ground.tables)


def _rows_between(items: Sequence[tuple[Name, ...]], text: str, tables: Sequence[Table]) -> int:
    """Return how many rows "December to February" has; 0 where two names are no such span."""
    if len(items) != 2 or not _UNTIL.fullmatch(text[items[0][-1].end : items[1][0].start]):
        return 0
    for table in tables:
        first, last = (item[0].rows(table.number) for item in items)
        if len(first) == len(last) == 1 and min(first) < min(last):
            return min(last) - min(first) + 1
    return 0


def rest_counts(claim: Claim, ground: Ground, table: Table, met: Iterable[int]) -> set[int]:
    """Return how many rows may be left: of all or of a count, without those named or counted."""
    start = claim.mention.start
    taken = _named_before(claim, ground)
    counted = {
        int(c.mention.value)
        for c in ground.claims
        if c.source and c.mention.form in (Form.NUMBER, Form.TIME) and not c.mention.currency
        if (c.scene, c.mention.start) < (claim.scene, start) and 0 < c.mention.value < 10**6
    }
    says_other = _OTHER.search(ground.before(claim)[-25:]) is not None
    wholes = {len(table.rows)} if says_other or not table.is_cut else set()
    wholes |= counted | set(met)
    taken |= {n for n in counted if n <= len(table.rows)}
    if not taken:  # nothing was named before, so that any part may be meant
        return set(range(1, len(table.rows)))
    return {whole - part for whole in wholes for part in taken if whole > part}


def _named_before(claim: Claim, ground: Ground) -> set[int]:
    """Return how many things a text names up to a claim: in its passage, and in all, by kind."""
    found: dict[tuple[bool, str], set[str]] = {}
    for number, scene in enumerate(ground.scenes[: claim.scene + 1]):
        for item in items_of(scene.names, scene.text):
            is_here = number == claim.scene
            if is_here and item[-1].end > claim.mention.start:
                continue
            text = " ".join(name.text.lower() for name in item)
            for key in {(is_here, item[0].dimension[1]), (False, item[0].dimension[1])}:
                found.setdefault(key, set()).add(text)
    return {len(texts) for texts in found.values()}


def bound_source(claim: Claim, ground: Ground) -> str:
    """Return the rows beyond a bound, where a count beside it has as many: "three top 20,000"."""
    if not claim.mention.hedge.is_bound or claim.mention.form not in _BOUNDS:
        return ""
    for other in ground.in_scene(claim.scene):
        mention = other.mention
        is_count = mention.form in (Form.NUMBER, Form.TIME) and not mention.currency
        if not is_count or claim.mention not in clause_of(other, ground).figures:
            continue
        for table in ground.tables:
            for column in table.measures if len(table.rows) > 1 else ():
                sets = beyond_rows(claim.mention, table, column)
                if any(len(rows) == mention.value for rows in sets):
                    return f"{table.name}, the rows counted by it"
    return ""
