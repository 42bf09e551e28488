"""Superlatives said of a figure: "a low of 2,441 in June", "peaked at 4,193", "17.8%, the most"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.order.listed import listed_above
from agent.evidence.order.ranking import columns_ranked
from agent.evidence.order.standing import is_end, is_scope, rows_of_year
from agent.evidence.order.superlatives import STEP, SUPERLATIVE, is_of_rows
from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene

_NOUN: Final = (
    r"(?:\b(?:a|an|the|its|their|our|this|new|yearly|annual|all-time|monthly|daily)\s+"
    r"(?:\w+[ -])?(?:{words})(?: point| mark)?\b(?! (?:time|demand|season|hour|rate|fee|price)))"
)
_AT: Final = (
    r"(?P<between>[^,;.:()\d]{0,40}?)"
    r"(?:\b(?:of|at|with|was|is|just|only|by)\s+|[:(,]\s*|(?<=record)\s+)$"
)
_TURN: Final = re.compile(
    r"(?:(?P<low>" + _NOUN.format(words="low|lowest|minimum|trough") + r"|\bbottomed out\b)"
    r"|(?P<high>" + _NOUN.format(words="high|peak|maximum|record")
    + r"|\b(?:peaked|topped out|maxed out)\b))" + _AT,
    re.IGNORECASE,
)  # fmt: skip
_NOT_SO: Final = re.compile(
    r"\b(?:second|third|not|n't|never|no|near|nearly|almost|close to|above|below|from|off|than|"
    r"previous|earlier|another|other|between|one of|among|some of)\b",
    re.IGNORECASE,
)
_APPOSED: Final = re.compile(
    r"[\w %€$]{0,30}?(?:,|\s[-–—])\s(?:by far |also |again )?(?:the|its|our|their)\s$",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"(?:[ -][a-z-]+){0,3}?(?: of (?:all|any|the (?:list|year|group|\w+))(?: \w+){0,2})?"
    r"(?:\s*[.,;:)!]|\s*$)"
)
_COMMON: Final = re.compile(r" (?:common|frequent|frequently|popular|often|typical)\b")
_BRACKET: Final = re.compile(r"(?: [a-z-]+){1,4} \(")
_THE: Final = re.compile(r"\b(?:the|its|their|our)\s$", re.IGNORECASE)
_OF_YEAR: Final = re.compile(r"\b(?:year|yearly|annual)\b", re.IGNORECASE)
_NO_RANK: Final = re.compile(r"\b(?:second|third|fourth|next|but|one)[ -]*$", re.IGNORECASE)


def turn_faults(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """Yield the figures of a passage that are called the highest or the lowest and are not."""
    for claim in claims:
        spots = [s for s in claim.spots if len(ground.tables[s.table].rows) > 1]
        if not spots or len(spots) < len(claim.spots):
            continue
        start = claim.mention.start
        match = _TURN.search(scene.text[max(0, start - 80) : start])
        if match and not _NOT_SO.search(match.string[: match.start()][-15:] + match[0]):
            low, is_one = match["low"] is not None, not match[0].lower().startswith("a ")
            if not any(_is_turn(spot, scene, ground, start, low, is_one) for spot in spots):
                said = match["low"] or match["high"]
                yield f"The answer calls {claim.mention.text} “{said}”, but the rows do not."
            continue
        yield from _apposed_faults(claim, spots, scene, ground)
        yield from _bracket_faults(claim, spots, scene, ground)


def _is_turn(spot: Spot, scene: Scene, ground: Ground, end: int, low: bool, is_one: bool) -> bool:
    """Whether a cell is the end of its column, of the rows named, or where a series turns."""
    table = ground.tables[spot.table]
    scopes = _scopes(scene, table, listed_above(scene, end, ground))
    if any(is_end(table, spot.row, [spot.column], rows, low=low) for rows in scopes):
        return True
    if is_one or not table.is_series:
        return False
    beside = (spot.row - 1, spot.row, spot.row + 1)
    is_inside = 0 < spot.row < len(table.rows) - 1
    return is_inside and is_end(table, spot.row, [spot.column], beside, low=low)


def _scopes(scene: Scene, table: Table, listed: Sequence[Name]) -> Iterator[Sequence[int]]:
    """Yield the rows that a superlative may be about: all, and those of a wider name."""
    yield range(len(table.rows))
    above = [n for group in scene.inherited for n in group]
    for name in (*scene.names, *above, *listed):
        rows = name.rows(table.number)
        if len(rows) > 1 or (rows and is_scope(name, table)):
            yield sorted(rows)
        year = name.moment.year if name.moment is not None else None
        if year is not None and _OF_YEAR.search(scene.text):
            yield rows_of_year(table, year)


def _apposed_faults(
    claim: Claim, spots: Sequence[Spot], scene: Scene, ground: Ground
) -> Iterator[str]:
    """See to "17.8% of them were late, the highest rate"."""
    end = claim.mention.end
    for match in SUPERLATIVE.finditer(scene.text, end, end + 70):
        between = scene.text[end : match.start()]
        is_apart = any(end <= f.start < match.start() for f in scene.amounts) or any(
            end <= n.start < match.start() and not any(n.points_at(s) for s in spots)
            for n in scene.names
        )
        if is_apart or not _APPOSED.fullmatch(between) or _NO_RANK.search(between):
            return
        tail = scene.text[match.end() :]
        if not is_of_rows(match) or STEP.match(tail) or not _ENDS.match(tail):
            return
        if not any(_is_apposed(spot, match, scene, ground) for spot in spots):
            yield f"The answer calls {claim.mention.text} “{match[0]}”, but the rows do not."
        return


def _bracket_faults(
    claim: Claim, spots: Sequence[Spot], scene: Scene, ground: Ground
) -> Iterator[str]:
    """See to "the weakest quarter of all ($118,300)"."""
    start = claim.mention.start
    for match in SUPERLATIVE.finditer(scene.text, max(0, start - 50), start):
        between, lead = scene.text[match.end() : start], scene.text[: match.start()]
        is_ranked = _NO_RANK.search(lead) or _NOT_SO.search(lead[-15:])
        if not _BRACKET.fullmatch(between) or is_ranked or not _THE.search(lead):
            continue
        is_step = STEP.match(scene.text, match.end()) is not None
        if is_step or not is_of_rows(match):
            continue
        if not any(_is_apposed(spot, match, scene, ground) for spot in spots):
            yield f"The answer calls {claim.mention.text} “{match[0]}”, but the rows do not."


def _is_apposed(spot: Spot, match: re.Match[str], scene: Scene, ground: Ground) -> bool:
    table, low = ground.tables[spot.table], match["low"] is not None
    columns = {spot.column, *columns_ranked(table, match.string[match.start() :], match[0])}
    if _COMMON.match(match.string, match.end()):
        columns |= set(table.measures)
    either = match[0].lower() in ("best", "worst", "slowest")
    ways = (True, False) if either else (low,)
    return any(
        is_end(table, spot.row, columns, rows, low=way)
        for rows in _scopes(scene, table, listed_above(scene, match.end(), ground))
        for way in ways
    )
