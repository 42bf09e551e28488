"""A primary that dies and a standby that takes over: two real servers, one copying the other."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest

from agent.database.embedded.account import Account, server_account
from agent.database.embedded.binaries import Binaries, find_binaries
from agent.database.postgres import PostgresDatabase
from agent.errors import DatabaseUnavailable

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "hot_standby_feedback": "off",
    "max_standby_streaming_delay": "100ms",
    "io_method": "sync",
}


@dataclass
class Server:
    """One of the two: its folder is also where its socket lies."""

    folder: Path
    account: Account
    binaries: Binaries
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        settings = {**SETTINGS, "unix_socket_directories": str(self.folder)}
        command = [self.binaries / "postgres", "-D", str(self.folder / "data")]
        command += [word for pair in settings.items() for word in ("-c", "=".join(pair))]
        log = (self.folder / "log").open("a")
        self.process = self.account.popen([str(word) for word in command], stdout=log)
        log.close()
        deadline = time.monotonic() + 20
        while True:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, (self.folder / "log").read_text()
                time.sleep(0.02)

    def kill(self) -> None:
        """End it as a crash does: at once, and its sessions with it."""
        assert self.process is not None
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")
        self.process.wait(timeout=10)

    def url(self, user: str, *others: Server) -> str:
        hosts = ",".join(str(server.folder) for server in (self, *others))
        return f"postgresql://{user}@/postgres?{urlencode({'host': hosts})}"

    def run(self, program: str, *words: str) -> None:
        process = self.account.popen([str(self.binaries / program), *words])
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0, output


@pytest.fixture
def pair(reachable_folder: Path) -> Iterator[tuple[Server, Server]]:
    """A primary with a table of two rows, and a standby that follows it."""
    account = server_account()
    binaries = find_binaries(None, account)
    servers = []
    for name in ("one", "two"):
        folder = reachable_folder / name
        folder.mkdir()
        if account.uid is not None:
            folder.chmod(0o777)
        servers.append(Server(folder, account, binaries))
    primary, standby = servers
    data = str(primary.folder / "data")
    primary.run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8")
    primary.start()
    with psycopg.connect(primary.url("postgres"), autocommit=True) as admin:
        admin.execute(
            "CREATE TABLE film (id int); INSERT INTO film VALUES (1), (2);"
            " CREATE ROLE reader LOGIN; GRANT SELECT ON film TO reader;"
            " REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC"
        )
    source = primary.url("postgres")
    target = str(standby.folder / "data")
    standby.run("pg_basebackup", "-d", source, "-D", target, "-R", "-c", "fast", "--no-sync")
    standby.start()
    yield primary, standby
    for server in servers:
        if server.process is not None and server.process.poll() is None:
            server.kill()


def test_a_standby_answers_as_the_primary_does(pair: tuple[Server, Server]) -> None:
    _, standby = pair
    database = PostgresDatabase(standby.url("reader"))
    assert database.get_table("film").name == "film"
    assert database.fetch("SELECT count(*), max(id) FROM film").rows == ((2, 2),)
    database.close()


def test_when_the_primary_dies_the_other_server_answers_the_next_question(
    pair: tuple[Server, Server],
) -> None:
    primary, standby = pair
    database = PostgresDatabase(primary.url("reader", standby))
    assert database.fetch("SELECT count(*) FROM film").rows == ((2,),)
    primary.kill()
    assert database.fetch("SELECT count(*) FROM film").rows == ((2,),)
    standby.run("pg_ctl", "-D", str(standby.folder / "data"), "-w", "promote")
    assert database.fetch("SELECT max(id) FROM film").rows == ((2,),)
    database.close()


def test_while_no_server_is_there_one_error_says_so(pair: tuple[Server, Server]) -> None:
    primary, standby = pair
    database = PostgresDatabase(primary.url("reader", standby))
    database.ping()
    primary.kill()
    standby.kill()
    with pytest.raises(DatabaseUnavailable, match="cannot be reached: check that it runs"):
        database.fetch("SELECT 1")
    standby.start()
    assert database.fetch("SELECT count(*) FROM film").rows == ((2,),)
    database.close()


def test_query_that_stands_in_the_way_of_replication_is_sent_once_more(
    pair: tuple[Server, Server], caplog: pytest.LogCaptureFixture
) -> None:
    primary, standby = pair
    database = PostgresDatabase(standby.url("reader"), statement_timeout_ms=20_000)
    database.ping()
    slow = "SELECT count(*) FROM film CROSS JOIN generate_series(1, 9000000) AS g WHERE film.id > 0"
    with (
        psycopg.connect(primary.url("postgres"), autocommit=True) as admin,
        ThreadPoolExecutor(1) as threads,
    ):
        answer = threads.submit(database.fetch, slow)
        time.sleep(0.3)
        admin.execute("DELETE FROM film WHERE id = 2")
        admin.execute("VACUUM film")
        rows = answer.result().rows
    database.close()
    assert rows == ((9_000_000,),)
    assert "stopped the query for its recovery" in caplog.text


def pids(server: Server, state: str = "active") -> list[int]:
    """Return the processes that work for `reader`."""
    with psycopg.connect(server.url("postgres"), autocommit=True) as admin:
        found = admin.execute(
            "SELECT pid FROM pg_stat_activity WHERE usename = 'reader' AND state = %s", [state]
        ).fetchall()
    return [pid for (pid,) in found]


SLOW = "SELECT count(*) FROM generate_series(1, 9000) a, generate_series(1, 90000) b WHERE a <> b"


def test_a_query_whose_process_is_killed_at_work_is_not_sent_again(
    pair: tuple[Server, Server], caplog: pytest.LogCaptureFixture
) -> None:
    """As the kernel does it when memory ends: sending it again would end it again."""
    primary, _ = pair
    database = PostgresDatabase(primary.url("reader"), statement_timeout_ms=20_000)
    database.ping()
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(database.fetch, SLOW)
        time.sleep(1.3)
        (pid,) = pids(primary)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(DatabaseUnavailable, match="broke the connection: try again"):
            answer.result(timeout=10)
    assert "sent again" not in caplog.text
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:  # the server starts anew, and says so until it has
        with contextlib.suppress(DatabaseUnavailable):
            assert database.fetch("SELECT count(*) FROM film").rows == ((2,),)
            break
        time.sleep(0.1)
    else:
        pytest.fail("the server did not come back")
    database.close()


def test_a_server_that_freezes_is_told_of_in_time(pair: tuple[Server, Server]) -> None:
    primary, _ = pair
    database = PostgresDatabase(primary.url("reader"), statement_timeout_ms=1_000)
    database.ping()
    assert primary.process is not None
    frozen = [primary.process.pid, *pids(primary, "idle")]
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    try:
        started = time.monotonic()
        with pytest.raises(DatabaseUnavailable):
            database.fetch("SELECT count(*) FROM film")
        assert time.monotonic() - started < 10
    finally:
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
    assert database.fetch("SELECT count(*) FROM film").rows == ((2,),)
    database.close()
