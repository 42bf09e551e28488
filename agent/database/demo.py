"""The demo database and the bot's own store, on servers of our own.

The demo database is built once per version of its scripts and of the server, and kept as a cluster
at rest in the cache folder. Each process then serves a copy of its own, so that several run at once
and nothing is left of any of them.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import psycopg
from psycopg import sql

from agent.database.embedded import (
    EmbeddedPostgres,
    EmbeddedPostgresError,
    cluster,
    gravest,
    server_version,
)

DATABASE = "dvd_rental"
AGENT_ROLE = "agent_ro"
_KEPT_UNUSED_S = 30 * 24 * 3600
STORE = "db_agent_store"  # the store's database, and the role that owns it

Progress = Callable[[str], None]


@dataclass(frozen=True)
class DemoDatabase:
    """Where the demo's two databases are; the addresses hold passwords, so they are not printed."""

    server: EmbeddedPostgres

    @property
    def url(self) -> str:
        """The demo database for `agent_ro`, which can only read."""
        return self.server.url(database=DATABASE, user=AGENT_ROLE)

    @property
    def admin_url(self) -> str:
        """The demo database for the superuser."""
        return self.server.url(database=DATABASE)

    @functools.cached_property
    def store_url(self) -> str:
        """An empty database for the bot's own records, made when first asked for."""
        _create_store(self.server, DATABASE)
        return self.server.url(database=STORE, user=STORE)


@contextlib.contextmanager
def demo_database(
    *,
    cache_dir: Path | None = None,
    bin_dir: Path | None = None,
    progress: Progress = lambda _: None,
) -> Iterator[DemoDatabase]:
    """Serve the demo database for as long as the block lasts.

    `cache_dir` is where the finished database is kept (without it, where the system keeps caches);
    if nothing can be kept there, it is built anew each time. `progress` is told what takes longer
    than a second. Raises `EmbeddedPostgresError`.
    """
    try:
        with _template(cache_dir, bin_dir, progress) as template:
            server = _serve_copy(template, bin_dir)
    except _CannotKeep as error:
        progress(f"building the demo database for this run only ({error})…")
        server = _built(bin_dir)
    with server:
        yield DemoDatabase(server)


@contextlib.contextmanager
def store_server(data_dir: Path, *, bin_dir: Path | None = None) -> Iterator[str]:
    """Serve the bot's own durable database from `data_dir`; yield its address.

    The folder is made where it is missing. Raises `EmbeddedPostgresError`, which names the folder
    when another process uses it.
    """
    with EmbeddedPostgres.start(data_dir, bin_dir=bin_dir, durable=True) as server:
        _create_store(server, "postgres")
        yield server.url(database=STORE, user=STORE)


def init_scripts() -> list[Path]:
    """The SQL files that make the demo database, in order: of the wheel, or of the checkout."""
    here = Path(__file__).resolve()
    for folder in (here.parent / "init-db", here.parents[2] / "docker" / "init-db"):
        if scripts := sorted(folder.glob("*.sql")):
            return scripts
    raise EmbeddedPostgresError(
        "The demo database's scripts are missing from this installation. Reinstall db-agent, or "
        "name a database with DATABASE_URL."
    )


class _CannotKeep(Exception):
    """There is no place for the finished demo database."""


@contextlib.contextmanager
def _template(cache_dir: Path | None, bin_dir: Path | None, progress: Progress) -> Iterator[Path]:
    """The finished cluster at rest, built if need be; nobody removes it within the block."""
    with _locked_cache(cache_dir) as (cache, lock):
        home = cache / f"demo-{_fingerprint(bin_dir)}"
        if not home.is_dir():
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not home.is_dir():  # nobody was faster
                progress("building the demo database (first time only)…")
                _remove_unused(cache)
                with _built(bin_dir) as server:
                    _keep(server, home)
            fcntl.flock(lock, fcntl.LOCK_SH)
        with contextlib.suppress(OSError):
            os.utime(home)  # when it was last used
        yield home


def _fingerprint(bin_dir: Path | None) -> str:
    """Changes with all that goes into the template: the server, the scripts, and our own code."""
    digest = hashlib.sha256(server_version(bin_dir).encode())
    for source in (*init_scripts(), Path(__file__), Path(cluster.__file__)):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@contextlib.contextmanager
def _locked_cache(cache_dir: Path | None) -> Iterator[tuple[Path, int]]:
    try:
        cache_dir = cache_dir or platformdirs.user_cache_path("db-agent", appauthor=False)
    except RuntimeError as error:  # a user without a home folder
        raise _CannotKeep(str(error)) from error
    cache = cache_dir.absolute()
    with contextlib.ExitStack() as undo:
        try:
            cache.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(cache / "demo.lock", os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            undo.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_SH)
        except OSError as error:
            raise _CannotKeep(f"{cache}: {error.strerror}") from error
        yield cache, lock


def _serve_copy(template: Path, bin_dir: Path | None) -> EmbeddedPostgres:
    try:
        return EmbeddedPostgres.throwaway(template, bin_dir=bin_dir)
    except EmbeddedPostgresError as error:
        # It may have been cut short by a power failure; the next start makes it anew.
        shutil.rmtree(template, ignore_errors=True)
        raise _CannotKeep(f"{template} could not be used: {gravest(error.detail)}") from error


def _built(bin_dir: Path | None) -> EmbeddedPostgres:
    server = EmbeddedPostgres.throwaway(bin_dir=bin_dir)
    try:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
        with psycopg.connect(server.url(database=DATABASE), autocommit=True) as connection:
            for script in init_scripts():
                connection.execute(script.read_bytes())
            _set_password(connection, AGENT_ROLE, server)
            # Each is 300 files that every copy would have to copy.
            connection.execute("ALTER DATABASE template0 IS_TEMPLATE false")
            connection.execute("DROP DATABASE template0")
            connection.execute("DROP DATABASE postgres")
    except BaseException:
        server.stop()
        raise
    return server


def _keep(server: EmbeddedPostgres, home: Path) -> None:
    try:
        server.keep(home)
    except EmbeddedPostgresError as error:
        raise _CannotKeep(f"{home.parent}: {gravest(error.detail)}") from error
    except OSError as error:
        raise _CannotKeep(f"{home.parent}: {error.strerror}") from error


def _remove_unused(cache: Path) -> None:
    """Remove demo databases of other versions that nobody has used for a month."""
    for home in cache.glob("demo-*"):
        if home.is_dir() and time.time() - home.stat().st_mtime > _KEPT_UNUSED_S:
            shutil.rmtree(home, ignore_errors=True)


def _create_store(server: EmbeddedPostgres, via: str) -> None:
    store = sql.Identifier(STORE)
    with psycopg.connect(server.url(database=via), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [STORE]).fetchone():
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(store))
        # It makes a role of its own that can only read its log.
        connection.execute(sql.SQL("ALTER ROLE {} CREATEROLE").format(store))
        _set_password(connection, STORE, server)
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [STORE])
        if not known.fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(store, store))
            connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(store))


def _set_password(connection: psycopg.Connection, role: str, server: EmbeddedPostgres) -> None:
    statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
    connection.execute(statement.format(sql.Identifier(role), sql.Literal(server.password(role))))
