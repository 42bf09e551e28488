"""The bot's own record: its database, or the data folder where it keeps one of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg import sql

from agent.database.embedded import EmbeddedPostgres
from agent.database.link.address import read_address
from agent.errors import SettingsInvalid
from bot.commands.record import store_url_beside_the_bot
from bot.doctor import database_server
from bot.doctor.attempt import attempt, said
from bot.doctor.finding import Finding, Level, note, ok, unchecked, wrong
from bot.doctor.set_up import SetUp
from bot.doctor.store_reader import reader_findings
from bot.store.migrate import BY_HAND, SCHEMA, VERSION_TABLE, known_revisions

LIMIT_S: Final = 10.0
START_LIMIT_S: Final = 60.0
"""For a server of our own: as long as it may take to start."""
CONNECT_TIMEOUT_S: Final = 5
LOW_MB: Final = 1_000
"""Free space in the data folder below which a note is due."""
TOO_LOW_MB: Final = 200
_MB: Final = 1_000_000

SETTING: Final = "DB_AGENT_STORE_URL"
BY_COMMAND: Final = "run this, since DB_AGENT_MIGRATE=off keeps the bot from doing it"
_OWN_LOGIN: Final = (
    "CREATE ROLE db_agent_store LOGIN PASSWORD '…';",
    "CREATE DATABASE db_agent_store OWNER db_agent_store;",
)
_RIGHTS: Final = """
SELECT current_user::text, quote_ident(current_user), quote_ident(current_database()),
       has_database_privilege(current_database(), 'CREATE'),
       (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = %s),
       to_regclass(%s) IS NOT NULL, pg_is_in_recovery()
"""


def store_findings(set_up: SetUp) -> Iterator[Finding]:
    """Yield whether the bot can keep its record."""
    given = set_up.bot.store_url
    if given is not None:
        address = given.get_secret_value().strip()
        try:
            read_address(address, name=SETTING)
        except SettingsInvalid as fault:
            yield said(fault, SETTING)
            return
        yield from attempt("the record", LIMIT_S, lambda: _database(address, set_up))
        return
    folder = set_up.bot.data_dir / "store"
    yield ok(f"DB_AGENT_STORE_URL is not set: the bot keeps its record in {folder}")
    places = attempt("the data folder", LIMIT_S, lambda: _folder(folder))
    yield from places
    if any(finding.level is Level.WRONG for finding in places):
        yield unchecked("the server in that folder", "the folder cannot be used")
    else:
        yield from attempt("its server", START_LIMIT_S, lambda: _own_server(set_up, folder))


def _folder(folder: Path) -> Iterator[Finding]:
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        yield wrong(
            f"{there} cannot be written to",
            "let the user that runs the bot write there, or set DB_AGENT_DATA_DIR to another"
            " folder",
        )
        return
    free = shutil.disk_usage(there).free // _MB
    if free < TOO_LOW_MB:
        yield wrong(f"{there} has {free:,} MB left", "make room, or set DB_AGENT_DATA_DIR")
    elif free < LOW_MB:
        yield note(f"{there} has {free:,} MB left", "make room, or set DB_AGENT_DATA_DIR")
    else:
        yield ok(f"{there} can be written to, and has {free / 1_000:,.0f} GB left")


def _own_server(set_up: SetUp, folder: Path) -> Iterator[Finding]:
    bin_dir = set_up.agent.pg_bin
    if (folder / "cluster").is_dir():
        with store_url_beside_the_bot(set_up.bot, bin_dir) as address:
            yield from _database(address, set_up)
        return
    # A look must not make the folder; that its server can run here shows one that goes again.
    with (
        EmbeddedPostgres.throwaway(bin_dir=bin_dir) as server,
        psycopg.connect(server.url(), connect_timeout=CONNECT_TIMEOUT_S) as connection,
    ):
        yield from database_server.version(connection)
    yield ok("PostgreSQL starts here; the record is made when the bot first starts")


def _database(address: str, set_up: SetUp) -> Iterator[Finding]:
    own = set_up.bot.store_url is None
    try:
        with psycopg.connect(
            address, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S
        ) as connection:
            connection.execute(
                "SET statement_timeout = '8s'; SET search_path = pg_catalog, pg_temp"
            )
            yield ok("the database for the record answers")
            yield from database_server.version(connection)
            if not own:
                yield from database_server.encryption(connection, SETTING)
            if _is_that_of_the_questions(connection, set_up):
                yield wrong(
                    f"the login of {SETTING} is that of DATABASE_URL, which shall only read",
                    "use another login for the record, best with a database of its own",
                    *_OWN_LOGIN,
                )
                return
            if not own:
                yield from _superuser(connection)
            yield from _schema(connection, migrates=set_up.bot.migrates)
            yield from reader_findings(connection, set_up)
    except psycopg.Error as error:
        yield database_server.unreachable(error, "the database for the record", SETTING)


def _superuser(connection: psycopg.Connection[Any]) -> Iterator[Finding]:
    row = connection.execute(
        "SELECT rolname::text FROM pg_roles WHERE rolname = current_user AND rolsuper"
    ).fetchone()
    if row is not None:
        yield note(
            f"{row[0]}, who keeps the record, is a superuser of that server",
            f"give the record a login and a database of its own, and name them in {SETTING}",
            *_OWN_LOGIN,
        )


def _is_that_of_the_questions(connection: psycopg.Connection[Any], set_up: SetUp) -> bool:
    """Say whether the record's login is the one that questions are answered with."""
    url = set_up.agent.database_url
    try:
        asked = read_address(url.get_secret_value()) if url is not None else {}
    except SettingsInvalid:
        return False
    info = connection.info
    place = (database_server.place(str(asked.get("host") or "")), str(asked.get("port") or 5432))
    return asked.get("user") == info.user and place == (
        database_server.place(info.host),
        str(info.port),
    )


