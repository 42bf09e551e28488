"""Shares: a part of a whole, in percent or as a fraction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations
from typing import Final

from agent.evidence.deriving.changes import Worked
from agent.evidence.deriving.subsets import lone_rows, subsets
from agent.evidence.deriving.workings import ADDITIVE, GAP_ROW, Term, Workings, is_of_other_row
from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.rows.names import Name
from agent.evidence.rows.quantiles import percent_of
from agent.evidence.text.mentions import Form
from agent.evidence.tracing.bounds import beyond
from agent.evidence.tracing.parts import own_condition
from agent.evidence.words import DOWN, HIGHEST, LOWEST, REST, UP

_CHANGED_BY: Final = re.compile(
    rf"(?:{UP.pattern}|{DOWN.pattern})\s*(?:by|of)?\s*"
    r"(?:about|around|roughly|nearly|almost|some)?\s*$",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"\s*(?:more|less|higher|lower|fewer|up|down|above|below|increase|growth|decline|drop|rise|"
    r"jump|gain)\b",
    re.IGNORECASE,
)
_OF: Final = re.compile(r"\s*(?:of what|of|what|that of)\s+(?:the )?", re.IGNORECASE)
_AS_BASE: Final = re.compile(
    r"'s?(?!\w)|\s+(?:figure|level|does|did|makes|made|earns|earned|takes|took|has|had|brings|"
    r"brought)\b",
    re.IGNORECASE,
)
_MARGIN: Final = re.compile(r"\b(?:margins?|return on|markup)\b", re.IGNORECASE)
_OF_THAT: Final = re.compile(r"\s*of (?:that|it|this)\b", re.IGNORECASE)
_MOST_CELLS: Final = 6
_MOST_ROWS: Final = 60


def shares(work: Workings) -> Iterator[Worked]:
    """Yield the shares that a passage may speak of."""
    is_change = _CHANGED_BY.search(work.before) or _CHANGED.match(work.after)
    base = _base(work)
    for part in _parts(work, base):
        if is_change and len(part.table.rows) > 1:
            continue
        if base is None and is_of_other_row(work, part):
            continue
        for whole in _wholes(work, part, base):
            is_loss = part.value < 0 and work.mention.sign < 0
            if not (is_loss or 0 <= part.value <= whole.value) or whole.value <= 0:
                continue
            if (is_change and part.table is not whole.table) or _is_all(part, whole):
                continue
            share = part.value / whole.value * 100
            if work.fits(share):
                yield f"{part.text} of {whole.text}", None
            says_rest = REST.search(work.sentence) or len(part.table.rows) == 1
            if says_rest and work.fits(100 - share):
                yield f"what {part.text} leaves of {whole.text}", None
    if is_change:
        return
    yield from _of_counts(work)
    yield from _beyond_bounds(work)
    yield from _of_percentages(work)
    yield from _of_rows(work)
    yield from _left(work)
    yield from _medians(work)


def _is_all(part: Term, whole: Term) -> bool:
    """Whether a sum is the whole itself."""
    return part.row < 0 and part.value == whole.value


def _base(work: Workings) -> Name | None:
    """Return the name of what a share is said to be of: "a third of Porto's 30,821.91"."""
    end = work.mention.end
    for name in work.names:
        gap = work.sentence[end : name.start] if name.start >= end else ""
        tail = work.sentence[name.end :]
        is_base = _AS_BASE.match(tail) or (work.before_it and re.match(r"\s*[.,;)]|$", tail))
        if _OF.fullmatch(gap) and is_base:
            return name
    return None


def _parts(work: Workings, base: Name | None) -> Iterator[Term]:
    """Yield what a share may be of: the named rows, their sum, the first rows, figures near."""
    if base is not None:
        said = [t for t in work.before_it if t.row not in base.rows(t.table.number)]
        yield from said[-2:]
        others = [n for n in (*work.names, *work.asked) if n.text != base.text and not said]
        for table, column in work.columns(*ADDITIVE):
            yield from work.cells(table, column, work.rows_of(others, table)[:_MOST_CELLS])
        return
    says_margin = _MARGIN.search(f"{work.sentence} {work.ground.asked.text}")
    for table, column in work.columns(*ADDITIVE):
        meaning = table.meanings[column]
        if not meaning.is_average and (not meaning.is_change or says_margin):
            yield from _parts_of(work, table, column)
    says_that = _OF_THAT.match(work.after) is not None
    near = [t for t in work.near if t.row != GAP_ROW]
    yield from (t for t in near[-4:] if says_that or t.meaning.holds in ADDITIVE)


def _parts_of(work: Workings, table: Table, column: int) -> Iterator[Term]:
    rows = len(table.rows)
    for chosen in (*subsets(work, table, only_bound=True), *lone_rows(work, table)):
        if len(chosen) < rows or table.is_cut:
            cells = work.cells(table, column, chosen)
            yield from cells if len(cells) <= _MOST_CELLS else []
            yield from _some(work.sum_of(table, column, chosen))
    has_flag = any(c.type_name == "boolean" for c in table.result.columns)
    if rows == 1 or (has_flag and rows <= 3):  # a flag is no label that a text could name
        yield from work.cells(table, column, range(rows))
    if not work.bound and rows > 1:
        ends = zip((LOWEST, HIGHEST), table.ends(column), strict=True)
        said = [row for word, row in ends if word.search(work.sentence)]
        yield from work.cells(table, column, said)


def _some(term: Term | None) -> Iterator[Term]:
    if term is not None:
        yield term


def _wholes(work: Workings, part: Term, base: Name | None) -> Iterator[Term]:
    """Yield what a share may be a share of: a total, a column beside it, a figure near."""
    table, kind = part.table, part.meaning.holds
    if base is not None and base.rows(table.number):
        yield from _of_base(work, part, base)
        return
    yield from _some(work.total(table, part.column))
    if part.row >= 0 and (len(table.rows) == 1 or work.bound or work.names):
        for column in table.measures:
            meaning = table.meanings[column]
            if column != part.column and meaning.holds is kind and not meaning.is_change:
                yield from work.cells(table, column, [part.row])
    for other, column in work.columns(kind):
        if len(other.rows) == 1 and other is not table:
            yield from work.cells(other, column, [0])
    behind = work.before_all if _OF_THAT.match(work.after) else []
    for near in (*work.near, *behind):
        if near.meaning.holds is kind and near.value != part.value and near.row != GAP_ROW:
            yield near


def _of_base(work: Workings, part: Term, base: Name) -> Iterator[Term]:
    table, rows = part.table, sorted(base.rows(part.table.number))
    for column in table.measures:
        is_other = column != part.column or part.row not in rows
        if is_other and table.meanings[column].holds is part.meaning.holds:
            yield from _some(work.sum_of(table, column, rows))


def _of_counts(work: Workings) -> Iterator[Worked]:
    """Yield shares of counted rows: "9 of 12 months, 75 %"."""
    counted = [
        claim.mention
        for claim in work.ground.in_scene(work.claim.scene)
        if claim.source and not claim.spots and claim is not work.claim and claim.mention.value
        if claim.mention.form in (Form.NUMBER, Form.TIME)
    ]
    for one, other in combinations(counted, 2):
        low, high = sorted((one.value, other.value))
        if work.fits(low / high * 100):
            yield f"{one.text} of {other.text}", None


def _beyond_bounds(work: Workings) -> Iterator[Worked]:
    """Yield the share of rows beyond a bound: "half of the categories earned over $4,200"."""
    bounds = [
        claim.mention
        for claim in work.ground.in_scene(work.claim.scene)
        if claim is not work.claim and claim.mention.hedge.is_bound
        if claim.mention.form is Form.NUMBER
    ]
    for table in work.tables if bounds else ():
        rows = len(table.rows)
        if rows < 2 or table.is_cut:
            continue
        for column in table.measures:
            for count in (n for bound in bounds for n in beyond(bound, table, column)):
                if work.fits(Decimal(count) / rows * 100):
                    yield f"{count} of the {rows} rows of {table.name}", None


def _of_percentages(work: Workings) -> Iterator[Worked]:
    """Yield sums of percentages that the rows hold: "the top three have 36 %"."""
    for table, column in work.columns(Holds.PERCENT, Holds.RATIO):
        if table.meanings[column].is_change:
            continue
        factor = table.percent_factors[column]
        chosen = list(subsets(work, table, only_bound=True))
        for term in (work.sum_of(table, column, rows) for rows in chosen):
            if term is None:
                continue
            if work.fits(term.value * factor):
                yield term.text, None
            if REST.search(work.sentence) and work.fits(100 - term.value * factor):
                yield f"what {term.text} leaves", None


def _of_rows(work: Workings) -> Iterator[Worked]:
    """Yield the share of rows that meet a condition: "half of the departments are over budget"."""
    for table in work.tables if work.mention.form is Form.PART else ():
        rows = len(table.rows)
        own = own_condition(work.claim, work.ground, table)
        if 1 < rows <= _MOST_ROWS and not table.is_cut and own.is_sure:
            for count in own.counts:
                if work.fits(Decimal(count) / rows * 100):
                    yield f"{count} of the {rows} rows of {table.name}", None


def _left(work: Workings) -> Iterator[Worked]:
    """Yield what the percentages beside a figure leave of all: "88 %, Leeds the remaining 12 %"."""
    before = [
        claim.mention.value
        for claim in work.ground.in_scene(work.claim.scene)
        if claim.source and claim.mention.form is Form.PERCENT and claim is not work.claim
    ]
    if before and REST.search(work.before) and work.fits(100 - sum(before, Decimal(0))):
        yield "what the percentages beside it leave", None


def _medians(work: Workings) -> Iterator[Worked]:
    """Yield the median that "half of the customers spent less than …" retells, and percentiles."""
    for table in work.tables:
        for column in table.measures:
            percent = percent_of(table, column)
            if percent is not None and work.mention.value in (percent, 100 - percent):
                yield f"{table.name}, {table.column_name(column)}", None
