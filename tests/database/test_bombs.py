"""Queries that cost far more than they look: each ends soon, says what to do, and leaves no trace.

Each is sent by a process of its own, whose memory is measured: through the public door and, where
the guard refuses it, past the guard; over a Unix socket and over TCP; with the product's limits.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from agent.charts.renderer import ProcessRenderer
from agent.database.demo import demo_database
from agent.database.embedded import process
from agent.database.guard import AcceptedSql
from agent.database.link.limits import Limits
from agent.database.postgres import PostgresDatabase
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import SqlFailed
from agent.run import Agent
from agent.testing import ScriptedModel, call, text

HERE = Path(__file__).parent / "bombs"
MAX_SECONDS = 5.0
MAX_GROWN_MB = 300
MAX_HONEST_SECONDS = 1.0
MAX_STILL_AT_WORK_S = 2.0
MAX_SERVER_MB = 600
"""Of one process; a server of our own gives it half a gigabyte, besides what all of them share."""

pytestmark = pytest.mark.skipif(
    not os.access("/proc/self/clear_refs", os.W_OK), reason="memory is measured on Linux only"
)


def _generated() -> dict[str, str]:
    spec = importlib.util.spec_from_file_location("generated_bombs", HERE / "generated.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, str] = module.BOMBS
    return found


def _written(name: str) -> dict[str, str]:
    parts = re.split(r"^-- (.+)\n", (HERE / name).read_text(), flags=re.MULTILINE)[3:]
    return {
        title: text.strip().removesuffix(";").replace("\n", " ")
        for title, text in zip(parts[::2], parts[1::2], strict=True)
    }


TIMES, SIZES, GENERATED = _written("times.sql"), _written("sizes.sql"), _generated()
BOMBS = TIMES | SIZES | GENERATED


@dataclass(frozen=True)
class Figures:
    """What one query took on its way: through the door (`guarded`), or past the guard."""

    name: str
    way: str
    guarded: bool
    seconds: float
    grown_mb: float
    observation: str
    honest: str
    honest_seconds: float
    still_at_work_s: float
    server_mb: float

    def __str__(self) -> str:
        return (
            f"{self.name:36.36} {self.way:9} {'door' if self.guarded else 'past'}"
            f" {self.seconds:5.2f} s {self.grown_mb:+5.0f} MB, server {self.server_mb:5.0f} MB "
            f" {self.observation:.110}"
        )

    @property
    def faults(self) -> list[str]:
        """What is wrong with it, in words."""
        is_roomy = "roomy" in self.way  # then nothing interrupts it while it copies a gigabyte
        checks = {
            f"took {self.seconds:.1f} s": self.seconds <= MAX_SECONDS,
            f"took {self.grown_mb:.0f} MB": self.grown_mb < MAX_GROWN_MB,
            f"then an honest query gave {self.honest}": self.honest == "1 rows x 1. ",
            f"which took {self.honest_seconds:.1f} s": self.honest_seconds <= MAX_HONEST_SECONDS,
            f"the server went on for {self.still_at_work_s:.1f} s": is_roomy
            or self.still_at_work_s <= MAX_STILL_AT_WORK_S,
            f"the server took {self.server_mb:.0f} MB": is_roomy or self.server_mb <= MAX_SERVER_MB,
            "no clear observation": _is_clear(self.observation),
        }
        return [words for words, holds in checks.items() if not holds]


def _is_clear(observation: str) -> bool:
    """Rows, or an error that is the query's own and has more than one sentence."""
    if re.match(r"[\d,]+ rows", observation):
        return True
    return bool(re.match(r"Sql(Rejected|Failed): .+[.…!] ?.*\.$", observation))


def send(orders: Sequence[tuple[str, str, str]]) -> list[Figures]:
    """Send each (name, way, URL) from one process."""
    lines = [
        json.dumps({"name": name, "way": way, "url": url, "sql": BOMBS[name]})
        for name, way, url in orders
    ]
    worker = subprocess.run(
        [sys.executable, str(HERE / "worker.py")],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=60 + 20 * len(orders),
    )
    assert worker.returncode == 0, worker.stdout[-500:] + worker.stderr[-2_000:]
    found = map(json.loads, worker.stdout.splitlines())
    return [Figures(**{k: v for k, v in one.items() if k not in ("url", "sql")}) for one in found]


def send_in_lanes(orders: Sequence[tuple[str, str, str]], lanes: int) -> list[Figures]:
    with ThreadPoolExecutor(lanes) as threads:
        parts = threads.map(send, [orders[lane::lanes] for lane in range(lanes)])
        return [one for part in parts for one in part]


def faulty(figures: Sequence[Figures]) -> str:
    """Return those that broke a bound, and which; "" where all is well."""
    return "\n".join(f"{one}\n    {'; '.join(one.faults)}" for one in figures if one.faults)


