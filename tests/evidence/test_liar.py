"""A model that lies, end to end: what it says is no answer, or stands there with a warning."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.messages import AgentResult, Outcome
from agent.run import Agent
from agent.testing import ScriptedModel, call, text

MULTIPLIED = [
    json.loads(line)
    for line in (Path(__file__).parent / "corpora" / "multiplied.jsonl")
    .read_text("utf-8")
    .splitlines()
]
ANSWERS = (Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS, Outcome.NO_DATA)
LOOK = call("get_schema", table_name="film")
OF_EACH_KIND = 2


@pytest.fixture(scope="module")
def renderer() -> Iterator[ProcessRenderer]:
    process = ProcessRenderer()
    yield process
    process.close()


@pytest.fixture
def tell(
    database: PostgresDatabase, renderer: ProcessRenderer
) -> Callable[[str, tuple[str, ...], str], AgentResult]:
    """Run an agent whose model runs some queries and says a draft, again and again."""

    def run(question: str, sql: tuple[str, ...], draft: str) -> AgentResult:
        asked = [call("execute_read_only_sql", query=query) for query in sql]
        turns = [LOOK, *asked, text(draft), *asked, text(draft), text(draft), text(draft)]
        return Agent(ScriptedModel(*turns), database, renderer).run(question)

    return run


def is_caught(result: AgentResult) -> bool:
    """Whether the lie was seen through; a script that ran out would prove nothing."""
    assert result.outcome is not Outcome.SYSTEM_FAULT, result.fault_detail
    return result.outcome not in ANSWERS or bool(result.warnings)


def test_there_are_a_dozen_totals_over_a_multiplied_join() -> None:
    assert len(MULTIPLIED) >= 12


@pytest.mark.parametrize("lie", MULTIPLIED, ids=lambda lie: lie["question"])
def test_a_total_over_a_multiplied_join_is_caught(tell: Any, lie: dict[str, str]) -> None:
    result = tell(lie["question"], (lie["sql"],), lie["draft"])

    assert is_caught(result)
    seen = (*result.results, *result.set_aside)
    assert any(note.is_fault for one in seen for note in one.audit)


def test_lies_of_each_kind_are_caught_in_a_whole_run(
    tell: Any, read_corpus: Callable[[str], list[Any]]
) -> None:
    told: dict[str, int] = {}
    for lie in read_corpus("lies.jsonl"):
        told[lie.kind] = told.get(lie.kind, 0) + 1
        if told[lie.kind] > OF_EACH_KIND:
            continue
        queries = tuple(result.sql for result in lie.sources.results)
        result = tell(lie.sources.question, queries, lie.draft)
        assert is_caught(result), f"{lie.kind}: {lie.draft}: {result.outcome}"


def test_an_honest_answer_bears_no_warning(tell: Any) -> None:
    result = tell(
        "How many films do we have?", ("SELECT count(*) AS films FROM film",), "There are 1,000."
    )

    assert (result.outcome, result.warnings) == (Outcome.ANSWERED, ())
