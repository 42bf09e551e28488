"""Figures that are a cell: the number of the right row, in the right column, in the right unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agent.evidence.cells import Spot, Table
from agent.evidence.columns import Holds
from agent.evidence.fit import ranges_for, unit_fault
from agent.evidence.ground import Claim, Ground, entity_before
from agent.evidence.hedges import Range
from agent.evidence.mentions import Form

HIGHEST: Final = re.compile(
    r"\b(?:highest|most|top|best|largest|biggest|peak(?:ed|s)?|leader|leading|maximum|longest|strongest|busiest|number one|first place|record|greatest)\b",
    re.IGNORECASE,
)
LOWEST: Final = re.compile(
    r"\b(?:lowest|least|fewest|smallest|weakest|worst|minimum|shortest|slowest|quietest|bottom|low point|trough|last place)\b",
    re.IGNORECASE,
)
_SECOND: Final = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next|runner-up|followed|2nd|3rd|4th|then|other|another)\b",
    re.IGNORECASE,
)
TOTAL: Final = re.compile(
    r"\b(?:total(?:s|led|ed|ling|ing)?|overall|in all|altogether|combined|sum|company-?wide|across all|grand total|insgesamt|gesamt)\b",
    re.IGNORECASE,
)
AVERAGE: Final = re.compile(
    r"\b(?:average|averag(?:es|ed|ing)|avg|mean|typical|typically|median)\b", re.IGNORECASE
)
_BIG: Final = 30
"""Rows from which on a rough figure that belongs to no row proves nothing."""


@dataclass(frozen=True)
class Found:
    """A cell whose number a figure may be, and what speaks against it."""

    spot: Spot
    unit: str = ""
    """What is wrong with the unit."""
    label: str = ""
    """The name beside the figure that means another row."""
    other: str = ""
    """Why the cell cannot be meant, where that is no fault of its own."""

    @property
    def is_sound(self) -> bool:
        return not (self.unit or self.label or self.other)


def find_cells(claim: Claim, ground: Ground) -> list[Found]:
    """Return the cells whose number `claim` may be, the sound ones first."""
    found = [_judged(claim, ground, spot) for spot in _spots(claim, ground)]
    return sorted(found, key=lambda f: (not f.is_sound, bool(f.label), bool(f.unit)))


def _spots(claim: Claim, ground: Ground) -> Iterator[Spot]:
    mention = claim.mention
    before = ground.before(claim)
    for table in ground.tables:
        for column in table.numbers:
            if not _is_for(column, table, claim, before):
                continue
            seen: set[int] = set()
            for wanted in (
                *ranges_for(mention, table, column),
                *_turned(claim, ground, table, column),
            ):
                for spot in table.find(column, wanted):
                    if spot.row not in seen:
                        seen.add(spot.row)
                        yield spot
    yield from _rough_spots(claim, ground)


def _is_for(column: int, table: Table, claim: Claim, before: str) -> bool:
    """Keys, ranks and parts of dates are named, never claimed as amounts."""
    holds_kind = table.meanings[column].holds
    if holds_kind is Holds.KEY:
        noun = entity_before(before)
        return (
            noun == "id" or noun in table.meanings[column].nouns or bool(re.search(r"#$", before))
        )
    if holds_kind is Holds.RANK:
        return claim.mention.form is Form.ORDINAL or bool(
            re.search(r"\b(?:rank(?:s|ed)?|place|position|no\.|number)\s*#?$|#$", before, re.I)
        )
    if holds_kind is Holds.CALENDAR:
        unit = table.meanings[column].unit
        said = re.search(
            rf"\b{unit}s?\s*$|\b(?:at|from|to|between|and|of)\s*$", before, re.IGNORECASE
        )
        return claim.mention.form is Form.NUMBER and bool(said or claim.mention.noun == unit)
    return claim.mention.form is not Form.ORDINAL


_DOWN = re.compile(
    r"\b(?:f[ae]ll(?:s|en|ing)?|down|drop(?:s|ped|ping)?|declin(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|lost|lose|loss(?:es)?|shr[au]nk|"
    r"less|fewer|lower|negative|minus|below|behind|shortfall|slip(?:s|ped)?|dip(?:s|ped)?|shrinking|reduction|reduced|sank|slid|"
    r"worse|deficit|contract(?:ed|ion)|cut)\b",
    re.IGNORECASE,
)


_RISE: Final = re.compile(
    r"\b(?:r[io]ses?|risen|grew|grow\w*|increas\w*|gain\w*|climb\w*|jump\w*|up|higher|more|above|added)\b",
    re.IGNORECASE,
)
_IN_THE_RED: Final = re.compile(r"\b(?:in the red|deficits?|shortfalls?|loss(?:es)?|negative)\b", re.I)


def says_down(claim: Claim, ground: Ground) -> bool:
    """Whether the words around a figure say that something became or is less."""
    if _DOWN.match(ground.after(claim).strip()[:12]) or _IN_THE_RED.search(ground.text(claim)):
        return True
    said = ground.text(claim)[: claim.mention.start]
    down = max((m.end() for m in _DOWN.finditer(said)), default=-1)
    return down > max((m.end() for m in _RISE.finditer(said)), default=-1)


def _turned(claim: Claim, ground: Ground, table: Table, column: int) -> Iterator[Range]:
    """Yield the negative of a figure where the words say it: "fell by 604.07", "(604.07)"."""
    mention = claim.mention
    if mention.sign > 0:
        return
    if mention.sign < 0 or mention.in_brackets or says_down(claim, ground):
        if table.meanings[column].is_change or mention.in_brackets:
            for wanted in ranges_for(mention, table, column):
                yield wanted.negative()


def _rough_spots(claim: Claim, ground: Ground) -> Iterator[Spot]:
    """Yield cells that a round figure without a hedge may be rounded from, in a row that is named."""
    for table in ground.tables if claim.mention.rough else ():
        for column in table.measures:
            if table.meanings[column].holds not in (Holds.MONEY, Holds.COUNT, Holds.NUMBER):
                continue
            for wanted in claim.mention.rough:
                for spot in table.find(column, wanted):
                    pointed = [any(n.points_at(spot) for n in g) for g in claim.groups]
                    if (pointed and all(pointed)) or len(table.rows) == 1:
                        yield spot


def _judged(claim: Claim, ground: Ground, spot: Spot) -> Found:
    table = ground.tables[spot.table]
    before = ground.before(claim)
    head = ground.passages[claim.scene].head_over(claim.mention.start)
    unit = unit_fault(claim.mention, f"{head}: " if head else before, table, spot, ground.known)
    return Found(spot, unit, _other_name(claim, ground, spot), _role_fault(claim, ground, spot))


def _other_name(claim: Claim, ground: Ground, spot: Spot) -> str:
    """Return the name beside a figure that means other rows or columns than the cell's."""
    if any(n.start == claim.mention.start for n in ground.scenes[claim.scene].names):
        return ""  # it is a name itself: "store 2", "at 2.99"
    for group in claim.groups:
        said = [_points_at(name, ground, spot) for name in group]
        if any(said) or all(answer is None for answer in said):
            continue
        if any(name.is_sure for name in group):
            return group[0].text
    return ""


