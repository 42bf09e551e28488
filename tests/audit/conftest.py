"""The audit over the real demo database, and a count of what it asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from agent.audit import ResultAudit
from agent.database.postgres import PostgresDatabase
from agent.database.schema import TableSchema, TableSearch
from agent.messages import AuditNote, QueryResult

Audit = Callable[[str], tuple[AuditNote, ...]]


class CountingDatabase:
    """A database that keeps the queries it was asked."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self.asked: list[str] = []

    def fetch(self, sql: str) -> QueryResult:
        self.asked.append(sql)
        return self._database.fetch(sql)

    def get_table(self, name: str) -> TableSchema:
        return self._database.get_table(name)

    def find_tables(self, words: str) -> TableSearch:
        return self._database.find_tables(words)

    def ping(self) -> None:
        self._database.ping()


@pytest.fixture(scope="session")
def demo_database(demo_database_url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(demo_database_url)
    yield database
    database.close()


@pytest.fixture
def counting(demo_database: PostgresDatabase) -> CountingDatabase:
    return CountingDatabase(demo_database)


@pytest.fixture
def audit(counting: CountingDatabase) -> Audit:
    """Run a query on the demo database and audit its result."""

    def run(sql: str) -> tuple[AuditNote, ...]:
        result = counting.fetch(sql)
        counting.asked.clear()
        return ResultAudit(counting).audit(result)

    return run
