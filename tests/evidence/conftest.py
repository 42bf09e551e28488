"""The corpora of honest answers and of lies, over rows of the real demo database."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from agent.database.postgres import PostgresDatabase
from agent.evidence import Sources
from agent.messages import Calculation, QueryResult

CORPORA = Path(__file__).parent / "corpora"


@dataclass(frozen=True)
class Answer:
    """A draft, and what it may rest on."""

    draft: str
    sources: Sources
    kind: str
    """Which kind of lie it is; "honest" for none."""
    on: tuple[str, ...]
    """The names of its queries."""


@pytest.fixture(scope="session")
def database(demo_database_url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(demo_database_url)
    yield database
    database.close()


@pytest.fixture(scope="session")
def queries() -> dict[str, dict[str, str]]:
    """The queries of the corpora by name, each with its question."""
    made: dict[str, dict[str, str]] = json.loads((CORPORA / "queries.json").read_text("utf-8"))
    return made


@pytest.fixture(scope="session")
def run_query(
    database: PostgresDatabase, queries: dict[str, dict[str, str]]
) -> Callable[[str], QueryResult]:
    """Run a query of the corpora by its name; each once."""
    return cache(lambda name: database.fetch(queries[name]["sql"]))


@pytest.fixture(scope="session")
def read_corpus(
    run_query: Callable[[str], QueryResult], queries: dict[str, dict[str, str]]
) -> Callable[[str], list[Answer]]:
    """Return the answers of a corpus, one a line of JSON, over the rows of their queries."""

    def answer(raw: dict[str, Any]) -> Answer:
        question = raw.get("question") or queries[raw["on"][-1]]["question"]
        worked = [Calculation(text, Decimal(value)) for text, value in raw.get("calculations", [])]
        today = date.fromisoformat(raw["today"]) if "today" in raw else None
        results = tuple(run_query(name) for name in raw["on"])
        sources = Sources(question, results, tuple(worked), today)
        return Answer(raw["draft"], sources, raw.get("kind", "honest"), tuple(raw["on"]))

    def read(name: str) -> list[Answer]:
        lines = (CORPORA / name).read_text(encoding="utf-8").splitlines()
        return [answer(json.loads(line)) for line in lines]

    return read
