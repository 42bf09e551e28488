"""The values that travel between the parts. Frozen; no behaviour beyond their own arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from agent.state import AgentState, Event, Phase

Cell = None | bool | int | float | Decimal | str
"""One value of a row: a number, a boolean, NULL, or the server's own text for all else."""


@dataclass(frozen=True)
class Column:
    """A column of a result: its label, made unique, and PostgreSQL's name for its type."""

    name: str
    type_name: str


class NoteKind(StrEnum):
    """What an audit may find in the rows of a query."""

    NO_ROWS = "no_rows"
    ALL_NULL = "all_null"
    """A column, or the whole of a one-row result, holds nothing but NULL."""
    TRUNCATED = "truncated"
    FAN_OUT = "fan_out"
    """A join repeats rows of a table whose values are then summed or counted."""
    DUPLICATES = "duplicates"
    UNKNOWN_VALUE = "unknown_value"
    """A filter asks for a value that does not occur in its column."""


@dataclass(frozen=True)
class AuditNote:
    """Something about a result that who reads it must know."""

    kind: NoteKind
    text: str
    """One plain sentence for a person, such as "No film has the rating 'PG13'."."""
    hint: str = ""
    """What the model may do about it, such as "Values of film.rating: 'G', 'PG', 'PG-13'."."""

    @property
    def is_fault(self) -> bool:
        """The rows do not say what they seem to: no answer may rest on them unwarned."""
        return self.kind is NoteKind.FAN_OUT


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
    audit: tuple[AuditNote, ...] = ()
    """What the audit found in the rows."""

    @property
    def is_verified(self) -> bool:
        """The audit found no fault: an answer may rest on these rows."""
        return not any(note.is_fault for note in self.audit)


@dataclass(frozen=True)
class Calculation:
    """Exact arithmetic over cells of query results: where a share or a growth rate comes from."""

    expression: str
    """As the model wrote it, such as "r1.revenue[1] / sum(r1.revenue)"."""
    value: Decimal


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

    @property
    def total(self) -> int:
        """All tokens, whatever each of them costs."""
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_read_tokens
            + self.cache_write_tokens
        )


@dataclass(frozen=True)
class UserMessage:
    """What a person, or the loop in their place, says to the model."""

    text: str
    dropped_turns: int = 0
    """How many model turns a rewind took out of the conversation before this message."""
    speaker: str = ""
    """Who says it, where several people ask in a thread: a plain name."""


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
    model: str = ""
    """Whose turn it is, where more than one model may answer."""
    answers: str = ""
    """A fingerprint of all that its provider was told before it; only that provider reads it."""

    @property
    def is_past(self) -> bool:
        """It retells an answer to an earlier question."""
        return self.stop_reason == PAST


@dataclass(frozen=True)
class Observations:
    """The results of all tool calls of one turn, in the order of the calls."""

    results: tuple[ToolResult, ...]


@dataclass(frozen=True)
class Directive:
    """What the loop wants next: said once, where it begins to hold, and left standing there.

    So nothing that a model has read is ever taken back, but by a rewind: what stays the same from
    turn to turn is read from the provider's cache.
    """

    task: str
    """One of `agent.prompts.TASKS`."""
    tools: tuple[str, ...]
    """The tools that may be used now, of those that there are."""


Message = UserMessage | Turn | Observations | Directive


def directive_in(messages: Sequence[Message]) -> Directive | None:
    """Return what the loop wants now; None where it did not say."""
    return next((each for each in reversed(messages) if isinstance(each, Directive)), None)


def call_ids(messages: Sequence[Message]) -> frozenset[str]:
    """Return the ids of all calls of a conversation."""
    turns = (message for message in messages if isinstance(message, Turn))
    return frozenset(call.id for turn in turns for call in turn.tool_calls)


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
    calculation: Calculation | None = None
    clarification: Clarification | None = None


@dataclass(frozen=True)
class Figure:
    """A figure of a draft, and what it rests on."""

    text: str
    """As it is written, with its sign and unit: "$5.3k", "a third", "7.9 %"."""
    source: str = ""
    """Where it comes from, in plain words: "result 1, row 2, revenue"; "" if from nowhere."""


@dataclass(frozen=True)
class Evidence:
    """Whether the words of a draft rest on what the tools gave."""

    figures: tuple[Figure, ...] = ()
    """Every figure that makes a claim, in the order of the text."""
    faults: tuple[str, ...] = ()
    """What is wrong beyond a figure from nowhere, each a plain sentence: a figure that stands
    beside another row's label, a unit that is not the column's, a claim about rows that are not
    there."""

    @property
    def untraced(self) -> tuple[str, ...]:
        """The figures that rest on nothing."""
        return tuple(figure.text for figure in self.figures if not figure.source)

    @property
    def holds(self) -> bool:
        return not self.untraced and not self.faults


