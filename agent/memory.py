"""What a run remembers: the conversation with the model, and what the tools gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.messages import (
    PAST,
    Chart,
    Clarification,
    Exchange,
    Message,
    Observation,
    Observations,
    QueryResult,
    ToolResult,
    Turn,
    Usage,
    UserMessage,
)
from agent.tools.sql import describe_result

MAX_EXCHANGES = 6
"""Earlier questions of a thread that the model gets to read; the oldest ones drop out."""
MAX_PAST_ROWS = 10
"""Rows of each earlier result that the model gets to read."""


@dataclass
class WorkingMemory:
    """The one thing in a run that grows. The state beside it is replaced, this is appended to."""

    messages: list[Message] = field(default_factory=list)
    results: list[QueryResult] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    clarification: Clarification | None = None
    last_turn: Turn = field(default_factory=Turn)
    usage: Usage = field(default_factory=Usage)

    @classmethod
    def of(cls, question: str, history: Sequence[Exchange] = ()) -> WorkingMemory:
        """Return the memory of a run that is about to start."""
        memory = cls()
        for exchange in history[-MAX_EXCHANGES:]:
            past = Turn(describe_exchange(exchange), stop_reason=PAST)
            memory.messages += [UserMessage(exchange.question), past]
        memory.messages.append(UserMessage(question))
        return memory

    def add_turn(self, turn: Turn) -> None:
        """Remember what the model said."""
        self.messages.append(turn)
        self.last_turn = turn
        self.usage = self.usage + turn.usage

    def add_observation(self, observation: Observation) -> None:
        """Remember what a tool found, apart from the text that the model reads of it."""
        if observation.table is not None and observation.table not in self.tables:
            self.tables.append(observation.table)
        if observation.result is not None:
            self.results.append(observation.result)
        if observation.chart is not None:
            self.charts.append(observation.chart)
        if observation.clarification is not None:
            self.clarification = observation.clarification

    def add_tool_results(self, results: Sequence[ToolResult]) -> None:
        """Give the model the results of its tool calls, in the order of the calls."""
        self.messages.append(Observations(tuple(results)))

    def add_correction(self, text: str) -> None:
        """Tell the model that its turn was of no use, and why."""
        self.messages.append(UserMessage(text))


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
