"""What `db-agent check-sql` says is for people: names as SQL writes them, and no model's tools."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

Feed = Callable[..., subprocess.CompletedProcess[bytes]]


def test_refusal_names_the_tables_that_there_are_and_no_tool_of_the_model(feed: Feed) -> None:
    queries = ("SELECT * FROM zzz", "SELECT * FROM pg_class")
    listed = 'film,"Odd Table",sales.orders'
    for query in queries:
        said = feed(query, "--relations", listed).stdout.decode().splitlines()
        assert said[2] == 'These may be read: public."Odd Table", public.film, sales.orders.'
    anything = feed(queries[1]).stdout.decode().splitlines()
    assert anything[2] == "Any table may be read here but those of the system."
    line = json.dumps({"id": 1, "sql": queries[0]})
    for_programs = json.loads(feed(line, "--jsonl", "--relations", listed).stdout)
    assert "These may be read: public" in for_programs["reason"]


def test_names_are_told_as_sql_writes_them(feed: Feed) -> None:
    done = feed(
        'SELECT lower(a) FROM "Odd Table", "Sales".x', "--relations", '"Odd Table","Sales".x'
    )
    assert done.stdout.decode().splitlines()[1] == 'tables: "Sales".x, public."Odd Table"'


@pytest.mark.parametrize("letter", ["x", "é"])
def test_input_that_is_far_too_long_is_refused_without_a_wrong_size(
    feed: Feed, letter: str
) -> None:
    done = feed("SELECT 1 -- " + letter * 3_000_000, "--relations", "film")
    assert done.stdout.decode().splitlines()[:2] == [
        "refused (too_long)",
        "The query has more than 1,000,000 bytes.",
    ]
    assert done.returncode == 1
