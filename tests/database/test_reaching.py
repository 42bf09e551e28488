"""Reaching the database: wrong addresses, wrong logins, servers that are down and come back."""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

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
    assert time.monotonic() - started < 2  # to connect in vain takes three seconds


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


def test_strong_login_is_taken_where_it_is_asked_for(demo_admin_url: str) -> None:
    with pytest.raises(SettingsInvalid, match="superuser"):
        PostgresDatabase(demo_admin_url).ping()
    database = PostgresDatabase(demo_admin_url, allow_strong_role=True)
    assert database.fetch("SELECT count(*) > 100 FROM film").rows == ((True,),)
    database.close()
