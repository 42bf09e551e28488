"""`db-agent provision` where it is not at home: other versions, other admins, other databases."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from agent.database.demo import demo_database
from agent.database.embedded import EmbeddedPostgres
from agent.database.postgres import PostgresDatabase
from agent.database.rights import find_excess
from bot.cli import main

HERE = Path(__file__).parent
DEBIAN = Path("/usr/lib/postgresql/15/bin")
SHOP = """
CREATE ROLE owner LOGIN CREATEROLE;
CREATE DATABASE shop OWNER owner;
"""
TABLES = """
CREATE TABLE orders (id int PRIMARY KEY, email text);
CREATE SEQUENCE ticket;
CREATE VIEW open_orders AS SELECT id FROM orders;
INSERT INTO orders VALUES (1, 'a@b.c');
"""


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[EmbeddedPostgres]:
    bin_dir: Path | None = getattr(request, "param", None)
    if bin_dir is not None and not bin_dir.exists():
        pytest.skip(f"PostgreSQL 15 is not in {bin_dir}")
    with EmbeddedPostgres.throwaway(bin_dir=bin_dir) as server:
        yield server


on_15 = pytest.mark.parametrize("server", [DEBIAN], indirect=True, ids=["15"])
on_both = pytest.mark.parametrize("server", [None, DEBIAN], indirect=True, ids=["wheel", "15"])


@pytest.fixture
def owner_url(server: EmbeddedPostgres) -> Iterator[str]:
    """A database whose owner is no superuser, but may make roles."""
    with psycopg.connect(server.url(), autocommit=True) as admin:
        for statement in SHOP.strip().splitlines():
            admin.execute(statement)
        admin.execute(f"ALTER ROLE owner PASSWORD '{server.password('owner')}'")
        url = server.url(database="shop", user="owner")
        with psycopg.connect(url) as owner:
            owner.execute(TABLES)
        yield url
        admin.execute("DROP DATABASE shop WITH (FORCE)")
        admin.execute("DROP ROLE IF EXISTS agent_ro, app")
        admin.execute("DROP ROLE owner")


class Say:
    """Runs the command and returns what it said."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, url: str, *words: str, code: int = 0) -> str:
        done = main(["provision", "--database-url", url, *words])
        captured = self._capsys.readouterr()
        assert done == code, captured
        return captured.out + captured.err


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    return Say(capsys)


def address_in(said: str) -> str:
    found = re.search(r"^postgresql://agent_ro:.*$", said, re.MULTILINE)
    assert found, said
    return found[0]


@on_both
def test_owner_who_is_no_superuser_makes_a_login_that_only_reads(
    server: EmbeddedPostgres, owner_url: str, say: Say
) -> None:
    said = say(owner_url, "--apply", "--hide", "orders.email")
    assert "temp_file_limit is a superuser's setting" in said
    assert "only a superuser can keep the login from making large objects" in said
    url = address_in(said)
    with psycopg.connect(url) as login:
        assert find_excess(login) == []
    database = PostgresDatabase(url)
    assert database.fetch("SELECT id FROM open_orders").rows == ((1,),)
    database.close()
    assert "Nothing to change" in say(owner_url, "--apply", "--hide", "orders.email")
    # Whoever is a superuser can do the rest, and the owner's next run takes nothing back.
    said = say(server.url(database="shop"), "--apply", "--hide", "orders.email")
    assert "REVOKE EXECUTE ON FUNCTION pg_catalog.lo_creat(integer)" in said
    said = say(owner_url, "--apply", "--hide", "orders.email")
    assert "Nothing to change" in said
    assert "superuser" not in said
    assert "DROP ROLE" not in say(owner_url, "--drop", "--apply")
    assert "there is no role agent_ro" in say(owner_url, "--drop", "--apply")


def test_right_that_the_admin_lacks_is_named(
    server: EmbeddedPostgres, owner_url: str, say: Say
) -> None:
    with psycopg.connect(server.url(database="shop"), autocommit=True) as admin:
        admin.execute("CREATE TABLE theirs (id int)")
        said = say(owner_url, "--apply", code=2)
        assert "owner may not GRANT SELECT on public.theirs (be postgres, who owns them)" in said
        admin.execute("DROP TABLE theirs")
        admin.execute(
            "CREATE FUNCTION theirs() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'"
        )
        said = say(owner_url, "--apply", code=1)
        assert "Nothing was changed" in said
        assert "REVOKE EXECUTE ON ROUTINE public.theirs() FROM PUBLIC;" in said
        made = admin.execute("SELECT count(*) FROM pg_roles WHERE rolname = 'agent_ro'").fetchone()
        assert made == (0,)
        admin.execute("ALTER ROLE owner NOCREATEROLE")
        assert "it needs CREATEROLE" in say(owner_url, code=2)


def test_public_keeps_its_rights_on_request_and_the_bot_has_to_accept_them(
    owner_url: str, say: Say
) -> None:
    said = say(owner_url, "--apply", "--keep-public")
    assert "DB_AGENT_ACCEPT_PUBLIC_RIGHTS=1" in said
    assert "FROM PUBLIC" not in said
    database = PostgresDatabase(address_in(said), accept_public_rights=True)
    database.ping()
    database.close()
    with psycopg.connect(owner_url) as owner:
        owner.execute("GRANT SELECT ON orders TO PUBLIC")
    said = say(owner_url, "--apply", "--keep-public", "--hide", "orders.email", code=2)
    assert "everybody may read public.orders, with email" in said


