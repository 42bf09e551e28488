"""Processes that work on a line of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.queue import Queue
from bot.store import migrate
from tests.bot.conftest import eventually

PROGRAM = Path(__file__).with_name("worker_process.py")
LEASE_S = 2.4
SEARCHED = "-c search_path=public,db_agent"
TABLES = """
create table public.notes (number bigserial, run_id text, pid int, what text);
create table public.gates (run_id text)
"""


@dataclass
class OneLine:
    """A line, and what was noted of those who work on it."""

    url: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    queue: Queue = field(default_factory=Queue)

    def prepare(self) -> None:
        migrate(self.url)
        self.do(TABLES)

    def do(self, query: Any, given: Any = None) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True, options=SEARCHED) as link:
            cursor = link.execute(query, given)
            return cursor.fetchall() if cursor.description else []

    def put(self, *run_ids: str, thread: str = "1.0", person: str = "U1", channel: str = "C1"):
        where = {"team": "T1", "channel": channel, "thread": thread, "person": person}
        for run_id in run_ids:
            with psycopg.connect(self.url, options="-c search_path=db_agent") as link:
                self.queue.put(link, run_id, **where)

    def open(self, run_id: str) -> None:
        """Let a question that waits go on."""
        self.do("insert into public.gates values (%s)", [run_id])

    def notes(self, what: str) -> list[str]:
        """The questions that began or ended, in order."""
        rows = self.do("select run_id from notes where what = %s order by number", [what])
        return [run_id for (run_id,) in rows]

    def whose(self, run_id: str) -> list[int]:
        """The processes that began a question, in order."""
        query = "select pid from notes where run_id = %s and what = 'begins' order by number"
        return [pid for (pid,) in self.do(query, [run_id])]

    def jobs(self) -> list[tuple[Any, ...]]:
        """The jobs that are left: id, status, worker."""
        return self.do("select id, status::text, worker_id from db_agent.procrastinate_jobs")

    def begun(self, run_id: str, times: int = 1) -> int:
        """Wait until a question has been begun so often; by whom it was last."""
        return int(eventually(lambda: self.whose(run_id)[times - 1 :], within=40)[0])

    def ended(self, *run_ids: str) -> None:
        """Wait until all of these have ended and nothing is left in the line."""
        eventually(lambda: set(run_ids) <= set(self.notes("ends")), within=40)
        eventually(lambda: not self.jobs(), within=40)

    def work(self, concurrency: int = 2, lease_s: float = LEASE_S) -> subprocess.Popen[bytes]:
        """Start a process."""
        words = [sys.executable, str(PROGRAM), self.url, str(concurrency), str(lease_s)]
        self.workers.append(subprocess.Popen(words, stderr=subprocess.PIPE))
        return self.workers[-1]

    def close(self) -> None:
        for each in self.workers:
            if each.poll() is None:
                os.kill(each.pid, signal.SIGKILL)
            each.communicate()


@pytest.fixture
def make_line() -> Iterator[Callable[[str], OneLine]]:
    lines: list[OneLine] = []

    def make(url: str) -> OneLine:
        lines.append(OneLine(url))
        return lines[-1]

    yield make
    for each in lines:
        each.close()


@pytest.fixture
def reachable_folder() -> Iterator[Path]:
    """A folder that the account of the server can reach; pytest's own are closed to it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def line(scratch_database: str, make_line: Callable[[str], OneLine]) -> OneLine:
    """An empty line, on a server that stays."""
    line = make_line(scratch_database)
    line.prepare()
    return line