def _points_at(name, ground: Ground, spot: Spot) -> bool | None:  # type: ignore[no-untyped-def]
    pointed = name.points_at(spot)
    if pointed is not None:
        return bool(pointed)
    statement = ground.tables[spot.table].statement
    if name.scope:
        texts = [
            f.text for f in statement.filters if f.column == name.scope and f.is_scope and f.text
        ]
        if texts and name.text.lower() not in (t.lower() for t in texts):
            return False
    if name.moment is not None and name.moment.year is not None and statement.scope_periods:
        years = [
            (low.year if low else 0, high.year if high else 9999)
            for low, high in statement.scope_periods
        ]
        if not any(low <= name.moment.year <= high for low, high in years):
            return False
    return None


def _role_fault(claim: Claim, ground: Ground, spot: Spot) -> str:
    """Return why a cell is not what words such as "in total" or "the highest" mean; "" if it may be."""
    table = ground.tables[spot.table]
    if _is_vague(claim, table, spot):
        return "too rough a figure for so many rows"
    if len(table.rows) < 2 or ground.passages[claim.scene].spans or _is_bound(claim, spot.table):
        return ""
    before = ground.before(claim)
    before = re.split(r"[;:(]" if claim.groups else r"[(]", before)[-1]
    words = f"{before} {re.match(r'[^,;.(]*', ground.after(claim))[0]}"  # type: ignore[index]
    is_highest, is_lowest = HIGHEST.search(before), LOWEST.search(before)
    if _SECOND.search(before):
        return ""
    values = [v for v in table.numbers[spot.column] if v is not None]
    if is_highest and is_lowest:
        return ""
    if is_highest or is_lowest:
        columns = [v for v in (max(values), min(values)) if v == spot.value]
        others = _is_row_of_extreme(table, spot)
        return "" if columns or others else "not the highest or lowest"
    if TOTAL.search(words) and not AVERAGE.search(words) and spot.value != sum(values):
        holds_kind = table.meanings[spot.column].holds
        return "a part, not the total" if holds_kind in (Holds.MONEY, Holds.COUNT) else ""
    if AVERAGE.search(words) and not table.meanings[spot.column].is_average:
        return "one row, not the average"
    return ""


def _is_row_of_extreme(table: Table, spot: Spot) -> bool:
    for column in table.measures:
        values = [v for v in table.numbers[column] if v is not None]
        own = table.numbers[column][spot.row]
        if column != spot.column and own is not None and own in (max(values), min(values)):
            return True
    return False


def _is_bound(claim: Claim, table: int) -> bool:
    return any(name.rows(table) for group in claim.groups for name in group)


def _is_vague(claim: Claim, table: Table, spot: Spot) -> bool:
    if len(table.rows) <= _BIG or claim.mention.digits > 2 or _is_bound(claim, table.number):
        return False
    values = [v for v in table.numbers[spot.column] if v is not None]
    ends = {values[0], values[-1], max(values), min(values)}
    return spot.value not in ends
