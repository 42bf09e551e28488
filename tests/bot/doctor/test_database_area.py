"""What the doctor says of the analytics database, on real servers in good and bad order."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from bot.doctor import Finding, Level
from bot.doctor.database_area import database_findings
from bot.doctor.database_server import encryption, version
from bot.doctor.set_up import SetUp

MakeSetUp = Callable[..., SetUp]
Said = Callable[[Iterable[Finding], Level], str]


def with_login(url: str, user: str, password: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{user}:{password}@{host}"))


@contextmanager
def reader(admin_url: str, *statements: str) -> Iterator[str]:
    """A login of that database; `statements` say `{me}` where they mean it."""
    name, password = f"reader_{uuid.uuid4().hex[:8]}", uuid.uuid4().hex
    with psycopg.connect(admin_url, autocommit=True) as admin:
        me = sql.Identifier(name)
        make = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(me, sql.Literal(password))
        admin.execute(make)
        try:
            for statement in statements:
                admin.execute(statement.replace("{me}", name).encode())
            yield with_login(admin_url, name, password)
        finally:
            admin.execute(sql.SQL("DROP OWNED BY {}").format(me))
            admin.execute(sql.SQL("DROP ROLE {}").format(me))


LOCKED = "DO $$ BEGIN EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()); \
EXECUTE format('GRANT CONNECT ON DATABASE %I TO {me}', current_database()); END $$"


def test_a_database_in_good_order_has_nothing_wrong(
    set_up: MakeSetUp, said: Said, demo_database_url: str
) -> None:
    given = set_up(DATABASE_URL=demo_database_url)
    found = list(database_findings(given))
    assert said(found, Level.WRONG) == ""
    assert said(found, Level.UNCHECKED) == ""
    good = said(found, Level.OK)
    for words in (
        "the login can do nothing but read",
        "the login has limits on time, memory and disk",
        "the login can read 15 tables and 7 views",
        "passed the guard and came back",
    ):
        assert words in good
    assert abs(given.clocks.ahead_s()["the database"]) < 2


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "DATABASE_URL is not set"),
        ("nonsense", "the database URL cannot be read"),
        ("postgresql://agent_ro:secret-word@127.0.0.1:1/x", "cannot be reached"),
        ("postgresql://agent_ro:secret-word@no-such-host.invalid/x", "check the database URL"),
    ],
)
def test_a_database_out_of_reach_is_said_once_and_hides_nothing_else(
    set_up: MakeSetUp, said: Said, url: str, words: str
) -> None:
    found = list(database_findings(set_up(DATABASE_URL=url)))
    assert words in said(found, Level.WRONG)
    assert len([each for each in found if each.level is Level.WRONG]) == 1
    assert "secret-word" not in str(found)


def test_a_wrong_password_is_said(set_up: MakeSetUp, said: Said, demo_database_url: str) -> None:
    user = urlsplit(demo_database_url).username or ""
    url = with_login(demo_database_url, user, "not-this-one")
    found = list(database_findings(set_up(DATABASE_URL=url)))
    assert "refused the login | check user and password" in said(found, Level.WRONG)
    assert "not-this-one" not in str(found)


def test_a_right_too_much_comes_with_what_takes_it_away(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    with reader(
        scratch_database,
        LOCKED,
        "CREATE TABLE things (id int)",
        "GRANT SELECT ON things TO {me}",
        "GRANT CREATE ON SCHEMA public TO {me}",
    ) as url:
        found = list(database_findings(set_up(DATABASE_URL=url)))
    wrong = said(found, Level.WRONG)
    assert "make one for the bot with db-agent provision" in wrong
    assert "or take that away | REVOKE CREATE ON SCHEMA public FROM reader_" in wrong
    assert "a query, because the bot refuses" in said(found, Level.UNCHECKED)


@pytest.mark.parametrize(
    "grants",
    [
        "GRANT INSERT ON things TO {me}",
        "ALTER TABLE things OWNER TO {me}",
        "ALTER ROLE {me} CREATEDB",
    ],
)
def test_nothing_of_somebodys_own_login_is_to_be_changed(
    set_up: MakeSetUp, said: Said, scratch_database: str, grants: str
) -> None:
    with reader(scratch_database, "CREATE TABLE things (id int)", grants) as url:
        found = list(database_findings(set_up(DATABASE_URL=url)))
    assert "looks like somebody's own login: it" in said(found, Level.WRONG)
    assert "make one for the bot: db-agent provision" in said(found, Level.WRONG)
    assert "the limits of the login, and what it can read, because" in said(found, Level.UNCHECKED)
    assert [line for each in found for line in each.lines] == []


def test_what_everybody_may_do_by_an_extension_is_taken_away_line_by_line(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    with reader(scratch_database, LOCKED, "CREATE EXTENSION dblink") as url:
        found = list(database_findings(set_up(DATABASE_URL=url)))
    wrong = next(each for each in found if "functions of dblink" in each.what)
    assert len(wrong.lines) == 11
    assert all(
        line.startswith("REVOKE EXECUTE ON FUNCTION public.dblink") and line.endswith(" PUBLIC;")
        for line in wrong.lines[:10]
    )
    assert re.fullmatch(
        r"-- and \d+ more; db-agent provision .* writes all of them", wrong.lines[10]
    )


def test_large_objects_that_could_be_made_are_a_note(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    with reader(scratch_database, LOCKED) as url:
        found = list(database_findings(set_up(DATABASE_URL=url)))
    assert "the login can do nothing but read" in said(found, Level.OK)
    assert "the login may make large objects where it leaves" in said(found, Level.NOTE)


def test_a_view_that_cannot_be_read_is_told_of_and_not_counted(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    with reader(
        scratch_database,
        LOCKED,
        "CREATE TABLE staff (name text, salary int)",
        "CREATE VIEW pay WITH (security_invoker = true) AS SELECT * FROM staff",
        'CREATE VIEW "Names" WITH (security_invoker = true) AS SELECT name FROM staff',
        "GRANT SELECT (name) ON staff TO {me}",
        'GRANT SELECT ON pay, "Names" TO {me}',
    ) as url:
        found = list(database_findings(set_up(DATABASE_URL=url)))
    notes = said(found, Level.NOTE)
    assert "pay cannot be read, though the login was granted it; the server says: perm" in notes
    assert "Names" not in notes
    assert "the login can read 1 table and 1 view" in said(found, Level.OK)
    assert said(found, Level.WRONG) == ""


@pytest.mark.parametrize("accepted", ["", "1"])
def test_what_everybody_may_do_is_wrong_unless_it_was_accepted(
    set_up: MakeSetUp, said: Said, scratch_database: str, accepted: str
) -> None:
    with reader(
        scratch_database, "CREATE TABLE things (id int)", "GRANT SELECT ON things TO {me}"
    ) as url:
        given = set_up(DATABASE_URL=url, DB_AGENT_ACCEPT_PUBLIC_RIGHTS=accepted)
        found = list(database_findings(given))
    words = "may create temporary tables"
    assert (words in said(found, Level.NOTE)) is bool(accepted)
    assert (words in said(found, Level.WRONG)) is not bool(accepted)
    assert ("passed the guard" in said(found, Level.OK)) is bool(accepted)


def test_a_login_without_limits_and_tables_is_told_how_to_get_them(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    with reader(scratch_database, LOCKED, "ALTER ROLE {me} CONNECTION LIMIT 3") as url:
        found = list(database_findings(set_up(DATABASE_URL=url)))
    notes, wrong = said(found, Level.NOTE), said(found, Level.WRONG)
    for setting in ("statement_timeout = '3s'", "temp_file_limit = '256MB'", "transaction_timeout"):
        assert f" SET {setting}" in notes
    assert "the bot may open 4 connections, and the login may have 3" in wrong
    assert "CONNECTION LIMIT 20;" in wrong
    assert "the login can read no table" in wrong
    assert "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_" in wrong


def test_a_superuser_is_told_to_log_in_as_another(
    set_up: MakeSetUp, said: Said, demo_admin_url: str
) -> None:
    found = list(database_findings(set_up(DATABASE_URL=demo_admin_url)))
    wrong = said(found, Level.WRONG)
    assert "looks like somebody's own login: it is a superuser | leave it as it is" in wrong
    assert "ALTER ROLE" not in str(found)


def test_extensions_shadows_and_strong_views_are_told(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    with reader(
        scratch_database,
        LOCKED,
        "CREATE EXTENSION citext",
        "CREATE FUNCTION public.lower(int) RETURNS int LANGUAGE sql AS 'SELECT $1'",
        "CREATE VIEW strong AS SELECT 1 AS one",
        "CREATE VIEW weak WITH (security_invoker = true) AS SELECT 1 AS one",
        "GRANT SELECT ON strong, weak TO {me}",
    ) as url:
        found = list(database_findings(set_up(DATABASE_URL=url)))
    notes = said(found, Level.NOTE)
    assert "the extension citext" in notes
    assert "and cast to citext" in notes
    assert "queries may not call lower, since" in notes
    assert "ALTER VIEW public.strong SET (security_invoker = true);" in notes
    assert "public.weak" not in notes
    assert said(found, Level.WRONG) == ""


def server(version_number: int, host: str = "/tmp", *, tls: bool = False, sslmode: str = "") -> Any:
    """What a connection says of a server that is not at hand here."""
    parameters = {"sslmode": sslmode} if sslmode else {}
    info = SimpleNamespace(
        server_version=version_number, host=host, get_parameters=lambda: parameters
    )
    return SimpleNamespace(info=info, pgconn=SimpleNamespace(ssl_in_use=tls))


@pytest.mark.parametrize(
    ("number", "level", "words"),
    [
        (130_016, Level.WRONG, "PostgreSQL 13.16, and db-agent works with 14 and later"),
        (140_020, Level.NOTE, "which gets no more fixes"),
        (180_006, Level.OK, "PostgreSQL 18.6"),
        (190_000, Level.NOTE, "was tested up to 18"),
    ],
)
def test_a_server_too_old_or_too_new_is_said(
    said: Said, number: int, level: Level, words: str
) -> None:
    assert words in said(version(server(number)), level)


@pytest.mark.parametrize(
    ("host", "tls", "sslmode", "level", "words"),
    [
        ("/tmp", False, "", Level.OK, "stays on this machine"),
        ("db.example.org", False, "", Level.NOTE, "to db.example.org is not encrypted"),
        ("db.example.org", True, "require", Level.NOTE, "add sslmode=verify-full to DATABASE_URL"),
        ("db.example.org", True, "verify-full", Level.OK, "the server's certificate is checked"),
    ],
)
def test_a_way_that_others_can_listen_to_is_noted(
    said: Said, host: str, tls: bool, sslmode: str, level: Level, words: str
) -> None:
    connection = server(180_006, host, tls=tls, sslmode=sslmode)
    assert words in said(encryption(connection, "DATABASE_URL"), level)
