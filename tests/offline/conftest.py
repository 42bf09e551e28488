"""Asks the offline model questions on real databases, and judges answers by their rows."""

from __future__ import annotations

import importlib.util
import json
import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit
from zoneinfo import ZoneInfo

import psycopg
import pytest
from psycopg import sql

from agent.database.demo import DemoDatabase
from agent.database.postgres import PostgresDatabase
from agent.messages import AgentResult, Exchange, Outcome
from agent.models.offline import OfflineModel
from agent.run import Agent

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "data"
REFUSED = (Outcome.NEEDS_CLARIFICATION, Outcome.FAILED, Outcome.SYSTEM_FAULT)


class NoPicture:
    """A renderer for tests that look at rows: the picture itself is tested elsewhere."""

    def render(self, spec: dict[str, object]) -> bytes:
        return b"png"


@dataclass
class Rates:
    """How the answers to a list of questions turned out."""

    right: list[str] = field(default_factory=list)
    asked_back: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    failed_steps: list[str] = field(default_factory=list)
    """What was tried in vain, though nothing is in the way."""
    unplanned: list[str] = field(default_factory=list)
    """What was looked into without a plan."""
    refused: list[str] = field(default_factory=list)
    """True answers that the gate sent back, or warned of."""

    @property
    def total(self) -> int:
        return len(self.right) + len(self.asked_back) + len(self.wrong)

    @property
    def share_right(self) -> float:
        return len(self.right) / self.total

    def __str__(self) -> str:
        return (
            f"{len(self.right)} of {self.total} right ({self.share_right:.0%}), "
            f"{len(self.asked_back)} asked back, {len(self.wrong)} wrong, "
            f"{len(self.refused)} refused by the gate"
        )

    def note(self, result: AgentResult) -> None:
        """Keep what is odd about how a run went."""
        steps = [step for transition in result.trail for step in transition.steps]
        self.failed_steps += [f"{result.question}: {step.error}" for step in steps if not step.ok]
        if not result.plan and any(step.tool != "ask_user" for step in steps):
            self.unplanned.append(result.question)
        critiques = [each.critique for each in result.trail if each.critique is not None]
        self.refused += [f"{c.draft} {c.faults}" for c in critiques if c.faults][:1]


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_comparing = _module(HERE / "comparing.py")
same_rows, cut_at_tie = _comparing.same_rows, _comparing.cut_at_tie
"""Test files import nothing from each other, so the comparison is loaded by its path."""


@pytest.fixture(scope="session")
def agent_on() -> Iterator[Callable[[str], Agent]]:
    """Return an agent with the offline model on the database at an address."""
    opened: list[PostgresDatabase] = []

    def make(url: str, *, strong: bool = False) -> Agent:
        database = PostgresDatabase(url, time_zone="Europe/Berlin", allow_strong_role=strong)
        opened.append(database)
        return Agent(
            OfflineModel(), database, NoPicture(), time_zone="Europe/Berlin", now=_late_2026
        )

    yield make
    for database in opened:
        database.close()


def _late_2026(zone: ZoneInfo) -> datetime:
    return datetime(2026, 11, 30, 12, 0, tzinfo=zone)


@pytest.fixture(scope="session")
def demo_agent(agent_on: Callable[[str], Agent], demo_database_url: str) -> Agent:
    """The offline model on the demo database."""
    return agent_on(demo_database_url)


def _as_exchange(result: AgentResult) -> Exchange:
    """Return what the record of a thread keeps of a run."""
    steps = [step for transition in result.trail for step in transition.steps]
    read = [step.subject for step in steps if step.tool == "get_schema" and step.ok]
    return Exchange(
        result.question,
        result.answer or result.summary,
        result.sql,
        result.results,
        tables=tuple(dict.fromkeys([*read, *result.tables])),
        clarification=result.clarification,
    )


@pytest.fixture(scope="session")
def as_exchange() -> Callable[[AgentResult], Exchange]:
    """Return what the next question of a thread gets to know of a run."""
    return _as_exchange


@pytest.fixture(scope="session")
def ask() -> Callable[..., list[AgentResult]]:
    """Ask an agent several messages of one thread; returns all results."""

    def run(agent: Agent, *messages: str) -> list[AgentResult]:
        results: list[AgentResult] = []
        for message in messages:
            history = [_as_exchange(result) for result in results]
            results.append(agent.run(message, history=history))
        return results

    return run


