"""A process of its own that sends costly queries, one by one, and says what each took.

Reads orders from the standard input, writes figures to the standard output, each a line of JSON.
Linux only.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from agent.database.guard import AcceptedSql
from agent.database.link.limits import Limits
from agent.database.postgres import PostgresDatabase
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import AgentError
from agent.messages import QueryResult

HONEST = "SELECT count(*) FROM category"
AT_WORK = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE pid = {pid} AND pid <> pg_backend_pid() AND state <> 'idle'"
)


def peak_mb(pid: int | str = "self") -> float:
    """The most memory that a process has had, 0 where it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return int((status.partition("VmHWM:")[2] or "0").split()[0]) / 1024


class Backend(threading.Thread):
    """Watches how much memory a process of the server takes."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.peak_mb = peak_mb(pid)
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.wait(0.02):
            self.peak_mb = max(self.peak_mb, peak_mb(self.pid))

    def stop(self) -> float:
        self._done.set()
        self.join()
        return max(self.peak_mb, peak_mb(self.pid))


def past_the_guard(database: AnalyticsDatabase, sql: str) -> QueryResult:
    with get_agent_session(database) as session:
        return session.fetch(AcceptedSql(sql))


def observation_of(send: Callable[[str], QueryResult], sql: str) -> str:
    """Return what the query gave, in words."""
    try:
        result = send(sql)
    except AgentError as error:
        return f"{type(error).__name__}: {error}"
    return f"{len(result.rows):,} rows x {len(result.columns):,}. {' '.join(result.notes)}"


def seconds_until_at_rest(database: AnalyticsDatabase, pid: int, limit_s: float) -> float:
    """Return how long the server's process went on with the query."""
    started = time.monotonic()
    while past_the_guard(database, AT_WORK.format(pid=pid)).rows != ((0,),):
        if time.monotonic() - started > limit_s:
            break
        time.sleep(0.05)
    return time.monotonic() - started


def figures_of(url: str, sql: str, *, guarded: bool) -> dict[str, object]:
    """Send the query through its door, then an honest one, on one connection; say what it took."""
    door = PostgresDatabase(url, pool_size=1)
    inner = door._database
    assert inner.limits == Limits(), "the product's own"
    door.fetch(HONEST)
    backend = Backend(int(str(past_the_guard(inner, "SELECT pg_backend_pid()").rows[0][0])))
    backend.start()
    send = door.fetch if guarded else lambda sql: past_the_guard(inner, sql)
    Path("/proc/self/clear_refs").write_text("5")
    before, started = peak_mb(), time.monotonic()
    observation = observation_of(send, sql)
    seconds, grown_mb = time.monotonic() - started, peak_mb() - before
    started = time.monotonic()
    honest = observation_of(door.fetch, HONEST)
    honest_seconds = time.monotonic() - started
    still_at_work_s = seconds_until_at_rest(inner, backend.pid, 10)
    door.close()
    return {
        "guarded": guarded,
        "seconds": seconds,
        "grown_mb": grown_mb,
        "observation": observation,
        "honest": honest,
        "honest_seconds": honest_seconds,
        "still_at_work_s": still_at_work_s,
        "server_mb": backend.stop(),
    }


def main() -> None:
    """Where the guard refuses a query, it is sent once more past the guard."""
    for line in sys.stdin:
        order = json.loads(line)
        first = figures_of(order["url"], order["sql"], guarded=True)
        print(json.dumps(order | first), flush=True)
        if str(first["observation"]).startswith("SqlRejected"):
            past = figures_of(order["url"], order["sql"], guarded=False)
            print(json.dumps(order | past), flush=True)


if __name__ == "__main__":
    main()
