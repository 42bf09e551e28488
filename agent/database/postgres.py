"""The analytics database behind one door: every query passes the guard and a read-only session."""

from __future__ import annotations

import copy
import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Self, TypeVar

from agent.database import guard
from agent.database.failing.failures import ConnectionBroken
from agent.database.failing.hints import hint_for
from agent.database.link.limits import Limits, for_a_file
from agent.database.schema import TableSchema, TableSearch
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.database.tables.catalog import RETRY_AFTER_S, Catalog
from agent.errors import DatabaseUnavailable, SettingsInvalid, SqlFailed, SqlRejected
from agent.messages import QueryResult
from agent.watching import Kind, doing, tried_again

logger = logging.getLogger(__name__)

_Found = TypeVar("_Found")

_RECOVERY_CONFLICT: Final = "40001"
_RETRY_WITHIN_S: Final = 1.0
"""A query that ran longer when its backend was gone without a word may be why it went."""
_UNDEFINED_TABLE: Final = "42P01"
# In English as the server says it, in other languages as `agent.database.failing.redaction` does.
_GONE: Final = re.compile(
    r'^(?:column|relation) "?(?P<name>[^"]+?)"? does not exist'
    r"|^undefined (?:column|table): (?P<said>[^\s,]+)"
)


class PostgresDatabase:
    """Implements `agent.protocols.Database`. Safe to share between threads.

    Where the connection breaks in the middle of a query, the query is sent once more on another
    one: it only reads. Not where the server's process vanished while it worked on the query: that
    may have eaten its memory.

    Making one connects to nothing. Raises `SettingsInvalid` for a URL that cannot be read; the
    first use raises `DatabaseUnavailable`, or `SettingsInvalid` for a login that may do more than
    read. `accept_public_rights`: what every login of the database may do is no reason;
    `allow_strong_role`, which no setting reaches: nothing is.
    """

    def __init__(
        self,
        url: str,
        *,
        statement_timeout_ms: int = 3_000,
        max_rows: int = 1_000,
        max_cost: float | None = None,
        time_zone: str = "UTC",
        pool_size: int = 4,
        accept_public_rights: bool = False,
        allow_strong_role: bool = False,
    ) -> None:
        limits = Limits(
            statement_timeout_ms=statement_timeout_ms, max_rows=max_rows, max_cost=max_cost
        )
        self._database = AnalyticsDatabase(
            url,
            limits=limits,
            time_zone=time_zone,
            pool_size=pool_size,
            accept_public_rights=accept_public_rights,
            allow_strong_role=allow_strong_role,
        )
        self._catalog = Catalog(self._database)
        self._time_zone = ""
        """In place of that of all sessions; "" for none."""
        self._zones: set[str] = set()
        """Zones that the server has been found to know."""

    def fetch(self, sql: str) -> QueryResult:
        """Run one SELECT behind the guard and in a read-only session.

        Raises `SqlRejected` (the guard), `SqlFailed` (the server) or `DatabaseUnavailable`.
        """
        return self._watched(sql, self._time_zone, None)

    def fetch_for_file(self, sql: str, *, time_zone: str = "") -> QueryResult:
        """Run one SELECT as `fetch` does, with room for many more rows and for long cells.

        `time_zone`: in which points in time are written; "" for the database's own. Raises what
        `fetch` raises, and `SettingsInvalid` where the server does not know the zone.
        """
        limits = for_a_file(self._database.limits)
        zone = time_zone or self._time_zone
        return self._watched(sql, zone, limits)

    def get_table(self, name: str) -> TableSchema:
        """Return the schema of exactly one table or view.

        Raises `UnknownTable` (with the nearest names) or `DatabaseUnavailable`.
        """
        return _once_more_if_broken(lambda: self._catalog.get_table(name))

    def find_tables(self, words: str) -> TableSearch:
        """Return the tables that fit `words` best, and how they join; bounded on any database."""
        return _once_more_if_broken(lambda: self._catalog.find_tables(words))

    def tables(self) -> tuple[TableSchema, ...]:
        """Return all tables and views that may be read, by name. Raises `DatabaseUnavailable`."""
        return _once_more_if_broken(self._catalog.tables)

    def in_zone(self, time_zone: str, *, is_known: bool = False) -> Self | None:
        """Return the same database, which reads and writes points in time in `time_zone`.

        It shares connections and catalogue with this one: the zone holds for one transaction at a
        time. None where the server knows no such zone, or cannot be asked; it is not asked where
        the zone `is_known` to it.
        """
        if time_zone not in self._zones and not is_known:
            try:
                with get_agent_session(self._database, time_zone=time_zone):
                    self._zones.add(time_zone)
            except (DatabaseUnavailable, SettingsInvalid) as error:
                logger.warning("the time zone %s cannot be used: %s", time_zone, error)
                return None
        other = copy.copy(self)
        other._time_zone = time_zone
        return other

    def ping(self) -> None:
        """Open a session and close it. Raises `DatabaseUnavailable` or `SettingsInvalid`."""
        with get_agent_session(self._database):
            pass

    def close(self) -> None:
        """Close all connections."""
        self._database.pool.close()

    def _watched(self, sql: str, zone: str, limits: Limits | None) -> QueryResult:
        with doing(Kind.QUERY, "select", {"statement": sql}) as act:
            try:
                result = _once_more_if_broken(lambda: self._fetch(sql, zone, limits))
            except SqlFailed as failure:
                act.facts["sqlstate"] = failure.sqlstate
                raise
            act.facts |= {"rows": len(result.rows), "truncated": result.truncated}
            return result

    def _fetch(self, sql: str, zone: str, limits: Limits | None) -> QueryResult:
        accepted = self._check(sql)
        tables = self._catalog.tables_named(accepted.tables)
        try:
            with get_agent_session(self._database, time_zone=zone, limits=limits) as session:
                result = session.fetch(accepted, tables=tables)
        except SqlFailed as failure:
            if not _contradicts(failure, tables):
                raise
            raise self._said_by_a_new_catalog(failure, sql) from None
        return replace(result, tables=tuple(dict.fromkeys(table.name for table in tables)))

    def _check(self, sql: str) -> guard.AcceptedSql:
        try:
            return guard.check(sql, self._catalog.policy())
        except SqlRejected as rejection:
            if rejection.code != "relation":
                raise
        # Perhaps the table is newer than what we know of the catalogue.
        return guard.check(sql, self._catalog.policy(max_age_s=RETRY_AFTER_S))

    def _said_by_a_new_catalog(self, failure: SqlFailed, sql: str) -> SqlFailed:
        """Return the failure with a hint that holds now; a table that is gone is rejected."""
        accepted = guard.check(sql, self._catalog.policy(max_age_s=0))
        tables = self._catalog.tables_named(accepted.tables)
        hint = hint_for(failure.sqlstate, failure.reason, tables)
        return SqlFailed(failure.sqlstate, failure.reason, hint)


def _contradicts(failure: SqlFailed, tables: Sequence[TableSchema]) -> bool:
    """Say whether the server does not know what our catalogue shows: it changed since."""
    gone = _GONE.match(failure.reason)
    if gone is None:
        return False
    name = (gone["name"] or gone["said"]).strip('"').rpartition(".")[2]
    shown = {column.name.strip('"') for table in tables for column in table.columns}
    return failure.sqlstate == _UNDEFINED_TABLE or name in shown


def _once_more_if_broken(read: Callable[[], _Found]) -> _Found:
    started = time.monotonic()
    try:
        return read()
    except ConnectionBroken as broken:
        if broken.without_a_word and time.monotonic() - started > _RETRY_WITHIN_S:
            raise
        logger.warning("the connection broke, so the query is sent again: %s", broken.detail)
    except SqlFailed as failure:
        if failure.sqlstate != _RECOVERY_CONFLICT:
            raise
        logger.warning("the standby stopped the query for its recovery; it is sent again")
    tried_again(Kind.QUERY)
    return read()
