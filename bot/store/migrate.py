"""Brings the bot's schema up to date, or says how far behind it is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from agent.errors import SettingsInvalid
from bot.store.errors import fault_of_schema

SCHEMA: Final = "db_agent"
VERSION_TABLE: Final = "schema_version"
"""Where the schema's revision is kept, in the schema itself."""
LOCK_KEY: Final = 0x6462_6167_656E_74
"""The advisory lock under which one process migrates and the others wait: "dbagent" in bytes."""
CONNECT_TIMEOUT_S: Final = 5
TURN_S: Final = 300
"""How long another process may take that migrates already, in seconds."""
BY_HAND: Final = "db-agent migrate"


@dataclass(frozen=True)
class Patience:
    """How a migration waits for tables that somebody works with."""

    lock_s: float = 2.0
    """For one table, in seconds: whoever wants that table meanwhile waits behind the migration."""
    tries: int = 5
    pause_s: float = 1.0
    """Between two tries, in seconds, for those that waited."""


PATIENCE: Final = Patience()


@dataclass(frozen=True)
class Standing:
    """Where a schema is, and where these files would bring it."""

    version: str
    """Its revision; "" where there is none yet."""
    newest: str

    @property
    def is_current(self) -> bool:
        return self.version == self.newest


@dataclass(frozen=True)
class Migrated:
    """From which revision to which a schema was brought; "" is none."""

    before: str
    after: str


def migrate(url: str, revision: str = "head", patience: Patience = PATIENCE) -> Migrated:
    """Create or upgrade the schema `db_agent` in the database at `url`, up to `revision`.

    Everything happens in one transaction under an advisory lock, so that processes that start
    together migrate once, and a migration that failed or was killed leaves nothing behind. It
    waits for no table longer than `patience` has it, and tries again a few times.

    Raises `StoreUnavailable`, `StoreBusy` among them, or `SettingsInvalid` when the address or the
    rights of its login are wrong, or the schema is newer than `revision`.
    """
    engine = _engine(url)
    for left in reversed(range(patience.tries)):
        try:
            with engine.begin() as connection:
                return _upgrade(connection, revision, patience.lock_s)
        except DBAPIError as error:
            if not left or not isinstance(error.orig, _IN_THE_WAY):
                raise fault_of_schema(error.orig) from error
        time.sleep(patience.pause_s)
    raise AssertionError("the last try returns or raises")


def standing(url: str) -> Standing:
    """Return where the schema in the database at `url` is; it is left as it is.

    Raises what `migrate` does, for a schema that is newer than these files too.
    """
    try:
        with _engine(url).connect() as connection:
            version = _version(connection)
    except DBAPIError as error:
        raise fault_of_schema(error.orig) from error
    _check_known(version)
    return Standing(version, known_revisions()[0])


def require_current(url: str) -> None:
    """Raise `SettingsInvalid` unless the schema is that of these files; or what `standing` does."""
    found = standing(url)
    if not found.is_current:
        raise SettingsInvalid(f"{behind(found)} DB_AGENT_MIGRATE=off keeps the bot from doing it.")


def behind(found: Standing) -> str:
    """Return in words what to do about a schema that is not up to date."""
    at = f"at {found.version}" if found.version else "not there yet"
    return (
        f"The schema of the bot's record is {at}, and this version needs {found.newest}: run "
        f"`{BY_HAND}`."
    )


@cache
def known_revisions() -> tuple[str, ...]:
    """Return the revisions of the schema that these files know, the newest first."""
    scripts = ScriptDirectory.from_config(_config())
    return tuple(script.revision for script in scripts.walk_revisions())


_IN_THE_WAY: Final = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected)


def _upgrade(connection: Connection, revision: str, lock_s: float) -> Migrated:
    connection.execute(text("set local statement_timeout = 0"))
    connection.execute(text(f"set local lock_timeout = '{TURN_S}s'"))
    connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
    connection.execute(text(f"set local lock_timeout = '{lock_s}s'"))
    before = _version(connection)
    _check_known(before)
    known = known_revisions()
    wanted = known[0] if revision == "head" else revision
    if before and known.index(before) < known.index(wanted):
        raise SettingsInvalid(
            f"The bot's record is at {before}, and no way leads back to {wanted}: restore a backup "
            "that was made then."
        )
    if before != wanted:
        # Whoever may not make a schema may still use one.
        connection.execute(text(f"create schema if not exists {SCHEMA}"))
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, wanted)
    return Migrated(before, wanted)


def _version(connection: Connection) -> str:
    table = f"{SCHEMA}.{VERSION_TABLE}"
    if connection.execute(text("select to_regclass(:table)"), {"table": table}).scalar() is None:
        return ""
    return str(connection.execute(text(f"select version_num from {table}")).scalar() or "")


def _check_known(version: str) -> None:
    if version and version not in known_revisions():
        raise SettingsInvalid(
            "The database of DB_AGENT_STORE_URL was set up by a newer version of this bot, and no "
            "way leads back: start that version, restore a backup, or name another database.",
            detail=f"store: it is at {version}",
        )


def _engine(url: str) -> Engine:
    return create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(
            url, connect_timeout=CONNECT_TIMEOUT_S, application_name="db-agent migrate"
        ),
        poolclass=NullPool,
    )


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config
