"""The parts that all scenarios share: the demo database, a renderer, and every speaker."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.messages import AgentResult, Exchange
from agent.models.offline import OfflineModel
from agent.run import Agent

from .speakers import Speaker, all_speakers
from .worlds import Parts

MODELS = Path(__file__).parents[1]


def _module(path: Path) -> ModuleType:
    """Load a file by its path: what plays the servers belongs to the tests beside these."""
    spec = importlib.util.spec_from_file_location(f"scenarios_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def parts(demo_database_url: str) -> Iterator[Parts]:
    """The database, twice, and the renderer; one each for all runs."""
    database, narrow = (
        PostgresDatabase(demo_database_url),
        PostgresDatabase(demo_database_url, max_rows=100),
    )
    renderer = ProcessRenderer()
    asker = Agent(OfflineModel(), database, renderer)
    known: dict[str, Exchange] = {}

    def earlier(question: str) -> Exchange:
        if question not in known:
            known[question] = _as_exchange(asker.run(question))
        return known[question]

    yield Parts(database, narrow, renderer, earlier)
    renderer.close()
    narrow.close()
    database.close()


def _as_exchange(result: AgentResult) -> Exchange:
    steps = [step for transition in result.trail for step in transition.steps]
    read = [step.subject for step in steps if step.tool == "get_schema" and step.ok]
    return Exchange(
        result.question,
        result.answer,
        result.sql,
        result.results,
        tables=tuple(dict.fromkeys([*read, *result.tables])),
        clarification=result.clarification,
    )


@pytest.fixture(scope="module")
def speakers(
    serve_throughout: Callable[[Any], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Speaker]]:
    """Every way to say the same; each speaks in run after run, as a bot's model does."""
    claude = _module(MODELS / "conftest.py").MessagesApi("")
    claude.url = serve_throughout(claude)
    chat = _module(MODELS / "openai_compatible" / "conftest.py").ChatServer

    def start(flavour: str) -> Any:
        server = chat("", flavour)
        server.url = f"{serve_throughout(server)}/v1"
        return server

    made = all_speakers(claude, start, tmp_path_factory.mktemp("scripts"))
    yield made
    for speaker in made.values():
        speaker.close()
