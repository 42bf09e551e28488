"""What "the lowest of them" is among: the names that the words before it list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from agent.evidence.ground import Ground
from agent.evidence.rows.names import Hit, Name
from agent.evidence.scenes import Scene
from agent.evidence.text.numerals import SMALL_WORDS

_OF_THEM: Final = re.compile(
    r"\b(?:of|among|amongst) (?:(?:all |any )?of )?(?:them|these|those|"
    r"the (?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|group|lot|bunch|listed))\b",
    re.IGNORECASE,
)
_OF_TOP: Final = re.compile(
    r"\bof (?:the|our) (?:top|first) (?P<n>two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b",
    re.IGNORECASE,
)
_BUT: Final = re.compile(
    r"\b(?:other than|except(?: for)?|besides|apart from|aside from|excluding|not counting|"
    r"leaving out|ignoring|without|outside(?: of)?|not(?: in| from)?|non)[ -](?:the )?$",
    re.IGNORECASE,
)
_OF_REST: Final = re.compile(
    r"\b(?:of|among|amongst) the (?:rest|others|remaining)\b", re.IGNORECASE
)
_NEAR: Final = 40


def listed_above(scene: Scene, end: int, ground: Ground) -> list[Name]:
    """Return one name of all rows that are listed before a superlative which ends at `end`.

    None where the words do not say "of them", or where no two names of a kind stand before them.
    """
    top = _OF_TOP.search(scene.text, end, end + _NEAR)
    if top is not None and scene.pointing:
        count = int(SMALL_WORDS.get(top["n"].lower(), 0) or top["n"])
        first = [Hit(t.number, frozenset(range(min(count, len(t.rows))))) for t in ground.tables]
        return [replace(scene.pointing[0], dimension=("list", ""), hits=tuple(first))]
    rest = _OF_REST.search(scene.text, max(0, end - 2 * _NEAR), end + _NEAR)
    if rest is not None:
        return _left(scene, rest.start(), end, ground)
    behind = [n for n in scene.pointing if end <= n.start <= end + _NEAR and n.has_rows]
    if behind and _BUT.search(scene.text[: behind[0].start]):
        return [_all_but(behind[:1], ground)]
    if not _OF_THEM.search(scene.text[max(0, end - _NEAR) : end + _NEAR]):
        return []
    here = next(number for number, one in enumerate(ground.scenes) if one is scene)
    own = [n for n in scene.pointing if n.end <= end]
    above = list(ground.scenes[here - 1].pointing) if here else []
    texts = (ground.scenes[here - 1].text if here else "", scene.text)
    for names, text in zip((above, own), texts, strict=True):
        left = [n for n in names if n.has_rows and _BUT.search(text[: n.start])]
        if left:
            return [_all_but(left, ground)]
    made = [_joined(names) for names in (above, own, above + own)]
    return [one for one in made if one is not None] or list(_counted(scene, here - 1, ground))


def _counted(scene: Scene, number: int, ground: Ground) -> Iterator[Name]:
    """Yield names of as many rows, from the top and from the bottom, as were counted before.

    "Three languages have fewer than 100 films. Spanish is the biggest of those".
    """
    for claim in ground.in_scene(number) if scene.pointing else ():
        count = int(claim.mention.value) if claim.source.endswith("rows counted") else 0
        for table in ground.tables:
            for column in table.measures if 1 < count < len(table.rows) else ():
                values = table.numbers[column]
                known = [row for row, value in enumerate(values) if value is not None]
                order = sorted(known, key=lambda row: values[row] or 0)
                for rows in (order[:count], order[-count:]):
                    hit = Hit(table.number, frozenset(rows))
                    yield replace(scene.pointing[0], dimension=("list", ""), hits=(hit,))


def _left(scene: Scene, start: int, end: int, ground: Ground) -> list[Name]:
    """Return a name of the rest: of "English leads. Among the rest, German is the largest"."""
    here = next(number for number, one in enumerate(ground.scenes) if one is scene)
    names = [n for n in scene.pointing if n.end <= start and n.has_rows]
    if end <= start:  # "German is the largest of the rest"
        names = names[:-1]
    names = names or [n for n in (ground.scenes[here - 1].pointing if here else ()) if n.has_rows]
    return [_all_but(names, ground)] if names else []


def _all_but(names: list[Name], ground: Ground) -> Name:
    """Return a name of all rows that others do not name: "in a language other than English"."""
    hits = [
        Hit(t.number, frozenset(range(len(t.rows))).difference(*(n.rows(t.number) for n in names)))
        for t in ground.tables
    ]
    return replace(names[0], dimension=("list", ""), hits=tuple(hits))


def _joined(names: list[Name]) -> Name | None:
    labels = [n for n in names if n.has_rows and n.dimension[0] == "label"]
    kinds = {n.dimension for n in labels}
    if len(kinds) != 1 or len({n.text for n in labels}) < 2:
        return None
    tables = {hit.table for n in labels for hit in n.hits}
    hits = [
        Hit(table, frozenset[int]().union(*(n.rows(table) for n in labels))) for table in tables
    ]
    return replace(labels[0], dimension=("list", ""), hits=tuple(hits))
