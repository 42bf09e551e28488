"""Public databases with published questions, loaded side by side, each with a reader's login.

They lie beside the checkout, where somebody has put them (`../shared/data`); nothing here needs
them. Loading is psql's work, since the files are what pg_dump and psql write.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg import sql

from agent.database.embedded import EmbeddedPostgres
from agent.database.embedded.account import server_account
from agent.database.embedded.binaries import find_binaries
from agent.database.embedded.errors import EmbeddedPostgresError

HERE: Final = Path(__file__).resolve().parent
DATA: Final = HERE.parents[2] / "shared" / "data"
OWN_QUESTIONS: Final = HERE.parent / "offline" / "questions"
READER: Final = "agent_ro"

FILES: Final = {
    **{
        name: (f"defog/db/{name}.sql",)
        for name in ("academic", "broker", "car_dealership", "geography", "restaurants")
    },
    "student_club": ("bird-pg/db/student_club.sql",),
    "superhero": ("bird-pg/db/superhero.sql",),
    "geo": ("spider-pg/db/geo.sql",),
    "exercises": ("pgexercises/clubdata.sql",),
    "pagila": ("pagila/pagila-schema.sql", "pagila/pagila-data.sql"),
    "chinook": ("chinook/Chinook_PostgreSql.sql",),
    "northwind": ("northwind/northwind.sql",),
    "jaffle": (),
}
"""The databases, each with the scripts that fill it."""
WITH_GOLDS: Final = tuple(name for name in FILES if name not in {
    "pagila", "chinook", "northwind", "jaffle"})  # fmt: skip

_JAFFLE: Final = """
CREATE TABLE raw_customers (id int PRIMARY KEY, first_name text, last_name text);
CREATE TABLE raw_orders (id int PRIMARY KEY, user_id int, order_date date, status text);
CREATE TABLE raw_payments (id int PRIMARY KEY, order_id int, payment_method text, amount int);
"""
_MAKES_A_DATABASE: Final = ("DROP DATABASE", "CREATE DATABASE", "\\c ")


@dataclass(frozen=True)
class Query:
    """An honest query: where it is from, the database it is for, and its text."""

    name: str
    database: str
    text: str


def find_psql() -> str | None:
    """Return the path of psql: beside the server's own programs, else on PATH, else None."""
    try:
        own = Path(find_binaries(None, server_account()) / "psql")
    except EmbeddedPostgresError:
        own = Path("psql")
    return str(own) if own.is_file() else shutil.which("psql")


def gold_queries() -> list[Query]:
    """Return each published right answer, once; none where the files are missing."""
    found = {}
    for path in sorted(DATA.glob("*/questions.jsonl")):
        for entry in _lines(path):
            for number, text in enumerate(entry["gold"]):
                name = f"{path.parent.name}/{entry['id']}/{number}"
                found[name] = Query(name, entry["db"], text)
    return list(found.values())


def model_written_queries() -> list[Query]:
    """Return what published models wrote for such questions, right or wrong, as it was."""
    path = DATA / "bird-pg" / "model_written_sql.jsonl"
    return [
        Query(f"{entry['model']}/{entry['position']}", entry["db"], entry["sql"])
        for entry in (_lines(path) if path.exists() else ())
    ]


def own_queries() -> list[Query]:
    """Return the true answers of this repository's own question files, each text once.

    Those on the demo database are for the database "demo".
    """
    found: dict[tuple[str, str], Query] = {}
    for path in sorted(OWN_QUESTIONS.glob("*.json")):
        database = path.stem.partition("_")[0]
        for text in _truths(json.loads(path.read_text(encoding="utf-8"))):
            name = f"{path.stem}/{len(found)}"
            found.setdefault((database, text), Query(name, database, text))
    return list(found.values())


def honest_queries() -> list[Query]:
    """Return the honest queries on the demo database that this repository keeps."""
    text = (HERE / "guard_cases" / "honest_on_demo.sql").read_text(encoding="utf-8")
    parts = re.split(r"^--- (.+)\n", text, flags=re.MULTILINE)
    return [Query(name, "demo", sql) for name, sql in zip(parts[1::2], parts[2::2], strict=True)]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _truths(entry: Any) -> Iterator[str]:
    if isinstance(entry, list):
        for item in entry:
            yield from _truths(item)
    elif isinstance(entry, dict):
        truths = entry.get("sql", [])
        yield from [truths] if isinstance(truths, str) else truths
        yield from _truths(entry.get("thread", []))


def load(server: EmbeddedPostgres, names: Iterable[str], psql: str) -> dict[str, str]:
    """Load databases into `server`; return the reader's address of each, by name.

    A name already there is dropped first. Raises `subprocess.CalledProcessError` for a script that
    does not run through.
    """
    addresses = {}
    with psycopg.connect(server.url(), autocommit=True) as connection:
        _make_reader(connection, server.password(READER))
        for name in names:
            database = sql.Identifier(name)
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(database))
            connection.execute(sql.SQL("CREATE DATABASE {}").format(database))
            admin = server.url(database=name)
            _fill(name, admin, psql)
            _run_psql(psql, admin, _READ_ONLY)
            addresses[name] = server.url(database=name, user=READER)
    return addresses


def _make_reader(connection: psycopg.Connection[Any], password: str) -> None:
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [READER]).fetchone()
    if not known:
        statement = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
        connection.execute(statement.format(sql.Identifier(READER), sql.Literal(password)))


def _fill(name: str, admin: str, psql: str) -> None:
    if name == "jaffle":
        _run_psql(psql, admin, _JAFFLE)
        for table in ("raw_customers", "raw_orders", "raw_payments"):
            path = DATA / "jaffle-shop" / f"{table}.csv"
            _run_psql(psql, admin, f"\\copy {table} FROM '{path}' CSV HEADER")
    for file in FILES[name]:
        script = (DATA / file).read_text(encoding="utf-8")
        kept = (
            line
            for line in script.splitlines(keepends=True)
            # A script that makes its database itself, and a setting that is long gone.
            if not line.startswith(_MAKES_A_DATABASE) and "default_with_oids" not in line
        )
        _run_psql(psql, admin, "".join(kept))


def _run_psql(psql: str, address: str, script: str) -> None:
    subprocess.run(
        [psql, "-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-d", address],
        input=script, text=True, encoding="utf-8", check=True, capture_output=True,
    )  # fmt: skip


_READ_ONLY: Final = """
DO $$
DECLARE
    item text;
BEGIN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    FOR item IN SELECT quote_ident(nspname) FROM pg_namespace
                WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
        EXECUTE 'REVOKE CREATE ON SCHEMA ' || item || ' FROM PUBLIC';
        EXECUTE 'GRANT USAGE ON SCHEMA ' || item || ' TO agent_ro';
        EXECUTE 'GRANT SELECT ON ALL TABLES IN SCHEMA ' || item || ' TO agent_ro';
    END LOOP;
    FOR item IN SELECT oid::regprocedure::text FROM pg_proc WHERE prosecdef LOOP
        EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || item || ' FROM PUBLIC';
    END LOOP;
END $$;
ANALYZE;
"""
"""What lets the reader read, and takes away what every login may do beyond that."""
