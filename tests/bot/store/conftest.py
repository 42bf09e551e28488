"""Runs for the store: asked, finished, and with a trail."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from agent.messages import AgentResult, Outcome, Step, Transition, Usage
from agent.state import AgentState, Event, Phase
from bot.store import Question, Store, Thread

AT = datetime(2026, 11, 24, 14, 5, tzinfo=UTC)


def a_result(text: str = "how many films?", **given: Any) -> AgentResult:
    """A run's result; what is not given is plain."""
    outcome = given.pop("outcome", Outcome.ANSWERED)
    failed = outcome in (Outcome.FAILED, Outcome.SYSTEM_FAULT)
    plain: dict[str, Any] = {
        "question": text,
        "outcome": outcome,
        "failed": failed,
        "answer": "" if failed else f"answer to {text}",
        "summary": f"summary of {text}",
        "results": (),
        "charts": (),
        "warnings": (),
        "trail": (),
        "model": "given",
        "hops": 2,
        "duration_ms": 12_000,
        "tables": ("film",),
        "usage": Usage(100, 20, 3, 4),
        "cost_usd": Decimal("0.02"),
    }
    return AgentResult(**{**plain, **given})


def a_transition(text: str, *steps: Step, **given: Any) -> Transition:
    """A transition that ended the tool calls `steps`."""
    plain: dict[str, Any] = {
        "at": AT,
        "source": Phase.ACTION,
        "event": Event.TOOLS_DONE,
        "target": Phase.OBSERVATION,
        "trigger": text,
        "state": AgentState(hop_count=len(steps)),
        "steps": steps,
    }
    return Transition(**{**plain, **given})


@pytest.fixture(name="a_result")
def _a_result() -> Callable[..., AgentResult]:
    return a_result


@pytest.fixture(name="a_transition")
def _a_transition() -> Callable[..., Transition]:
    return a_transition


@pytest.fixture
def store(store: Store, store_url: str) -> Store:
    """An empty store that knows of no channel."""
    with psycopg.connect(store_url) as connection:
        connection.execute("truncate db_agent.channels")
    return store


@pytest.fixture
def ran(store: Store) -> Callable[..., str]:
    """Has somebody ask something, and the run end; returns its id."""
    numbers = iter(range(1, 10_000))

    def run(
        text: str = "how many films?",
        *,
        by: str = "UANN",
        channel: str = "C1",
        team: str = "T1",
        ts: str | None = None,
        **given: Any,
    ) -> str:
        at = ts or f"{next(numbers)}.000"
        run_id = store.claim(Question(Thread(team, channel, at), at, by, text))
        assert run_id is not None
        store.finish(run_id, a_result(text, **given))
        return run_id

    return run
