"""Places in an order: "2nd", "third place", "on the 26th"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.lists import coordinated
from agent.evidence.rows.cells import Table
from agent.evidence.rows.names import Name
from agent.evidence.words import LOWEST

_MORE_PLACES: Final = re.compile(r"\s*(?:and|,)\s*(?:second|third|fourth|fifth|\d)", re.IGNORECASE)
_NEAR: Final = re.compile(r"\s+(?:(?!and\b|while\b|with\b|by\b|than\b)\w+\s+){0,3}")
_PLACED: Final = re.compile(r"-(?:placed|ranked) ", re.IGNORECASE)
_TIED: Final = re.compile(r"tie|tying|shar|joint|equal|a (?:shared|tied|joint)", re.IGNORECASE)
_MOST_DAYS: Final = 31


def trace_place(claim: Claim, ground: Ground) -> None:
    """Set what an ordinal rests on: that many rows are there, and its name stands in that place."""
    place = int(claim.mention.value)
    if re.match(r"\s+percentile\b", ground.rest(claim)):
        claim.is_name, claim.source = True, "a name"
        return
    day = _day(claim, ground, place)
    if day:
        claim.source = day
        return
    names, is_sure = names_placed(claim, ground)
    for table in ground.tables:
        if place > len(table.rows):
            continue
        rows = {row for name in names for row in name.rows(table.number)}
        claim.source = f"{table.name}, row {place}"
        columns = table.measures if _TIED.match(claim.mention.text) else ()
        below = LOWEST.search(ground.text(claim) + ground.sources.question) is not None
        if not rows or not is_sure or has_place(table, rows, place, below=below, columns=columns):
            claim.fault = ""
            return
        text = names[0].text
        claim.fault = f"“{claim.mention.text}” is said of {text}, which stands elsewhere."


def _day(claim: Claim, ground: Ground, place: int) -> str:
    """Return where "the 26th" is a day: of rows, or of the few days that a query asks for."""
    if claim.mention.is_word:
        return ""
    for name in ground.scene_of(claim).names:
        if name.start == claim.mention.start and name.dimension[0] == "time":
            return f"result {name.hits[0].table + 1}, its dates"
    months = {n.moment.month for n in ground.scene_of(claim).names if n.moment is not None}
    for table in ground.tables:
        cells = (cell for moments in table.moments.values() for cell in moments)
        if any(c is not None and c.day == place and c.month in months for c in cells):
            return f"{table.name}, its dates"
        for low, high in table.statement.scope_periods:
            if low is None or high is None or (high - low).days >= _MOST_DAYS:
                continue
            if any((low + timedelta(days=n)).day == place for n in range((high - low).days + 1)):
                return f"the period of query {table.number + 1}"
    return ""


def names_placed(claim: Claim, ground: Ground) -> tuple[list[Name], bool]:
    """Return the names that an ordinal may be said of, and whether it must be."""
    if _MORE_PLACES.match(ground.rest(claim)):
        return [], False  # "come second and third"
    beside = _beside(claim, ground)
    if beside:
        return beside, True
    bound = [name for group in claim.groups for name in group]
    if bound:
        return bound, True
    named = [n for n in ground.scene_of(claim).names if n.has_rows]
    return named, len(named) == 1


def _beside(claim: Claim, ground: Ground) -> list[Name]:
    """Return the names right beside an ordinal: "the UK is second", "second-placed UK"."""
    scene, start = ground.scene_of(claim), claim.mention.start
    names = [n for n in scene.names if n.has_rows]
    after = [n for n in names if n.start >= claim.mention.end][:1]
    if after and _PLACED.fullmatch(scene.text[claim.mention.end : after[0].start]):
        return after
    before = [n for n in names if n.end <= start and n.dimension[0] == "label"][-1:]
    if before and _NEAR.fullmatch(scene.text[before[0].end : start]):
        return list(coordinated(names, names.index(before[0]), scene.text))
    return []


def has_place(
    table: Table, rows: set[int], place: int, *, below: bool, columns: Sequence[int] = ()
) -> bool:
    """Whether one of some rows stands in a place, as listed or by any column.

    `below`: the place may be counted from the least on. `columns`: the ones that it goes by.
    """
    if place - 1 in rows and not columns:
        return True
    for column in columns or table.measures:
        values = table.values(column)
        for own in (table.numbers[column][row] for row in rows):
            if own is None:
                continue
            places = [sum(v > own for v in values) + 1, len({v for v in values if v > own}) + 1]
            if below or _is_rising(table, column):
                places += [
                    sum(v < own for v in values) + 1,
                    len({v for v in values if v < own}) + 1,
                ]
            if place in places:
                return True
    return False


def _is_rising(table: Table, column: int) -> bool:
    """Whether the rows are ordered from the least on, or in no way that a column shows."""
    values = [v for v in table.numbers[column] if v is not None]
    return table.is_series or values == sorted(values)
