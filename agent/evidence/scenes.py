"""A passage with its figures and names, and with what the passages above lend it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from agent.evidence.rows.names import Name, Register
from agent.evidence.text.amounts import find_amounts
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.moments import Moment, find_moments
from agent.evidence.text.nouns import concept, is_entity
from agent.evidence.text.plain import Passage
from agent.evidence.text.proportions import find_proportions

Group = tuple[Name, ...]
"""Names of one kind that stand together: "Bremen and Porto". A figure belongs to any of them."""

_PRONOUN: Final = re.compile(
    r"^(?:it|they|she|he|that|this|its|their|his|her|these|those|both|which|"
    r"the (?:store|category|month|genre|film|title|customer|country|actor))\b",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(
    r"\b(?:(?P<word>since|after|starting|beginning|from|until|till|before|up to|through))\s"
    r"(?:the |\w+ of )*$",
    re.IGNORECASE,
)
_DOES: Final = re.compile(
    r" (?:fell|rose|was|is|came|went|brought|saw|slid|hit|made|did|set|got|took|\w{3,}ed)\b"
)
_ENTITY: Final = re.compile(
    r"([^\W\d_]+)(?:'s)?[\s:]*(?P<number>#|no\.?|number|nr\.?|id(?: is| was)?)?[\s:#]*"
    r"(?:\d{1,9}(?: ?\([^()]*\))?(?: at [$€£]?[\d.,]*\d)?"  # "stores 1 and 3"
    r"(?:,|,? and|,? or|,? & ?|,? followed by|,? then|,? plus)\s*#?)*$",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"(?:no\.?|nr\.?|#) ?\d", re.IGNORECASE)
_BARE_NUMBER: Final = re.compile(r"\b(?:no|nr)\.\s*$", re.IGNORECASE)
_RANKS: Final = re.compile(r"\b(?:is|are|was|at|as|ranks?|comes?|came|our|the)\s*$", re.IGNORECASE)
_LISTED_MONTHS: Final = 3
"""Months with a figure each from which on they are a list, and no dates."""
_LONGEST_TOPIC: Final = 80
"""Characters of a heading, or of a list's first line, that is about one thing."""


@dataclass(frozen=True)
class Scene:
    """The figures and names of a passage, in their order."""

    passage: Passage
    figures: tuple[Mention, ...]
    names: tuple[Name, ...]
    inherited: tuple[Group, ...] = ()
    """Names above it: a heading, a list's first line, what "it" stands for."""
    head_names: tuple[tuple[Name, ...], ...] = ()
    """In a row of a table: the names that stand over each cell."""

    @property
    def text(self) -> str:
        return self.passage.text

    @property
    def is_row(self) -> bool:
        """Whether it is a row of a table."""
        return bool(self.passage.spans)

    @cached_property
    def amounts(self) -> tuple[Mention, ...]:
        """The figures that are no dates."""
        return tuple(f for f in self.figures if f.moment is None)

    @cached_property
    def pointing(self) -> tuple[Name, ...]:
        """The names that point at something."""
        return tuple(n for n in self.names if n.hits)


def read_scene(passage: Passage, register: Register, *, european: bool) -> Scene:
    """Return the figures and names of a passage, taken by itself."""
    text = passage.text
    labels = register.find(text)
    taken = [(n.start, n.end) for n in labels]
    moments = [m for m in find_moments(text) if not _inside(m, taken)]
    moments = _months_alone(moments, register)
    taken += [(m.start, m.end) for m in moments]
    proportions = find_proportions(text, taken)
    taken += [(p.start, p.end) for p in proportions]
    amounts = [*proportions, *find_amounts(text, taken, european=european)]
    ends = {m.end for m in moments}
    names = [*labels, *(_since(text, register.of_moment(m), register, ends) for m in moments)]
    names += _named_by(text, amounts, register)
    figures = [*amounts, *(_of_moment(m) for m in moments if m.has_digits)]
    return Scene(
        passage,
        tuple(sorted(figures, key=lambda f: (f.start, f.end))),
        tuple(sorted(names, key=lambda n: (n.start, n.end))),
    )


def _inside(moment: Moment, taken: Sequence[tuple[int, int]]) -> bool:
    return any(start < moment.end and moment.start < end for start, end in taken)


