"""The only place where a connection to the analytics database is made and a query is sent.

Each query has a READ ONLY transaction of its own, is declared as a cursor (so the server's grammar
admits nothing but a query), is fetched once and always rolled back; then all state is discarded.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, LiteralString

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from agent.database.failing import failures
from agent.database.guard import AcceptedSql
from agent.database.link import boundaries, wire
from agent.database.link.address import read_address
from agent.database.link.limits import Limits
from agent.database.link.pool import Connection, ConnectionPool
from agent.database.query import Query
from agent.database.results import cells
from agent.database.results.result import ResultBuilder
from agent.database.rights.refusal import check_role
from agent.database.schema import TableSchema
from agent.errors import DatabaseUnavailable, SettingsInvalid, SqlFailed
from agent.messages import Column, QueryResult

APPLICATION_NAME: Final = "db-agent"
_CATALOG_CURSOR: Final = "agent_catalog"
_AROUND_S: Final = 3.0
_RIGHTS_S: Final = 15.0
_AROUND_BYTES: Final = 1_000_000


class AnalyticsDatabase:
    """Where the database is, how to log in, and the pool of connections to it.

    Makes no connection before the first session. Raises `SettingsInvalid` for a URL or time zone
    that cannot be right.
    """

    def __init__(
        self,
        url: str,
        *,
        limits: Limits | None = None,
        time_zone: str = "UTC",
        pool_size: int = 4,
        accept_public_rights: bool = False,
        allow_strong_role: bool = False,
    ) -> None:
        self.limits = limits or Limits()
        self._parameters = read_address(url)
        self._time_zone = time_zone
        self._accept_public_rights = accept_public_rights
        self._allow_strong_role = allow_strong_role
        self._may_hold_locks = True
        self.type_names: dict[tuple[int, int], str] = {}
        self.pool = ConnectionPool(self._connect, size=pool_size, wait_s=self.limits.pool_wait_s)

    @property
    def where(self) -> str:
        """What the messages call it: name and server, never a password."""
        name = self._parameters.get("dbname") or self._parameters.get("user") or "?"
        host = str(self._parameters.get("host") or self._parameters.get("hostaddr") or "/")
        return f"{name} on {'this machine' if host.startswith('/') else host}"

    def unavailable(self, error: psycopg.Error, *, was_open: bool = False) -> DatabaseUnavailable:
        """Return what the person is told when the connection, not the query, has failed.

        It is a `ConnectionBroken` where the connection was open and got lost.
        """
        password = str(self._parameters.get("password") or "")
        return failures.unavailable(error, self.where, password, was_open=was_open)

    def opening(self, server_version: int, *, for_catalog: bool, time_zone: str) -> sql.Composed:
        """Return the statements that open a session; they last until its ROLLBACK."""
        return boundaries.opening(
            self.limits,
            for_catalog=for_catalog,
            time_zone=time_zone or self._time_zone,
            server_version=server_version,
        )

    def ending(self) -> sql.Composed:
        """Return the statements that end a session without a trace."""
        return boundaries.ending(may_hold_locks=self._may_hold_locks)

    def _connect(self) -> Connection:
        try:
            connection = psycopg.connect(
                make_conninfo(**self._parameters),
                autocommit=True,
                connect_timeout=self.limits.connect_timeout_s,
                application_name=APPLICATION_NAME,
                keepalives_idle=10,
                tcp_user_timeout=10_000,
                client_encoding="UTF8",
                prepare_threshold=None,
            )
        except psycopg.Error as error:
            raise self.unavailable(error) from None
        try:
            with wire.ended_after(connection, _RIGHTS_S):
                self._look_at_rights(connection)
        except psycopg.Error as error:
            connection.close()
            raise self.unavailable(error) from None
        except SettingsInvalid:
            connection.close()
            raise
        return connection

    def _look_at_rights(self, connection: Connection) -> None:
        if not self._allow_strong_role:
            check_role(connection, accept_public_rights=self._accept_public_rights)
        row = connection.execute(boundaries.MAY_HOLD_LOCKS).fetchone()
        self._may_hold_locks = bool(row and row[0])


class AgentSession:
    """One READ ONLY transaction on a borrowed connection."""

    def __init__(self, database: AnalyticsDatabase, connection: Connection, limits: Limits) -> None:
        self._database = database
        self._limits = limits
        self._connection = connection

    def fetch(self, accepted: AcceptedSql, *, tables: Sequence[TableSchema] = ()) -> QueryResult:
        """Run a query that the guard accepted, as it was written; return its first rows.

        `tables` are those it names; they serve the hints of an error. Raises `SqlFailed` for what
        the server says of the query, `SqlRejected` for one above the cost ceiling,
        `DatabaseUnavailable` when the connection breaks.
        """
        started = time.monotonic()
        try:
            query = Query(self._connection, self._limits)
            builder = query.run(accepted.text, self._database.type_names)
        except wire.RowTooLarge:
            size = self._limits.max_row_bytes // 1_000_000
            raise SqlFailed(
                "54000", f"One row, or a message of the server, has more than {size} MB.",
                "Select fewer or shorter columns, for example left(column, 200).",
            ) from None  # fmt: skip
        except wire.DeadlinePassed:
            raise failures.too_slow(self._limits.statement_timeout_ms) from None
        except psycopg.Error as error:
            if failures.is_connection_trouble(error):
                raise self._database.unavailable(error, was_open=True) from None
            timeout = self._limits.statement_timeout_ms
            raise failures.sql_failure(error, accepted.text, timeout, tables) from None
        duration_ms = (time.monotonic() - started) * 1_000
        return builder.build(accepted.text, self._columns(builder), duration_ms)

    def _columns(self, builder: ResultBuilder) -> tuple[Column, ...]:
        labels = cells.unique_labels(builder.labels)
        names = builder.type_names
        return tuple(Column(label, name) for label, name in zip(labels, names, strict=True))

    @property
    def server_version(self) -> int:
        """PostgreSQL's version as a number, such as 180006."""
        return self._connection.info.server_version

    def read_catalog(
        self, query: LiteralString, parameters: Sequence[object] = ()
    ) -> list[tuple[Any, ...]]:
        """Return the rows of one of our own queries on the catalogue.

        Names in the query are the system's own; what the query asks of names, such as whether a
        table is visible, is answered by the login's search_path.
        """
        try:
            # A cursor's query is read once, here, and run below.
            self._connection.execute(boundaries.OWN_NAMES)
            with self._connection.cursor(_CATALOG_CURSOR) as cursor:
                cursor.execute(query, parameters)
                self._connection.execute(boundaries.LOGINS_NAMES)
                return cursor.fetchall()
        except psycopg.Error as error:
            raise self._database.unavailable(error, was_open=True) from None


