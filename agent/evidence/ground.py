"""What the check stands on: the tables, and the figures of a draft with their fate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Final

from agent.evidence.relative import with_relative
from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.names import Name, Register
from agent.evidence.scenes import Group, Scene, place_scene, read_scene
from agent.evidence.sources import Sources
from agent.evidence.text.mentions import Mention
from agent.evidence.text.moments import Moment, find_moments
from agent.evidence.text.nouns import name_concepts
from agent.evidence.text.numerals import is_european
from agent.evidence.text.plain import Passage, plain_text, read_draft

MAX_FIGURES: Final = 200
"""Figures of a draft that are checked; the work grows with each of them."""
MAX_ASKED: Final = 40
"""Figures of a question that an answer may repeat."""
MAX_CELLS: Final = 300_000
"""Cells that all searches together go through, and the searches that there are in any case."""
MIN_SEARCHES: Final = 25


@dataclass
class Claim:
    """A figure of the draft, the names that it belongs to, and what it was found to rest on."""

    mention: Mention
    scene: int
    """The number of its passage."""
    groups: tuple[Group, ...] = ()
    source: str = ""
    fault: str = ""
    spots: tuple[Spot, ...] = ()
    """The cells that it is."""
    worked: Spot | None = None
    """The number that it was worked out to be, and its column; the row is -1 for several."""
    is_given_up: bool = False
    """There are so many like it that nothing more is tried: it rests on nothing."""
    is_name: bool = False
    """It names something and claims nothing."""


@dataclass
class Ground:
    """The sources, indexed, and the draft, read."""

    sources: Sources
    tables: tuple[Table, ...]
    scenes: Sequence[Scene]
    asked: Scene
    """The question, read as a passage is."""
    asked_names: tuple[Name, ...] = ()
    """The rows and columns that the question names."""
    claims: list[Claim] = field(default_factory=list)
    searches: Counter[str] = field(default_factory=Counter)
    """How many figures were searched for in all rows, by the kind of search."""
    is_whole: bool = True
    """Whether all of the draft was read; False where it has too many figures."""
    _contexts: dict[tuple[int, int, int], tuple[str, str]] = field(default_factory=dict)

    def may_search(self, kind: str) -> bool:
        """Whether there is room for one more search through all rows, which it takes."""
        self.searches[kind] += 1
        cells = sum(len(t.rows) * len(t.result.columns) for t in self.tables)
        return self.searches[kind] <= max(MIN_SEARCHES, MAX_CELLS // (cells + 1))

    @cached_property
    def known(self) -> frozenset[str]:
        """The concepts of all tables and columns."""
        names = [c.name for t in self.tables for c in t.result.columns]
        names += [name for t in self.tables for name in t.statement.tables]
        return frozenset(c for name in names for c in name_concepts(name))

    @cached_property
    def asked_moments(self) -> tuple[Moment, ...]:
        """The dates and periods of the question."""
        return tuple(find_moments(self.asked.text))

    def scene_of(self, claim: Claim) -> Scene:
        return self.scenes[claim.scene]

    def text(self, claim: Claim) -> str:
        """Return the passage that a claim stands in."""
        return self.scenes[claim.scene].text

    def before(self, claim: Claim) -> str:
        """Return the text between the figure before a claim, or the passage's start, and it."""
        return self._around(claim)[0]

    def after(self, claim: Claim) -> str:
        """Return the text from a claim to the figure after it."""
        return self._around(claim)[1]

    def _around(self, claim: Claim) -> tuple[str, str]:
        key = (claim.scene, claim.mention.start, claim.mention.end)
        if key not in self._contexts:
            scene, (_, start, end) = self.scene_of(claim), key
            ends = [f.end for f in scene.amounts if f.end <= start]
            starts = [f.start for f in scene.amounts if f.start >= end]
            text = scene.text
            before = text[max([0, *ends]) : start]
            self._contexts[key] = (before, text[end : min([len(text), *starts])])
        return self._contexts[key]

    def rest(self, claim: Claim) -> str:
        """Return the passage from a claim to its end."""
        return self.text(claim)[claim.mention.end :]

    def in_scene(self, number: int) -> list[Claim]:
        """Return the claims of a passage."""
        return self._by_scene.get(number, [])

    @cached_property
    def _by_scene(self) -> dict[int, list[Claim]]:
        found: dict[int, list[Claim]] = {}
        for claim in self.claims:
            found.setdefault(claim.scene, []).append(claim)
        return found


def prepare(draft: str, sources: Sources) -> Ground:
    """Return the sources indexed and the draft read, without its claims."""
    tables = tuple(Table(number, result) for number, result in enumerate(sources.results))
    passages = read_draft(draft, _broken_names(tables, draft))
    question = Passage(plain_text(sources.question), 0)
    said = [question.text, *(t for p in passages for t in (p.text, *p.heads))]
    register = Register(tables, "\n".join(said))
    european = is_european(plain_text(draft))
    asked, asked_moments = _read_question(question)
    scenes: list[Scene] = []
    for passage in passages:
        if sum(len(scene.figures) for scene in scenes) >= MAX_FIGURES:
            break
        scene = read_scene(passage, register, european=european)
        scene = with_relative(scene, register, sources.today, asked_moments)
        scenes.append(place_scene(scene, scenes, register, european=european))
    names: tuple[Name, ...] = ()
    if tables:  # without rows there is nothing that a name could point at
        named = read_scene(question, register, european=False)
        names = with_relative(named, register, sources.today, ()).pointing
    return Ground(sources, tables, scenes, asked, names, is_whole=len(scenes) == len(passages))


@lru_cache(maxsize=64)
def _read_question(question: Passage) -> tuple[Scene, tuple[Moment, ...]]:
    """Return the question read by itself, and its moments.

    Kept, since one run has it read for every check.
    """
    scene = read_scene(question, Register((), ""), european=False)
    asked = replace(scene, figures=scene.figures[:MAX_ASKED])
    return asked, tuple(find_moments(question.text))


def _broken_names(tables: Sequence[Table], draft: str) -> list[str]:
    """Return the texts of the rows that look like two sentences: "East 12th St. Bakery"."""
    cells = {c for t in tables for row in t.rows for c in row if isinstance(c, str)}
    return [c for c in cells if len(c) < 80 and re.search(r"[.!?;]\s", c) and c in draft]
