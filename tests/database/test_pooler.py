"""Behind PgBouncer in transaction mode: each transaction may meet another server connection."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from agent.database.embedded.account import server_account
from agent.database.guard import AcceptedSql
from agent.database.postgres import PostgresDatabase
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import SqlFailed

PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
PORT = 6432

pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="no PgBouncer on this machine (on Debian: apt install pgbouncer)"
)

CONFIGURATION = """
[databases]
* = host={server} port=5432
[pgbouncer]
listen_addr =
listen_port = {port}
unix_socket_dir = {folder}
unix_socket_mode = 0777
auth_type = plain
auth_file = {folder}/users.txt
pool_mode = transaction
default_pool_size = 2
"""


@pytest.fixture(scope="module")
def pooled_url(
    demo_database_url: str, demo_admin_url: str, shared_reachable_folder: Path
) -> Iterator[str]:
    """The demo database for `agent_ro`, through a pooler with two connections to the server."""
    parts = urlsplit(demo_database_url)
    folder = shared_reachable_folder
    users = folder / "users.txt"
    admin = urlsplit(demo_admin_url)
    logins = [(parts.username, parts.password), (admin.username, admin.password)]
    users.write_text("".join(f'"{name}" "{password}"\n' for name, password in logins))
    settings = folder / "pgbouncer.ini"
    server = parse_qs(parts.query)["host"][0]
    settings.write_text(CONFIGURATION.format(server=server, port=PORT, folder=folder))
    folder.chmod(0o777)
    process = server_account().popen([str(PROGRAM), str(settings)], stderr=subprocess.DEVNULL)
    socket = folder / f".s.PGSQL.{PORT}"
    deadline = time.monotonic() + 10
    while not socket.exists():
        assert process.poll() is None, process.stdout and process.stdout.read()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    yield (f"postgresql://{parts.username}:{parts.password}@{parts.path}?host={folder}&port={PORT}")
    process.terminate()
    process.communicate(timeout=10)


@pytest.fixture
def database(pooled_url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(pooled_url, statement_timeout_ms=700, pool_size=6)
    yield database
    database.close()


def test_many_questions_at_once_share_two_connections_to_the_server(
    database: PostgresDatabase,
) -> None:
    def ask(number: int) -> object:
        return database.fetch(f"SELECT {number}, count(*) FROM film WHERE film_id > 0").rows[0]

    assert database.get_table("film").name == "film"
    with ThreadPoolExecutor(12) as threads:
        rows = list(threads.map(ask, range(60)))
    films = database.fetch("SELECT count(*) FROM film").rows[0][0]
    assert rows == [(number, films) for number in range(60)]


def test_limits_and_formats_hold_for_each_transaction(pooled_url: str) -> None:
    database = AnalyticsDatabase(pooled_url, time_zone="Asia/Tokyo", pool_size=2)
    for _ in range(3):
        with get_agent_session(database) as session:
            result = session.fetch(
                AcceptedSql(
                    "SELECT current_setting('transaction_read_only'),"
                    " current_setting('statement_timeout'), timestamptz '2024-03-01 00:00+00'"
                )
            )
        assert result.rows == (("on", "3s", "2024-03-01 09:00:00+09"),)
    database.pool.close()


def test_query_that_takes_too_long_is_stopped_and_the_next_one_runs(
    database: PostgresDatabase,
) -> None:
    endless = (
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    )
    with pytest.raises(SqlFailed, match=r"took longer than 0\.7 s"):
        database.fetch(endless)
    assert database.fetch("SELECT 1").rows == ((1,),)


def test_lock_that_outlives_a_rollback_goes_with_its_session(
    pooled_url: str, demo_admin_url: str
) -> None:
    """Past the guard, as a login that may take locks: they lie on the server's connection."""
    admin = urlsplit(demo_admin_url)
    strong = f"postgresql://{admin.username}:{admin.password}@{urlsplit(pooled_url).path}"
    strong = f"{strong}?{urlsplit(pooled_url).query}"
    database = AnalyticsDatabase(strong, pool_size=1, allow_strong_role=True)
    with get_agent_session(database) as session:
        session.fetch(AcceptedSql("SELECT pg_advisory_lock(4711)"))
    with psycopg.connect(demo_admin_url) as watcher:
        locks = watcher.execute("SELECT count(*) FROM pg_locks WHERE objid = 4711").fetchone()
    database.pool.close()
    assert locks == (0,)


def test_a_backend_that_is_killed_behind_the_pooler_costs_nothing(
    database: PostgresDatabase, demo_admin_url: str
) -> None:
    database.ping()
    with psycopg.connect(demo_admin_url, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity"
            " WHERE usename = 'agent_ro' AND pid <> pg_backend_pid()"
        )
    assert database.fetch("SELECT 1").rows == ((1,),)


def test_each_asker_has_their_zone_for_their_transactions_alone(database: PostgresDatabase) -> None:
    zones = {"Asia/Tokyo": "09:00:00+09", "America/New_York": "19:00:00-05", "": "00:00:00+00"}

    def ask(number: int) -> bool:
        zone, clock = list(zones.items())[number % len(zones)]
        theirs = database.in_zone(zone) if zone else database
        assert theirs is not None
        row = theirs.fetch("SELECT timestamptz '2026-01-01 00:00+00'").rows[0]
        return str(row[0]).endswith(clock)

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(ask, range(60)))
