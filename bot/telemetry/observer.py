"""Whoever works on a question tells it; what is told goes to the log, the measures, the traces."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from agent.messages import AgentResult
from agent.watching import watched_by
from bot.logs.scope import RunScope, current_scope, in_scope
from bot.metrics import Metrics
from bot.store import Question
from bot.telemetry.run_meter import RunMeter
from bot.telemetry.traces import Carried, NoTraces, Traces
from bot.telemetry.watches import Watches

log = logging.getLogger("bot.runs")

TURNED_AWAY = "turned_away"
"""A question that ended without a run: refused, or no question at all."""


@dataclass(frozen=True)
class Observer:
    """Safe to share between threads."""

    metrics: Metrics
    traces: Traces = field(default_factory=NoTraces)

    @contextmanager
    def taking(self, question: Question) -> Iterator[Carried]:
        """Observe that a question is stored; yields where its trace is to go on."""
        with self.traces.taking({"db_agent.team": question.thread.team}) as carried:
            yield carried

    def taken(self) -> None:
        """A question was stored that was not there before."""
        self.metrics.instruments.taken.inc()

    @contextmanager
    def running(
        self,
        run_id: str,
        question: Question,
        *,
        attempt: int = 0,
        asked_at: datetime | None = None,
        carried: Carried | None = None,
    ) -> Iterator[RunScope]:
        """Observe a question being worked on; all that is logged in the block carries the run.

        `asked_at` is when it was stored: how long it has waited is measured on its first attempt.
        A block that ends without `ended` was a question that needs no run, unless it says of the
        scope that it `goes_on`; one that raises says nothing of an end.
        """
        thread = question.thread
        scope = RunScope(run_id, thread.team, thread.channel, thread.ts, attempt)
        scope.hide(question.text, question.about)
        measures, began = self.metrics.instruments, time.monotonic()
        if attempt > 1:
            measures.rescued.inc()
        if asked_at is not None and attempt <= 1:
            scope.asked_at = asked_at
            scope.waited_s = max(0.0, (datetime.now(UTC) - asked_at).total_seconds())
            measures.queue_wait.observe(scope.waited_s)
        facts: dict[str, Any] = {"db_agent.run_id": run_id, "db_agent.team": thread.team}
        facts |= {"db_agent.attempt": attempt} if attempt else {}
        with ExitStack() as stack:
            stack.enter_context(in_scope(scope))
            tracing = self.traces.run(carried or {}, facts, waited_s=scope.waited_s)
            scope.trace_id, spans = stack.enter_context(tracing)
            meter = RunMeter(measures, scope)
            stack.enter_context(watched_by(Watches(meter, spans) if spans else meter))
            yield scope
            if scope.has_ended:
                measures.run.observe(time.monotonic() - began)
            elif not scope.goes_on:
                measures.ended.labels(TURNED_AWAY).inc()
                self._tell(run_id, {"outcome": TURNED_AWAY})

    def shown_first(self) -> None:
        """The person sees that the question of this thread is worked on."""
        scope = current_scope()
        if scope is not None and scope.asked_at is not None:
            waited_s = (datetime.now(UTC) - scope.asked_at).total_seconds()
            self.metrics.instruments.first_status.observe(max(0.0, waited_s))
            scope.asked_at = None  # the first of them alone

    def gave_up(self) -> None:
        """A question is tried no more, since each process that tried it died."""
        self.metrics.instruments.capped.inc()

    def ended(self, run_id: str, result: AgentResult) -> None:
        """A run has ended with a result: it is counted, and told in one line."""
        self.metrics.count(result.outcome)
        self._tell(run_id, _facts(result))

    def ended_so(self, run_id: str, ending: str) -> None:
        """A question ended without a result, as a word says."""
        self.metrics.count(ending)
        self._tell(run_id, {"outcome": ending})

    def _tell(self, run_id: str, facts: dict[str, Any]) -> None:
        scope = current_scope()
        if scope is not None:
            scope.has_ended = True
            facts["queue_wait_ms"] = int(scope.waited_s * 1000)
        words = " ".join(f"{name}={value}" for name, value in facts.items())
        log.info("run %s finished: %s", run_id, words, extra={"facts": facts})


def _facts(result: AgentResult) -> dict[str, Any]:
    return {
        "outcome": str(result.outcome),
        "hops": result.hops,
        "model_calls": result.trail[-1].state.model_calls if result.trail else 0,
        "tokens": result.usage.total,
        "usd": None if result.cost_usd is None else float(round(result.cost_usd, 6)),
        "ms": result.duration_ms,
    }
