"""Reaching the database: wrong addresses, wrong logins, servers that are down and come back."""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

import psycopg
import pytest

from agent.database.embedded import EmbeddedPostgres
from agent.database.postgres import PostgresDatabase
from agent.errors import DatabaseUnavailable, SettingsInvalid


@pytest.mark.parametrize(
    "url",
    ["", "  ", "nonsense", "mysql://u:s3cret@h/d", "postgres//u:s3cret@h/d",
     "postgresql+psycopg://u:s3cret@h/d", "postgresql://u:s3cret@h/d?colour=red", "host=h s3cret"],
)  # fmt: skip
def test_address_that_can_not_be_read_is_a_wrong_setting(url: str) -> None:
    with pytest.raises(SettingsInvalid, match="postgresql://") as caught:
        PostgresDatabase(url)
    assert "s3cret" not in str(caught.value) + caught.value.detail


def test_making_a_database_connects_to_nothing() -> None:
    started = time.monotonic()
    PostgresDatabase("postgresql://agent_ro:s3cret@192.0.2.1:5432/sales").close()
    assert time.monotonic() - started < 0.5


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("postgresql://agent_ro:s3cret@127.0.0.1:1/sales",
         "The database sales on 127.0.0.1 cannot be reached"),
        ("postgresql://agent_ro:s3cret@/sales?host=/nowhere", "cannot be reached"),
        ("postgresql://agent_ro:s3cret@no-such-host.invalid/sales", "host name that nobody knows"),
    ],
)  # fmt: skip
def test_unreachable_server_is_one_honest_sentence(url: str, sentence: str) -> None:
    database = PostgresDatabase(url)
    for use in (database.ping, lambda: database.fetch("SELECT 1"), lambda: database.get_table("t")):
        started = time.monotonic()
        with pytest.raises(DatabaseUnavailable, match=sentence) as caught:
            use()
        assert time.monotonic() - started < 6
        assert "s3cret" not in str(caught.value) + caught.value.detail
        assert "\n" not in str(caught.value)


def test_server_that_never_answers_is_given_up_soon() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        database = PostgresDatabase(f"postgresql://agent_ro@127.0.0.1:{port}/sales")
        started = time.monotonic()
        with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
            database.ping()
        assert time.monotonic() - started < 6


def test_wrong_database_name_is_said(demo_database_url: str) -> None:
    url = demo_database_url.replace("/dvd_rental", "/dvd_rentals")
    with pytest.raises(DatabaseUnavailable, match=r"dvd_rentals .*does not exist"):
        PostgresDatabase(url).ping()


def test_wrong_password_is_said_and_not_shown(demo_database_url: str) -> None:
    password = urlsplit(demo_database_url).password
    assert password
    wrong = demo_database_url.replace(password, "s3cret")
    with pytest.raises(DatabaseUnavailable, match="refused the login") as caught:
        PostgresDatabase(wrong).ping()
    assert "s3cret" not in str(caught.value) + caught.value.detail


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any account can reach (pytest's own are closed to all but its user)."""
    with tempfile.TemporaryDirectory(prefix="test-reaching-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_server_that_goes_down_and_comes_back(open_folder: Path) -> None:
    # The same address, although each start has its own folder of sockets.
    sockets = open_folder / "sockets"

    def start() -> EmbeddedPostgres:
        server = EmbeddedPostgres.start(open_folder / "server", durable=False)
        (folder,) = parse_qs(urlsplit(server.url()).query)["host"]
        sockets.unlink(missing_ok=True)
        sockets.symlink_to(folder)
        return server

    server = start()
    parts = urlsplit(server.url())
    query = {key: value for key, (value,) in parse_qs(parts.query).items()}
    url = urlunsplit(parts._replace(query=urlencode(query | {"host": str(sockets)})))
    database = PostgresDatabase(url, allow_strong_role=True)
    assert database.fetch("SELECT 1").rows == ((1,),)
    server.stop()
    for _ in range(2):
        with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
            database.fetch("SELECT 2")
    with start():
        assert database.fetch("SELECT 3").rows == ((3,),)
        database.close()


@pytest.fixture
def login(scratch_database: str) -> Callable[[str], PostgresDatabase]:
    """Return a database for the role "reader" of an otherwise ready database, after some SQL."""

    def prepare(sql: str) -> PostgresDatabase:
        admin = urlsplit(scratch_database)
        with psycopg.connect(scratch_database, autocommit=True) as connection:
            connection.execute("DROP ROLE IF EXISTS reader")
            connection.execute(f"CREATE ROLE reader LOGIN PASSWORD '{admin.password}'")
            connection.execute("CREATE TABLE film (title text)")
            connection.execute("GRANT SELECT ON film TO reader")
            connection.execute(sql)
        url = scratch_database.replace(f"{admin.username}:", "reader:", 1)
        return PostgresDatabase(url)

    return prepare


STRONG_ROLES = [
    ("ALTER ROLE reader SUPERUSER", "is a superuser"),
    ("ALTER ROLE reader CREATEROLE", "has CREATEROLE"),
    ("GRANT pg_write_all_data TO reader", "is a member of pg_write_all_data"),
    ("GRANT pg_read_server_files TO reader", "is a member of pg_read_server_files"),
    ("GRANT INSERT ON film TO reader", "may write to public.film"),
    ("GRANT UPDATE (title) ON film TO PUBLIC", "may write to public.film"),
    ("ALTER TABLE film OWNER TO reader", "owns public.film"),
    ("GRANT CREATE ON SCHEMA public TO reader", "may create tables in public"),
]


@pytest.mark.parametrize(("grant", "reason"), STRONG_ROLES)
def test_login_that_may_do_more_than_read_is_refused_with_the_way_out(
    login: Callable[[str], PostgresDatabase], scratch_database: str, grant: str, reason: str
) -> None:
    database = login(grant)
    with pytest.raises(SettingsInvalid, match=reason) as caught:
        database.fetch("SELECT 1")
    message = str(caught.value)
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        if "Take it away: " in message:
            connection.execute(message.partition("Take it away: ")[2])  # type: ignore[call-overload]
            assert database.fetch("SELECT 1").rows == ((1,),)
        else:
            assert "CREATE ROLE agent_ro" in message
        database.close()
        connection.execute("DROP OWNED BY reader; DROP ROLE reader")


def test_what_every_login_may_create_is_a_warning_to_the_operator(
    login: Callable[[str], PostgresDatabase],
    scratch_database: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    database = login("GRANT CREATE ON SCHEMA public TO PUBLIC")
    assert database.fetch("SELECT 1").rows == ((1,),)
    assert "REVOKE CREATE ON SCHEMA public FROM PUBLIC;" in caplog.text
    database.close()
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute("DROP OWNED BY reader; DROP ROLE reader")


def test_strong_login_is_taken_where_it_is_asked_for(demo_admin_url: str) -> None:
    with pytest.raises(SettingsInvalid, match="superuser"):
        PostgresDatabase(demo_admin_url).ping()
    database = PostgresDatabase(demo_admin_url, allow_strong_role=True)
    assert database.fetch("SELECT count(*) > 100 FROM film").rows == ((True,),)
    database.close()
