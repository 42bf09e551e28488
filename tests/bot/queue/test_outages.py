"""The server of the line goes away and comes back; its workers go on as before."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import psutil
import psycopg
import pytest

from agent.database.embedded import EmbeddedPostgres
from bot.queue import Lease, Workers
from bot.queue.reach import CONNECTIONS
from tests.bot.conftest import eventually

LEASE = Lease(lasts_s=3.0, every_s=0.3, away_after_s=0.5)
PIECE = 65_536
LISTENS = 1


class Way:
    """An address that stays, before a server whose own changes with each start."""

    def __init__(self, folder: Path, over_tcp: bool) -> None:
        self._data = folder / "data"
        self._socket = folder / ".s.PGSQL.5432"
        self._listening = socket.create_server(("127.0.0.1", 0)) if over_tcp else None
        self._server: EmbeddedPostgres | None = None
        self.start()
        own = urlsplit(self._server.url())
        login = own.netloc.rpartition("@")[0]
        if self._listening is None:
            self.url = f"{own.scheme}://{login}@{own.path}?host={quote(str(folder))}&port=5432"
        else:
            port = self._listening.getsockname()[1]
            self.url = f"{own.scheme}://{login}@127.0.0.1:{port}{own.path}"
            threading.Thread(target=self._forward, daemon=True).start()

    def start(self) -> None:
        self._server = EmbeddedPostgres.start(self._data, durable=False)
        parts = parse_qs(urlsplit(self._server.url()).query)
        port = parts.get("port", ["5432"])[0]
        self._socket.unlink(missing_ok=True)
        self._socket.symlink_to(Path(parts["host"][0]) / f".s.PGSQL.{port}")

    def stop(self) -> None:
        self._server.stop()

    def close(self) -> None:
        self.stop()
        if self._listening is not None:
            self._listening.close()

    def _forward(self) -> None:
        while True:
            try:
                caller, _ = self._listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self._socket))
            except OSError:
                caller.close()
                server.close()
                continue
            for pair in ((caller, server), (server, caller)):
                threading.Thread(target=pass_on, args=pair, daemon=True).start()


def pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := source.recv(PIECE):
            target.sendall(piece)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
    source.close()


@pytest.fixture(params=["tcp", "unix"])
def way(request, reachable_folder):
    way = Way(reachable_folder, request.param == "tcp")
    yield way
    way.close()


@pytest.fixture
def work():
    """Starts workers in this process."""
    started: list[Workers] = []

    def start(url: str, handle: Callable[[str], None], concurrency: int = 2) -> Workers:
        started.append(Workers(url, handle, concurrency=concurrency, lease=LEASE))
        started[-1].start()
        return started[-1]

    yield start
    for each in started:
        each.stop()


def test_server_that_was_away_finds_its_workers_as_they_were(way, make_line, work):
    line = make_line(way.url)
    line.prepare()
    gate, begun, ended = threading.Event(), [], []

    def handle(run_id: str) -> None:
        begun.append(run_id)
        if run_id == "across":
            assert gate.wait(60)
        ended.append(run_id)

    workers = work(way.url, handle)
    line.put("before")
    eventually(lambda: not line.jobs(), within=30)
    process = psutil.Process()
    line.put("across", thread="2.0")
    line.put("behind", thread="2.0")
    eventually(lambda: "across" in begun)
    threads = process.num_threads()
    way.stop()
    eventually(lambda: workers.trouble, within=30)
    spent = sum(process.cpu_times()[:2])
    time.sleep(2.0)  # how long it takes to see that nothing spins
    assert sum(process.cpu_times()[:2]) - spent < 1.0
    gate.set()
    way.start()
    eventually(lambda: not workers.trouble, within=30)
    line.put("after", thread="3.0")
    eventually(lambda: sorted(ended) == ["across", "after", "before", "behind"], within=30)
    eventually(lambda: not line.jobs(), within=30)
    assert begun.count("across") == 1
    assert ended.index("across") < ended.index("behind")
    # The event loop looks names up in threads that it keeps.
    most = threads + min(32, (os.cpu_count() or 1) + 4)
    eventually(lambda: process.num_threads() <= most, within=30)
    eventually(lambda: connections_of(line) <= CONNECTIONS + LISTENS, within=30)


def connections_of(line) -> int:
    query = "select count(*) from pg_stat_activity where application_name = 'db-agent workers'"
    return int(line.do(query)[0][0])


def test_job_whose_fetch_was_answered_to_nobody_is_put_back(line, work):
    ended: list[str] = []
    workers = work(line.url, ended.append)
    line.put("first")
    eventually(lambda: ended == ["first"], within=30)
    with psycopg.connect(line.url, options="-c search_path=db_agent") as link:
        line.queue.put(link, "lost", team="T1", channel="C1", thread="1.0", person="U1")
        link.execute(
            "update procrastinate_jobs set status = 'doing',"
            " worker_id = (select max(id) from procrastinate_workers)"
        )
    eventually(lambda: ended == ["first", "lost"], within=30)
    assert workers.trouble == ""


def test_workers_without_a_server_say_so(reachable_folder, work):
    workers = work(f"postgresql://nobody@/nowhere?host={reachable_folder}", print)
    assert workers.trouble == ""
    eventually(lambda: workers.trouble, within=30)
    assert "cannot be reached" in workers.trouble
