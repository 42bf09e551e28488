"""The values that travel between the parts. Frozen; no behaviour beyond their own arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from agent.state import AgentState, Event, Phase

Cell = None | bool | int | float | Decimal | str
"""One value of a row: a number, a boolean, NULL, or the server's own text for all else."""


@dataclass(frozen=True)
class Column:
    """A column of a result: its label, made unique, and PostgreSQL's name for its type."""

    name: str
    type_name: str


@dataclass(frozen=True)
class QueryResult:
    """What one query gave back."""

    sql: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    truncated: bool = False
    """More rows, or longer cells, exist than are here."""
    duration_ms: float = 0.0
    notes: tuple[str, ...] = ()
    """What was cut, in plain words."""
    tables: tuple[str, ...] = ()
    """The tables and views that the query reads."""


@dataclass(frozen=True)
class Chart:
    """A picture of a query result; its rows were filled in by us, never by the model."""

    title: str
    result_number: int
    """Which query result it shows, counted from 1 in the order of the queries."""
    spec: Mapping[str, Any]
    """The Vega-Lite specification as it was drawn."""
    png: bytes
    alt_text: str


@dataclass(frozen=True)
class ToolSpec:
    """What a model is told of a tool; `input_schema` is JSON Schema."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """A model's wish to use a tool."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    malformed: str = ""
    """The arguments as the model wrote them, where they were no JSON object."""


@dataclass(frozen=True)
class ToolResult:
    """What a tool call gave back to the model."""

    call_id: str
    tool: str
    content: str
    is_error: bool = False


@dataclass(frozen=True)
class Usage:
    """Tokens of one model turn, or of a run."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


@dataclass(frozen=True)
class UserMessage:
    """What a person, or the loop in their place, says to the model."""

    text: str


PAST = "past"
"""The stop reason of a turn that retells an answer to an earlier question of the thread."""


@dataclass(frozen=True)
class Turn:
    """What the model said: text, tool calls, or both."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    stop_reason: str = "end_turn"
    usage: Usage = field(default_factory=Usage)
    provider_content: tuple[Mapping[str, Any], ...] = ()
    """The turn as its provider wants it back (thinking and tool blocks in order); opaque to us."""


@dataclass(frozen=True)
class Observations:
    """The results of all tool calls of one turn, in the order of the calls."""

    results: tuple[ToolResult, ...]


Message = UserMessage | Turn | Observations


@dataclass(frozen=True)
class Clarification:
    """A question back to the person, with answers to choose from (perhaps none)."""

    question: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Observation:
    """What a tool gives to the loop: text for the model, and what the run is to remember."""

    content: str
    table: str | None = None
    result: QueryResult | None = None
    chart: Chart | None = None
    clarification: Clarification | None = None


@dataclass(frozen=True)
class Exchange:
    """An earlier question of the same thread, from the bot's own record."""

    question: str
    answer: str
    sql: tuple[str, ...] = ()
    results: tuple[QueryResult, ...] = ()
    """The results of `sql`, in the same order; perhaps only their first rows."""


@dataclass(frozen=True)
class Transition:
    """One row of the trail: what happened, when, and the counters after it."""

    at: datetime
    source: Phase
    event: Event
    target: Phase
    trigger: str
    """What happened, in a few plain words for a person who knows no SQL."""
    state: AgentState
    model_output: str = ""
    """The words and tool calls that drove it, where a model did."""


class Outcome(StrEnum):
    """How a run ended: a closed set, each with its own wording on the card."""

    ANSWERED = "answered"
    ANSWERED_WITH_CAVEATS = "answered_with_caveats"
    NO_DATA = "no_data"
    NEEDS_CLARIFICATION = "needs_clarification"
    NOT_PERMITTED = "not_permitted"
    FAILED = "failed"
    SYSTEM_FAULT = "system_fault"
    ESCALATED = "escalated"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class AgentResult:
    """One run, whole."""

    question: str
    outcome: Outcome
    failed: bool
    answer: str
    """The answer, or the question back; "" where the run failed."""
    summary: str
    """What the run did and, where it failed, why and what to do: one or two plain sentences."""
    results: tuple[QueryResult, ...]
    charts: tuple[Chart, ...]
    warnings: tuple[str, ...]
    trail: tuple[Transition, ...]
    model: str
    hops: int
    duration_ms: int
    tables: tuple[str, ...] = ()
    """The tables that the shown rows come from; where there are none, those that were looked at."""
    clarification: Clarification | None = None
    usage: Usage = field(default_factory=Usage)
    fault_detail: str = ""
    """For the operator: what broke. Never shown to the person who asked."""

    @property
    def sql(self) -> tuple[str, ...]:
        """The SQL log: each query that ran, as it was sent."""
        return tuple(result.sql for result in self.results)

    @property
    def n_queries(self) -> int:
        """How many queries ran: the length of the SQL log."""
        return len(self.sql)
