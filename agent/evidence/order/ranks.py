"""Places said without a number: "the runner-up is Inès Besson", "Bremen comes second to last"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.lists import coordinated
from agent.evidence.order.standing import is_end, is_scope
from agent.evidence.places import has_place, names_placed
from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form
from agent.evidence.text.ordinals import ORDINAL_WORDS
from agent.evidence.words import LOWEST

_RANK: Final = re.compile(
    r"\b(?:(?P<second>runners?-up|second best|second-best|in second place)"
    r"|(?P<below>second[- ]to[- ]last|second[- ]last|last but one|next to last|penultimate))\b",
    re.IGNORECASE,
)
_LED: Final = re.compile(
    r"\s+(?:\w+ly )?(?:is|was|are|were|comes?|came|finish(?:es|ed)|ends up|follows)"
    r"(?: (?:in|as|at|up))?(?: the| a| our)?(?: \w+)? |,? (?:the|as|our) ",
    re.IGNORECASE,
)
_NOBODY: Final = re.compile(
    r"\b(?:nobody|no one|none|no (?:other )?\w+) (?:else )?\w+ (?:\w+ ){0,3}?"
    r"(?:(?P<more>better|more|higher|larger|longer|bigger|greater|faster|stronger)"
    r"|(?P<less>worse|less|fewer|lower|smaller|shorter|weaker))(?: \w+){0,2} than ",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"(?:\b(?:the|our|in|at|a|with)|^|[;:,.(]|\band|\bthen) ?(?:the )?(?:(?:close|distant) )?"
    r"(?P<word>second|third|fourth|fifth|sixth|2nd|3rd|4th|5th|6th)"
    r"(?:[ -](?:place|position|spot|rank|one|(?:high|larg|low|bigg|b|busi|long|strong|small|weak)"
    r"(?:est|iest))(?: (?!is|was|are|goes)[a-z]+)?)?"
    r",? (?:is|was|are|comes?|came|goes to|went to|belongs to|falls to|place goes to)"
    r"(?: the)? ",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(r"\b(?:first|1st|one) (?:is|was|being|one)\b", re.IGNORECASE)
_WITH: Final = re.compile(r"(?: place)?(?:,)? (?:with|at|on|by)(?: only| just| about)? ")
_BEHIND: Final = re.compile(
    r"(?: \w+)?(?:\s*(?:is|was|:|,|\(|–|—|-|goes to|went to)\s*|\s+)(?:the )?", re.IGNORECASE
)


def rank_faults(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """Yield the places that the rows refute."""
    yield from _by_figure(scene, claims, ground)
    yield from _unbeaten(scene, ground)
    yield from _before_name(scene, claims, ground)
    names = [
        n
        for n in scene.names
        if n.is_sure and n.has_rows and not any(is_scope(n, t) for t in ground.tables)
    ]
    low = LOWEST.search(scene.text + " " + ground.sources.question) is not None
    for match in _RANK.finditer(scene.text):
        name = _subject(match, names, scene.text)
        if name is None:
            continue
        said = [
            has_place(t, set(rows), 2, below=low) if match["second"] else _is_last_but_one(t, rows)
            for t in ground.tables
            if (rows := name.rows(t.number)) and len(t.rows) > 1
        ]
        if said and not any(said):
            yield f"The answer calls {name.text} “{match[0].lower()}”, but the rows do not."


def _unbeaten(scene: Scene, ground: Ground) -> Iterator[str]:
    """See to "nobody did worse than Maths": then it is the last of all."""
    for match in _NOBODY.finditer(scene.text):
        name = next((n for n in scene.names if n.start == match.end() and n.is_sure), None)
        low = match["less"] is not None
        said = [
            is_end(t, min(rows), t.measures, range(len(t.rows)), low=low)
            for t in ground.tables
            if name is not None and len(rows := name.rows(t.number)) == 1 and len(t.rows) > 1
        ]
        if name is not None and said and not any(said):
            yield f"The answer says “{match[0]}{name.text}”, but the rows do not."


def _by_figure(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """See to "History is third with 78.95": third by the column of that figure."""
    low = LOWEST.search(scene.text + " " + ground.sources.question) is not None
    for one, other in pairwise(claims):
        gap = scene.text[one.mention.end : other.mention.start]
        is_place = one.mention.form is Form.ORDINAL and one.source and not one.fault
        if not is_place or not _WITH.fullmatch(gap):
            continue
        names, is_sure = names_placed(one, ground)
        for spot in other.spots[:1] if is_sure and len(other.spots) == 1 else ():
            table, place = ground.tables[spot.table], int(one.mention.value)
            rows = {row for name in names for row in name.rows(spot.table)}
            is_shown = spot.column in table.measures and _is_ranked(table, spot.column)
            by = [spot.column] if is_shown else []
            if spot.row in rows and by and not has_place(table, rows, place, below=low, columns=by):
                yield f"“{one.mention.text}” is said of {names[0].text}, which stands elsewhere."


def _before_name(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """See to "the second is Action with $7,103.04"."""
    low = LOWEST.search(scene.text + " " + ground.sources.question) is not None
    for match in _PLACE.finditer(scene.text):
        name = next((n for n in scene.names if n.start == match.end() and n.is_sure), None)
        if name is None or not name.has_rows or _FIRST.search(scene.text[: match.start()]):
            continue
        word = match["word"].lower()
        place = ORDINAL_WORDS.get(word) or int(word[0])
        beside = next((c.spots for c in claims if c.mention.start >= name.end), ())
        said = [
            has_place(t, set(rows), place, below=low, columns=_ranking(t, rows, beside))
            for t in ground.tables
            if (rows := name.rows(t.number)) and len(t.rows) > 1
        ]
        if said and not any(said):
            yield f"“{match['word']}” is said of {name.text}, which stands elsewhere."


def _ranking(table: Table, rows: frozenset[int], beside: Sequence[Spot]) -> list[int]:
    """Return the column of the figure beside a name, if the rows show places by it."""
    return [
        spot.column
        for spot in beside
        if spot.table == table.number and spot.row in rows and spot.column in table.measures
        if _is_ranked(table, spot.column)
    ][:1]


def _is_ranked(table: Table, column: int) -> bool:
    """Whether the rows show places by a column: all rows are there, or the first ones by it."""
    values = [v for v in table.numbers[column] if v is not None]
    return not table.is_cut or values == sorted(values, reverse=True)


def _subject(match: re.Match[str], names: Sequence[Name], text: str) -> Name | None:
    before = [n for n in names if n.end <= match.start()][-1:]
    if before and _LED.fullmatch(text[before[0].end : match.start()]):
        return before[0]
    after = [n for n in names if n.start >= match.end()][:1]
    is_alone = after and len(coordinated(names, names.index(after[0]), text)) == 1
    if is_alone and _BEHIND.fullmatch(text[match.end() : after[0].start]):
        return after[0]
    return None


def _is_last_but_one(table: Table, rows: frozenset[int]) -> bool:
    if len(table.rows) - 2 in rows:
        return True
    return any(
        sum(v < own for v in table.values(column)) == 1
        for column in table.measures
        for own in (table.numbers[column][row] for row in rows)
        if own is not None
    )
