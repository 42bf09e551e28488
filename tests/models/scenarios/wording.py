"""How a table of scenarios is written: what a model says, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent.messages import Outcome
from agent.state import Phase

QUESTION = "How many films are there?"
AS_EVER = "as ever"
SIGNS = {
    Phase.PLANNING: "P",
    Phase.THOUGHT: "T",
    Phase.ACTION: "A",
    Phase.OBSERVATION: "O",
    Phase.CRITIQUE: "C",
    Phase.BACKTRACK: "B",
    Phase.FINISH: "✓",
    Phase.CLARIFY: "?",
    Phase.ESCALATED: "!",
    Phase.FAILED: "✗",
    Phase.CANCELLED: "■",
}
"""How a way through the phases is written: "PAOTC✓"."""


@dataclass(frozen=True)
class Says:
    """A turn of the model: words, calls, or both."""

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    """Names and arguments; a text stands for arguments that are no object."""
    cut: bool = False
    declined: bool = False


@dataclass(frozen=True)
class Fails:
    """An error of the server, by what it means."""

    why: str
    """overloaded, broken, wrong key, no model, no credit, too large, limited."""

    @property
    def passes(self) -> bool:
        """Trying again helps."""
        return self.why in ("overloaded", "broken")


Turns = tuple[Says | Fails, ...]
Rows = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Scenario:
    """A question in a world, what a model says that says what it is told, and what comes of it."""

    outcome: Outcome
    says: Turns
    way: str
    """The phases, each by its sign."""
    answer: str = "There are 1,000 films."
    rows: Rows | int = ((1000,),)
    """Of the last result, or how many; () where there is none, or nothing in it."""
    figures: int = 1
    """Of the draft that came last; each is traced to what it rests on."""
    charts: int = 0
    question: str = QUESTION
    world: str = AS_EVER


def call(tool: str, /, **arguments: Any) -> Says:
    return Says(calls=((tool, arguments),))


def sql(query: str) -> Says:
    return call("execute_read_only_sql", query=query)
