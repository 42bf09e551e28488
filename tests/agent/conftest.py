"""An agent over the real demo database, with a model that is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.protocols import Judge, Model
from agent.run import Agent

MakeAgent = Callable[..., Agent]


@pytest.fixture(scope="module")
def renderer() -> Iterator[ProcessRenderer]:
    process = ProcessRenderer()
    yield process
    process.close()


@pytest.fixture(scope="module")
def database(demo_database_url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(demo_database_url)
    yield database
    database.close()


@pytest.fixture
def make_agent(database: PostgresDatabase, renderer: ProcessRenderer) -> MakeAgent:
    def make(model: Model, judge: Judge | None = None) -> Agent:
        return Agent(model, database, renderer, judge)

    return make
