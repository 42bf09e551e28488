"""How a series went as a whole: "rose every month", "declined steadily", "fell all year"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise, product
from typing import Final

from agent.evidence.ground import Ground
from agent.evidence.order.ranking import columns_of
from agent.evidence.order.standing import is_scope
from agent.evidence.rows.cells import Table
from agent.evidence.scenes import Scene

_RISE: Final = (
    r"r[io]ses?|risen|rising|grew|grow(?:n|ing|s)?|increas(?:e[sd]?|ing)|climb(?:ed|s|ing)?|"
    r"gain(?:ed|s|ing)?|improv(?:ed|es|ing)|expand(?:ed|s|ing)?|went up|upwards?|going up|rise"
)
_FALL: Final = (
    r"f[ae]ll(?:s|en|ing)?|declin(?:e[sd]?|ing)|decreas(?:e[sd]?|ing)|dropp?(?:ed|s|ing)?|"
    r"shr[aiu]nk(?:s|ing)?|slipp?(?:ed|s|ing)|slid(?:es|ing)?|went down|downwards?|going down|fall|"
    r"down"
)
_EVERY: Final = (
    r"(?:every|each)(?: single)? (?:month|quarter|year|week|day|hour|time|period)|"
    r"month after month|"
    r"(?:quarter|year|week|day) after (?:quarter|year|week|day)|without (?:exception|a break)|"
    r"(?:from )?(?:month to month|quarter to quarter|year to year|week to week|day to day)|"
    r"monotonically|uninterrupted(?:ly)?|continuous(?:ly)?|quarter by quarter|month by month|"
    r"year by year"
)
_MOSTLY: Final = (
    r"steadily|steady|consistent(?:ly)?|constant(?:ly)?|gradual(?:ly)?|all (?:year|along|through)|"
    r"throughout|(?:over|across|during) the (?:whole|entire|full) (?:year|period)|all the time|"
    r"the (?:whole|entire) (?:year|time|period)"
)
_COURSE: Final = re.compile(
    rf"\b(?:(?P<rise>{_RISE})|(?P<fall>{_FALL}))\b(?P<gap>[^.;:,()]{{0,40}}?)"
    rf"\b(?:(?P<every>{_EVERY})|(?P<mostly>{_MOSTLY}))"
    rf"|\b(?:(?P<every2>{_EVERY})|(?P<mostly2>{_MOSTLY}))\s(?:\w+\s)?"
    rf"(?:(?P<rise2>{_RISE})|(?P<fall2>{_FALL}))\b",
    re.IGNORECASE,
)
_NOT_SO: Final = re.compile(
    r"\b(?:not|n't|never|no|nor|neither|if|did|why|almost|nearly|except|apart|most|until|than|"
    r"neither|hardly)\b|\?",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r"\s*(?:from|between)\s*", re.IGNORECASE)
_TO: Final = re.compile(r"\s*(?:to|through|until|and|till)\s*", re.IGNORECASE)
_THERE: Final = re.compile(
    r"\b(?:from (?:there|then|that (?:point|low|high|month|day))(?: on(?:wards?)?)?|since then|"
    r"thereafter|afterwards|after (?:that|this|it)|ever since)\b",
    re.IGNORECASE,
)
"""What begins a course where the words before it have come to: "June … From there"."""
_ALL: Final = re.compile(r"\bwithout (?:a single |any )?exception\b", re.IGNORECASE)
_EXCEPT: Final = re.compile(
    r"\b(?:except|apart from|but|bar|excluding|aside|save|other than|only)\b", re.IGNORECASE
)


def course_faults(scene: Scene, ground: Ground) -> Iterator[str]:
    """Yield what a passage says of the course of a series and the rows refute."""
    for match in _COURSE.finditer(scene.text):
        lead, behind = scene.text[: match.start()][-25:], scene.text[match.end() :][:30]
        if _NOT_SO.search(lead) or _EXCEPT.search(behind) or _NOT_SO.search(match[0]):
            continue
        rises = bool(match["rise"] or match["rise2"])
        is_strict = bool(match["every"] or match["every2"] or _ALL.search(scene.text))
        known = [t for t in ground.tables if t.is_series and len(t.rows) > 2]
        if known and not any(
            _went(t, scene, match, rises, is_strict, _from_there(scene, match, ground, t))
            for t in known
        ):
            yield f"The answer says “{match[0]}”, but the rows do not."
            return


def _from_there(
    scene: Scene, match: re.Match[str], ground: Ground, table: Table
) -> list[tuple[int, int]]:
    """Return the rows from the one last named on: "June was the weakest. From there, …"."""
    there = _THERE.search(scene.text)
    if there is None or not _is_near(there, match):
        return []
    here = next(number for number, one in enumerate(ground.scenes) if one is scene)
    above = ground.scenes[here - 1].names if here else ()
    before = [n for n in scene.names if n.end <= there.start()] or list(above)
    before = [n for n in before if not is_scope(n, table)]
    starts = [max(rows) for n in before if (rows := n.rows(table.number))]
    behind = [n for n in scene.names if n.start >= there.end()]
    ends = [max(rows) for n in behind if (rows := n.rows(table.number))]
    last = max(ends, default=len(table.rows) - 1)
    return [(start, last) for start in starts[-1:] if start < last]


def _is_near(one: re.Match[str], other: re.Match[str]) -> bool:
    """Whether two words stand in one clause."""
    first, last = sorted((one, other), key=lambda m: m.start())
    between = one.string[first.end() : last.start()]
    return re.search(r"[;.:]|\b(?:until|but|then)\b", between) is None


def _went(
    table: Table,
    scene: Scene,
    match: re.Match[str],
    rises: bool,
    is_strict: bool,
    from_there: list[tuple[int, int]],
) -> bool:
    """Whether any column goes that way over all rows, or between two of the rows named near."""
    named = [n for n in scene.names if n.has_rows and not is_scope(n, table)]
    ends = {r for n in named if (rows := n.rows(table.number)) for r in (min(rows), max(rows))}
    marks = sorted(ends | {0, len(table.rows) - 1})
    told = _told(scene, match, table)
    is_whole = not named or match["mostly"] in ("all year", "throughout the year")
    spans = [(0, len(table.rows) - 1)] if is_whole else list(combinations(marks, 2))
    spans = told or from_there or spans
    for column in columns_of(table, scene.text):
        ways: list[Sequence[Decimal | None]] = [table.numbers[column]]
        if table.meanings[column].is_change:
            ways.append(_summed(table.numbers[column]))
        for values, (first, last) in product(ways, spans):
            part = [v for v in values[first : last + 1] if v is not None]
            if len(part) > 1 and _goes(part, rises, is_strict):
                return True
    return False


def _told(scene: Scene, match: re.Match[str], table: Table) -> list[tuple[int, int]]:
    """Return the first and last row where they stand right behind: "from May to July"."""
    behind = [n for n in scene.names if n.start >= match.end() and n.has_rows][:2]
    if len(behind) < 2:
        return []
    is_led = _FROM.fullmatch(scene.text[match.end() : behind[0].start])
    is_joined = _TO.fullmatch(scene.text[behind[0].end : behind[1].start])
    rows = sorted({row for n in behind for row in n.rows(table.number)})
    return [(rows[0], rows[-1])] if is_led and is_joined and len(rows) > 1 else []


def _summed(changes: Sequence[Decimal | None]) -> list[Decimal | None]:
    """Return the course that a column of changes describes."""
    total, made = Decimal(0), list[Decimal | None]()
    for change in changes:
        total += change or Decimal(0)
        made.append(total)
    return made


def _goes(values: Sequence[Decimal], rises: bool, is_strict: bool) -> bool:
    steps = [b - a if rises else a - b for a, b in pairwise(values)]
    if is_strict:
        return all(step >= 0 for step in steps) and any(steps)
    ups = sum(step >= 0 for step in steps)
    return sum(steps) > 0 and ups * 3 >= len(steps) * 2
