"""The analytics database: from the first connection to a query that passes guard and session."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final

import psycopg

from agent.database.link.boundaries import OWN_NAMES
from agent.database.link.pool import Connection
from agent.database.postgres import PostgresDatabase
from agent.database.rights import MAKE_ONE
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.database.tables.catalog_rows import TABLES
from agent.errors import SettingsInvalid, ToolError
from bot.doctor import (
    database_contents,
    database_limits,
    database_rights,
    database_server,
    database_views,
)
from bot.doctor.attempt import attempt, said
from bot.doctor.finding import Finding, Level, note, ok, unchecked, wrong
from bot.doctor.set_up import SetUp

LIMIT_S: Final = 10.0
CATALOG_LIMIT_S: Final = 30.0
SLOW_CATALOG_S: Final = 5.0
ROWS_COUNTED: Final = 100
"""Of the first table, by the query that shows that queries work."""
_BEGIN: Final = f"BEGIN READ ONLY; SET LOCAL statement_timeout = '8s'; {OWN_NAMES}"
_URL: Final = "postgresql://agent_ro:PASSWORD@HOST:5432/DATABASE"
_KIND_OF_TABLE: Final = {"r": 0, "p": 1, "m": 2, "v": 3, "f": 4}
"""Which relation is read first: a foreign table or a view may be slow."""

Look = Callable[[Connection], Iterator[Finding]]


def database_findings(set_up: SetUp) -> Iterator[Finding]:
    """Yield how the database to answer from stands, and its login."""
    url = set_up.agent.database_url
    if url is None:
        yield wrong(
            "DATABASE_URL is not set",
            f"it names the database to answer from, such as {_URL}; {MAKE_ONE}",
        )
        return
    try:
        database = AnalyticsDatabase(
            url.get_secret_value(),
            time_zone=set_up.agent.time_zone,
            # Only here may a login look that could do too much; it runs no question.
            allow_strong_role=True,
        )
    except SettingsInvalid as fault:
        yield said(fault, "DATABASE_URL")
        return
    with closing(database.pool):
        reached = attempt(
            "the connection", LIMIT_S, _looking(database, lambda c: _reached(c, database, set_up))
        )
        yield from reached
        if any(finding.level is Level.WRONG for finding in reached):
            why = (
                "there is no connection" if len(reached) == 1 else "that has to be put right first"
            )
            yield unchecked("the login, its limits and what it can read", why)
        else:
            yield from _look_closer(database, set_up)


def _look_closer(database: AnalyticsDatabase, set_up: SetUp) -> Iterator[Finding]:
    somebodys: list[str] = []
    accepted = set_up.agent.accept_public_rights
    rights = attempt(
        "the rights of the login",
        LIMIT_S,
        _looking(database, lambda c: database_rights.rights(c, somebodys, accepted=accepted)),
    )
    yield from rights
    looks: dict[str, Look] = {
        "the limits of the login": database_limits.limits,
        "the number of connections": lambda c: database_limits.connections(c, set_up.agent),
        "the views": database_contents.views,
    }
    if somebodys:
        # Whoever uses that login needs it as it is.
        yield unchecked("the limits of the login, and what it can read", "it is not the bot's")
        return
    for name, look in looks.items():
        yield from attempt(name, LIMIT_S, _looking(database, look))
    tables: list[str] = []
    yield from attempt("the catalogue", CATALOG_LIMIT_S, lambda: _catalog(database, tables))
    if any(finding.level is Level.WRONG for finding in rights):
        yield unchecked("a query", "the bot refuses to run any with this login")
    elif tables:
        yield from attempt("a query", LIMIT_S, lambda: _query(set_up, tables[0]))


def _looking(database: AnalyticsDatabase, look: Look) -> Callable[[], Iterator[Finding]]:
    """Return `look` with a connection of its own, in a transaction that is rolled back."""

    def looked() -> Iterator[Finding]:
        with _transaction(database) as connection:
            yield from look(connection)

    return looked


@contextmanager
def _transaction(database: AnalyticsDatabase) -> Iterator[Connection]:
    with database.pool.connection() as connection:
        try:
            connection.execute(_BEGIN)
            yield connection
        except psycopg.Error as error:
            raise database.unavailable(error, was_open=True) from None
        finally:
            if not connection.closed:
                connection.execute("ROLLBACK")


def _reached(
    connection: Connection, database: AnalyticsDatabase, set_up: SetUp
) -> Iterator[Finding]:
    asked = time.time()
    now, login, standby, process, strings = connection.execute(
        "SELECT extract(epoch FROM clock_timestamp())::float8, session_user::text,"
        " pg_is_in_recovery(), pg_backend_pid(), current_setting('standard_conforming_strings')"
    ).fetchone() or (0.0, "?", False, 0, "on")
    set_up.clocks.note("the database", float(str(now)), asked)
    yield ok(f"{database.where} answers, and lets {login} in")
    yield from database_server.encryption(connection, "DATABASE_URL")
    yield from database_server.version(connection)
    if standby:
        yield ok("it is a standby, so nothing can be written there at all")
    if process != connection.info.backend_pid:
        yield note(
            "a pooler such as PgBouncer stands between",
            "the bot works behind one, also where it pools transactions; see that its own way to"
            " the server is encrypted where that leaves this machine",
        )
    if strings != "on":
        yield note(
            "standard_conforming_strings is off on that server",
            "nothing to do; the bot turns it on for its own sessions",
        )


def _catalog(database: AnalyticsDatabase, tables: list[str]) -> Iterator[Finding]:
    """Yield what can be read; put the names, as SQL writes them, into `tables`."""
    started = time.monotonic()
    policy = database_contents.read_policy(database)
    took_s = time.monotonic() - started
    with get_agent_session(database, for_catalog=True) as session:
        rows = [row for row in session.read_catalog(TABLES) if row[6] in (None, row[0])]
        yield from database_contents.extensions(session, policy)
    yield from database_contents.shadowed(policy)
    with _transaction(database) as connection:
        views = [(row[1], row[2]) for row in rows if row[4] == "v"]
        dead = dict(database_views.dead_views(connection, views))
    if dead:
        names = [row[3] for row in rows if (row[1], row[2]) in dead]
        yield database_views.dead(names, list(dead.values()))
    rows = [row for row in rows if (row[1], row[2]) not in dead]
    rows.sort(key=lambda row: _KIND_OF_TABLE[row[4]])
    tables += [row[3] for row in rows]
    if not rows:
        yield database_contents.nothing_to_read(database)
        return
    shown = sum(row[4] in "vm" for row in rows)
    counted = f"{_count(len(rows) - shown, 'table')} and {_count(shown, 'view')}"
    yield ok(f"the login can read {counted}")
    if took_s > SLOW_CATALOG_S:
        yield note(
            f"reading the catalogue took {took_s:.0f} s",
            "the bot does so every 5 minutes; grant the login fewer tables, or a schema of views",
        )
    else:
        yield ok(f"the catalogue is read in {took_s:.1f} s")


def _query(set_up: SetUp, table: str) -> Iterator[Finding]:
    """Run one query the way a question does: guard, session, rows."""
    settings, url = set_up.agent, set_up.agent.database_url
    assert url is not None
    database = PostgresDatabase(
        url.get_secret_value(),
        statement_timeout_ms=settings.statement_timeout_ms,
        max_cost=settings.max_cost,
        time_zone=settings.time_zone,
        pool_size=1,
        accept_public_rights=settings.accept_public_rights,
    )
    query = f"SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT {ROWS_COUNTED}) AS first_rows"
    with closing(database):
        try:
            result = database.fetch(query)
        except ToolError as error:
            yield wrong(
                f"a query on {table} did not work: {error.reason.rstrip('.')}",
                "try the same query as that login in psql",
                f"{query};",
            )
            return
    yield ok(f"a query on {table} passed the guard and came back in {result.duration_ms:.0f} ms")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
