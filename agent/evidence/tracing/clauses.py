"""The part of a passage that a count speaks in: "Six grew (July to May), while five declined"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form, Mention

_BREAK: Final = re.compile(
    r";|\b(?:while|whereas|but|although|though)\b|\b(?:and |with )?the (?:other|rest|remaining)\b|"
    r"\bothers\b|\. |(?<!\d): ",
    re.IGNORECASE,
)
_OF_WHOLE: Final = re.compile(
    r"(?: \w+){0,2} (?:out )?of (?:the |our |all |these |those |its |just |only )*",
    re.IGNORECASE,
)
_COUNTS: Final = re.compile(r" (?:out )?of\b| (?:more|others?)\b", re.IGNORECASE)
_COORDINATE: Final = re.compile(r"(?:,|\band|\bor)\s+(?:only |just |another )?$", re.IGNORECASE)
"""What begins a clause of its own, behind another count: "three made money, two lost some"."""
_LEAD: Final = re.compile(
    r"^(?:(?:only|just|exactly|precisely|a total of|in total|yes|there (?:are|were)|we have|that's|"
    r"it's|all|of them|answer|about|in|for)[,:]?\s+)*$",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"(?:while|but|and|whereas|only|just|exactly|yes|no|in|for|total|overall|\W)*", re.IGNORECASE
)
_PART_OF: Final = re.compile(
    r" (?:\w+ ){0,2}?(?:out )?of (?:them|the|these|those|our|all|\d+|[a-z]+)\b", re.IGNORECASE
)
_BARE: Final = re.compile(
    r"(?: [\w-]+){0,2}?(?:\s*[:.,–—(]| -|$| (?:did|do|does|have|qualif\w+|made|make|meet|met)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """Words with the figures and names in them."""

    text: str
    figures: tuple[Mention, ...]
    names: tuple[Name, ...]
    behind: str
    """Those of the words that stand behind the count."""


def clause_of(claim: Claim, ground: Ground) -> Clause:
    """Return the part of its passage that a count belongs to, up to the next count."""
    scene, mention = ground.scene_of(claim), claim.mention
    counts = [f for f in scene.amounts if f is mention or _is_count(f, scene)]
    own_end = next((f.end for f in counts if whole_of(f, [mention], scene.text)), mention.end)
    end = min([len(scene.text), *(f.start for f in counts if f.start >= own_end)])
    end = next((m.start() for m in _BREAK.finditer(scene.text, own_end, end)), end)
    start = max([0, *(f.end for f in counts if f.end <= mention.start)])
    breaks = list(_BREAK.finditer(scene.text, start, mention.start))
    start = breaks[-1].start() if breaks else start
    if start and _COORDINATE.search(scene.text[: mention.start]):
        start = mention.start
    return Clause(
        scene.text[start:end],
        tuple(f for f in scene.figures if start <= f.start < end and f is not mention),
        tuple(n for n in scene.names if start <= n.start < end),
        scene.text[own_end:end],
    )


def behind_count(clause: Clause, claim: Claim) -> Clause:
    """Return what a clause says behind a count."""
    end = claim.mention.end
    return Clause(
        clause.behind,
        tuple(f for f in clause.figures if f.start >= end),
        tuple(n for n in clause.names if n.start >= end),
        clause.behind,
    )


def _is_count(figure: Mention, scene: Scene) -> bool:
    """Whether a figure counts rows, and is no amount: "six declined", "12 more", "5 of 9"."""
    is_whole = figure.form in (Form.NUMBER, Form.TIME) and figure.value == int(figure.value)
    if not is_whole or figure.currency or figure.hedge or abs(figure.value) >= 1000:
        return False
    if any(name.start == figure.start for name in scene.pointing):
        return False
    return figure.is_word or _COUNTS.match(scene.text, figure.end) is not None


def whole_of(figure: Mention, before: Sequence[Mention], text: str) -> bool:
    """Whether a figure is the "twelve" of "four of the twelve months"."""
    return any(
        f.end <= figure.start and _OF_WHOLE.fullmatch(text[f.end : figure.start]) for f in before
    )


def is_partitive(claim: Claim, ground: Ground) -> bool:
    """Whether a count is a part of something: "four of them", "five of the 16 genres"."""
    return _PART_OF.match(ground.rest(claim)) is not None


def opens(claim: Claim, ground: Ground) -> bool:
    """Whether a count begins its clause: "four months beat the average", "…, while five fell"."""
    before = clause_of(claim, ground).text
    said = before[: before.find(claim.mention.text)] if claim.mention.text in before else before
    return _OPENING.fullmatch(said) is not None


def answers_alone(claim: Claim, ground: Ground) -> bool:
    """Whether a count opens its passage and leaves its condition to the question: "Six: A, B"."""
    text = ground.text(claim)
    opens = _LEAD.match(text[: claim.mention.start]) is not None
    return opens and (is_partitive(claim, ground) or _BARE.match(ground.rest(claim)) is not None)


def items_of(names: Sequence[Name], text: str) -> list[tuple[Name, ...]]:
    """Return names one by one, a first and a last name as one, none of them twice."""
    items: list[tuple[Name, ...]] = []
    known = [name for name in names if name.has_rows]
    labels = [name for name in known if name.dimension[0] == "label"]
    for name in labels or known:
        is_next = items and not text[items[-1][-1].end : name.start].strip()
        if is_next and name.dimension != ("time", ""):
            items[-1] = (*items[-1], name)
        else:
            items.append((name,))
    seen: dict[str, tuple[Name, ...]] = {}
    for item in items:
        seen.setdefault(" ".join(n.text.lower() for n in item), item)
    return list(seen.values())


_LIST_OPENS: Final = re.compile(
    r"(?: [\w-]+){0,5}?(?: (?:are|were|is|was|did))?\s*(?P<mark>[:–—(]| -(?= ))\s*(?:the )?",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    r"(?:\s|,|;|&|\band\b|\bin\b|\bthe\b|\bthen\b|\bat\b|\bwith\b|\([^()]*\)|[$€£]?[\d.,]+%?)*",
    re.IGNORECASE,
)


def list_length(claim: Claim, ground: Ground) -> int:
    """Return how many names the list behind a count has; 0 where it is no list, or not all names.

    "Six: Children, Horror, …" and "three genres (Sports, New and Action)" are lists.
    """
    scene, start = ground.scene_of(claim), claim.mention.end
    if whole_of(claim.mention, [f for f in scene.amounts if f.end <= start], scene.text):
        return 0
    whole = next((f for f in scene.amounts if whole_of(f, [claim.mention], scene.text)), None)
    start = whole.end if whole is not None else start
    opened = _LIST_OPENS.match(scene.text, start)
    if opened is None:
        return 0
    end = len(scene.text.rstrip(" ."))
    if opened["mark"] == "(":
        closed = scene.text.find(")", opened.end())
        end = closed if closed > 0 else end
    inside = [n for n in scene.names if opened.end() <= n.start < end and n.has_rows]
    names = [n for n in inside if not _in_brackets(scene.text[opened.end() : n.start])]
    items = items_of(names, scene.text)
    if len(items) < 2 or len({item[0].dimension for item in items}) > 1:
        return 0
    return len(items) if is_list(items, scene.text, opened.end(), end) else 0


def is_list(items: Sequence[tuple[Name, ...]], text: str, start: int, end: int) -> bool:
    """Whether a part of a text is nothing but a list of names, each with its figures."""
    spans = [(start, start), *((item[0].start, item[-1].end) for item in items), (end, end)]
    return all(_BETWEEN.fullmatch(text[a[1] : b[0]]) for a, b in pairwise(spans))


def _in_brackets(before: str) -> bool:
    return before.count("(") > before.count(")")