@contextmanager
def tcp_relay(url: str) -> Iterator[str]:
    """Lead a TCP port to the Unix socket of `url`; yield the address of the port."""
    parts = conninfo_to_dict(url)
    program = [sys.executable, str(HERE / "relay.py"), f"{parts['host']}/.s.PGSQL.{parts['port']}"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as relay:
        assert relay.stdout is not None
        port = int(relay.stdout.readline())
        yield f"postgresql://{parts['user']}:{parts['password']}@127.0.0.1:{port}/{parts['dbname']}"
        relay.kill()


@contextmanager
def roomy_server() -> Iterator[str]:
    """A server that bounds no query's memory, so that huge values are really sent."""
    without_limit = process._WATCHDOG.replace("ulimit", ": ulimit")
    assert without_limit != process._WATCHDOG
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "_WATCHDOG", without_limit)
        with demo_database() as demo:
            yield demo.url


@pytest.fixture(scope="module")
def urls(demo_database_url: str) -> Iterator[dict[str, str]]:
    """The demo database by each way."""
    with (
        tcp_relay(demo_database_url) as over_tcp,
        roomy_server() as roomy,
        tcp_relay(roomy) as roomy_over_tcp,
    ):
        yield {
            "unix": demo_database_url,
            "tcp": over_tcp,
            "roomy": roomy,
            "roomy tcp": roomy_over_tcp,
        }


SOON = (
    ("cross join", "unix"),
    ("string_agg of 200 MB", "roomy"),
    ("text that doubles, whole", "tcp"),
    ("ten million rows", "tcp"),
    ("1,664 columns", "unix"),
    ("repeat of 900 MB", "tcp"),
    ("materialised with that spills", "unix"),
    ("array_agg of long texts", "unix"),
    ("error that quotes a folded value", "tcp"),
    ("regex with wide counts", "unix"),
    ("cubes multiplied", "unix"),
    ("nested queries", "unix"),
    ("many slices", "unix"),
)
"""One of each kind, most of them quick to fail."""


def test_each_kind_of_bomb_ends_soon_and_leaves_no_trace(urls: dict[str, str]) -> None:
    figures = send_in_lanes([(name, way, urls[way]) for name, way in SOON], lanes=2)
    assert not faulty(figures), faulty(figures)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("way", ["unix", "tcp", "roomy", "roomy tcp"])
def test_all_bombs(way: str, urls: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    names = SIZES if "roomy" in way else BOMBS
    figures = send([(name, way, urls[way]) for name in names])
    with capsys.disabled():
        print("", *figures, sep="\n")
    assert not faulty(figures), faulty(figures)


def test_honest_question_is_answered_while_all_connections_are_busy(
    demo_database_url: str,
) -> None:
    database = PostgresDatabase(demo_database_url, statement_timeout_ms=1_000, pool_size=4)
    database.ping()
    with ThreadPoolExecutor(8) as threads:
        bombs = [threads.submit(database.fetch, TIMES["cross join"]) for _ in range(8)]
        time.sleep(0.3)
        started = time.monotonic()
        assert database.fetch("SELECT count(*) FROM category").rows == ((16,),)
        assert time.monotonic() - started < 6
    for bomb in bombs:
        with pytest.raises(SqlFailed, match="longer than 1 s"):
            bomb.result()
    with ThreadPoolExecutor(4) as threads:
        honest = threads.map(database.fetch, ["SELECT count(*) FROM film"] * 8)
        assert len({result.rows for result in honest}) == 1
    database.close()


def test_run_outlives_its_bombs(demo_database_url: str) -> None:
    database = PostgresDatabase(demo_database_url, statement_timeout_ms=700)
    renderer = ProcessRenderer()
    bombs = [TIMES["cross join"], SIZES["repeat"], SIZES["text that doubles, whole"]]
    model = ScriptedModel(
        call("get_schema", table_name="film"),
        call("execute_read_only_sql", query=bombs[0]),
        call("execute_read_only_sql", query=bombs[1]),
        call("get_schema", table_name="rental"),
        call("execute_read_only_sql", query=bombs[2]),
        call("execute_read_only_sql", query="SELECT count(*) AS films FROM film"),
        text("There are 1,000 films."),
    )
    result = Agent(model, database, renderer).run("How many films are there?")
    renderer.close()
    database.close()
    assert (result.failed, result.results[-1].rows) == (False, ((1_000,),))
    assert result.duration_ms < 10_000
    tried = [step for moved in result.trail for step in moved.steps if step.error]
    assert [step.subject for step in tried] == bombs
    assert "longer than 0.7 s" in tried[0].error
    assert "up to 10,000" in tried[1].error
    assert tried[2].error


def test_all_steps_of_a_query_share_one_time_limit(
    demo_database_url: str, demo_admin_url: str
) -> None:
    limits = Limits(statement_timeout_ms=2_000, lock_timeout_ms=1_900)
    database = AnalyticsDatabase(demo_database_url, limits=limits, pool_size=1)
    with get_agent_session(database):
        pass  # connected
    with psycopg.connect(demo_admin_url) as other:
        other.execute("LOCK TABLE category")
        release = threading.Timer(1.4, other.rollback)
        release.start()
        started = time.monotonic()
        with get_agent_session(database) as session, pytest.raises(SqlFailed, match="than 2 s"):
            session.fetch(AcceptedSql("SELECT count(*) FROM category, rental a, rental b, rental"))
        assert 1.8 < time.monotonic() - started < 3.2
        release.join()
    database.pool.close()
