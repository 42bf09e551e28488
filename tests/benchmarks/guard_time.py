"""How long the guard takes for a query, beside one EXPLAIN of the same query on its database.

Run by name: `make bench-guard`. The queries are the repository's own on the demo database and,
where they lie beside the checkout (`../shared/data`), the published right answers on theirs. All
is timed in this one process, in turn, query by query, the guard with nothing kept from earlier
queries, and each query counts with its fastest pass, so that other work on the machine shows
little. EXPLAIN is timed twice: bare, on an open connection with warm caches over a Unix socket,
and in a session as the agent has one for each query.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "database"))

import loaded_databases as databases

from agent.database import guard
from agent.database.demo import demo_database
from agent.database.embedded import EmbeddedPostgres
from agent.database.guard.inspection import Inspection
from agent.database.guard.second_reader import read_with_sqlglot
from agent.database.guard.statement import parse_query
from agent.database.guard.tree import walk
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.database.tables.catalog import Catalog

PASSES = 7
BARE, IN_A_SESSION = "EXPLAIN, bare", "EXPLAIN, in a session"


Times = dict[str, list[float]]
"""What each query took, in ms, in the same order, by what was timed."""


def main() -> None:
    own = [*databases.own_queries(), *databases.honest_queries()]
    with demo_database() as demo:
        _report("own queries, on the demo database", own, {"demo": demo.url})
    golds, psql = databases.gold_queries(), databases.find_psql()
    if golds and psql:
        with EmbeddedPostgres.throwaway() as server:
            urls = databases.load(server, databases.WITH_GOLDS, psql)
            _report("published answers, each on its own database", golds, urls)


def _report(title: str, queries: Sequence[databases.Query], urls: dict[str, str]) -> None:
    times: Times = {}
    for name, url in urls.items():
        _time_all([query.text for query in queries if query.database == name], url, times)
    print(f"{title}: {len(times['guard']):,} queries, the fastest of {PASSES} passes each, in ms")
    print(f"    {'':26}{'median':>8}{'p99':>8}{'worst':>8}")
    for name, took in times.items():
        p99 = statistics.quantiles(took, n=100)[98]
        print(f"    {name:26}{statistics.median(took):8.3f}{p99:8.3f}{max(took):8.3f}")
    for name in (BARE, IN_A_SESSION):
        ratios = [one / other for one, other in zip(times["guard"], times[name], strict=True)]
        print(
            f"    guard / {name}: {statistics.median(ratios):.2f} in the median query;"
            f" {sum(ratio < 1 for ratio in ratios):,} of {len(ratios):,} are judged faster"
        )


def _time_all(texts: Sequence[str], url: str, times: Times) -> None:
    source = AnalyticsDatabase(url)
    policy = Catalog(source).policy()

    def judge(text: str) -> None:
        read_with_sqlglot.cache_clear()
        guard.check(text, policy)

    def explain_in_a_session(text: str) -> None:
        with get_agent_session(source) as session:
            session._connection.execute(b"EXPLAIN " + text.encode()).fetchall()

    with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection:

        def explain(text: str) -> None:
            connection.execute(b"EXPLAIN " + text.encode()).fetchall()

        works = {"guard": judge, BARE: explain, IN_A_SESSION: explain_in_a_session}
        works |= _parts(policy)
        runnable = [text for text in texts if _runs(explain, text)]
        passes = [_pass(runnable, list(works.values())) for _ in range(PASSES)]
    for number, name in enumerate(works):
        fastest = [min(run[number] for run in runs) for runs in zip(*passes, strict=True)]
        times.setdefault(name, []).extend(fastest)
    source.pool.close()


def _runs(explain: Callable[[str], None], text: str) -> bool:
    try:
        explain(text)
    except psycopg.Error:  # a few that the server refuses
        return False
    return True


def _pass(texts: Sequence[str], works: Sequence[Callable[[str], None]]) -> list[list[float]]:
    """Return for each text how many ms each work took; the works take turns."""
    gc.collect()
    return [[_timed(work, text) for work in works] for text in texts]


def _timed(work: Callable[[str], None], text: str) -> float:
    started = time.perf_counter()
    work(text)
    return (time.perf_counter() - started) * 1_000


def _parts(policy: guard.GuardPolicy) -> dict[str, Callable[[str], None]]:
    """The costly steps of the guard's check, each to be timed alone."""

    def walk_and_inspect(text: str) -> None:  # parses once more, so it is no step alone
        inspection = Inspection(policy)
        for kind, node, scope in walk(parse_query(text)):
            inspection.visit(kind, node, scope)
        inspection.finish()

    def read_by_sqlglot(text: str) -> None:
        read_with_sqlglot.cache_clear()
        read_with_sqlglot(text)

    return {
        "guard: grammar and walk": walk_and_inspect,
        "guard: sqlglot reads": read_by_sqlglot,
    }


if __name__ == "__main__":
    main()