def test_owners_of_large_objects_and_others_that_lose_a_right_are_told_of(
    server: EmbeddedPostgres, owner_url: str, say: Say
) -> None:
    with psycopg.connect(owner_url) as owner:
        owner.execute("SELECT lo_from_bytea(0, 'x')")
    url = server.url(database="shop")
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("CREATE ROLE app LOGIN")
    script = say(url)
    assert "stand first: owner, app." in " ".join(script.replace("\n-- ", " ").split())
    assert "GRANT TEMPORARY ON DATABASE shop TO its_name;" in script
    say(url, "--apply")
    with psycopg.connect(owner_url) as owner:
        owner.execute("SELECT lo_from_bytea(0, 'y')")


def test_right_that_another_hand_gave_and_keeps_is_no_success(
    server: EmbeddedPostgres, owner_url: str, say: Say
) -> None:
    with psycopg.connect(server.url(database="shop"), autocommit=True) as admin:
        admin.execute("CREATE ROLE app LOGIN; CREATE ROLE agent_ro; CREATE TABLE staff (id int)")
        admin.execute("GRANT SELECT ON staff TO app WITH GRANT OPTION")
        admin.execute("SET ROLE app; GRANT SELECT ON staff TO agent_ro; RESET ROLE")
        said = say(server.url(database="shop"), "--apply", "--tables", "orders", code=1)
        assert "Nothing was changed: the server left this undone" in said
        assert "REVOKE ALL ON public.staff FROM agent_ro;" in said
        reads = admin.execute("SELECT has_table_privilege('agent_ro', 'orders', 'SELECT')")
        assert reads.fetchone() == (False,)


def test_server_never_gets_the_password_itself(
    owner_url: str, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    execute = psycopg.Connection.execute

    def listen(self: psycopg.Connection, query: Any, *rest: Any, **more: Any) -> Any:
        sent.append(query.as_string(self) if hasattr(query, "as_string") else str(query))
        return execute(self, query, *rest, **more)

    monkeypatch.setattr(psycopg.Connection, "execute", listen)
    password = urlsplit(address_in(say(owner_url, "--apply"))).password
    assert password
    assert not any(password in text for text in sent)
    assert any("SCRAM-SHA-256$" in text for text in sent)


def test_default_privileges_of_another_hand_go(owner_url: str, say: Say) -> None:
    with psycopg.connect(owner_url) as owner:
        owner.execute("CREATE ROLE agent_ro LOGIN")
        owner.execute(
            "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO agent_ro"
        )
        owner.execute("GRANT SELECT ON SEQUENCE ticket TO agent_ro")
    say(owner_url, "--apply")
    with psycopg.connect(owner_url) as owner:
        owner.execute("CREATE TABLE later (id int)")
        row = owner.execute(
            "SELECT has_table_privilege('agent_ro', 'later', 'SELECT'),"
            " has_sequence_privilege('agent_ro', 'ticket', 'SELECT')"
        ).fetchone()
    assert row == (False, False)


def test_login_that_reads_another_database_as_well_is_dropped_there_last(
    server: EmbeddedPostgres, owner_url: str, say: Say
) -> None:
    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute("CREATE TABLE elsewhere (id int)")
    say(owner_url, "--apply")
    say(server.url(), "--apply")
    assert "Nothing to change" in say(owner_url, "--apply")
    said = say(owner_url, "--drop", "--apply")
    assert "the role stays, since it has rights in postgres" in said
    say(server.url(), "--drop", "--apply")
    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute("DROP TABLE elsewhere")
        gone = admin.execute("SELECT count(*) FROM pg_roles WHERE rolname = 'agent_ro'").fetchone()
    assert gone == (0,)


@on_15
def test_psql_and_pg_dump_work_after_the_catalogue_revoke(
    server: EmbeddedPostgres, owner_url: str, say: Say
) -> None:
    with psycopg.connect(owner_url) as owner:
        owner.execute("SELECT lo_from_bytea(0, 'x')")
        owner.execute("CREATE TABLE parts (id int) PARTITION BY RANGE (id)")
    url = address_in(say(server.url(database="shop"), "--apply", "--revoke-catalogue"))
    commands = [rf"\{command}" for command in ("d", "d+ orders", "d+ open_orders", "dt+", "dn+",
                "df", "du", "l", "dP+", "dp", "dT", "sv open_orders", "dS pg_class")]  # fmt: skip
    words = [word for command in commands for word in ("-c", command)]
    run_tool("psql", reach(url), "-v", "ON_ERROR_STOP=1", *words)
    dump = run_tool("pg_dump", reach(owner_url))
    assert "a@b.c" in dump
    assert "lo_create" in dump
    with psycopg.connect(url) as login:
        login.execute("SELECT * FROM information_schema.columns")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            login.execute("SELECT pg_advisory_lock(1)")


def reach(url: str) -> str:
    """Return the address as Debian's tools need it, with the folder of the socket written out."""
    parts = urlsplit(url)
    (folder,) = parse_qs(parts.query)["host"]
    return f"host={folder} dbname={parts.path[1:]} user={parts.username} password={parts.password}"


def run_tool(name: str, *words: str) -> str:
    done = subprocess.run(
        [str(DEBIAN / name), *words], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "permission denied" not in done.stderr
    return done.stdout


def test_honest_queries_run_after_the_catalogue_revoke(say: Say) -> None:
    parts = (HERE / "guard_cases" / "honest_on_demo.sql").read_text().split("\n--- ")[1:]
    queries = [part.partition("\n")[2] for part in parts if "the server's to say" not in part]
    with demo_database() as demo:
        said = say(demo.admin_url, "--apply", "--revoke-catalogue")
        assert "What the login had and shall not have any more" not in said
        database = PostgresDatabase(demo.url)
        for query in (*queries[::10], "SELECT random(), gen_random_uuid(), clock_timestamp()"):
            database.fetch(query)
        database.close()
