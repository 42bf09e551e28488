"""The evidence check: every figure of a draft traced to what it rests on, or named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from agent.evidence.absence import absence_faults
from agent.evidence.amounts import find_amounts
from agent.evidence.cells import Spot
from agent.evidence.columns import Holds
from agent.evidence.counts import count_source
from agent.evidence.derived import derive
from agent.evidence.direct import Found, find_cells
from agent.evidence.ground import Claim, Ground, prepare
from agent.evidence.mentions import Form
from agent.evidence.order import order_faults
from agent.evidence.periods import moment_source
from agent.evidence.sources import Sources
from agent.evidence.thresholds import calculation_source, text_source, threshold_source
from agent.messages import Evidence, Figure

_TALKED_OF: Final = re.compile(
    r"\b(?:query|queries|result|results|step|table|chart|figure|version|note|option|section|postgresql|postgres|python|claude|gpt|page)\s*#?$",
    re.IGNORECASE,
)


def check_evidence(draft: str, sources: Sources) -> Evidence:
    """Return what each figure of `draft` rests on, and what else is wrong with its claims.

    Pure: it reads nothing but its arguments, and never raises for what a draft says.
    """
    ground = prepare(draft, sources)
    for claim in ground.claims:
        _trace(claim, ground)
    for _ in range(2):  # the second time, what was worked out may serve what follows from it
        for claim in ground.claims:
            if not claim.source:
                claim.source = derive(claim, ground)
    for claim in ground.claims:
        if not claim.source:
            _blame(claim, ground)
    figures = tuple(Figure(c.mention.text, c.source) for c in ground.claims if not c.is_name)
    faults = [c.fault for c in ground.claims if c.fault]
    faults += [*order_faults(ground), *absence_faults(draft, ground)]
    return Evidence(figures, tuple(dict.fromkeys(faults)))


def _trace(claim: Claim, ground: Ground) -> None:
    """Look a figure up in everything that needs no working out."""
    if claim.mention.form is Form.MOMENT:
        claim.source = moment_source(claim, ground)
        if claim.source or not _as_number(claim, ground):
            return
    if _TALKED_OF.search(ground.before(claim)) and claim.mention.digits <= 2:
        claim.is_name, claim.source = True, "a name"
        return
    if claim.mention.form is Form.ORDINAL:
        _trace_ordinal(claim, ground)
        return
    found = [f for f in find_cells(claim, ground) if f.is_sound]
    if found:
        claim.spots = tuple(f.spot for f in found)
        claim.source = spot_text(found[0].spot, ground)
        return
    claim.source = (
        calculation_source(claim, ground)
        or threshold_source(claim, ground)
        or count_source(claim, ground)
        or text_source(claim, ground)
    )


def _as_number(claim: Claim, ground: Ground) -> bool:
    """Read "2009" as a number where it is no year that anything knows."""
    mention = claim.mention
    if not re.fullmatch(r"\d{4}", mention.text):
        return False
    read = [
        m
        for m in find_amounts(ground.text(claim), (), european=False)
        if m.end >= mention.end > m.start
    ]
    if not read or not re.search(rf"{mention.text}\+?$", read[0].text.split(" ")[0].split("-")[0]):
        return False
    claim.mention = replace(read[0], text=mention.text)
    return True


def _trace_ordinal(claim: Claim, ground: Ground) -> None:
    """See to "2nd", "third place": that many rows are there, and a name beside it stands there."""
    place = int(claim.mention.value)
    names = [n for group in claim.groups for n in group]
    if re.match(
        r"\s*(?:and|,)\s*(?:second|third|fourth|fifth|\d)", ground.text(claim)[claim.mention.end :]
    ):
        names = []  # "come second and third"
    names = names or [n for n in ground.scenes[claim.scene].names if n.rows_anywhere()]
    for table in ground.tables:
        rows = {row for n in names for row in n.rows(table.number)}
        if place > len(table.rows):
            continue
        if not rows or (len(names) > 1 and not claim.groups) or _has_place(table, rows, place):
            claim.source = f"{table.name}, row {place}"
            return
        claim.fault = f"“{claim.mention.text}” is said of {names[0].text}, which stands elsewhere in the rows."
    if claim.fault:
        claim.source = "the order of the rows"


def _has_place(table, rows: set[int], place: int) -> bool:  # type: ignore[no-untyped-def]
    if place - 1 in rows:
        return True
    for column in table.measures:
        values = [v for v in table.numbers[column] if v is not None]
        for row in rows:
            own = table.numbers[column][row]
            if own is not None and place in (
                sum(v > own for v in values) + 1,
                sum(v < own for v in values) + 1,
            ):
                return True
    return False


def spot_text(spot: Spot, ground: Ground) -> str:
    """Return where a cell stands, in words: "result 1, row 2, revenue"."""
    table = ground.tables[spot.table]
    return f"{table.name}, row {spot.row + 1}, {table.column_name(spot.column)}"


def _blame(claim: Claim, ground: Ground) -> None:
    """Say what is wrong where a cell has the figure, but not as it is written or for whom."""
    if (
        claim.mention.form not in (Form.NUMBER, Form.TIME, Form.PERCENT, Form.POINTS)
        or claim.mention.digits < 2
    ):
        return
    found = [f for f in find_cells(claim, ground) if not f.other]
    if not found:
        return
    best = found[0]
    where = spot_text(best.spot, ground)
    claim.fault = _fault(claim, best, ground, where)
    claim.source = where
    claim.spots = (best.spot,)


def _fault(claim: Claim, found: Found, ground: Ground, where: str) -> str:
    text = claim.mention.text
    table = ground.tables[found.spot.table]
    if found.label:
        owner = _owner(found.spot, ground)
        return f"“{text}” stands beside {found.label}, but is {table.column_name(found.spot.column)} of {owner} ({where})."
    return f"“{text}”: {table.column_name(found.spot.column)} {found.unit} ({where})."


def _owner(spot: Spot, ground: Ground) -> str:
    table = ground.tables[spot.table]
    for column, meaning in enumerate(table.meanings):
        cell = table.rows[spot.row][column]
        if cell is not None and (meaning.holds in (Holds.TEXT, Holds.CALENDAR, Holds.KEY)):
            return str(cell)
    return f"row {spot.row + 1}"