@pytest.fixture(scope="session")
def questions() -> Callable[[str], list[dict[str, Any]]]:
    """Return the questions in a file of `questions/`: single ones, and threads of several."""

    def load(name: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = json.loads(
            (HERE / "questions" / f"{name}.json").read_text()
        )
        return entries

    return load


@pytest.fixture(scope="session")
def judge() -> Callable[[Agent, list[dict[str, Any]]], Rates]:
    """Ask all questions, threads as threads, and compare each answer with its own SQL."""

    def run(agent: Agent, entries: list[dict[str, Any]]) -> Rates:
        rates = Rates()
        for entry in entries:
            history: list[Exchange] = []
            for turn in entry.get("thread", [entry]):
                result = agent.run(turn["q"], history=history)
                history.append(_as_exchange(result))
                rates.note(result)
                if _is_judged(turn, entry):
                    _verdict(agent, turn, result, rates).append(turn["q"])
        return rates

    return run


def _is_judged(turn: dict[str, Any], entry: dict[str, Any]) -> bool:
    """A turn of a thread without a truth only leads up to the next one."""
    return "sql" in turn or "thread" not in entry


def _verdict(agent: Agent, turn: dict[str, Any], result: AgentResult, rates: Rates) -> list[str]:
    if result.outcome in REFUSED:
        return rates.asked_back
    if "sql" not in turn or not result.results:
        return rates.wrong
    # Where a question may be read in more than one way, each way's truth will do.
    truths = turn["sql"] if isinstance(turn["sql"], list) else [turn["sql"]]
    ordered, rows = turn.get("ordered", False), result.results[-1].rows
    right = any(
        same_rows(_truth(agent, truth, rows), rows, ordered=ordered and "WITH TIES" not in truth)
        for truth in truths
    )
    return rates.right if right else rates.wrong


_TIES = re.compile(r"FETCH FIRST (\d+) ROWS WITH TIES", re.IGNORECASE)


def _truth(agent: Agent, truth: str, answer: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    """Return the rows of a truth; where the answer cut a tie at the last place, its part of it."""
    rows = agent.database.fetch(truth).rows
    match = _TIES.search(truth)
    if match is None or not len(answer) == int(match[1]) < len(rows):
        return rows
    for sure in range(int(match[1]) - 1, 0, -1):
        before = agent.database.fetch(_TIES.sub(f"FETCH FIRST {sure} ROWS WITH TIES", truth)).rows
        if len(before) == sure:
            return cut_at_tie(rows, sure, answer)
    return cut_at_tie(rows, 0, answer)


@pytest.fixture(scope="session")
def loaded(demo: DemoDatabase) -> Iterator[Callable[..., str]]:
    """Load SQL files into a database of their own; returns its address."""
    names: list[str] = []

    def load(*files: str) -> str:
        paths = [SHARED / file for file in files]
        missing = [path.name for path in paths if not path.exists()]
        if missing:
            pytest.skip(f"{', '.join(missing)} not found in {SHARED}")
        name = f"loaded_{uuid.uuid4().hex[:12]}"
        names.append(name)
        with psycopg.connect(demo.admin_url, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        url = urlunsplit(urlsplit(demo.admin_url)._replace(path=f"/{quote(name)}"))
        for path in paths:
            _run_script(url, path.read_text(encoding="utf-8"))
        return url

    yield load
    with psycopg.connect(demo.admin_url, autocommit=True) as connection:
        for name in names:
            connection.execute(
                sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            )


def _run_script(url: str, script: str) -> None:
    """Run what pg_dump wrote, without psql: statements, and rows between COPY and a lone dot."""
    with psycopg.connect(url, autocommit=True) as connection:
        statements: list[str] = []
        lines = iter(script.splitlines(keepends=True))
        for line in lines:
            if line.startswith("COPY ") and line.rstrip().endswith("FROM stdin;"):
                _execute(connection, statements)
                with connection.cursor().copy(line.rstrip().rstrip(";")) as copy:
                    for row in lines:
                        if row.rstrip("\n") == "\\.":
                            break
                        copy.write(row)
            elif not line.startswith("\\") and not _makes_a_database(line):
                statements.append(line)
        _execute(connection, statements)
        connection.execute("ANALYZE")


def _makes_a_database(line: str) -> bool:
    return line.startswith(("DROP DATABASE", "CREATE DATABASE"))


def _execute(connection: psycopg.Connection[Any], statements: list[str]) -> None:
    text = "".join(statements)
    statements.clear()
    if text.strip():
        connection.execute(text)