def _schema(connection: psycopg.Connection[Any], *, migrates: bool) -> Iterator[Finding]:
    table = f"{SCHEMA}.{VERSION_TABLE}"
    row = connection.execute(_RIGHTS, [SCHEMA, table]).fetchone()
    assert row is not None
    _, role, database, may_create, owns, has_table, standby = row
    if standby:
        yield wrong(
            "that server is a standby, where nothing can be kept",
            "name its primary in DB_AGENT_STORE_URL",
        )
    elif owns is None and not may_create:
        yield wrong(
            f"the login may not make the schema {SCHEMA} there",
            "let it, or name another database in DB_AGENT_STORE_URL",
            f"GRANT CREATE ON DATABASE {database} TO {role};",
        )
    elif owns is False:
        yield wrong(
            f"the schema {SCHEMA} there belongs to another login",
            "set DB_AGENT_STORE_URL to that login, or give the schema and all in it to this one",
        )
    elif not has_table:
        yield (
            ok(f"the schema {SCHEMA} is made when the bot first starts")
            if migrates
            else wrong(f"the schema {SCHEMA} is not there yet", BY_COMMAND, BY_HAND)
        )
    else:
        yield _revision(connection, migrates=migrates)


def _revision(connection: psycopg.Connection[Any], *, migrates: bool) -> Finding:
    query = sql.SQL("SELECT version_num::text FROM {}").format(
        sql.Identifier(SCHEMA, VERSION_TABLE)
    )
    row = connection.execute(query).fetchone()
    known = known_revisions()
    if row is not None and row[0] not in known:
        return wrong(
            "the record was set up by a newer version of this bot",
            "start that version, or name another database in DB_AGENT_STORE_URL",
        )
    if (row is None or row[0] != known[0]) and not migrates:
        return wrong("the record is of an older version", BY_COMMAND, BY_HAND)
    if row is None or row[0] != known[0]:
        return ok("the record is of an older version; it is brought up to date at the next start")
    return ok("the record is up to date")
