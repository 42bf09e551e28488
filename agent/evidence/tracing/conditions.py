"""How many rows meet a condition that a passage names: "rose in 9 of 12 months", "over $5,000"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Table
from agent.evidence.text.hedges import Hedge
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.tracing.units import ranges_for
from agent.evidence.words import FELL, ROSE

_NONE: Final = re.compile(
    r"\b(?:no|without|zero|none|not a single|unknown|missing|null|blank|empty|never|unrated|"
    r"unspecified)\b",
    re.IGNORECASE,
)
_SAME: Final = re.compile(r"\b(?:tie[ds]?|share[sd]?|same|equal|each|both)\b", re.IGNORECASE)
_OVER: Final = (Hedge.OVER, Hedge.AT_LEAST, Hedge.JUST_OVER)


def meeting_counts(claim: Claim, ground: Ground, table: Table) -> Iterator[int]:
    """Yield the counts of rows that meet the conditions in the words around a number."""
    if claim.mention.value > len(table.rows):
        return
    rest = ground.rest(claim)
    fell, rose = FELL.search(rest) is not None, ROSE.search(rest) is not None
    is_same = _SAME.search(rest) is not None
    for column in table.measures:
        yield from _beyond_bounds(claim, ground, table, column)
        if fell or rose:
            yield from _moved(table, column, down=fell)
        if is_same:
            yield from _shared(table, column)
    if _NONE.search(f"{ground.before(claim)[-60:]} {re.split(r'[;,.]', rest)[0]}"):
        yield from table.empty_counts
    for name in ground.scene_of(claim).names:
        if len(name.rows(table.number)) > 1:  # "five are rated PG-13"
            yield len(name.rows(table.number))


def _beyond_bounds(claim: Claim, ground: Ground, table: Table, column: int) -> Iterator[int]:
    for other in ground.scene_of(claim).figures:
        if other is not claim.mention and other.hedge.is_bound and other.form is not Form.MOMENT:
            yield from beyond(other, table, column)


def beyond(bound: Mention, table: Table, column: int) -> Iterator[int]:
    """Yield how many cells of a column lie beyond a figure such as "over $4,200"."""
    values = table.values(column)
    is_over = bound.hedge in _OVER
    for wanted in ranges_for(bound, table, column):
        if is_over:
            yield len(values) - bisect_left(values, wanted.low)
        else:
            yield bisect_right(values, wanted.high)


def _moved(table: Table, column: int, *, down: bool) -> Iterator[int]:
    """Yield how many rows went up, or down: by a column of changes, in time, between columns."""
    values = [v for v in table.numbers[column] if v is not None]
    if table.meanings[column].is_change:
        yield sum((v < 0) == down and v != 0 for v in values)
    if table.moments:
        steps = [b - a for a, b in pairwise(values)]
        yield sum((s < 0) == down and s != 0 for s in steps)
    for other in table.measures:
        if other > column and table.meanings[other].holds is table.meanings[column].holds:
            pairs = zip(table.numbers[column], table.numbers[other], strict=True)
            both = [(a, b) for a, b in pairs if a is not None and b is not None]
            yield sum((b < a) == down and a != b for a, b in both)


def _shared(table: Table, column: int) -> Iterator[int]:
    yield from {n for n in Counter(table.values(column)).values() if n > 1}
