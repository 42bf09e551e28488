"""All of a run that its later phases read, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from agent.breakdown import Breakdown
from agent.memory import Answered, Checkpoint
from agent.messages import (
    AuditNote,
    Calculation,
    Chart,
    Clarification,
    Critique,
    Exchange,
    Message,
    QueryResult,
    Step,
    ToolCall,
    Turn,
    Usage,
)
from agent.self_correction import Setback
from agent.state import AgentState


@dataclass(frozen=True)
class Opening:
    """What a run began with, and keeps whatever happens to the world around it."""

    question: str
    prompt: str
    today: date
    today_in_words: str
    time_zone: str
    model: str
    """Whose turns they are that name no model."""
    locale: str = ""
    asked_by: str = ""
    earlier: tuple[Exchange, ...] = ()
    """The thread as the judge reads it: without rows."""
    inherited: int = 0


@dataclass(frozen=True)
class Snapshot:
    """A run at the end of a phase; before its first one it is empty.

    Where a field is a tuple, a checkpoint holds what was added to it.
    """

    opening: Opening | None = None
    state: AgentState = field(default_factory=AgentState)
    spent_s: float = 0.0
    """Seconds of the wall clock; those in which nobody worked at it are not among them."""
    answering: str = ""
    usage: Usage = field(default_factory=Usage)
    judge_usage: Usage = field(default_factory=Usage)
    last_turn: Turn = field(default_factory=Turn)
    clarification: Clarification | None = None
    setback: Setback | None = None
    rethinking: bool = False
    refusals: int = 0
    ceiling: str = ""
    fault: Breakdown | None = None

    messages: tuple[Message, ...] = ()
    fetched: tuple[QueryResult, ...] = ()
    """Each result that there ever was, once, without what the audit found."""
    audits: tuple[tuple[AuditNote, ...], ...] = ()
    """What it found in each of them."""
    results: tuple[int, ...] = ()
    """The results that count, by their places in `fetched`."""
    set_aside: tuple[int, ...] = ()
    charts: tuple[Chart, ...] = ()
    calculations: tuple[Calculation, ...] = ()
    tables: tuple[str, ...] = ()
    calls_that_worked: tuple[ToolCall, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    usage_by_model: tuple[tuple[str, Usage], ...] = ()
    judge_usage_by_model: tuple[tuple[str, Usage], ...] = ()
    pending: tuple[Answered, ...] = ()
    said: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    in_vain: tuple[tuple[str, str], ...] = ()
    went_back_for: tuple[str, ...] = ()
    critiques: tuple[Critique, ...] = ()
