"""Functions, operators and types that somebody gave the system's names: none of them is run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from agent.database.guard import AcceptedSql
from agent.database.postgres import PostgresDatabase
from agent.database.provision import Wish
from agent.database.rights import find_excess
from agent.database.session import AnalyticsDatabase, get_agent_session
from bot.commands.provision import provision
from bot.commands.provision_password import Password
from bot.doctor.database_area import database_findings
from bot.doctor.set_up import read_set_up

# Each for types that fit a call in our own queries at least as well as the system's own do.
TRAPS = """
CREATE TABLE film (title text, mood text);
CREATE FUNCTION trap() RETURNS text LANGUAGE plpgsql AS $$BEGIN RAISE 'a trap was run'; END$$;
CREATE FUNCTION quote_ident(name) RETURNS text LANGUAGE sql AS 'SELECT trap()';
CREATE FUNCTION format(text, name, name) RETURNS text LANGUAGE sql AS 'SELECT trap()';
CREATE FUNCTION format_type(oid, int) RETURNS text LANGUAGE sql AS 'SELECT trap()';
CREATE FUNCTION pg_advisory_unlock_all() RETURNS text LANGUAGE sql AS 'SELECT trap()';
CREATE FUNCTION has_function_privilege(text, text) RETURNS text LANGUAGE sql AS 'SELECT trap()';
CREATE FUNCTION current_schemas(bool) RETURNS text LANGUAGE sql AS 'SELECT trap()';
CREATE FUNCTION pg_backend_pid() RETURNS text LANGUAGE sql AS 'SELECT trap()';
CREATE FUNCTION pg_table_is_visible(oid) RETURNS text LANGUAGE sql AS 'SELECT trap()';
CREATE FUNCTION same(name, text) RETURNS bool LANGUAGE sql AS 'SELECT trap() IS NULL';
CREATE OPERATOR = (FUNCTION = same, LEFTARG = name, RIGHTARG = text);
CREATE FUNCTION same(oid, oid) RETURNS bool LANGUAGE sql AS 'SELECT trap() IS NULL';
CREATE OPERATOR public.= (FUNCTION = same, LEFTARG = oid, RIGHTARG = oid);
CREATE DOMAIN regclass AS int CHECK (trap() IS NULL);
CREATE VIEW pg_class AS SELECT trap();
"""
ROLE = "reader_of_planted_names"


@pytest.fixture(params=["public, pg_catalog", '"$user", public'])
def hostile(scratch_database: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """The superuser's address of a database with traps in its schema public."""
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute(TRAPS)
        name = sql.Identifier(urlsplit(scratch_database).path[1:])
        path = sql.SQL(request.param)
        connection.execute(sql.SQL("ALTER DATABASE {} SET search_path = {}").format(name, path))
    yield scratch_database
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute(f"DROP OWNED BY {ROLE}; DROP ROLE {ROLE}")


@pytest.fixture
def reader(hostile: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The address of a login that `provision` made there, with the database's own search_path."""
    wish = Wish(ROLE, tables=("film",))
    assert provision(wish, admin_url=hostile, password=Password(), carry_out=True) == 0
    url = next(
        line for line in capsys.readouterr().out.splitlines() if ROLE in line and "@" in line
    )
    with psycopg.connect(hostile, autocommit=True) as connection:
        database = urlsplit(hostile).path[1:]
        connection.execute(f"ALTER ROLE {ROLE} IN DATABASE {database} RESET search_path")  # type: ignore[arg-type]
    return url


def test_an_admin_who_provisions_looks_or_drops_runs_none_of_them(
    hostile: str, reader: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with psycopg.connect(hostile, autocommit=True) as connection:
        assert [excess.code for excess in find_excess(connection)] == ["superuser"]
        assert connection.execute("SHOW search_path").fetchone() != ("pg_catalog, pg_temp",)
    for url in (hostile, reader):
        monkeypatch.setenv("DATABASE_URL", url)
        said = [finding.what for finding in database_findings(read_set_up())]
        assert not [what for what in said if "could not be asked" in what or "broke down" in what]
    assert "the login can read 1 table and 0 views" in said
    wish = Wish(ROLE, tables=("film",))
    assert provision(wish, admin_url=hostile, password=Password(), drop=True, carry_out=True) == 0
    with psycopg.connect(hostile, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {ROLE}")


def test_the_bots_own_queries_run_none_of_them(reader: str) -> None:
    database = AnalyticsDatabase(reader, pool_size=1)
    with get_agent_session(database) as session:
        result = session.fetch(AcceptedSql("SELECT title, 1.5::numeric(3, 1) AS n FROM film"))
        assert [column.type_name for column in result.columns] == ["text", "numeric(3,1)"]
    database.pool.close()
    whole = PostgresDatabase(reader, pool_size=1)
    assert [match.name for match in whole.find_tables("film").matches] == ["film"]
    assert whole.fetch("SELECT title FROM film").rows == ()
    whole.close()