class Severity(StrEnum):
    """How far a refused draft has to go back."""

    MINOR = "minor"
    """The rows are right, the words are not."""
    MAJOR = "major"
    """The rows do not answer the question."""


@dataclass(frozen=True)
class Verdict:
    """What the judge thinks of a draft."""

    valid: bool
    reason: str = ""
    """One plain sentence; why not, where it is not valid."""
    severity: Severity = Severity.MAJOR


class Judgement(NamedTuple):
    """A verdict, and what it took to come by it."""

    verdict: Verdict
    usage: Usage
    turns: int = 1
    """Model turns."""
    by_model: Mapping[str, Usage] = MappingProxyType({})
    """The usage by the model that took it; empty: the judge's own took it all."""


@dataclass(frozen=True)
class Exchange:
    """An earlier question of the same thread, from the bot's own record."""

    question: str
    answer: str
    sql: tuple[str, ...] = ()
    results: tuple[QueryResult, ...] = ()
    """The results of `sql`, in the same order; perhaps only their first rows."""
    tables: tuple[str, ...] = ()
    """The tables whose schema was read."""
    clarification: Clarification | None = None
    """The question back that it ended with; the next message of the thread is its answer."""
    asked_by: str = ""
    """Who asked: a name of their own choice, the same for nobody else in the thread; "" where
    nobody keeps people apart."""


@dataclass(frozen=True)
class Case:
    """What the judge gets to see of a run: never the reasoning of the one who wrote the draft."""

    question: str
    draft: str
    results: tuple[QueryResult, ...] = ()
    calculations: tuple[Calculation, ...] = ()
    earlier: tuple[Exchange, ...] = ()
    """Earlier questions of the thread, which a short follow-up changes; oldest first."""
    today: str = ""
    """The date and time zone that the question was asked in, in words."""
    asked_by: str = ""
    """Who asks, where several people do in the thread."""


@dataclass(frozen=True)
class Step:
    """One tool call as the trail keeps it."""

    tool: str
    ok: bool
    subject: str = ""
    """What it was about: a table, the words of a search, the SQL, a chart's title, an expression,
    the question back."""
    error: str = ""
    """Why it failed, in plain words; "" where it did not."""
    rows: int | None = None
    """How many rows a query gave."""
    duration_ms: float | None = None
    """How long a query took, in milliseconds."""
    tables: tuple[str, ...] = ()
    """The tables that a query reads."""
    notes: tuple[str, ...] = ()
    """What the audit said of the rows, in plain sentences."""


@dataclass(frozen=True)
class Critique:
    """What the gate found in a draft."""

    draft: str
    evidence: Evidence = field(default_factory=Evidence)
    verdict: Verdict | None = None
    """None: no judge was asked, or none could be reached."""
    faults: tuple[str, ...] = ()
    """Why the draft was refused, or what the card warns of, each a plain sentence."""


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
    usage: Usage = field(default_factory=Usage)
    """Tokens that the run had used by then, the judge's too."""
    cost_usd: Decimal | None = None
    """Money that the run had cost by then, in US dollars; None where the price is not known."""
    plan: tuple[str, ...] = ()
    """The plan that this transition brought, if it did."""
    steps: tuple[Step, ...] = ()
    """The tool calls that this transition ended."""
    critique: Critique | None = None
    """What the gate found, where this transition left it."""


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
    plan: tuple[str, ...] = ()
    """One to five steps, as the model planned them; () where it planned none."""
    caveats: tuple[str, ...] = ()
    """What remains true of the rows and must be known beside the answer, each a sentence."""
    calculations: tuple[Calculation, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    """What the figures of the answer (or of the refused draft) rest on."""
    verdict: Verdict | None = None
    """The judge's; None where none was asked, or none could be reached."""
    judge: str = ""
    """Who judged: a model's name; "" for nobody."""
    draft: str = ""
    """The last draft that was refused, where the run ended escalated: not an answer."""
    set_aside: tuple[QueryResult, ...] = ()
    """Results of queries that a rewind took back: they ran, but no answer rests on them."""
    cost_usd: Decimal | None = None
    """What the run cost, in US dollars; None where the model's price is not known."""
    time_zone: str = ""
    """In which the run read dates and times, such as "Europe/Berlin"; "" where nobody said."""

    @property
    def sql(self) -> tuple[str, ...]:
        """The SQL log: each query that ran, as it was sent."""
        return tuple(result.sql for result in self.results)

    @property
    def n_queries(self) -> int:
        """How many queries ran: the length of the SQL log."""
        return len(self.sql)
