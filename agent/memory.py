"""What a run remembers: the conversation with the model, and what the tools gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.asker import plain_name
from agent.digest import MAX_TOKENS, fit
from agent.messages import (
    PAST,
    Calculation,
    Chart,
    Clarification,
    Directive,
    Exchange,
    Message,
    Observation,
    Observations,
    QueryResult,
    ToolCall,
    ToolResult,
    Turn,
    Usage,
    UserMessage,
    directive_in,
)
from agent.tools.sql import describe_result

MAX_EXCHANGES = 6
"""Earlier questions of a thread that the model gets to read; the oldest ones drop out."""
MAX_PAST_ROWS = 10
"""Rows of each earlier result that the model gets to read."""


@dataclass(frozen=True)
class Checkpoint:
    """How much there was of everything at a moment that is worth going back to."""

    messages: int = 0
    results: int = 0
    charts: int = 0
    calculations: int = 0
    tables: int = 0
    calls: int = 0


@dataclass(frozen=True)
class Answered:
    """What a tool call of the turn under way gave."""

    result: ToolResult
    """For the model; without words where rows came, since the audit has yet to add to them."""
    worked: bool = False
    gave_rows: bool = False
    """It was a query, and its result is among those of the memory; perhaps without any row."""


@dataclass
class WorkingMemory:
    """The one thing in a run that grows. The state beside it is replaced, this is appended to.

    Nothing is taken out of it but by `rewind`; what the model reads of it is bounded.
    """

    messages: list[Message] = field(default_factory=list)
    results: list[QueryResult] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    calculations: list[Calculation] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    calls_that_worked: list[ToolCall] = field(default_factory=list)
    set_aside: list[QueryResult] = field(default_factory=list)
    """Results that a rewind took out."""
    inherited: int = 0
    """How many of the results were fetched before the question back that this run goes on from."""
    clarification: Clarification | None = None
    last_turn: Turn = field(default_factory=Turn)
    usage: Usage = field(default_factory=Usage)
    usage_by_model: dict[str, Usage] = field(default_factory=dict)
    """The same by the model that answered, the first one first; no rewind takes it back."""
    checkpoints: list[Checkpoint] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        question: str,
        history: Sequence[Exchange] = (),
        schemas: Mapping[str, str] | None = None,
        *,
        asked_by: str = "",
    ) -> WorkingMemory:
        """Return the memory of a run that is about to start.

        `asked_by` is who asks now; names are told where somebody else asked before.

        Where `question` is the reply to a question back, the rows that were fetched before it are
        results of this run too, and `schemas` are the texts, by table, of what was looked at.
        """
        memory = cls()
        several = several_ask(asked_by, history[-MAX_EXCHANGES:])
        for exchange in history[-MAX_EXCHANGES:]:
            past = Turn(describe_exchange(exchange), stop_reason=PAST)
            speaker = plain_name(exchange.asked_by) if several else ""
            memory.messages += [UserMessage(exchange.question, speaker=speaker), past]
        if history and history[-1].clarification is not None:
            memory.results = list(history[-1].results)
            memory.inherited = len(memory.results)
            if schemas:
                memory.tables = list(schemas)
                read = "\n\n".join(schemas.values())
                past_text = f"{describe_exchange(history[-1])}\n\n```schema\n{read}\n```"
                memory.messages[-1] = Turn(past_text, stop_reason=PAST)
        memory.messages.append(UserMessage(question, speaker=plain_name(asked_by) * several))
        memory.mark()
        return memory

    @property
    def bounded_messages(self) -> tuple[Message, ...]:
        """The conversation as the model reads it: old observations are shrunk to digests."""
        return fit(self.messages, MAX_TOKENS)

    def add_turn(self, turn: Turn, model: str = "") -> None:
        """Remember what the model said, and what that took; `model` names whose turn it is."""
        self.messages.append(turn)
        self.last_turn = turn
        self.usage = self.usage + turn.usage
        taken = self.usage_by_model.get(model, Usage())
        self.usage_by_model[model] = taken + turn.usage

    def add_observation(self, call: ToolCall, observation: Observation) -> None:
        """Remember what a tool found, apart from the text that the model reads of it."""
        self.calls_that_worked.append(call)
        if observation.table is not None and observation.table not in self.tables:
            self.tables.append(observation.table)
        if observation.result is not None:
            self.results.append(observation.result)
        if observation.chart is not None:
            self.charts.append(observation.chart)
        if observation.calculation is not None:
            self.calculations.append(observation.calculation)
        if observation.clarification is not None:
            self.clarification = observation.clarification

    def direct(self, directive: Directive) -> None:
        """Tell the model what to do next, unless that is what it was told last."""
        if directive != directive_in(self.messages):
            self.messages.append(directive)

    def add_tool_results(self, results: Sequence[ToolResult]) -> None:
        """Give the model the results of its tool calls, in the order of the calls."""
        self.messages.append(Observations(tuple(results)))

    def add_correction(self, text: str) -> None:
        """Tell the model what was wrong; says too how many of its turns are gone."""
        self.messages.append(UserMessage(text, dropped_turns=self._gone))
        self._gone = 0

    def mark(self) -> None:
        """Set a checkpoint: everything up to here is sound."""
        self.checkpoints.append(
            Checkpoint(
                len(self.messages),
                len(self.results),
                len(self.charts),
                len(self.calculations),
                len(self.tables),
                len(self.calls_that_worked),
            )
        )

    def rewind(self, *, before_result: int | None = None) -> None:
        """Go back to the last checkpoint, or to the last one before a result, counted from 1.

        The first checkpoint, the question, always stays.
        """
        while (
            before_result
            and len(self.checkpoints) > 1
            and self.checkpoints[-1].results >= before_result
        ):
            self.checkpoints.pop()
        back = self.checkpoints[-1]
        self._gone = sum(
            message.dropped_turns if isinstance(message, UserMessage) else isinstance(message, Turn)
            for message in self.messages[back.messages :]
            if isinstance(message, UserMessage | Turn)
        )
        self.set_aside += self.results[back.results :]
        del self.messages[back.messages :], self.results[back.results :]
        del self.charts[back.charts :], self.calculations[back.calculations :]
        del self.tables[back.tables :], self.calls_that_worked[back.calls :]

    _gone: int = 0


def several_ask(asked_by: str, history: Sequence[Exchange]) -> bool:
    """Say whether the questions of a thread, that of `asked_by` the last, are of several people."""
    return any(each.asked_by and each.asked_by != asked_by for each in history)


def describe_exchange(exchange: Exchange) -> str:
    """Return an earlier answer as the model reads it: its words, its SQL, its first rows."""
    parts = [exchange.answer or "(This question was not answered.)"]
    for number, sql in enumerate(exchange.sql, start=1):
        parts.append(f"```sql\n{sql}\n```")
        if number <= len(exchange.results):
            result = exchange.results[number - 1]
            head = QueryResult(
                result.sql,
                result.columns,
                result.rows[:MAX_PAST_ROWS],
                truncated=len(result.rows) > MAX_PAST_ROWS or result.truncated,
                duration_ms=result.duration_ms,
                notes=(f"the first {MAX_PAST_ROWS} of {len(result.rows)} rows",)
                if len(result.rows) > MAX_PAST_ROWS
                else result.notes,
            )
            parts.append(describe_result(head, number))
    return "\n\n".join(parts)
