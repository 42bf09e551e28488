"""What the check stands on: the tables, their names, and the figures of a draft with their fate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from agent.evidence.amounts import find_amounts
from agent.evidence.binding import Group, Scene
from agent.evidence.cells import Spot, Table
from agent.evidence.mentions import Form, Mention
from agent.evidence.moments import Moment, find_moments
from agent.evidence.names import Name, Register
from agent.evidence.nouns import is_entity, name_concepts
from agent.evidence.numerals import is_european
from agent.evidence.plain import Passage, plain_text, read_draft
from agent.evidence.proportions import find_proportions
from agent.evidence.sources import Sources

_PRONOUN: Final = re.compile(
    r"^(?:it|they|she|he|that|this|its|their|these|those|both|which|the (?:store|category|month|genre|film|title|customer|country|actor))\b",
    re.IGNORECASE,
)


@dataclass
class Claim:
    """A figure of the draft, the names that it belongs to, and what it was found to rest on."""

    mention: Mention
    scene: int
    groups: tuple[Group, ...] = ()
    source: str = ""
    fault: str = ""
    spots: tuple[Spot, ...] = ()
    """The cells that it rests on."""
    is_name: bool = False
    """It names something and claims nothing."""


@dataclass
class Ground:
    """The sources, indexed, and the draft, read."""

    sources: Sources
    tables: tuple[Table, ...]
    passages: tuple[Passage, ...]
    scenes: list[Scene] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    @cached_property
    def known(self) -> frozenset[str]:
        """The concepts of all tables and columns."""
        names = [c.name for t in self.tables for c in t.result.columns]
        names += [name for t in self.tables for name in t.statement.tables]
        return frozenset(c for name in names for c in name_concepts(name))

    @cached_property
    def asked(self) -> Scene:
        """The question, read as a passage is."""
        return read_scene(plain_text(self.sources.question), None, european=False)

    @cached_property
    def asked_moments(self) -> tuple[Moment, ...]:
        """The dates and periods of the question."""
        return tuple(find_moments(self.asked.text))

    def text(self, claim: Claim) -> str:
        return self.scenes[claim.scene].text

    def before(self, claim: Claim) -> str:
        """Return the text between the figure before a claim, or the start of its clause, and it."""
        text, start = self.text(claim), claim.mention.start
        ends = [
            f.end for f in self.scenes[claim.scene].figures if f.end <= start and f.moment is None
        ]
        return text[max([0, *ends]) : start]

    def after(self, claim: Claim) -> str:
        """Return the text from a claim to the figure after it."""
        text, end = self.text(claim), claim.mention.end
        starts = [
            f.start for f in self.scenes[claim.scene].figures if f.start >= end and f.moment is None
        ]
        return text[end : min([len(text), *starts])]

    def in_scene(self, number: int) -> list[Claim]:
        return [claim for claim in self.claims if claim.scene == number]


def prepare(draft: str, sources: Sources) -> Ground:
    """Return the draft's claims, with nothing traced yet."""
    tables = tuple(Table(number, result) for number, result in enumerate(sources.results))
    ground = Ground(sources, tables, read_draft(draft))
    register = Register(tables)
    european = is_european(plain_text(draft))
    for number, passage in enumerate(ground.passages):
        scene = read_scene(passage.text, register, european=european, passage=passage)
        scene = _placed(scene, passage, number, ground)
        ground.scenes.append(scene)
    _read_claims(ground)
    return ground


def read_scene(
    text: str, register: Register | None, *, european: bool, passage: Passage | None = None
) -> Scene:
    """Return the figures and names of a text."""
    names = register.find(text) if register is not None else []
    taken = [(n.start, n.end) for n in names]
    moments = [m for m in find_moments(text) if not _inside(m.start, m.end, taken)]
    figures = [_of_moment(m) for m in moments if m.has_digits or _said_month(m)]
    taken += [(m.start, m.end) for m in moments]
    proportions = find_proportions(text, taken)
    taken += [(p.start, p.end) for p in proportions]
    figures += [*proportions, *find_amounts(text, taken, european=european)]
    if register is not None:
        names += [n for m in moments if (n := register.of_moment(m)) is not None]
        names = _with_figures(text, names, figures, register)
    return Scene(
        text,
        tuple(sorted(figures, key=lambda f: (f.start, f.end))),
        tuple(sorted(names, key=lambda n: (n.start, n.end))),
        spans=passage.spans if passage is not None else (),
    )


def _inside(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    return any(s < end and start < e for s, e in taken)


def _said_month(moment: Moment) -> bool:
    return moment.month is not None and moment.year is not None


def _of_moment(moment: Moment) -> Mention:
    return Mention(moment.text, moment.start, moment.end, Form.MOMENT, moment=moment)


def _with_figures(
    text: str, names: list[Name], figures: Sequence[Mention], register: Register
) -> list[Name]:
    extra = [
        name
        for figure in figures
        if figure.form in (Form.NUMBER, Form.TIME) and not figure.hedge
        if (name := register.of_figure(figure, text[: figure.start])) is not None
    ]
    return [*names, *extra]


def _placed(scene: Scene, passage: Passage, number: int, ground: Ground) -> Scene:
    """Add what the passages above give to this one: a heading's names, a table's heads."""
    inherited: list[Group] = []
    for parent in passage.parents:
        above = ground.scenes[parent]
        inherited += (
            [(name,) for name in above.names if name.hits and name.is_sure]
            if _is_topic(above)
            else []
        )
    if not inherited and number and _PRONOUN.match(passage.text) and not scene.spans:
        before = ground.scenes[number - 1]
        subject = [n for n in before.names if n.hits and n.is_sure and n.dimension[0] == "label"]
        inherited += [(subject[0],)] if len({n.text for n in subject}) == 1 else []
    heads: tuple[tuple[Name, ...], ...] = ()
    if passage.heads:
        heads = tuple(_names_of_head(head, ground) for head in passage.heads)
    return Scene(scene.text, scene.figures, scene.names, tuple(inherited), scene.spans, heads)


def _is_topic(scene: Scene) -> bool:
    """Whether a heading or a list's first line is about one thing: one name of each kind."""
    kinds = [n.dimension for n in scene.names if n.hits]
    return len(kinds) == len(set(kinds)) and len(scene.text) < 80


def _names_of_head(head: str, ground: Ground) -> tuple[Name, ...]:
    register = Register(ground.tables)
    return tuple(n for n in read_scene(head, register, european=False).names if n.hits)


def _read_claims(ground: Ground) -> None:
    from agent.evidence.binding import groups_for

    for number, scene in enumerate(ground.scenes):
        for figure in scene.figures:
            ground.claims.append(Claim(figure, number, groups_for(figure, scene)))


def entity_before(text: str) -> str:
    """Return the entity that a text ends with, such as "store" before "2"; "" for none."""
    match = re.search(
        r"([^\W\d_]+)(?:'s)?[\s:]*(?:#|no\.?|number|nr\.?|id)?[\s:#]*$", text, re.IGNORECASE
    )
    if match is None:
        return ""
    from agent.evidence.nouns import concept

    noun = concept(match[1])
    return noun if is_entity(noun) or noun in ("id", "number", "rank") else ""
