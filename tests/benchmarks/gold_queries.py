"""Every published and every own right answer: accepted by the guard, and the rows that psql gives?

Run by name: `make golds`. Needs psql, and the published databases beside the checkout
(`../shared/data`); without them only the demo database is asked. Published models' queries count as
honest where the server itself takes the text for one query. Ends with 1 if anything is refused or
differs.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "database"))

import loaded_databases as databases
import server_text

from agent.database.demo import demo_database
from agent.database.embedded import EmbeddedPostgres
from agent.database.postgres import PostgresDatabase


@contextmanager
def addresses(psql: str) -> Iterator[dict[str, str]]:
    """The reader's address of each database that can be loaded here, by name."""
    with ExitStack() as servers:
        found = {"demo": servers.enter_context(demo_database()).url}
        if databases.DATA.is_dir():
            server = servers.enter_context(EmbeddedPostgres.throwaway())
            found |= databases.load(server, databases.FILES, psql)
        yield found


def main() -> int:
    psql = databases.find_psql()
    if psql is None:
        print("psql is needed to compare with; it was not found", file=sys.stderr)
        return 2
    bad = 0
    with addresses(psql) as urls:
        bad += _report("honest queries of this repository", databases.honest_queries(), urls, psql)
        bad += _report("own questions' answers", databases.own_queries(), urls, psql)
        bad += _report("published answers", databases.gold_queries(), urls, psql)
        written = databases.model_written_queries()
        honest = _one_query_for_the_server(written, urls)
        print(f"written by models: {len(written)} texts, {len(honest)} of them one query")
        bad += _report("written by models", honest, urls, psql)
    return 1 if bad else 0


def _one_query_for_the_server(
    queries: Sequence[databases.Query], urls: dict[str, str]
) -> list[databases.Query]:
    honest: list[databases.Query] = []
    for name in sorted({query.database for query in queries}):
        asked = [query for query in queries if query.database == name]
        codes = server_text.refusals(urls[name], [query.text for query in asked])
        honest += [query for query, code in zip(asked, codes, strict=True) if not code]
    return honest


def _report(title: str, queries: Sequence[databases.Query], urls: dict[str, str], psql: str) -> int:
    """Print how the queries of one kind did; return how many were refused or differ."""
    total: Counter[str] = Counter()
    for name in sorted({query.database for query in queries} & urls.keys()):
        asked = [query for query in queries if query.database == name]
        counts = _compare_all(asked, urls[name], psql)
        total += counts
        print(f"    {name}: {_words(counts)}")
    print(f"{title}: {_words(total)}", flush=True)
    return total["refused"] + total["different"]


def _compare_all(queries: Sequence[databases.Query], url: str, psql: str) -> Counter[str]:
    counts = Counter({"queries": len(queries)})
    answers = server_text.ask_psql(psql, url, [query.text for query in queries])
    database = PostgresDatabase(url, statement_timeout_ms=15_000, max_rows=100_000)
    for query, answer in zip(queries, answers, strict=True):
        found = server_text.difference(database, query.text, answer)
        counts["rows"] += len(answer.rows)
        counts["refused by the server, and by us with its code"] += bool(answer.sqlstate)
        if found:
            counts["refused" if found.startswith("we refuse") else "different"] += 1
            print(f"!   {query.name}: {found}\n        {query.text}")
    database.close()
    return counts


def _words(counts: Counter[str]) -> str:
    kinds = ("queries", "rows", "refused by the server, and by us with its code")
    known = [f"{counts[kind]:,} {kind}" for kind in kinds if counts[kind]]
    return f"{', '.join(known)}; refused {counts['refused']}, different {counts['different']}"


if __name__ == "__main__":
    sys.exit(main())
