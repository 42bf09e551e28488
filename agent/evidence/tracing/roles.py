"""Figures that words such as "in total", "the highest" or "on average" introduce."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.meanings import NAMING, Holds
from agent.evidence.words import AVERAGE, HIGHEST, LOWEST, NEXT, TOTAL

_DIFFERENCE: Final = re.compile(
    r"\b(?:difference|gap|margin) (?:between|from|to|of|is|was)\b[^(]*$", re.IGNORECASE
)
_AHEAD_BY: Final = re.compile(
    r"\b(?:leads?|led|beats?|trails?|trailed|lags?|exceeds?|exceeded|outsold|outsells?|"
    r"ahead of|behind|above|below)\b[^.;:(\d]*\bby (?:about |roughly |just |only |some )*$",
    re.IGNORECASE,
)
_BEST_BY: Final = re.compile(
    r"[- ](?P<verb>sell|gross|earn|rent|pay|spend|revenue|sold|paid)\w*", re.IGNORECASE
)


def role_fault(claim: Claim, ground: Ground, spot: Spot) -> str:
    """Return why a cell is not what the words around a figure mean; "" where it may be."""
    table = ground.tables[spot.table]
    is_name = table.meanings[spot.column].holds in NAMING
    if len(table.rows) < 2 or ground.scene_of(claim).is_row or is_name:
        return ""
    is_change = table.meanings[spot.column].is_change
    is_gap = _DIFFERENCE.search(ground.before(claim)) or _AHEAD_BY.search(ground.before(claim))
    if is_gap and not is_change:
        return "one row, not a difference"
    if has_row(claim, table) or _is_asked(spot, ground, table):
        return ""
    before = re.split(r"[;:(]" if claim.groups else r"[(]", ground.before(claim))[-1]
    if NEXT.search(before):
        return ""
    high, low = HIGHEST.search(before), LOWEST.search(before)
    if high and low:
        return ""
    if high or low:
        return _extreme_fault(table, spot, before, high or low)
    tail = re.match(r"[^,;.(]*", ground.after(claim))
    return _whole_fault(table, spot, before + (tail[0] if tail else ""))


def has_row(claim: Claim, table: Table) -> bool:
    """Whether a name beside the figure says which row is meant."""
    return any(name.rows(table.number) for group in claim.groups for name in group)


def _is_asked(spot: Spot, ground: Ground, table: Table) -> bool:
    """Whether the question names the row of a cell, and only that one."""
    rows = {row for name in ground.asked_names for row in name.rows(table.number)}
    return rows == {spot.row}


def _extreme_fault(table: Table, spot: Spot, before: str, word: re.Match[str] | None) -> str:
    """See to "the top category earned 7,768.31": the row must be first or last by something."""
    ranked = _ranked_by(table, before, word.end()) if word is not None else []
    for column in ranked or table.measures:
        ordered, own = table.values(column), table.numbers[column][spot.row]
        if own in (ordered[0], ordered[-1]):
            return ""
    return "not the highest or lowest"


def _ranked_by(table: Table, before: str, end: int) -> list[int]:
    """Return the columns that a superlative ranks by: rentals in "most rented"."""
    match = _BEST_BY.match(before, end)
    if match is None:
        return []
    is_money = match["verb"].lower() != "rent"
    return [
        column
        for column in table.measures
        if (
            table.meanings[column].holds is Holds.MONEY
            if is_money
            else "rental" in table.meanings[column].nouns
        )
    ]


def _whole_fault(table: Table, spot: Spot, words: str) -> str:
    """See to "in total 9,045.91" and "on average 9,045.91", where that is one of many rows."""
    meaning = table.meanings[spot.column]
    if AVERAGE.search(words):
        return "" if meaning.is_average else "one row, not the average"
    is_part = spot.value != table.sum_of(spot.column, range(len(table.rows)))
    if TOTAL.search(words) and is_part and meaning.holds in (Holds.MONEY, Holds.COUNT):
        return "a part, not the total"
    return ""
