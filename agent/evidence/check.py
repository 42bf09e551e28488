"""The evidence check: every figure of a draft traced to what it rests on, or named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.evidence.absence import absence_faults
from agent.evidence.binding import groups_for
from agent.evidence.deriving.buckets import bucket_faults
from agent.evidence.deriving.derive import derive
from agent.evidence.facts import fact_faults, row_faults
from agent.evidence.ground import MAX_FIGURES, Claim, Ground, prepare
from agent.evidence.order.averages import average_faults
from agent.evidence.order.comparisons import comparison_faults, part_faults
from agent.evidence.order.courses import course_faults
from agent.evidence.order.extremes import extreme_faults
from agent.evidence.order.ranks import rank_faults
from agent.evidence.order.stated import stated_faults
from agent.evidence.order.trends import trend_faults
from agent.evidence.order.turns import turn_faults
from agent.evidence.order.wholes import whole_faults
from agent.evidence.places import trace_place
from agent.evidence.rows.cells import Spot
from agent.evidence.rows.meanings import Holds
from agent.evidence.sources import Sources
from agent.evidence.text.amounts import find_amounts
from agent.evidence.text.mentions import Form
from agent.evidence.tracing.counts import count_source, may_count
from agent.evidence.tracing.currencies import currency_faults
from agent.evidence.tracing.direct import Found, find_cells
from agent.evidence.tracing.limits import limit_source
from agent.evidence.tracing.miscounts import count_fault, cut_fault
from agent.evidence.tracing.parts import bound_source
from agent.evidence.tracing.periods import moment_source
from agent.evidence.tracing.repeats import calculation_source, text_source
from agent.evidence.tracing.spans import is_run, span_source
from agent.evidence.tracing.thresholds import barred_source, is_barred, range_source
from agent.messages import Evidence, Figure

_TALKED_OF: Final = re.compile(
    r"\b(?:query|queries|result|results|step|table|chart|figure|version|note|option|section|"
    r"postgresql|postgres|python|claude|gpt|page)\s*#?$",
    re.IGNORECASE,
)
_BLAMED: Final = (Form.NUMBER, Form.TIME, Form.PERCENT, Form.POINTS)
_OWNERS: Final = (Holds.TEXT, Holds.CALENDAR, Holds.KEY)


def check_evidence(draft: str, sources: Sources) -> Evidence:
    """Return what each figure of `draft` rests on, and what else is wrong with its claims.

    Pure: it reads nothing but its arguments. A source that rests on a result begins with that
    result's name, "result 1".
    """
    ground = prepare(draft, sources)
    ground.claims += [
        Claim(figure, number, groups_for(figure, scene))
        for number, scene in enumerate(ground.scenes)
        for figure in scene.figures
    ]
    for claim in ground.claims:
        _trace(claim, ground)
    for _ in range(2):  # the second time, what was worked out may serve what follows from it
        for claim in ground.claims:
            if not claim.source and not claim.is_given_up:
                derive(claim, ground)
    for claim in ground.claims:
        if not claim.source:
            _blame(claim, ground)
    figures = tuple(Figure(c.mention.text, c.source) for c in ground.claims if not c.is_name)
    return Evidence(figures, tuple(dict.fromkeys(_faults(ground))))


def _faults(ground: Ground) -> Iterator[str]:
    if not ground.is_whole:
        yield f"There are more than {MAX_FIGURES} figures; those behind them were not checked."
    yield from (claim.fault for claim in ground.claims if claim.fault)
    for number, scene in enumerate(ground.scenes):
        if not scene.is_row:
            claims = ground.in_scene(number)
            yield from extreme_faults(scene, claims, ground)
            yield from average_faults(scene, claims, ground)
            yield from rank_faults(scene, claims, ground)
            yield from turn_faults(scene, claims, ground)
            yield from comparison_faults(scene, ground)
            yield from part_faults(scene, claims)
            yield from whole_faults(scene, claims, ground)
            yield from bucket_faults(scene, claims, ground)
            yield from stated_faults(scene, claims)
            yield from fact_faults(scene, claims, ground)
            yield from trend_faults(scene, claims, ground)
            yield from course_faults(scene, ground)
        else:
            yield from row_faults(scene, ground)
    yield from currency_faults(ground)
    yield from absence_faults(ground)


def _trace(claim: Claim, ground: Ground) -> None:
    """Look a figure up in everything that needs no working out."""
    if claim.mention.form is Form.MOMENT:
        claim.source = moment_source(claim, ground)
        if not claim.source and ground.text(claim).rstrip().endswith("?"):
            claim.source = "an offer"
        if claim.source or not _is_number_too(claim, ground):
            return
    if _TALKED_OF.search(ground.before(claim)) and claim.mention.digits <= 2:
        claim.is_name, claim.source = True, "a name"
        return
    if claim.mention.form is Form.ORDINAL:
        trace_place(claim, ground)
        if claim.source or not _is_key_too(claim, ground):
            return
    _trace_amount(claim, ground)


def _trace_amount(claim: Claim, ground: Ground) -> None:
    cells = find_cells(claim, ground)
    sound = [found.spot for found in cells if found.is_sound]
    if not _is_of_named_row(claim, sound):
        if may_count(claim) and not ground.may_search("count"):
            claim.is_given_up = True
            return
        claim.fault = count_fault(claim, ground)
    if claim.fault:
        claim.source = "the rows, counted"
        return
    if _is_statement(claim, ground):
        return
    if sound:
        claim.spots, claim.source = tuple(sound), _place(sound[0], ground)
        return
    claim.source = calculation_source(claim, ground)
    if not claim.source and claim.mention.digits > 2 and any(c.is_opposite for c in cells):
        claim.is_given_up = True  # 580 of 600 are not "not active", for all that 600 - 20 is 580
    claim.source = claim.source or ("" if claim.is_given_up else _searched(claim, ground))


def _searched(claim: Claim, ground: Ground) -> str:
    """Look a figure up in what takes a search through all rows, as long as there is room."""
    if not ground.may_search("source"):
        claim.is_given_up = True
        return ""
    return (
        limit_source(claim, ground)
        or span_source(claim, ground)
        or count_source(claim, ground)
        or text_source(claim, ground)
        or bound_source(claim, ground)
        or range_source(claim, ground)
    )


def _is_statement(claim: Claim, ground: Ground) -> bool:
    """See to "three months in a row" and "no month fell below 2,000": true or not, no cell."""
    if is_run(claim, ground):
        claim.source = span_source(claim, ground)
    elif is_barred(claim, ground):
        claim.source = barred_source(claim, ground)
    else:
        return False
    claim.source = claim.source or limit_source(claim, ground)
    if not claim.source:
        claim.fault = f"“{claim.mention.text}”: the rows do not bear this out."
        claim.source = "the rows, counted"
    return True


def _is_of_named_row(claim: Claim, sound: Sequence[Spot]) -> bool:
    """Whether a figure is a cell of the row that it stands beside: "13 confections"."""
    names = [name for group in claim.groups for name in group if name.has_rows]
    return any(spot.row in name.rows(spot.table) for name in names for spot in sound)


def _is_number_too(claim: Claim, ground: Ground) -> bool:
    """Read "2009" as a number where it is no year that anything knows."""
    mention = claim.mention
    if not re.fullmatch(r"\d{4}", mention.text):
        return False
    for read in find_amounts(ground.text(claim), (), european=False):
        if read.end >= mention.end > read.start and read.text.startswith(mention.text):
            claim.mention = read
            return True
    return False


def _is_key_too(claim: Claim, ground: Ground) -> bool:
    """Read "no. 118" as the number of a customer where it is no place."""
    start, end = claim.mention.start, claim.mention.end
    for read in find_amounts(ground.text(claim)[:end], (), european=False):
        if read.end == end and read.start > start:
            claim.mention = read
            return True
    return False


def _place(spot: Spot, ground: Ground) -> str:
    return ground.tables[spot.table].place(spot)


def _blame(claim: Claim, ground: Ground) -> None:
    """Say what is wrong where a cell has the figure, but not as it is written or for whom."""
    claim.fault = cut_fault(claim, ground)
    if claim.fault:
        claim.source = "the rows, counted"
        return
    if claim.mention.form not in _BLAMED or claim.mention.digits < 2:
        return
    found = next((f for f in find_cells(claim, ground) if not f.role), None)
    if found is not None:
        claim.fault = _fault(claim.mention.text, found, ground)
        claim.source, claim.spots = _place(found.spot, ground), (found.spot,)


def _fault(text: str, found: Found, ground: Ground) -> str:
    table, place = ground.tables[found.spot.table], _place(found.spot, ground)
    name = table.column_name(found.spot.column)
    if found.label:
        owner = _owner(found.spot, ground)
        return f"“{text}” stands beside {found.label}, but is {name} of {owner} ({place})."
    return f"“{text}”: {name} {found.unit} ({place})."


def _owner(spot: Spot, ground: Ground) -> str:
    table = ground.tables[spot.table]
    for column, meaning in enumerate(table.meanings):
        cell = table.rows[spot.row][column]
        if cell is not None and meaning.holds in _OWNERS:
            return str(cell)
    return f"row {spot.row + 1}"
