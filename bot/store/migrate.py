"""Brings the bot's schema up to date."""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError, ProgrammingError
from sqlalchemy.pool import NullPool

from agent.errors import SettingsInvalid
from bot.store.errors import StoreUnavailable

SCHEMA = "db_agent"
VERSION_TABLE = "schema_version"
"""Where the schema's revision is kept, in the schema itself."""
LOCK_KEY = 0x6462_6167_656E_74
"""The advisory lock under which one process migrates and the others wait: "dbagent" in bytes."""
CONNECT_TIMEOUT_S = 5


def migrate(url: str, revision: str = "head") -> None:
    """Create or upgrade the schema `db_agent` in the database at `url`, up to `revision`.

    Everything happens in one transaction under an advisory lock, so that processes that start
    together migrate once and a failed migration leaves nothing behind. Raises `StoreUnavailable`,
    or `SettingsInvalid` when the address or the rights of its login are wrong.
    """
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(url, connect_timeout=CONNECT_TIMEOUT_S),
        poolclass=NullPool,
    )
    config = _config()
    try:
        with engine.begin() as connection:
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
            connection.execute(text(f"create schema if not exists {SCHEMA}"))
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
    except OperationalError as error:
        raise StoreUnavailable.at_start(error.orig or error) from error
    except ProgrammingError as error:
        raise _wrong_settings(error.orig) from error
    except CommandError as error:  # it stands at a revision that these files do not know
        raise SettingsInvalid(
            "The database of DB_AGENT_STORE_URL was set up by a newer version of this bot. Start "
            "that version, or name another database.",
            detail=f"store: {error}",
        ) from error


def known_revisions() -> list[str]:
    """Return the revisions of the schema that these files know, the newest first."""
    scripts = ScriptDirectory.from_config(_config())
    return [script.revision for script in scripts.walk_revisions()]


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config


def _wrong_settings(cause: BaseException | None) -> SettingsInvalid:
    if isinstance(cause, psycopg.errors.InsufficientPrivilege):
        return SettingsInvalid(
            f"The login of DB_AGENT_STORE_URL may not set up the schema {SCHEMA}: run GRANT CREATE "
            "ON DATABASE … TO … for it, or name another database.",
            detail=f"store: {cause}",
        )
    # The driver's own words could hold the password.
    return SettingsInvalid(
        "DB_AGENT_STORE_URL does not work: it must be the address of a PostgreSQL database, such "
        "as postgresql://USER:PASSWORD@HOST:5432/DATABASE.",
        detail=f"store: {type(cause).__name__}",
    )
