"""Who answers the crowd: every question, at once, with its own words."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from agent.messages import AgentResult, Chart, Column, Outcome, QueryResult, Transition
from agent.state import AgentState, Event, Phase

FILMS = QueryResult(
    sql="select category, count(*) as films from film group by 1",
    columns=(Column("category", "text"), Column("films", "int8")),
    rows=(("Sports", 74), ("Drama", 62), ("Sci-Fi", 61), ("Music", 51)),
    duration_ms=1.0,
)
PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f"
    b"\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x03\x00\x08\xfc\x02\xfe\xa7\x9a\xa0\xa0"
    b"\x00\x00\x00\x00IEND\xaeB`\x82"
)
CHART = Chart("Films by category", 1, {"mark": "bar"}, PNG, "Bar chart: Sports 74, Drama 62")
WITH_CHART = "as a chart"
"""Words in a question that is answered with one."""
SAYS = "You asked:"


@dataclass
class StandIn:
    """In the place of the agent: a step, another step, the answer; counts what it was asked."""

    model_name: str = "stand-in"
    pace_s: float = 0.0
    """How long it works on a question, in seconds, unless it is told to stop."""
    asked: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(
        self,
        question: str,
        *,
        trail: Any = None,
        cancelled: threading.Event | None = None,
        **others: Any,
    ) -> AgentResult:
        with self._lock:
            self.asked[question] += 1
        steps = tuple(_step(words) for words in ("I looked at film.", "I ran a query."))
        until = time.monotonic() + self.pace_s
        is_stopped = False
        for step in steps:
            trail.record(step)
            trail.begin(step.trigger)
            wait_s = (until - time.monotonic()) / 2
            if cancelled is not None and wait_s > 0:
                is_stopped = cancelled.wait(wait_s)
            trail.end(step.trigger, ok=True)
        return AgentResult(
            question=question,
            outcome=Outcome.CANCELLED if is_stopped else Outcome.ANSWERED,
            failed=is_stopped,
            answer="" if is_stopped else f"{SAYS} {question}",
            summary="The run was stopped." if is_stopped else "One query.",
            results=() if is_stopped else (FILMS,),
            charts=(CHART,) if WITH_CHART in question and not is_stopped else (),
            warnings=(),
            trail=steps,
            model=self.model_name,
            hops=2,
            duration_ms=1,
            tables=("film",),
        )


def _step(words: str) -> Transition:
    now = datetime.now(UTC)
    return Transition(now, Phase.THOUGHT, Event.TOOLS_REQUESTED, Phase.ACTION, words, AgentState())
