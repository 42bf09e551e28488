"""What an older server calls by name although it is grammar to ours: on PostgreSQL 15, for real."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from agent.database.embedded import EmbeddedPostgres
from agent.database.postgres import PostgresDatabase
from agent.errors import SqlFailed, SqlRejected

DEBIAN = Path("/usr/lib/postgresql/15/bin")
OWN = """
CREATE FUNCTION public."{0}"({1}) RETURNS text LANGUAGE plpgsql
    AS 'BEGIN RETURN pg_backend_pid(); END';
"""
POLYFILLS = (
    ("json", "text"), ("json_scalar", "int"), ("json_serialize", "text"),
    ("json_array", "int, int"),
    ("json_object", "text"), ("json_arrayagg", "int"), ("json_value", "text, text"),
    ("json_query", "text, text"), ("json_exists", "text, text"),
)  # fmt: skip

pytestmark = pytest.mark.skipif(not DEBIAN.is_dir(), reason="there is no PostgreSQL 15 here")


@pytest.fixture(scope="module")
def database() -> Iterator[PostgresDatabase]:
    """A database of PostgreSQL 15 in which somebody has written what newer servers have."""
    with EmbeddedPostgres.throwaway(bin_dir=DEBIAN) as server:
        with psycopg.connect(server.url(), autocommit=True) as owner:
            for name, arguments in POLYFILLS:
                owner.execute(OWN.format(name, arguments).encode())
        database = PostgresDatabase(server.url(), allow_strong_role=True)
        yield database
        database.close()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT JSON('{}')",
        "SELECT JSON_SCALAR(5)",
        "SELECT JSON_SERIALIZE('1')",
        "SELECT JSON_ARRAY(1, 2)",
        "SELECT JSON_OBJECT('a')",
        "SELECT JSON_ARRAYAGG(1)",
        "SELECT JSON_VALUE('a', 'b')",
        "SELECT JSON_QUERY('a', 'b')",
        "SELECT JSON_EXISTS('a', 'b')",
        "SELECT * FROM JSON_VALUE('a', 'b') AS value",
    ],
)
def test_function_that_stands_for_newer_grammar_is_not_called(
    database: PostgresDatabase, sql: str
) -> None:
    with pytest.raises(SqlRejected, match="of its own") as caught:
        database.fetch(sql)
    assert caught.value.code == "function"


def test_grammar_that_the_server_lacks_is_the_servers_to_refuse(database: PostgresDatabase) -> None:
    for sql in ("SELECT JSON_OBJECTAGG('a': 1)", "SELECT '{}' IS JSON"):
        with pytest.raises(SqlFailed):
            database.fetch(sql)
    assert database.fetch("SELECT jsonb_build_object('a', 1)::text").rows == (('{"a": 1}',),)
