"""The analytics database behind one door: every query passes the guard and a read-only session."""

from __future__ import annotations

from dataclasses import replace

from agent.database import guard
from agent.database.catalog import RETRY_AFTER_S, Catalog
from agent.database.limits import Limits
from agent.database.schema import TableSchema, TableSearch
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import SqlRejected
from agent.messages import QueryResult


class PostgresDatabase:
    """Implements `agent.protocols.Database`. Safe to share between threads.

    Making one connects to nothing. Raises `SettingsInvalid` for a URL that cannot be read; the
    first use raises `DatabaseUnavailable`, or `SettingsInvalid` for a login that may write.
    """

    def __init__(
        self,
        url: str,
        *,
        statement_timeout_ms: int = 3_000,
        max_rows: int = 1_000,
        time_zone: str = "UTC",
        pool_size: int = 4,
        allow_strong_role: bool = False,
    ) -> None:
        limits = Limits(statement_timeout_ms=statement_timeout_ms, max_rows=max_rows)
        self._database = AnalyticsDatabase(
            url,
            limits=limits,
            time_zone=time_zone,
            pool_size=pool_size,
            allow_strong_role=allow_strong_role,
        )
        self._catalog = Catalog(self._database)

    def fetch(self, sql: str) -> QueryResult:
        """Run one SELECT behind the guard and in a read-only session.

        Raises `SqlRejected` (the guard), `SqlFailed` (the server) or `DatabaseUnavailable`.
        """
        accepted = self._check(sql)
        tables = self._catalog.tables_named(accepted.tables)
        with get_agent_session(self._database) as session:
            result = session.fetch(accepted, tables=tables)
        return replace(result, tables=tuple(dict.fromkeys(table.name for table in tables)))

    def get_table(self, name: str) -> TableSchema:
        """Return the schema of exactly one table or view.

        Raises `UnknownTable` (with the nearest names) or `DatabaseUnavailable`.
        """
        return self._catalog.get_table(name)

    def find_tables(self, words: str) -> TableSearch:
        """Return the tables that fit `words` best, and how they join; bounded on any database."""
        return self._catalog.find_tables(words)

    def ping(self) -> None:
        """Open a session and close it. Raises `DatabaseUnavailable` or `SettingsInvalid`."""
        with get_agent_session(self._database):
            pass

    def close(self) -> None:
        """Close all connections."""
        self._database.pool.close()

    def _check(self, sql: str) -> guard.AcceptedSql:
        try:
            return guard.check(sql, self._catalog.policy())
        except SqlRejected as rejection:
            if rejection.code != "relation":
                raise
        # Perhaps the table is newer than what we know of the catalogue.
        return guard.check(sql, self._catalog.policy(max_age_s=RETRY_AFTER_S))
