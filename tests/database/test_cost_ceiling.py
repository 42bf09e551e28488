"""A ceiling on what the planner expects: dear queries are refused before any of them is run."""

from __future__ import annotations

import time

import pytest

from agent.database.postgres import PostgresDatabase
from agent.errors import SqlRejected
from agent.settings import AgentSettings

DEAR = "SELECT count(*) FROM rental a, rental b, rental c WHERE a.rental_id < b.rental_id"


def test_query_above_the_ceiling_is_refused_unrun_and_says_how_to_make_it_smaller(
    demo_database_url: str,
) -> None:
    database = PostgresDatabase(demo_database_url, max_cost=50_000)
    database.ping()
    started = time.monotonic()
    with pytest.raises(SqlRejected, match=r"cost [\d,]{9,}, and at most 50,000.*filter") as caught:
        database.fetch(DEAR)
    assert time.monotonic() - started < 2.9
    assert caught.value.code == "too_costly"
    assert database.fetch("SELECT count(*) > 10000 FROM rental").rows == ((True,),)
    database.close()


def test_fault_of_the_query_is_told_as_without_a_ceiling(demo_database_url: str) -> None:
    with_ceiling = PostgresDatabase(demo_database_url, max_cost=50_000)
    without = PostgresDatabase(demo_database_url)
    messages = []
    for database in (with_ceiling, without):
        with pytest.raises(Exception, match="does not exist") as caught:
            database.fetch("SELECT tittle FROM film")
        messages.append((type(caught.value), str(caught.value)))
        database.close()
    assert messages[0] == messages[1]


def test_ceiling_is_off_unless_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert AgentSettings().max_cost is None
    monkeypatch.setenv("DB_AGENT_MAX_COST", "1e6")
    assert AgentSettings().max_cost == 1_000_000
