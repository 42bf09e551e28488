"""Sums of buckets beyond a bound: "94 customers rented fewer than 10 times"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from agent.evidence.deriving.changes import Worked
from agent.evidence.deriving.workings import Workings
from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.buckets import rows_beyond, spans_of
from agent.evidence.rows.meanings import Holds
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form

_SAME_THOUGHT: Final = re.compile(r"(?:(?![;:.(]| (?:and|but|while|including)\b).)*", re.IGNORECASE)

_OF: Final = re.compile(r"\bof (?:the |our |all )*$", re.IGNORECASE)


def bucket_sums(work: Workings) -> Iterator[Worked]:
    """Yield the sums of the rows beyond a bound of the passage, and such a bound itself."""
    near = [c.mention for c in work.ground.in_scene(work.claim.scene) if c is not work.claim]
    for table, column in work.columns(Holds.COUNT, Holds.NUMBER, Holds.MONEY):
        spans = spans_of(table)
        if not spans:
            continue
        if work.mention.hedge.is_bound and rows_beyond(work.mention, spans):
            yield f"{table.name}, where its groups begin", None
        for bound in near if work.suits(table, column) else ():
            term = work.sum_of(table, column, rows_beyond(bound, spans))
            if term is not None and work.fits(term.value):
                yield f"{term.text}, added up", term


def bucket_faults(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """Yield the counts of one bucket that are said of all beyond a bound: "201 bought 20+"."""
    for claim, other in pairwise([c for c in claims if c.mention.form is not Form.MOMENT]):
        gap = scene.text[claim.mention.end : other.mention.start]
        is_whole = re.fullmatch(r"\s*(?:out )?of (?:the |our |all )*", gap)
        following = claims.index(other) + 1
        if is_whole and following < len(claims):
            other = claims[following]
            gap = scene.text[claim.mention.end : other.mention.start]
        spot = claim.spots[0] if claim.spots else claim.worked
        is_of = _OF.search(scene.text[: claim.mention.start])
        if claim.mention.hedge or is_of or spot is None or not _SAME_THOUGHT.fullmatch(gap):
            continue
        table = ground.tables[spot.table]
        spans = spans_of(table)
        rows = rows_beyond(other.mention, spans) if spans else []
        total = table.sum_of(spot.column, rows) if rows else None
        if total is not None and not any(r.holds(total) for r in claim.mention.ranges):
            yield f"“{claim.mention.text}”: the rows beyond {other.mention.text} make {total:,}."
