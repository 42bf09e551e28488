"""Nothing honest is refused, and every row comes back as the server wrote it.

The repository's own honest queries run everywhere. The published questions with their right answers
lie beside the checkout, on some machines only; all of them, and more, run with `make golds`.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg
import pytest

from agent.database import guard
from agent.database.embedded import EmbeddedPostgres
from agent.database.postgres import PostgresDatabase
from agent.database.session import AnalyticsDatabase
from agent.database.tables.catalog import Catalog
from agent.messages import Column, QueryResult

HERE = Path(__file__).parent


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"database_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for their module
    spec.loader.exec_module(module)
    return module


databases, server_text = _module("loaded_databases"), _module("server_text")
"""Test files import nothing from each other, so these are loaded by their path."""

PSQL = databases.find_psql()
HONEST = databases.honest_queries()
GOLDS = databases.gold_queries()
THE_SERVERS_TO_SAY = "is the server's to say"
NOT_KNOWN = ("42601", "42703", "42704", "42883")
"""A syntax, column, type or function that a server has never heard of."""


def open_database(url: str) -> PostgresDatabase:
    return PostgresDatabase(url, statement_timeout_ms=10_000, max_rows=100_000)


def ask(url: str, texts: list[str]) -> list[Any]:
    answers: list[Any] = (
        server_text.ask_psql(PSQL, url, texts) if PSQL else server_text.ask_plainly(url, texts)
    )
    return answers


@pytest.fixture(scope="module")
def database(demo_database_url: str) -> Iterator[PostgresDatabase]:
    database = open_database(demo_database_url)
    yield database
    database.close()


@pytest.fixture(scope="module")
def answers(demo_database_url: str) -> dict[str, Any]:
    """What the server itself says to each honest query, by name."""
    texts = [query.text for query in HONEST]
    names = [query.name for query in HONEST]
    return dict(zip(names, ask(demo_database_url, texts), strict=True))


@pytest.fixture(scope="module")
def older_than_17(demo_database_url: str) -> bool:
    with psycopg.connect(demo_database_url) as connection:
        return connection.info.server_version < 170_000


@pytest.mark.parametrize("query", HONEST, ids=lambda query: query.name)
def test_honest_query_gives_the_rows_that_the_server_writes(
    query: Any, database: PostgresDatabase, answers: dict[str, Any], older_than_17: bool
) -> None:
    expected = answers[query.name]
    if expected.sqlstate in NOT_KNOWN and older_than_17:
        pytest.skip("this server is too old for the query")
    assert bool(expected.sqlstate) == query.name.endswith(THE_SERVERS_TO_SAY), expected.sqlstate
    assert server_text.difference(database, query.text, expected) == ""


@pytest.mark.parametrize(
    "text",
    [
        " UNION ALL ".join(f"SELECT {n} AS n, 'row {n}' AS t" for n in range(300)),
        f"SELECT title FROM film WHERE film_id IN ({', '.join(map(str, range(3_000)))}) ORDER BY 1",
        "SELECT " + " + ".join(f"{n}.5" for n in range(250)),
        "SELECT count(*) FROM film WHERE " + " OR ".join(f"length = {n}" for n in range(900)),
        "SELECT " + " || ".join(f"'{n}'" for n in range(250)),
        "SELECT CASE length "
        + " ".join(f"WHEN {n} THEN 'l{n}'" for n in range(400))
        + " END FROM film ORDER BY film_id",
        "SELECT count(*) FROM language l0 "
        + " ".join(f"JOIN language l{n} USING (language_id)" for n in range(1, 60)),
        "WITH c0 AS (SELECT 0 AS a), "
        + ", ".join(f"c{n} AS (SELECT a + {n} AS a FROM c{n - 1})" for n in range(1, 120))
        + " SELECT a FROM c119",
        "SELECT " + "(" * 30 + "length" + " + 1)" * 30 + " FROM film ORDER BY film_id LIMIT 9",
        "SELECT max(a) FROM " + "(SELECT a FROM " * 25 + "(VALUES (1)) AS v(a)" + ") AS q" * 25,
    ],
    ids=[
        "300 unions", "3,000 numbers in a list", "250 terms", "900 alternatives", "250 strings",
        "400 cases", "60 joins", "120 CTEs", "30 parentheses", "25 subqueries",
    ],
)  # fmt: skip
def test_long_honest_query_is_no_reason_to_refuse(
    text: str, database: PostgresDatabase, demo_database_url: str
) -> None:
    (expected,) = ask(demo_database_url, [text])
    assert expected.sqlstate == ""
    assert server_text.difference(database, text, expected) == ""


def test_text_goes_to_the_server_as_written_and_psql_interpolates_nothing(
    database: PostgresDatabase, demo_database_url: str
) -> None:
    text = "SELECT ':SQLSTATE', ':\"x\"', '\\echo', '%s', '{0}', E'a\\nb', '\"', ',', '', NULL"
    (expected,) = ask(demo_database_url, [text])
    assert expected.rows[0][:4] == (":SQLSTATE", ':"x"', "\\echo", "%s")
    assert expected.rows[0][5:] == ("a\nb", '"', ",", "", None)
    assert server_text.difference(database, text, expected) == ""


def result(*rows: tuple[Any, ...], kind: str = "numeric") -> QueryResult:
    return QueryResult("SELECT …", (Column("a", kind),), rows)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (result((Decimal("1.5"),)), ["1.50"]),
        (result((1.5,)), ["1.5"]),
        (result((1.0,), kind="integer"), ["1"]),
        (result((0.1,), kind="double precision"), ["0.10000000000000002"]),
        (result(("",), kind="text"), [None]),
        (result((None,), kind="text"), [""]),
        (result(("a ",), kind="text"), ["a"]),
        (result((True,), kind="boolean"), ["f"]),
        (result(("(2 bytes)",), kind="bytea"), ["\\x010203"]),
        (result(("a",), ("b",), kind="text"), ["b", "a"]),
        (result(("a",), kind="text"), ["a", "a"]),
    ],
)
def test_comparison_sees_whatever_is_lost(ours: QueryResult, theirs: list[str | None]) -> None:
    expected = server_text.Answer(("a",), tuple((cell,) for cell in theirs))
    assert server_text.compare(ours, expected) != ""


@pytest.fixture(scope="module")
def loaded() -> Iterator[dict[str, str]]:
    """The reader's addresses of the databases that have published answers."""
    if not GOLDS:
        pytest.skip("../shared/data is not there")
    if not PSQL:
        pytest.skip("no psql on this machine")
    with EmbeddedPostgres.throwaway() as server:
        yield databases.load(server, databases.WITH_GOLDS, PSQL)


