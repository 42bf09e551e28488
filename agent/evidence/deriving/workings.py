"""The numbers at hand for a figure that may have been worked out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.meanings import NAMING, Holds, Meaning
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form
from agent.evidence.tracing.units import ranges_for, unit_fault
from agent.evidence.words import FIRST, THESE

ADDITIVE: Final = (Holds.MONEY, Holds.COUNT, Holds.NUMBER, Holds.TIME)
"""What may be added up."""
GAP_ROW: Final = -2
"""The row of a number that is the difference of two."""
_SPANNED: Final = re.compile(r"\b(?:to|through|until|till|between)\b|–|-", re.IGNORECASE)
_TWO: Final = re.compile(r"\b(?:both|two|these|together|combined)\b", re.IGNORECASE)
_MOST_NEAR: Final = 4
"""Figures of a neighbouring passage that count as near."""


@dataclass(frozen=True)
class Term:
    """A number that others may be worked out from: a cell, or the sum of some."""

    value: Decimal
    table: Table
    column: int
    row: int
    """-1 where it stands for several rows."""
    text: str

    @property
    def meaning(self) -> Meaning:
        return self.table.meanings[self.column]


class Workings:
    """What a claim may be worked out from: what its words name, and the figures around it."""

    def __init__(self, claim: Claim, ground: Ground) -> None:
        self.claim, self.ground = claim, ground
        self.mention = claim.mention
        scene = ground.scene_of(claim)
        self.before, self.after = ground.before(claim), ground.after(claim)
        self.sentence = scene.text
        self.cue = f"{self.before[-80:]} # {self.after[:70]}"
        """The words right around the figure."""
        self.words = _without_figures(scene)
        """The passage without its figures and their hedges."""
        own = tuple(n for n in scene.names if n.has_rows or n.has_columns)
        self.names: tuple[Name, ...] = own or tuple(n for g in scene.inherited for n in g)
        """The names of the passage."""
        self.bound: tuple[Name, ...] = tuple(n for g in claim.groups for n in g)
        """The names that the figure itself belongs to."""
        self.asked: tuple[Name, ...] = tuple(n for n in ground.asked_names if n.has_rows)
        """The names of the question, which an answer may leave out."""

    @property
    def tables(self) -> tuple[Table, ...]:
        return self.ground.tables

    def fits(self, value: Decimal) -> bool:
        """Whether the figure, as it is written, may be `value`."""
        return any(r.holds(value) for r in self.mention.ranges)

    def fits_in(self, value: Decimal, table: Table, column: int) -> bool:
        """The same for a value in the unit of a column: 5,286,953 ms are "88 minutes"."""
        return any(r.holds(value) for r in ranges_for(self.mention, table, column))

    def suits(self, table: Table, column: int) -> bool:
        """Whether a figure worked out of a column could be written as the claim is."""
        return not unit_fault(self.mention, "", table, column, self.ground.known)

    def columns(self, *kinds: Holds) -> Iterator[tuple[Table, int]]:
        """Yield the measures of these kinds."""
        for table in self.tables:
            for column in table.measures:
                if table.meanings[column].holds in kinds:
                    yield table, column

    @cached_property
    def near(self) -> list[Term]:
        """Return the cells that the other figures of the passage, or those around it, rest on."""
        own = self._of_scene(self.claim.scene)
        line = self.ground.scene_of(self.claim).passage.line
        for number in (self.claim.scene - 1, self.claim.scene + 1, self.claim.scene - 2):
            if len(own) >= 2:
                break
            if not 0 <= number < len(self.ground.scenes) or self.ground.scenes[number].is_row:
                continue
            if number < self.claim.scene or self.ground.scenes[number].passage.line == line:
                own = own + self._of_scene(number)[:_MOST_NEAR]
        return own

    @cached_property
    def of_line(self) -> list[Term]:
        """Return the cells that the other figures of the same line rest on."""
        line = self.ground.scene_of(self.claim).passage.line
        same = [n for n, scene in enumerate(self.ground.scenes) if scene.passage.line == line]
        return [term for number in same for term in self._of_scene(number)]

    @cached_property
    def before_it(self) -> list[Term]:
        """Return the cells that the figures before it in the passage rest on."""
        return self._of_scene(self.claim.scene, end=self.mention.start)

    @property
    def before_all(self) -> list[Term]:
        """Return the cells that the figures of the last passage rest on: "half of that"."""
        return self._of_scene(self.claim.scene - 1) if self.claim.scene else []

    def _of_scene(self, number: int, end: int | None = None) -> list[Term]:
        found = []
        for claim in self.ground.in_scene(number):
            if end is not None and claim.mention.start >= end:
                continue
            spot = claim.worked or (claim.spots[0] if claim.spots else None)
            if claim is self.claim or spot is None or claim.mention.hedge.is_bound:
                continue
            table = self.tables[spot.table]
            if table.meanings[spot.column].holds not in NAMING:
                found.append(Term(spot.value, table, spot.column, spot.row, claim.mention.text))
        return found

    def rows_of(self, names: Iterable[Name], table: Table) -> list[int]:
        """Return the rows of a result that all kinds of `names` agree on.

        A year in which all rows lie narrows nothing: "October to December … of 2025".
        """
        by_kind: dict[tuple[str, str], frozenset[int]] = {}
        for name in names:
            rows = name.rows(table.number)
            parts = set(name.moment.parts()) if name.moment is not None else set()
            is_whole = parts == {"year"} and len(rows) == len(table.rows) > 1
            if rows and not is_whole:
                by_kind[name.dimension] = by_kind.get(name.dimension, frozenset()) | rows
        return sorted(frozenset.intersection(*by_kind.values())) if by_kind else []

    def row_sets(self, table: Table, *, only_bound: bool = False) -> Iterator[Sequence[int]]:
        """Yield the rows that the passage names: the figure's own, all, from one to another.

        `only_bound`: where the figure belongs to rows, no others.
        """
        is_bound = bool(self.rows_of(self.bound, table))
        for names in (self.bound,) if is_bound and only_bound else (self.bound, self.names):
            rows = self.rows_of(names, table)
            if rows:
                yield rows
            if len(rows) == 2 and rows[1] - rows[0] > 1 and _SPANNED.search(self.words):
                yield range(rows[0], rows[1] + 1)
                if any(m.unit == "hour" for m in table.meanings):
                    yield range(rows[0], rows[1])  # until 8 pm: until the hour of 8 begins

    def first_rows(self, table: Table) -> Iterator[Sequence[int]]:
        """Yield the first or last so many rows, where the passage says how many."""
        rows = len(table.rows)
        counts = {
            int(claim.mention.value)
            for claim in self.ground.in_scene(self.claim.scene)
            if claim.mention.form in (Form.NUMBER, Form.TIME) and 2 <= claim.mention.value <= 50
        }
        counts |= {2} if _TWO.search(self.sentence) else set()
        counts |= {rows} if THESE.search(self.sentence) else set()
        if not (FIRST.search(self.sentence) or THESE.search(self.sentence)):
            counts &= {rows}
        for count in sorted(counts):
            if 2 <= count <= rows:
                yield range(count)
                yield range(rows - count, rows)

    def cells(self, table: Table, column: int, rows: Sequence[int]) -> list[Term]:
        """Return the numbers of a column in some rows."""
        return [
            Term(spot.value, table, column, spot.row, table.place(spot))
            for spot in table.cells(column, rows)
        ]

    def sum_of(self, table: Table, column: int, rows: Sequence[int]) -> Term | None:
        """Return the sum of a column over some rows; None where there is nothing to add."""
        if not rows:
            return None
        text = f"{table.name}, {len(rows)} rows, {table.column_name(column)}"
        return Term(table.sum_of(column, rows), table, column, -1, text)

    def total(self, table: Table, column: int) -> Term | None:
        """Return the sum of a whole column of several rows; None where rows are missing."""
        total = table.total(column)
        if total is None or len(table.rows) < 2:
            return None
        text = f"{table.name}, all of {table.column_name(column)}"
        return Term(total, table, column, -1, text)


def _without_figures(scene: Scene) -> str:
    text = scene.text
    for figure in reversed(scene.figures):
        text = f"{text[: figure.start]}#{text[figure.end :]}"
    return text


def is_of_other_row(work: Workings, term: Term) -> bool:
    """Whether a number is of another row than the label that the figure belongs to."""
    owners = [n for n in work.bound if n.is_sure and n.dimension[0] == "label"]
    rows = {row for name in owners for row in name.rows(term.table.number)}
    return term.row >= 0 and bool(rows) and term.row not in rows


def worked_spot(term: Term) -> Spot:
    """Return what is remembered of a number that was worked out."""
    return Spot(term.table.number, term.row, term.column, term.value)
