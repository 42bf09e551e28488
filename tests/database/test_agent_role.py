"""The role that an operator makes with deploy/agent-role.sql can read, and changes nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase

SCRIPT = Path(__file__).parents[2] / "deploy" / "agent-role.sql"


@pytest.fixture
def script() -> str:
    """The script, for a role of another name: the demo's server has an agent_ro already."""
    return SCRIPT.read_text().replace("agent_ro", "shop_reader")


@pytest.fixture
def shop(scratch_database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1)"
        )
        connection.execute("CREATE ROLE neighbour")
        yield connection
        connection.execute("DROP OWNED BY shop_reader, neighbour; DROP ROLE shop_reader, neighbour")


def login(scratch_database: str, connection: psycopg.Connection) -> str:
    admin = urlsplit(scratch_database)
    connection.execute(f"ALTER ROLE shop_reader PASSWORD '{admin.password}'")  # type: ignore[arg-type]
    return scratch_database.replace(f"{admin.username}:", "shop_reader:", 1)


def test_it_reads_what_is_there_and_what_comes_later(
    shop: psycopg.Connection, scratch_database: str, script: str
) -> None:
    shop.execute(script)  # type: ignore[call-overload]
    shop.execute(script)  # type: ignore[call-overload]
    shop.execute("CREATE TABLE refunds (id int PRIMARY KEY)")
    database = PostgresDatabase(login(scratch_database, shop))
    assert database.fetch("SELECT count(*) FROM orders").rows == ((1,),)
    assert database.fetch("SELECT count(*) FROM refunds").rows == ((0,),)
    database.close()


def test_nobody_else_loses_a_right(shop: psycopg.Connection, script: str) -> None:
    rights = (
        "SELECT has_database_privilege('neighbour', current_database(), 'CONNECT, TEMPORARY'),"
        " has_schema_privilege('neighbour', 'public', 'USAGE'),"
        " has_function_privilege('neighbour', 'pg_notify(text, text)', 'EXECUTE')"
    )
    before = shop.execute(rights).fetchone()  # type: ignore[call-overload]
    shop.execute(script)  # type: ignore[call-overload]
    assert shop.execute(rights).fetchone() == before  # type: ignore[call-overload]
