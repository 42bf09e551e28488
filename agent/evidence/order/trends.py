"""Trends: "rose from 30,167 to 35,796", "Classics grew", "revenue fell in December"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form

_ROSE: Final = (
    r"r[io]se|rises|risen|grew|grows|grown|increased?|increases|climbed|climbs|jumped|gained|"
    r"(?<!gave )(?<!give )(?<!giving )(?<!gives )up|"
    r"improved|expanded|surged|soared|went up"
)
_FELL: Final = (
    r"f[ae]ll|falls|fallen|declined?|declines|decreased?|decreases|dropped|drops|down|shrank|"
    r"shrinks|slipped|dipped|slid|sank|lost|went down|contracted|plunged|slumped"
)
_TREND: Final = re.compile(rf"\b(?:(?P<rose>{_ROSE})|(?P<fell>{_FELL}))\b", re.IGNORECASE)
_NOT_SO: Final = re.compile(
    r"\b(?:not|n't|never|nor|neither|if|would|did|why|almost|one of|each|per|make|makes|made)\b",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r"\bfrom\s*(?:about |roughly )?$", re.IGNORECASE)
_TO: Final = re.compile(r"\bto\s*(?:about |roughly |over |nearly )?$", re.IGNORECASE)
_FROM_NAME: Final = re.compile(r"\b(?:from|between)\s[^;.():]{1,30}\($", re.IGNORECASE)
_TO_NAME: Final = re.compile(r"\)\s*(?:to|and|until|through)\s[^;.():]{1,30}\(", re.IGNORECASE)
"""What stands around "from July (6,688) to August (5,707)"."""
_JOINED: Final = re.compile(r"\s*(?:to|and|through|-|–|until|into)\s*", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\s*(?:\w+ )?(?:from|between)\s*", re.IGNORECASE)
_IN: Final = re.compile(r"\s*(?:in|during)\s*", re.IGNORECASE)
_NEAREST: Final = 40
"""Characters between a label and the verb that is said of it."""


def trend_faults(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """Yield the trends that the rows refute."""
    yield from _from_to(scene, claims, ground)
    for match in _TREND.finditer(scene.text):
        if _NOT_SO.search(scene.text[max(0, match.start() - 20) : match.start()]):
            continue
        said = 1 if match["rose"] else -1
        moved = _movements(match, scene, ground)
        if moved and said not in moved and 0 not in moved:
            yield f"The answer says “{match[0].lower()}”, but the rows go the other way."
            return


def _from_to(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """See to "rose from A to B": the figures themselves tell the direction."""
    figures = [c for c in claims if c.mention.form in (Form.NUMBER, Form.PERCENT, Form.TIME)]
    for first, second in pairwise(figures):
        one, other = first.mention, second.mention
        before = scene.text[max(0, one.start - 60) : one.start]
        verbs = list(_TREND.finditer(before))
        if not verbs or one.form is not other.form or one.value == other.value:
            continue
        between = scene.text[one.end : other.start]
        is_bare = _FROM.search(before) and _TO.search(between)
        if not is_bare and not (_FROM_NAME.search(before) and _TO_NAME.fullmatch(between)):
            continue
        says_rose = verbs[-1]["rose"] is not None
        if says_rose != (one.value < other.value) or _is_backwards(first, second, ground):
            yield f"The answer says “{verbs[-1][0].lower()}” from {one.text} to {other.text}."


def _is_backwards(first: Claim, second: Claim, ground: Ground) -> bool:
    """Whether a change "from … to …" names the later figure first."""
    if len(first.spots) != 1 or len(second.spots) != 1:
        return False
    one, other = first.spots[0], second.spots[0]
    table = ground.tables[one.table]
    if one.table != other.table:
        return False
    if one.column == other.column:
        return table.is_series and one.row > other.row
    return one.row == other.row and table.is_pivot_pair(other.column, one.column)


def _movements(match: re.Match[str], scene: Scene, ground: Ground) -> set[int]:
    """Return the directions in which what a verb speaks of may have gone; none where unclear."""
    labels = [n for n in scene.names if n.dimension[0] == "label" and n.is_sure and n.has_rows]
    times = [n for n in scene.pointing if n.dimension[0] == "time"]
    if labels:
        is_near = 0 <= match.start() - labels[0].end < _NEAREST
        return _of_label(labels[0], times, ground) if len(labels) == 1 and is_near else set()
    behind = scene.text[match.end() : times[0].start] if times else ""
    if len(times) == 2 and times[0].start >= match.end():
        joined = _JOINED.fullmatch(scene.text[times[0].end : times[1].start])
        return _between(times, ground) if joined and _BETWEEN.fullmatch(behind) else set()
    if len(times) == 1 and times[0].start >= match.end() and _IN.fullmatch(behind):
        return _against_before(times[0], ground)
    return set()


def _sign(earlier: Decimal | None, later: Decimal | None) -> set[int]:
    if earlier is None or later is None:
        return set()
    return {(later > earlier) - (later < earlier)}


def _of_label(label: Name, times: Sequence[Name], ground: Ground) -> set[int]:
    """See to a column of changes, or to columns for two times, in the row of a label."""
    found: set[int] = set()
    for table in ground.tables:
        rows = label.rows(table.number)
        if len(rows) != 1 or len(table.rows) < 2 or any(t.rows(table.number) for t in times):
            continue
        row = min(rows)
        for column in table.measures:
            if table.meanings[column].is_change:
                found |= _sign(Decimal(0), table.numbers[column][row])
        for one, other in combinations(table.measures, 2):
            if table.is_pivot_pair(one, other):
                found |= _sign(table.numbers[one][row], table.numbers[other][row])
    return found


def _between(times: Sequence[Name], ground: Ground) -> set[int]:
    found: set[int] = set()
    for table in ground.tables:
        rows = [n.rows(table.number) for n in times]
        if all(len(r) == 1 for r in rows) and table.is_series:
            first, last = sorted(min(r) for r in rows)
            for column in table.measures:
                found |= _sign(table.numbers[column][first], table.numbers[column][last])
    return found


def _against_before(time: Name, ground: Ground) -> set[int]:
    """See to "fell in December": against the row before, and the one a year before."""
    found: set[int] = set()
    for table in ground.tables:
        rows = time.rows(table.number)
        row = min(rows) if len(rows) == 1 and table.is_series else 0
        for earlier in {row - 1, row - 12} if row else ():
            for column in table.measures if earlier >= 0 else ():
                values = table.numbers[column]
                found |= _sign(values[earlier], values[row])
    return found
