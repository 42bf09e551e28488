"""Wholes that two columns of one row make up: 580 active and 20 inactive are 600."""

from __future__ import annotations

from collections.abc import Iterator

from agent.evidence.deriving.changes import Worked
from agent.evidence.deriving.workings import ADDITIVE, Term, Workings
from agent.evidence.rows.cells import Spot
from agent.evidence.tracing.opposites import complements_of, opposite_fault, says_state


def _both_of(work: Workings, part: Term) -> Iterator[Term]:
    """Yield what a cell and its opposite in the same row make up."""
    table = part.table
    for column in complements_of(table, part.column):
        for term in work.cells(table, column, [part.row]):
            yield Term(
                part.value + term.value, table, part.column, -1, f"{part.text} and {term.text}"
            )


def wholes(work: Workings) -> Iterator[Worked]:
    """Yield the wholes of a row that a figure may be: the only one, or one that is named."""
    for table, column in work.columns(*ADDITIVE):
        rows = [0] if len(table.rows) == 1 else work.rows_of(work.names, table)
        if says_state(work.claim, work.ground, table, column):
            continue
        for part in work.cells(table, column, rows[:2]):
            for whole in _both_of(work, part):
                if work.fits_in(whole.value, table, column) and work.suits(table, column):
                    yield f"{whole.text}, added up", whole


def shares_of_both(work: Workings) -> Iterator[Worked]:
    """Yield the share that one of the two has: "96.7 % of all customers are active"."""
    for table, column in work.columns(*ADDITIVE):
        rows = [0] if len(table.rows) == 1 else work.rows_of(work.names, table)
        for part in work.cells(table, column, rows[:2]):
            spot = Spot(table.number, part.row, column, part.value)
            for whole in _both_of(work, part):
                is_part = 0 <= part.value <= whole.value and whole.value > 0
                if not is_part or not work.fits(part.value / whole.value * 100):
                    continue
                if not opposite_fault(work.claim, work.ground, spot):
                    yield f"{part.text} of {whole.text}", None
