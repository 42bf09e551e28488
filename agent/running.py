"""A run under way: what it is about, what it may use, and how far it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from agent.breakdown import Breakdown
from agent.checkpoint.snapshot import Snapshot
from agent.memory import Answered, WorkingMemory
from agent.messages import (
    Critique,
    Exchange,
    Step,
    Transition,
    Usage,
)
from agent.prices import Prices, published_prices
from agent.protocols import Auditor, Budget, Judge, Model, Trail
from agent.self_correction import Attempts, Setback
from agent.state import WALL_CLOCK_S, AgentState
from agent.toolbox import Toolbox
from agent.watching import spent


@dataclass
class Happening:
    """What the transition under way will be remembered for."""

    trigger: str = ""
    plan: tuple[str, ...] = ()
    critique: Critique | None = None


@dataclass
class Run:
    """One run under way: its state, its memory, and what it may use."""

    question: str
    model: Model
    toolbox: Toolbox
    memory: WorkingMemory
    prompt: str
    """What the model is told before anything else, in each of its turns."""
    auditor: Auditor
    judge: Judge | None = None
    earlier: tuple[Exchange, ...] = ()
    today: date = date.min
    time_zone: str = ""
    """In which it reads dates and times."""
    opened_by: str = ""
    """The model whose turns they are that name none."""
    today_in_words: str = ""
    """The date and the time zone, as the judge reads them."""
    locale: str = ""
    """Of the one who asks, such as "de-DE"; "" where it is not known."""
    asked_by: str = ""
    """Who asks, where several people do in the thread."""
    trail: Trail | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    clock: Callable[[], float] = time.monotonic
    prices: Prices = field(default_factory=published_prices)
    max_usd: Decimal | None = None
    """The money after which no further call of a model is made, in US dollars."""
    budget: Budget | None = None
    """What else has a say in that."""

    state: AgentState = field(default_factory=AgentState)
    transitions: list[Transition] = field(default_factory=list)
    happening: Happening = field(default_factory=Happening)
    started: float = 0.0
    spent_s: float = 0.0
    """Seconds that the run had taken when it was cut off, where it was."""
    pending: list[Answered] = field(default_factory=list)
    """What the tool calls of the turn under way gave."""
    said: list[str] = field(default_factory=list)
    """The same in plain words."""
    steps: list[Step] = field(default_factory=list)
    """The tool calls that no transition holds yet."""
    attempts: Attempts = field(default_factory=Attempts)
    setback: Setback | None = None
    """Why the run has to go back."""
    rethinking: bool = False
    """The run just went back, and nothing has been tried since."""
    critiques: list[Critique] = field(default_factory=list)
    refusals: int = 0
    """How many tool errors were a thing forbidden."""
    judge_usage: Usage = field(default_factory=Usage)
    judge_usage_by_model: dict[str, Usage] = field(default_factory=dict)
    answering: str = ""
    """The model that answered last, by the trail so far."""
    ceiling: str = ""
    """Which ceiling in money the run met, and when that ends, in words for the person."""
    fault: Breakdown | None = None
    """What broke, where the run ends in a fault of ours or of the model's provider."""
    kept: Snapshot = field(default_factory=Snapshot)
    """What the trail was last told to keep."""

    @property
    def seconds_left(self) -> float:
        return WALL_CLOCK_S - (self.clock() - self.started)

    @property
    def usage(self) -> Usage:
        """The tokens of the model and of the judge so far."""
        return self.memory.usage + self.judge_usage

    @property
    def cost_usd(self) -> Decimal | None:
        """What the run has cost so far, in US dollars; None where a price is not known."""
        return self.cost_with(Usage())

    def cost_with(self, judging: Usage) -> Decimal | None:
        """Return what the run has cost where its judge has taken `judging` for the case at hand."""
        judged = [*self.judge_usage_by_model.items()]
        if self.judge is not None:
            judged.append((self.judge.name, judging))
        parts = [(name, usage) for name, usage in judged if usage != Usage()]
        parts += self.memory.usage_by_model.items()
        if not self.memory.usage_by_model:
            parts.append((self.model.name, Usage()))
        costs = [self.prices.cost_usd(name, usage) for name, usage in parts]
        known = [cost for cost in costs if cost is not None]
        return sum(known, Decimal(0)) if len(known) == len(costs) else None

    @property
    def answered_by(self) -> str:
        """The models that gave its turns, the first one first: "claude-sonnet-5, then offline"."""
        return ", then ".join(self.memory.usage_by_model) or self.model.name

    def add_judging(self, usage: Usage, by_model: Mapping[str, Usage]) -> None:
        """Remember what an asking of the judge took."""
        self.judge_usage = self.judge_usage + usage
        assert self.judge is not None
        for name, taken in (by_model or {self.judge.name: usage}).items():
            before = self.judge_usage_by_model.get(name, Usage())
            self.judge_usage_by_model[name] = before + taken
            spent(name, taken, self.prices.cost_usd(name, taken))
