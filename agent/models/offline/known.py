"""What the conversation says so far: the tables, keys and results that tools have shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.models.offline.afresh import Ending
from agent.models.offline.tool_texts import Key, KnownTable, Ran


@dataclass(frozen=True)
class Refusal:
    """What was refused and taken out of the conversation; the last one stands for all of them."""

    reasons: tuple[str, ...]
    turns: int
    """How many turns are gone: drafts, where the rows still stand."""
    of_rows: bool
    """No result of a query stands any more: the rows were refused, not the words."""


@dataclass(frozen=True)
class Renamed:
    """A column of `table` that is called `new` now, or, where `column` is "", the table itself."""

    table: str
    column: str
    new: str


@dataclass(frozen=True)
class Known:
    """Everything that this run's messages hold."""

    question: str = ""
    earlier: tuple[str, ...] = ()
    """The thread's earlier questions, oldest first."""
    endings: tuple[Ending, ...] = ()
    """How each earlier question ended."""
    turned_down: str = ""
    """What the last question was asked back or turned down with; "" where it was answered."""
    tables: dict[str, KnownTable] = field(default_factory=dict)
    keys: tuple[Key, ...] = ()
    searches: tuple[str, ...] = ()
    reads: int = 0
    """Schemas that were asked for in this run."""
    unreadable: tuple[str, ...] = ()
    """Tables whose schema was asked for in vain."""
    ran: tuple[Ran, ...] = ()
    charts: int = 0
    charts_in_vain: tuple[Mapping[str, Any], ...] = ()
    """The arguments of charts that could not be drawn."""
    hops: int = 0
    """Tool calls so far, those too that are no longer in the conversation."""
    errors: int = 0
    total_tables: int = 0
    renamed: tuple[Renamed, ...] = ()
    changes: tuple[str, ...] = ()
    """Names that are no longer what a schema said, each a sentence without its full stop."""
    refusals: tuple[Refusal, ...] = ()
    nothing_granted: bool = False
    """A search said that the role may read no table at all."""