@contextmanager
def get_agent_session(
    database: AnalyticsDatabase,
    *,
    for_catalog: bool = False,
    time_zone: str = "",
    limits: Limits | None = None,
) -> Iterator[AgentSession]:
    """Lend a session: a READ ONLY transaction with all limits set, rolled back at the end.

    `time_zone` and `limits` (of what is read) hold in it in place of the database's own. Raises
    `DatabaseUnavailable`, or `SettingsInvalid`: a login that may more than read, an unknown zone.
    """
    with database.pool.connection() as connection:
        try:
            _begin(database, connection, for_catalog=for_catalog, time_zone=time_zone)
        except psycopg.errors.InvalidParameterValue as error:
            reason = failures.first_line(error)
            raise SettingsInvalid(f"PostgreSQL knows no such time zone: {reason}.") from None
        except psycopg.Error as error:
            raise database.unavailable(error, was_open=True) from None
        try:
            with _watched(connection, for_catalog=for_catalog):
                yield AgentSession(database, connection, limits or database.limits)
        finally:
            _clean(connection, database.ending())


def _begin(
    database: AnalyticsDatabase, connection: Connection, *, for_catalog: bool, time_zone: str
) -> None:
    statements = database.opening(
        connection.info.server_version, for_catalog=for_catalog, time_zone=time_zone
    )
    try:
        wire.script(connection, statements.as_bytes(connection), _bounds())
    except wire.DeadlinePassed:
        raise psycopg.OperationalError("the server does not answer") from None


def _clean(connection: Connection, ending: sql.Composed) -> None:
    if connection.closed:
        return
    try:
        wire.script(connection, ending.as_bytes(connection), _bounds())
    except (psycopg.Error, wire.DeadlinePassed):
        connection.close()


def _bounds() -> wire.Bounds:
    """What our own statements around a query may take: they need no time but the way's."""
    return wire.Bounds(time.monotonic() + _AROUND_S, _AROUND_BYTES)


@contextmanager
def _watched(connection: Connection, *, for_catalog: bool) -> Iterator[None]:
    """End the connection where our own queries get no answer; a model's query sees to itself."""
    if not for_catalog:
        yield
        return
    with wire.ended_after(connection, boundaries.WHOLE_CATALOG_MS / 1_000 + _AROUND_S):
        yield
