"""A row is read up to its limit and no further, whatever the connection."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from agent.database.guard import AcceptedSql
from agent.database.link.limits import Limits
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import SqlFailed
from agent.messages import QueryResult


@pytest.fixture
def database(demo_database_url: str) -> Iterator[AnalyticsDatabase]:
    """Patient, for a busy machine; over a Unix socket."""
    limits = Limits(statement_timeout_ms=30_000)
    database = AnalyticsDatabase(demo_database_url, limits=limits, pool_size=1)
    yield database
    database.pool.close()


def run(database: AnalyticsDatabase, sql: str) -> QueryResult:
    with get_agent_session(database) as session:
        return session.fetch(AcceptedSql(sql))


def test_rows_below_the_limit_are_never_refused(database: AnalyticsDatabase) -> None:
    for size in (3_000_000, 8_000_000, 15_900_000) * 2:
        assert run(database, f"SELECT repeat('x', {size})").rows[0][0] == "x" * 1_999 + "…"


def test_rows_above_the_limit_are_always_refused(database: AnalyticsDatabase) -> None:
    for size in (16_100_000, 50_000_000):
        with pytest.raises(SqlFailed, match="more than 16 MB"):
            run(database, f"SELECT repeat('x', {size})")
    assert run(database, "SELECT 1").rows == ((1,),)


def test_rows_of_any_size_arrive_one_by_one(database: AnalyticsDatabase) -> None:
    """Around the sizes in which the server and libpq move bytes."""
    for size in (1, 8_150, 8_192, 16_300, 16_384, 65_500, 65_536, 131_072):
        result = run(database, f"SELECT n, repeat('x', {size} + n) FROM generate_series(1, 40) n")
        assert [row[0] for row in result.rows] == list(range(1, 41))


def test_a_message_that_quotes_megabytes_is_refused_too(database: AnalyticsDatabase) -> None:
    with pytest.raises(SqlFailed, match="more than 16 MB"):
        run(database, "SELECT repeat('x', 30000000)::int")


def test_no_descriptor_is_left_behind(database: AnalyticsDatabase) -> None:
    run(database, "SELECT 1")
    before = len(os.listdir("/dev/fd"))
    for sql in ("SELECT 1", "SELECT 1 / 0", "SELECT repeat('x', 20000000)", "SELECT 2"):
        try:
            run(database, sql)
        except SqlFailed:
            continue
    assert len(os.listdir("/dev/fd")) == before


def test_wide_rows_are_read_only_as_far_as_there_is_room(database: AnalyticsDatabase) -> None:
    result = run(database, f"SELECT {', '.join(['1'] * 1_000)} FROM film")
    assert len(result.rows) == 251
    assert result.truncated
