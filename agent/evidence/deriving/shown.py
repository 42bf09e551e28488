"""Sums of what the text itself shows, and differences to it: "1,759 (854 and 905)"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Final

from agent.evidence.deriving.changes import Worked, direction_of
from agent.evidence.deriving.workings import ADDITIVE, GAP_ROW, Term, Workings
from agent.evidence.words import TOTAL

_MAKES: Final = re.compile(
    r"\b(?:makes?|made|making|adds? up to|adding up to|come to|comes to|came to|sums? to|gives?|"
    r"totals?|for the (?:whole |full )?year)\b|=",
    re.IGNORECASE,
)
_ADDED: Final = re.compile(
    r"\b(?:too|as well|also|add(?:ed|ing|s)?|includ(?:e|es|ed|ing)|count(?:ed|ing)?|with|plus|"
    r"together)\b",
    re.IGNORECASE,
)
_MOST_TERMS: Final = 12
_MOST_ROWS: Final = 12
_EXACT: Final = 4
"""Digits from which on a figure is no difference to any of a few rows by chance."""


def shown_sums(work: Workings) -> Iterator[Worked]:
    """Yield the sums of figures that stand around this one, and of what they add to."""
    cue = f"{work.before[-50:]} {work.after[:25]}"
    says_sum = TOTAL.search(cue) or _MAKES.search(cue)
    if work.mention.digits > 2 or says_sum:
        terms = [t for t in work.of_line if _may_add(work, t)][-_MOST_TERMS:]
        for _, kin in groupby(terms, lambda t: (t.table.number, t.column)):
            yield from _runs(work, list(kin))
        if says_sum:
            yield from _of_results(work, terms)
    if _ADDED.search(work.sentence):
        yield from _with_named(work)
    yield from _from_shown(work)


def _may_add(work: Workings, term: Term) -> bool:
    is_sum = term.meaning.holds in ADDITIVE and not term.meaning.is_average
    return is_sum and term.row != GAP_ROW and work.suits(term.table, term.column)


def _runs(work: Workings, terms: Sequence[Term]) -> Iterator[Worked]:
    """Yield the sums of two or more rows of a column that the line shows one behind the other."""
    cells = list({t.row: t for t in terms if t.row >= 0}.values())
    owners = [name for name in work.bound if name.dimension[0] == "label"]
    own = work.rows_of(owners, cells[0].table) if cells else []
    for first in range(len(cells)):
        total = cells[first].value
        for last in range(first + 1, len(cells)):
            total += cells[last].value
            is_own = not own or any(t.row in own for t in cells[first : last + 1])
            if is_own and work.fits_in(total, cells[0].table, cells[0].column):
                yield from _made(work, cells[first : last + 1], total)


def _of_results(work: Workings, terms: Sequence[Term]) -> Iterator[Worked]:
    """Yield the sum of the counts of several results: both halves of a year."""
    lone = {t.table.number: t for t in terms if len(t.table.rows) == 1}
    alike = list(lone.values())
    is_kind = len({(t.meaning.holds, t.meaning.words) for t in alike}) == 1
    total = sum((t.value for t in alike), Decimal(0))
    if len(alike) > 1 and is_kind and work.fits(total):
        yield from _made(work, alike, total)


def _with_named(work: Workings) -> Iterator[Worked]:
    """Yield a sum that stands before with the rows that the words add to it: "with Friday"."""
    before = [*work.before_it, *work.before_all]
    for term in (t for t in before if t.row != GAP_ROW and t.meaning.holds in ADDITIVE):
        rows = [r for r in work.rows_of(work.names, term.table) if r != term.row]
        more = work.sum_of(term.table, term.column, rows)
        if more is not None and work.fits_in(term.value + more.value, term.table, term.column):
            yield from _made(work, [term, more], term.value + more.value)


def _from_shown(work: Workings) -> Iterator[Worked]:
    """Yield the difference of a figure before to a row without a name: "more than the third"."""
    direction = direction_of(work)
    if not direction or work.mention.written < _EXACT or work.names:
        return
    for term in (*work.before_it, *work.before_all):
        rows = len(term.table.rows)
        if term.row < 0 or not 2 <= rows <= _MOST_ROWS or not work.suits(term.table, term.column):
            continue
        for other in work.cells(term.table, term.column, range(rows)):
            if work.fits_in((term.value - other.value) * direction, term.table, term.column):
                made = Term(abs(term.value - other.value), term.table, term.column, GAP_ROW, "")
                yield f"{term.text} less {other.text}", made


def _made(work: Workings, terms: Sequence[Term], total: Decimal) -> Iterator[Worked]:
    text = " and ".join(term.text for term in terms)
    yield f"{text}, added up", Term(total, terms[0].table, terms[0].column, -1, work.mention.text)
