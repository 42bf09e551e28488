"""What the doctor says of the bot's own record; it changes nothing there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import psycopg
import pytest

from agent.database.demo import store_server
from bot.doctor import Finding, Level
from bot.doctor.set_up import SetUp
from bot.doctor.store_area import store_findings
from bot.store.migrate import migrate

MakeSetUp = Callable[..., SetUp]
Said = Callable[[Iterable[Finding], Level], str]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the server's own account can reach where we are root."""
    with tempfile.TemporaryDirectory(prefix="db-agent-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def schemas(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        return {str(name) for (name,) in connection.execute("SELECT nspname FROM pg_namespace")}


def test_a_new_database_is_well_and_stays_as_it_was(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    found = list(store_findings(set_up(DB_AGENT_STORE_URL=scratch_database)))
    assert said(found, Level.WRONG) == ""
    assert "the schema db_agent is made when the bot first starts" in said(found, Level.OK)
    assert "db_agent" not in schemas(scratch_database)


@pytest.mark.parametrize(
    ("revision", "words"),
    [("head", "the record is up to date"), ("0002", "brought up to date at the next start")],
)
def test_the_revision_of_a_record_is_told(
    set_up: MakeSetUp, said: Said, scratch_database: str, revision: str, words: str
) -> None:
    migrate(scratch_database, revision)
    found = list(store_findings(set_up(DB_AGENT_STORE_URL=scratch_database)))
    assert words in said(found, Level.OK)


def test_an_old_record_is_wrong_where_the_bot_may_not_change_it(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    given = {"DB_AGENT_STORE_URL": scratch_database, "DB_AGENT_MIGRATE": "off"}
    assert "not there yet" in said(list(store_findings(set_up(**given))), Level.WRONG)
    migrate(scratch_database, "0001")
    found = said(list(store_findings(set_up(**given))), Level.WRONG)
    assert "of an older version" in found
    assert "db-agent migrate" in found


def test_a_record_of_a_newer_bot_is_wrong(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    migrate(scratch_database)
    with psycopg.connect(scratch_database) as connection:
        connection.execute("UPDATE db_agent.schema_version SET version_num = '9999'")
    found = list(store_findings(set_up(DB_AGENT_STORE_URL=scratch_database)))
    assert "set up by a newer version of this bot" in said(found, Level.WRONG)


def test_a_login_that_may_not_make_the_schema_is_told_the_grant(
    set_up: MakeSetUp, said: Said, demo_database_url: str, demo_admin_url: str
) -> None:
    found = list(store_findings(set_up(DB_AGENT_STORE_URL=demo_database_url)))
    assert "GRANT CREATE ON DATABASE dvd_rental TO agent_ro;" in said(found, Level.WRONG)
    with psycopg.connect(demo_admin_url) as admin:
        roles = admin.execute("SELECT rolname FROM pg_roles").fetchall()
    # A role belongs to the whole server, where another test may have made it.
    is_there = ("db_agent_reader",) in roles
    assert ("CREATE ROLE db_agent_reader" in said(found, Level.NOTE)) is not is_there


def test_the_login_that_answers_questions_is_none_for_the_record(
    set_up: MakeSetUp, said: Said, demo_database_url: str
) -> None:
    url = demo_database_url
    found = list(store_findings(set_up(DB_AGENT_STORE_URL=url, DATABASE_URL=url)))
    assert "is that of DATABASE_URL, which shall only read | use another login" in said(
        found, Level.WRONG
    )
    assert "GRANT" not in str(found)


def test_a_superuser_who_keeps_the_record_is_a_note(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    found = list(store_findings(set_up(DB_AGENT_STORE_URL=scratch_database)))
    assert "who keeps the record, is a superuser of that server" in said(found, Level.NOTE)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://bot:secret-word@127.0.0.1:1/store", "there is no connection"),
        ("nonsense secret-word", "DB_AGENT_STORE_URL cannot be read | it looks like postgresql://"),
        ("postgresql://bot:p@secret-word/x@h/d", "in the password write @ as %40"),
        ("postgresql://db_agent_store:PASSWORD@HOST:5432/d", "still as in .env.example"),
    ],
)
def test_a_record_out_of_reach_is_said(set_up: MakeSetUp, said: Said, url: str, words: str) -> None:
    found = list(store_findings(set_up(DB_AGENT_STORE_URL=url)))
    assert words in said(found, Level.WRONG)
    assert "secret-word" not in str(found)


def test_a_reader_that_cannot_log_in_is_said(
    set_up: MakeSetUp, said: Said, scratch_database: str
) -> None:
    reader = "postgresql://reader:secret-word@127.0.0.1:1/store"
    given = set_up(DB_AGENT_STORE_URL=scratch_database, DB_AGENT_STORE_READER_URL=reader)
    found = list(store_findings(given))
    wrong = said(found, Level.WRONG)
    assert "the login that reads the log cannot be used: there is no connection" in wrong
    assert "host and port in DB_AGENT_STORE_READER_URL" in wrong


def test_a_folder_of_its_own_is_looked_at_and_not_made(
    set_up: MakeSetUp, said: Said, folder: Path
) -> None:
    found = list(store_findings(set_up(DB_AGENT_DATA_DIR=str(folder / "data"))))
    assert said(found, Level.WRONG) == ""
    assert "PostgreSQL starts here" in said(found, Level.OK)
    assert os.listdir(folder) == []


def test_a_record_that_a_bot_serves_right_now_is_looked_at_too(
    set_up: MakeSetUp, said: Said, folder: Path
) -> None:
    with store_server(folder / "data" / "store") as address:
        migrate(address)
        found = list(store_findings(set_up(DB_AGENT_DATA_DIR=str(folder / "data"))))
    assert said(found, Level.WRONG) == ""
    assert "the record is up to date" in said(found, Level.OK)


def test_a_place_that_is_no_folder_is_wrong(set_up: MakeSetUp, said: Said, folder: Path) -> None:
    (folder / "file").write_text("")
    found = list(store_findings(set_up(DB_AGENT_DATA_DIR=str(folder / "file"))))
    assert "cannot be written to" in said(found, Level.WRONG)
