"""Databases of other encodings than UTF-8."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from agent.database.embedded import EmbeddedPostgres
from agent.database.postgres import PostgresDatabase
from agent.database.provision import Wish
from agent.errors import DatabaseUnavailable
from bot.commands.provision import provision
from bot.commands.provision_password import Password


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedPostgres]:
    """A server with the templates that the demo's has no more."""
    with EmbeddedPostgres.throwaway() as server:
        yield server


@pytest.fixture(params=["SQL_ASCII", "LATIN1", "EUC_JP"])
def encoded(server: EmbeddedPostgres, request: pytest.FixtureRequest) -> str:
    """The superuser's address of a database with one table."""
    name = request.param.lower()
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(
            f"CREATE DATABASE {name} ENCODING '{request.param}' LOCALE 'C'"
            " LOCALE_PROVIDER libc TEMPLATE template0"
        )
    url = server.url(database=name)
    with psycopg.connect(url, autocommit=True) as inside:
        inside.execute("CREATE TABLE film AS SELECT 'Alien' AS title")
    return url


def test_database_of_another_encoding_is_provisioned_and_read(
    encoded: str, capsys: pytest.CaptureFixture[str]
) -> None:
    role = encoded.rpartition("/")[2].partition("?")[0] + "_reader"
    assert provision(Wish(role), admin_url=encoded, password=Password(), carry_out=True) == 0
    url = next(line for line in capsys.readouterr().out.splitlines() if f"{role}:" in line)
    database = PostgresDatabase(url, pool_size=1)
    assert database.fetch("SELECT title FROM film").rows == (("Alien",),)
    database.close()


def test_bytes_of_no_encoding_are_said_where_they_keep_the_tables_from_being_listed(
    server: EmbeddedPostgres,
) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(
            "CREATE DATABASE no_encoding ENCODING 'SQL_ASCII' LOCALE 'C' LOCALE_PROVIDER libc"
            " TEMPLATE template0"
        )
    url = server.url(database="no_encoding")
    with psycopg.connect(url, autocommit=True) as inside:
        inside.execute(b"CREATE TABLE film (); COMMENT ON TABLE film IS 'caf\xe9'")
    database = PostgresDatabase(url, pool_size=1, allow_strong_role=True)
    with pytest.raises(DatabaseUnavailable, match="not in UTF-8, so its tables cannot be listed"):
        database.find_tables("film")
    database.close()
