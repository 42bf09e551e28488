"""The offline model behind a careless hand, on the real demo database."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agent.database.postgres import PostgresDatabase
from agent.messages import AgentResult, Message, Step, ToolSpec, Turn
from agent.models.offline import OfflineModel
from agent.run import Agent

HERE = Path(__file__).parent


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"recovery_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


_faults, _worlds = _module(HERE / "faults.py"), _module(HERE / "worlds.py")
_same_rows = _module(HERE.parent / "offline" / "comparing.py").same_rows
"""Test files import nothing from each other, so they are loaded by their paths."""


class NoPicture:
    """A renderer for tests that look at rows."""

    def render(self, spec: dict[str, object]) -> bytes:
        return b"png"


class Careless:
    """Lets the offline model write its turn, and spoils the SQL of its n-th query, once."""

    def __init__(self, spoils: Callable[[str], str], nth: int) -> None:
        self._model = OfflineModel()
        self._spoils = spoils
        self._left = nth
        self.honest: list[str] = []
        """The queries as they were before they were spoiled."""

    @property
    def name(self) -> str:
        return self._model.name

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        turn = self._model.respond(system, messages, tools, timeout_s=timeout_s)
        return replace(turn, tool_calls=tuple(map(self._spoiled, turn.tool_calls)))

    def _spoiled(self, call: Any) -> Any:
        if call.name != "execute_read_only_sql":
            return call
        self._left -= 1
        self.honest.append(str(call.arguments["query"]))
        if self._left:
            return call
        return replace(call, arguments={"query": self._spoils(str(call.arguments["query"]))})


@dataclass(frozen=True)
class Recovery:
    """One fault, how its run went, and whether it gave the right rows."""

    fault: Any
    result: AgentResult
    right: bool
    honest: tuple[str, ...] = ()
    """The model's queries as they were before they were spoiled."""

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(step for transition in self.result.trail for step in transition.steps)

    @property
    def failed_steps(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if not step.ok)

    def __str__(self) -> str:
        end = f"{self.result.outcome}: {self.result.answer or self.result.summary}"
        return f"{self.fault.kind}, {self.fault.question!r}: {end}"


@pytest.fixture(scope="session")
def faults() -> tuple[Any, ...]:
    """All seeded faults."""
    return (*_faults.FAULTS, *_faults.server_faults(_worlds))


@pytest.fixture(scope="session")
def rejections() -> ModuleType:
    """The queries that the guard refuses, code by code."""
    return _module(HERE / "rejections.py")


@pytest.fixture(scope="session")
def recover(demo_database_url: str, demo_admin_url: str) -> Iterator[Callable[[Any], Recovery]]:
    """Run one fault through the agent, and compare its last rows with the truth."""
    truths = PostgresDatabase(demo_database_url, time_zone="Europe/Berlin")

    def run(fault: Any) -> Recovery:
        database = PostgresDatabase(
            demo_database_url,
            time_zone="Europe/Berlin",
            statement_timeout_ms=800,
            max_cost=getattr(fault, "max_cost", None),
        )
        truth = truths.fetch(fault.truth).rows
        model = Careless(fault.spoils, fault.nth) if fault.spoils else OfflineModel()
        agent = Agent(model, database, NoPicture(), time_zone="Europe/Berlin", now=_late_2026)
        world = (
            fault.world(demo_admin_url, lambda: _warm(database)) if fault.world else nullcontext()
        )
        try:
            with world:
                result = agent.run(fault.question)
        finally:
            database.close()
        rows = result.results[-1].rows if result.results else ()
        right = result.outcome.startswith("answered") and _same_rows(truth, rows)
        honest = tuple(model.honest) if isinstance(model, Careless) else ()
        return Recovery(fault, result, right and fault.says in result.answer, honest)

    yield run
    truths.close()


def _warm(database: PostgresDatabase) -> None:
    database.find_tables("film")


def _late_2026(zone: Any) -> datetime:
    return datetime(2026, 11, 30, 12, 0, tzinfo=zone)