def _months_alone(moments: list[Moment], register: Register) -> list[Moment]:
    """Read "Jan 10, Feb 16, Mar 14" as months with their figures where no row has such days."""
    done = list(moments)
    listed = 0
    for position, moment in enumerate(moments):
        match = re.fullmatch(r"([^\W\d_]+\.?) \d{1,2}", moment.text)
        if match is None or moment.day is None or register.of_moment(moment).hits:
            continue
        end = moment.start + len(match[1])
        month = replace(moment, end=end, text=match[1], day=None)
        if register.of_moment(month).hits:
            done[position] = month
            listed += 1
    return done if listed >= _LISTED_MONTHS else moments


def _of_moment(moment: Moment) -> Mention:
    return Mention(moment.text, moment.start, moment.end, Form.MOMENT, moment=moment)


def _since(text: str, name: Name, register: Register, ends: Collection[int]) -> Name:
    """Let "since March" name all rows from there on, "until March" all up to there.

    `ends`: where the dates of the text end. In "May through June", June is the end of a range.
    """
    start = max(0, name.start - 25)
    match = _SINCE.search(text[start : name.start])
    if match is None or len(text[: start + match.start()].rstrip()) in ends:
        return name
    word = match["word"].lower()
    if word == "from" and not re.match(r" on\b", text[name.end :]):
        return name
    if word in ("before", "after", "until", "till") and _DOES.match(text[name.end :]):
        return name  # "before week 13 fell back": it is not of the rows before
    if re.match(r"['’]s? (?:low|high|peak|trough|dip|record|slump)", text[name.end :]):
        return name  # "after June's low"
    return register.widened(name, "since" if word in ("starting", "beginning") else word)


def _named_by(text: str, figures: Sequence[Mention], register: Register) -> Iterator[Name]:
    """Yield the names that are figures: "store 2", "at 2.99", "the 26th"."""
    for figure in figures:
        name = None
        if _NUMBERED.match(figure.text) and not _RANKS.search(text[: figure.start]):
            name = register.of_figure(figure, entity_before(text[: figure.start]) or "number")
        elif figure.is_word and text[: figure.start].rstrip().endswith(":"):
            continue  # "six employees: three in IT"
        elif figure.form in (Form.NUMBER, Form.TIME) and not figure.hedge:
            name = register.of_figure(figure, entity_before(text[: figure.start]))
        elif figure.form is Form.ORDINAL and not figure.is_word and figure.value <= 31:
            day = Moment(figure.start, figure.end, figure.text, day=int(figure.value))
            name = register.of_moment(day)
        if name is not None and name.hits:
            yield name


def place_scene(
    scene: Scene, before: Sequence[Scene], register: Register, *, european: bool
) -> Scene:
    """Add what the scenes above give to this one: a heading's names, a table's heads."""
    inherited: list[Group] = []
    for parent in scene.passage.parents:
        above = before[parent]
        if _is_topic(above):
            inherited += [(name,) for name in above.pointing if name.is_sure]
    if not inherited and before and not scene.is_row and _PRONOUN.match(scene.text):
        inherited = _subject(before)
    heads = tuple(
        read_scene(Passage(head, 0), register, european=european).pointing
        for head in scene.passage.heads
    )
    return replace(scene, inherited=tuple(inherited), head_names=heads)


def _is_topic(scene: Scene) -> bool:
    """Whether a heading or a list's first line is about one thing: one name of each kind."""
    kinds = [n.dimension for n in scene.pointing]
    return len(kinds) == len(set(kinds)) and len(scene.text) < _LONGEST_TOPIC


def _subject(before: Sequence[Scene]) -> list[Group]:
    """Return what "it" may stand for: what the last sentence names, if that is one thing."""
    line = before[-1].passage.line
    same = [s for s in before if s.passage.line == line]
    start = len(same) - 1
    while start and same[start - 1].text.endswith(";"):
        start -= 1
    last = same[start:]
    found: dict[tuple[str, str], list[Name]] = {}
    for name in (n for scene in last for n in scene.pointing if n.is_sure):
        if name.dimension[0] == "label":
            found.setdefault(name.dimension, []).append(name)
    if any(len({name.text for name in names}) > 1 for names in found.values()):
        return []
    return [(names[0],) for names in found.values()]


def entity_before(text: str) -> str:
    """Return the entity that a text ends with: "store" before "2", "number" before a bare number.

    "" for none.
    """
    match = _ENTITY.search(text)
    if match is None and _BARE_NUMBER.search(text):
        return "number"
    if match is None:
        return "number" if text.rstrip().endswith("#") else ""
    noun = concept(match[1])
    if is_entity(noun):
        return noun
    is_number = match["number"] or noun in ("id", "ids", "number", "no", "nr") or text.endswith("#")
    return "number" if is_number else ""