REFUSED_BY_THE_SERVER = {"student_club": ["42803", "42803"]}
"""Two published answers rely on a primary key that the loaded tables lack."""


@pytest.mark.parametrize("name", databases.WITH_GOLDS)
def test_published_answers_are_accepted_and_give_the_servers_rows(
    name: str, loaded: dict[str, str]
) -> None:
    texts = [query.text for query in GOLDS if query.database == name]
    expected = ask(loaded[name], texts)
    database = open_database(loaded[name])
    differences = [
        (text, found)
        for text, answer in zip(texts, expected, strict=True)
        if (found := server_text.difference(database, text, answer))
    ]
    database.close()
    assert differences == []
    refused = [answer.sqlstate for answer in expected if answer.sqlstate]
    assert refused == REFUSED_BY_THE_SERVER.get(name, [])


@pytest.mark.parametrize("name", databases.WITH_GOLDS)
def test_published_answers_are_accepted_where_only_the_tables_are_known(
    name: str, loaded: dict[str, str]
) -> None:
    source = AnalyticsDatabase(loaded[name])
    relations = Catalog(source).policy().relations
    source.pool.close()
    for known in (relations, dict.fromkeys(relations, frozenset())):
        policy = guard.GuardPolicy(relations=known, search_path=("public", "cd"))
        for query in GOLDS:
            if query.database == name:
                assert guard.check(query.text, policy).text == query.text
