"""Brings the bot's schema up to date."""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from bot.store.errors import StoreUnavailable

SCHEMA = "db_agent"
LOCK_KEY = 0x6462_6167_656E_74
"""The advisory lock under which one process migrates and the others wait: "dbagent" in bytes."""
CONNECT_TIMEOUT_S = 5


def migrate(url: str, revision: str = "head") -> None:
    """Create or upgrade the schema `db_agent` in the database at `url`, up to `revision`.

    Everything happens in one transaction under an advisory lock, so that processes that start
    together migrate once and a failed migration leaves nothing behind. Raises `StoreUnavailable`.
    """
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(url, connect_timeout=CONNECT_TIMEOUT_S),
        poolclass=NullPool,
    )
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    try:
        with engine.begin() as connection:
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
            connection.execute(text(f"create schema if not exists {SCHEMA}"))
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
    except OperationalError as error:
        raise StoreUnavailable.because(error.orig or error) from error
