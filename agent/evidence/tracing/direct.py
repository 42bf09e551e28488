"""Figures that are a cell: the number of the right row, in the right column, in the right unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.grouping import key_nouns
from agent.evidence.rows.meanings import Holds
from agent.evidence.rows.names import Name
from agent.evidence.scenes import entity_before
from agent.evidence.text.hedges import Range
from agent.evidence.text.mentions import Form
from agent.evidence.tracing.clauses import is_partitive
from agent.evidence.tracing.columns_named import column_fault
from agent.evidence.tracing.opposites import opposite_fault
from agent.evidence.tracing.presence import presence_fault
from agent.evidence.tracing.roles import has_row, role_fault
from agent.evidence.tracing.units import ranges_for, unit_fault
from agent.evidence.words import AVERAGE, FELL, IN_THE_RED, ROSE

_BIG: Final = 30
"""Rows from which on a rough figure that belongs to no row proves nothing."""
_LISTED: Final = re.compile(r"(?:\d+(?:,? and|,? or|,| &)\s*)+$")
"""The figures of a list before its last one: "hours 17, 18 and 19"."""
_LIST_OF: Final = r"\b{}s?\b[^.;:]*: (?:\d+(?:, | and |, and ))*$"
"""The words before a bare list of parts of dates: "four weeks were above it: 23, 24"."""
_RANKED: Final = re.compile(
    r"\b(?:rank(?:s|ed)?|place|position|no\.|number)\s*#?$|#$", re.IGNORECASE
)
_KEY: Final = re.compile(r"\b(?:ids?|numbers?|no\.)(?!\w)|#", re.IGNORECASE)
_KEY_NEXT: Final = re.compile(
    r"(?: [a-z]+){0,2}\)?(?:,|;|,? and|,? &)\s*(?:[A-Z][\w'.-]*\s+){1,4}(?:has |is |\()?\s*"
)
"""The next of a list of keys: "Laura Nguyen has ID 11, Omar Haddad 42"."""
_AT_PART: Final = re.compile(r"\b(?:at|from|to|between|and|of)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """A cell whose number a figure may be, and what speaks against it."""

    spot: Spot
    unit: str = ""
    """What is wrong with the unit, or with the direction of a change."""
    label: str = ""
    """The name beside the figure that means another row."""
    role: str = ""
    """Why the words around the figure cannot mean the cell, where that is no fault by itself."""
    is_opposite: bool = False
    """The words are those of another column of its row."""

    @property
    def is_sound(self) -> bool:
        return not (self.unit or self.label or self.role)


def find_cells(claim: Claim, ground: Ground) -> list[Found]:
    """Return the cells whose number `claim` may be, the sound ones first."""
    spots = {(s.table, s.row, s.column): s for s in _spots(claim, ground)}
    found = [_judged(claim, ground, spot) for spot in spots.values()]
    return sorted(found, key=lambda f: (not f.is_sound, bool(f.label), bool(f.unit)))


def _spots(claim: Claim, ground: Ground) -> Iterator[Spot]:
    head = ground.scene_of(claim).passage.head_over(claim.mention.start)
    before = f"{head} " if head else ground.before(claim)
    for table in ground.tables:
        for column in table.numbers:
            is_name = _names_row(claim, ground, table, column)
            said = (
                before if before.strip(" ,:&adnor") else ground.text(claim)[: claim.mention.start]
            )
            if not is_name and not _may_be_said(column, table, claim, said):
                continue
            is_key = table.meanings[column].holds is Holds.KEY  # "rental 3" is named, not claimed
            is_vague = _is_vague(claim, table) and not is_key
            wanted = [*ranges_for(claim.mention, table, column)]
            for one in (*wanted, *_turned(claim, ground, table, column)):
                found = table.find(column, one)
                if _is_exact(claim, ground):
                    found = [spot for spot in found if spot.value == spot.value.to_integral()]
                yield from _at_ends(found, table, column) if is_vague else found
        yield from _rounded(claim, table)


def _is_exact(claim: Claim, ground: Ground) -> bool:
    """Whether a number in words counts, so that it is no rounding: "four grew" rests on no 4.2."""
    mention = claim.mention
    is_count = mention.is_word and mention.form in (Form.NUMBER, Form.TIME) and mention.value < 100
    is_mean = AVERAGE.search(ground.text(claim)) and not is_partitive(claim, ground)
    return bool(is_count and not (mention.hedge or mention.currency or is_mean))


def _is_vague(claim: Claim, table: Table) -> bool:
    """Whether a figure is too rough to prove anything where many rows may have it by chance."""
    return len(table.rows) > _BIG and claim.mention.digits <= 2 and not has_row(claim, table)


def _at_ends(found: Sequence[Spot], table: Table, column: int) -> list[Spot]:
    """Return the cells that are first, last, least or greatest."""
    shown, ordered = table.numbers[column], table.values(column)
    ends = (shown[0], shown[-1], ordered[0], ordered[-1])
    return [spot for spot in found if spot.value in ends]


def _names_row(claim: Claim, ground: Ground, table: Table, column: int) -> bool:
    """Whether a figure was read as a key: 299 in "invoice 404 at $25.86, followed by 299"."""
    kind = ("label", table.column_name(column))
    names = ground.scene_of(claim).pointing
    said = ground.text(claim)[: claim.mention.start]
    is_key = table.meanings[column].holds is Holds.KEY and _KEY.search(said) is not None
    if is_key and _KEY_NEXT.fullmatch(ground.before(claim)):
        return True
    return any(n.start == claim.mention.start and n.dimension == kind for n in names)


def _may_be_said(column: int, table: Table, claim: Claim, before: str) -> bool:
    """Keys, ranks and parts of dates are named, never claimed as amounts."""
    meaning, form = table.meanings[column], claim.mention.form
    match meaning.holds:
        case Holds.KEY:
            noun = entity_before(_LISTED.sub("", before))
            return noun == "number" or noun in key_nouns(table, column)
        case Holds.RANK:
            return form is Form.ORDINAL or _RANKED.search(before) is not None
        case Holds.CALENDAR:
            said = re.search(rf"\b{meaning.unit}s?\s*$", _LISTED.sub("", before), re.IGNORECASE)
            said = said or re.search(_LIST_OF.format(meaning.unit), before, re.IGNORECASE)
            named = said or _AT_PART.search(before) or claim.mention.noun == meaning.unit
            return form is Form.NUMBER and bool(named)
    return form is not Form.ORDINAL


def _turned(claim: Claim, ground: Ground, table: Table, column: int) -> Iterator[Range]:
    """Yield the negative of a figure where the words say it: "fell by 604.07", "(604.07)"."""
    mention, is_change = claim.mention, table.meanings[column].is_change
    if mention.sign or not (mention.in_brackets or (is_change and says_down(claim, ground))):
        return
    for wanted in ranges_for(mention, table, column):
        yield wanted.negative()


def says_down(claim: Claim, ground: Ground) -> bool:
    """Whether the words around a figure say that something became or is less."""
    if FELL.match(ground.after(claim).strip()[:12]) or IN_THE_RED.search(ground.text(claim)):
        return True
    said = ground.text(claim)[: claim.mention.start]
    fell = max((m.end() for m in FELL.finditer(said)), default=-1)
    return fell > max((m.end() for m in ROSE.finditer(said)), default=-1)


def _rounded(claim: Claim, table: Table) -> Iterator[Spot]:
    """Yield cells that a round figure without a hedge may be rounded from, in a row it names."""
    for column in table.measures if claim.mention.rough else ():
        if table.meanings[column].holds not in (Holds.MONEY, Holds.COUNT, Holds.NUMBER):
            continue
        rough = replace(claim.mention, ranges=claim.mention.rough)
        for spot in (s for r in ranges_for(rough, table, column) for s in table.find(column, r)):
            pointed = [any(name.points_at(spot) for name in group) for group in claim.groups]
            if (pointed and all(pointed)) or len(table.rows) == 1:
                yield spot


def _judged(claim: Claim, ground: Ground, spot: Spot) -> Found:
    table = ground.tables[spot.table]
    head = ground.scene_of(claim).passage.head_over(claim.mention.start)
    before = f"{head}: " if head else ground.before(claim)
    is_label = _names_row(claim, ground, table, spot.column) and not claim.mention.nouns
    before = "" if is_label else before
    after = "" if head else ground.after(claim)
    unit = unit_fault(claim.mention, before, table, spot.column, ground.known, after)
    unit = unit or column_fault(before, after, table, spot)
    opposite = "" if unit or head or is_label else opposite_fault(claim, ground, spot)
    unit = unit or opposite or _direction_fault(claim, ground, spot)
    label = _other_name(claim, ground, spot) or presence_fault(after, table, spot)
    return Found(spot, unit, label, role_fault(claim, ground, spot), bool(opposite))


_MOVED: Final = re.compile(
    r"(?:\b(?:by|of|down|up)|%|\b(?P<verb>[a-z]+))\s*(?:a |an )?"
    r"(?:about |around |nearly |almost |roughly |some |just |over |under )?$",
    re.IGNORECASE,
)
_IN_RED: Final = re.compile(r"(?:[:=]|\b(?:change|delta|difference|growth|by|at|of|was|is))\s*\($")


def _direction_fault(claim: Claim, ground: Ground, spot: Spot) -> str:
    """See to "fell by 828.32" and "change: (828.32)" where the change is a rise."""
    meaning, before = ground.tables[spot.table].meanings[spot.column], ground.before(claim)[-40:]
    if not meaning.is_change or claim.mention.sign:
        return ""
    if claim.mention.in_brackets and spot.value > 0 and _IN_RED.search(before):
        return "went the other way"
    moved = _MOVED.search(before)
    if moved is None:
        return ""
    if moved["verb"]:  # "fell 5.9 %"
        before = moved["verb"]
    fell, rose = FELL.search(before), ROSE.search(before)
    if (fell and not rose and spot.value > 0) or (rose and not fell and spot.value < 0):
        return "went the other way"
    return ""


def _other_name(claim: Claim, ground: Ground, spot: Spot) -> str:
    """Return the name beside a figure that means other rows or columns than the cell's."""
    if any(name.start == claim.mention.start for name in ground.scene_of(claim).pointing):
        return ""  # it is a name itself: "store 2", "at 2.99"
    if ground.tables[spot.table].meanings[spot.column].holds is Holds.CALENDAR:
        return ""  # "from 5 pm (hour 17)"
    own = ("label", ground.tables[spot.table].column_name(spot.column))
    is_key = ground.tables[spot.table].meanings[spot.column].holds is Holds.KEY
    for group in claim.groups:
        if is_key and group[0].dimension == own:
            continue  # "no. 194 and 201, no. 299": keys one behind the other
        said = [_points_at(name, ground, spot) for name in group]
        is_other = not any(said) and any(answer is False for answer in said)
        if is_other and any(name.is_sure for name in group):
            return group[0].text
    return ""


def _points_at(name: Name, ground: Ground, spot: Spot) -> bool | None:
    """Whether a name means a cell; None where neither the rows nor the filters know it."""
    pointed = name.points_at(spot)
    if pointed is not None:
        return pointed
    statement = ground.tables[spot.table].statement
    if name.scope:
        chosen = [
            one.text.lower()
            for one in statement.filters
            if one.column == name.scope and one.is_scope and one.text
        ]
        if chosen and name.text.lower() not in chosen:
            return False
    year = name.moment.year if name.moment is not None else None
    if year is not None and statement.scope_periods:
        spans = ((low, high) for low, high in statement.scope_periods)
        inside = any(
            (low is None or low.year <= year) and (high is None or year <= high.year)
            for low, high in spans
        )
        return None if inside else False
    return None
