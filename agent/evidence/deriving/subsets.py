"""Which rows a sum or a share may be of, beyond those that the figure's own passage names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from agent.evidence.deriving.workings import Workings
from agent.evidence.rows.cells import Table
from agent.evidence.rows.dates import dated_rows
from agent.evidence.rows.names import Name
from agent.evidence.text.hedges import Hedge
from agent.evidence.text.mentions import Form
from agent.evidence.tracing.parts import asked_condition, own_condition
from agent.evidence.words import THESE, TOGETHER, TOTAL

_SPANNED: Final = re.compile(r"\b(?:to|through|until|till|between)\b|–|-", re.IGNORECASE)
_POINTS_BACK: Final = re.compile(
    r"\b(?:these|those|they|them|it|its|their|that|this|the (?:two|three|four|five|six|seven|list)|"
    r"of (?:it|them|that)|between them)\b|^(?:together|combined|in total|altogether)",
    re.IGNORECASE,
)
_SCENES_BACK: Final = 12
"""How many passages of a list a sum under it may take up."""
_MOST_CHANCE: Final = 100
"""A run of rows may be summed up unsaid where one in so many made-up figures would fit."""


def subsets(work: Workings, table: Table, *, only_bound: bool = False) -> Iterator[Sequence[int]]:
    """Yield the rows that a figure may be the sum of, as the words around it or the question say.

    `only_bound`: where the figure belongs to rows, only those that name them.
    """
    yield from work.row_sets(table, only_bound=only_bound)
    yield from work.first_rows(table)
    yield from _around(work, table)
    if only_bound and work.rows_of(work.bound, table):
        return
    yield from _counted(work, table)
    yield from _in_year(work, table)
    yield from _above(work, table)
    if not work.rows_of(work.bound, table):
        yield from _of_names(work, table, work.ground.asked_names, work.ground.asked.text)


def _of_names(
    work: Workings, table: Table, names: Iterable[Name], text: str
) -> Iterator[Sequence[int]]:
    """Yield the rows of some names, and those from the first to the last of them."""
    rows = work.rows_of(names, table)
    if not rows:
        return
    if len(rows) == 2 and rows[1] - rows[0] > 1 and _SPANNED.search(text):
        yield range(rows[0], rows[1] + 1)
        if any(meaning.unit == "hour" for meaning in table.meanings):
            yield range(rows[0], rows[1])
    yield rows
    for name in names:
        yield work.rows_of([name], table)


def _in_year(work: Workings, table: Table) -> Iterator[Sequence[int]]:
    """Yield the rows of a month, quarter or half in the one year that the passage names."""
    named = [n.moment for n in (*work.names, *work.ground.asked_names) if n.moment is not None]
    years = {moment.year for moment in named if moment.year is not None}
    rows = work.rows_of([n for n in work.bound if n.moment and n.moment.year is None], table)
    if len(years) == 1 and rows:
        dated = dated_rows(table)
        of_year = {row for known, found in dated if known.get("year") in years for row in found}
        yield [row for row in rows if row in of_year]


def _around(work: Workings, table: Table) -> Iterator[Sequence[int]]:
    """Yield the rows of a span whose end is no row of it, or stands before its begin: hours until
    8 pm, "April to September" of a year from July to June."""
    rows = work.rows_of(work.bound, table)
    is_run = len(rows) > 2 and rows[-1] - rows[0] == len(rows) - 1
    if is_run and any(meaning.unit == "hour" for meaning in table.meanings):
        yield rows[:-1]  # until 8 pm: until the hour of 8 begins
    ends = [name.rows(table.number) for name in work.bound if len(name.rows(table.number)) == 1]
    if len(ends) == 2 and table.is_series and min(ends[0]) > min(ends[1]):
        yield [*range(min(ends[1]) + 1), *range(min(ends[0]), len(table.rows))]


def signed(table: Table, column: int) -> Iterator[Sequence[int]]:
    """Yield the rows above zero and those below, of a column that has both: gains and losses."""
    numbers, ordered = table.numbers[column], table.values(column)
    if ordered and ordered[0] < 0 < ordered[-1]:
        yield [row for row, value in enumerate(numbers) if value is not None and value > 0]
        yield [row for row, value in enumerate(numbers) if value is not None and value < 0]


def _counted(work: Workings, table: Table) -> Iterator[Sequence[int]]:
    """Yield the rows that the counts beside a figure speak of: "the six that grew made …"."""
    if len(table.rows) > _SCENES_BACK * 5:
        return
    for number in (work.claim.scene, work.claim.scene - 1):
        for claim in work.ground.in_scene(number) if number >= 0 else ():
            mention = claim.mention
            is_count = mention.form in (Form.NUMBER, Form.TIME) and mention.digits <= 2
            if claim is work.claim or claim.spots or not claim.source or not is_count:
                continue
            own = own_condition(claim, work.ground, table)
            met = own if own.is_sure else asked_condition(work.ground, table)
            yield from (sorted(rows) for rows in met.rows if len(rows) == mention.value)


def _above(work: Workings, table: Table) -> Iterator[Sequence[int]]:
    """Yield the rows that the passages above name: those of a list, or of the last sentence."""
    says_sum = TOTAL.search(work.sentence) or TOGETHER.search(work.cue)
    if not (says_sum or THESE.search(work.sentence) or _POINTS_BACK.search(work.sentence)):
        return
    first = max(0, work.claim.scene - _SCENES_BACK)
    scenes = [s for s in work.ground.scenes[first : work.claim.scene] if s.pointing]
    if not scenes:
        return
    yield from _of_names(work, table, scenes[-1].pointing, "")
    names = [name for scene in scenes for name in scene.pointing]
    listed = [n for s in scenes if s.passage.is_bullet or s.is_row for n in s.pointing]
    for group in (listed, names, [*names, *work.names]):
        yield from _of_names(work, table, group, "")


def lone_rows(work: Workings, table: Table) -> Iterator[Sequence[int]]:
    """Yield each row that the last sentence names, one by one, for "its share"."""
    if work.claim.scene and _POINTS_BACK.search(work.sentence[:40]):
        before = work.ground.scenes[work.claim.scene - 1]
        yield from ([row] for row in work.rows_of(before.pointing, table)[:_SCENES_BACK])


def runs(work: Workings, table: Table, column: int) -> Iterator[Sequence[int]]:
    """Yield all rows next to each other, where a made-up figure would hardly fit any of them."""
    rows, mention = len(table.rows), work.mention
    is_open = mention.hedge in (Hedge.PLAIN, Hedge.ABOUT) and not work.rows_of(work.bound, table)
    if not is_open or not 3 <= rows <= _SCENES_BACK * 3:
        return
    width = sum(float(r.high - r.low) for r in mention.ranges) or 0.01
    total = float(sum(abs(value) for value in table.values(column) if value.is_finite()))
    chances = rows * (rows - 1) / 2
    if chances * max(width, _step(table, column)) * _MOST_CHANCE > total:
        return
    for first in range(rows - 1):
        yield from (range(first, last) for last in range(first + 2, rows + 1))


def _step(table: Table, column: int) -> float:
    """Return the worth of the last digit that the numbers of a column have."""
    finite = (value for value in table.values(column) if value.is_finite())
    return 1.0 if all(value == value.to_integral_value() for value in finite) else 0.01
