"""How long the line of questions is, and whether the schema is one to work with."""

from __future__ import annotations

import psycopg
import pytest

from bot.store import Question, Thread
from bot.store.migrate import known_revisions

THREAD = Thread("T1", "C1", "17.1")


def test_the_line_is_what_no_process_works_on(store, store_url):
    assert (store.line().waiting, store.line().oldest_s) == (0, 0.0)
    runs = [store.claim(Question(THREAD, f"17.{n}", "U1", "how many?")) for n in range(3)]
    with psycopg.connect(store_url) as connection:
        connection.execute("update db_agent.runs set created_at = now() - interval '90 s'")
    assert store.line().waiting == 3
    assert 89 < store.line().oldest_s < 200
    with psycopg.connect(store_url) as connection:
        taken = "update db_agent.runs set owner = 'a process' where id = any (%s::uuid[])"
        connection.execute(taken, [runs[:2]])
    assert store.line().waiting == 1


@pytest.mark.parametrize("newer", [True, False])
def test_an_older_schema_is_trouble_and_a_newer_one_is_not(store, store_url, newer):
    assert store.schema_trouble() == ""
    newest, before = known_revisions()[:2]
    with psycopg.connect(store_url, autocommit=True) as connection:
        set_to = "update db_agent.schema_version set version_num = %s"
        connection.execute(set_to, ["9999" if newer else before])
        try:
            said = store.schema_trouble()
        finally:
            connection.execute(set_to, [newest])
    assert said == ("" if newer else f"the schema of its record is at {before} and has to be at "
                    + newest)  # fmt: skip
