"""`db-agent check-sql` with a server's own word, and over the cases beside the checkout."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

Feed = Callable[..., subprocess.CompletedProcess[bytes]]

SHARED = Path(__file__).parents[3] / "shared"
CASES = SHARED / "cases" / "sql_guard.jsonl"
PAGILA = SHARED / "data" / "pagila" / "pagila-schema.sql"
RELATIONS = (
    "actor,film,customer,rental,payment,inventory,store,staff,category,film_category,film_actor,"
    "language,address,city,country,film_list"
)


def verdicts(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    assert b"Traceback" not in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def lines(*queries: str) -> str:
    return "".join(json.dumps({"id": n, "sql": sql}) + "\n" for n, sql in enumerate(queries, 1))


# --- a server's own word


def test_server_says_which_tables_columns_and_types_there_are(
    feed: Feed, demo_database_url: str
) -> None:
    queries = (
        "SELECT f.rating::mpaa_rating FROM film f",
        "SELECT * FROM films",
        "SELECT 1 FROM actor",
    )
    done = feed(lines(*queries), "--jsonl", "--database-url", demo_database_url)
    assert [verdict["code"] for verdict in verdicts(done)] == ["", "relation", ""]
    narrowed = feed(
        lines(*queries), "--jsonl", "--database-url", demo_database_url, "--relations", "film,moon"
    )
    assert [verdict["code"] for verdict in verdicts(narrowed)] == ["", "relation", "relation"]
    assert narrowed.stderr == b"note: there is no table moon that this login may read\n"


def test_name_that_means_a_table_left_out_of_the_list_does_not_pass(
    feed: Feed, scratch_database: str
) -> None:
    address = urlsplit(scratch_database)
    name = address.path[1:]
    with psycopg.connect(scratch_database, autocommit=True) as owner:
        owner.execute(
            "CREATE SCHEMA secret; CREATE TABLE secret.film (a int); CREATE TABLE film (a int);"
            "CREATE TABLE actor (a int); CREATE ROLE two_schemas LOGIN PASSWORD 'reads';"
            "GRANT USAGE ON SCHEMA secret TO two_schemas;"
            "GRANT SELECT ON secret.film, film, actor TO two_schemas;"
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC;"
            "ALTER ROLE two_schemas SET search_path = secret, public"
        )
        owner.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC".encode())
        done = feed(
            lines("SELECT * FROM film", "SELECT * FROM public.film", "SELECT * FROM actor",
                  "SELECT NULL::film", "SELECT * FROM secret.film"),
            "--jsonl", "--database-url", urlunsplit(address._replace(netloc="two_schemas:reads@")),
            "--relations", "public.film,public.actor",
        )  # fmt: skip
        owner.execute("DROP OWNED BY two_schemas; DROP ROLE two_schemas")
    codes = [verdict["code"] for verdict in verdicts(done)]
    assert codes == ["relation", "", "", "type", "relation"], done.stderr


def test_server_that_is_out_of_reach_is_said(feed: Feed) -> None:
    done = feed("SELECT 1", "--database-url", "postgresql://me:secret@127.0.0.1:1/none")
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.splitlines()) == 1
    assert b"secret" not in done.stderr


def test_login_that_is_refused_is_no_verdict(feed: Feed, demo_database_url: str) -> None:
    password = urlsplit(demo_database_url).password or ""
    done = feed("SELECT 1", "--database-url", demo_database_url.replace(password, "not-this-one"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"refused the login" in done.stderr


# --- the cases beside the checkout


@pytest.fixture
def pagila(scratch_database: str) -> Iterator[str]:
    """Pagila's tables, without rows, for a role that may only read."""
    address = urlsplit(scratch_database)
    set_up = """
        CREATE ROLE pagila_reader LOGIN PASSWORD 'reads';
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO pagila_reader;
        REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC;
        REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    """
    revoke = f"REVOKE TEMPORARY ON DATABASE {address.path[1:]} FROM PUBLIC"
    with psycopg.connect(scratch_database, autocommit=True) as owner:
        for script in (PAGILA.read_text(encoding="utf-8"), set_up, revoke):
            owner.execute(script.encode())
        yield urlunsplit(address._replace(netloc="pagila_reader:reads@"))
        owner.execute("DROP OWNED BY pagila_reader; DROP ROLE pagila_reader")


def wrong(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    found = verdicts(done)
    assert [verdict["id"] for verdict in found] == [case["id"] for case in cases]
    return [
        f"{case['class']}: {case['sql']}"
        for case, verdict in zip(cases, found, strict=True)
        if case["expect"] not in ("either", "accept" if verdict["accepted"] else "reject")
    ]


@pytest.mark.skipif(not CASES.exists(), reason="../shared/cases is not there")
def test_every_case_gets_its_verdict_without_a_server(feed: Feed) -> None:
    assert wrong(feed(CASES.read_bytes(), "--jsonl", "--relations", RELATIONS)) == []


@pytest.mark.skipif(not CASES.exists() or not PAGILA.exists(), reason="../shared is not there")
def test_every_case_gets_its_verdict_on_pagila(feed: Feed, pagila: str) -> None:
    given = CASES.read_bytes()
    assert wrong(feed(given, "--jsonl", "--database-url", pagila, "--relations", RELATIONS)) == []
