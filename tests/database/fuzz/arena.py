"""A throw-away cluster: the demo database as it is, and copies of it full of traps."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from agent.database.demo import DATABASE, demo_database

HERE = Path(__file__).parent
WRITER = "writer"

_EXTENSIONS = (
    "dblink", "postgres_fdw", "file_fdw", "tablefunc", "pg_trgm", "citext", "hstore", "intarray",
    "cube", "ltree", "fuzzystrmatch", "unaccent", "lo", "pgrowlocks", "pageinspect",
    "tsm_system_rows",
)  # fmt: skip

# Sights are compared to the byte of the WAL: nothing may write it but a query. Libraries that bring
# settings along are there from the start.
_QUIET = """
ALTER SYSTEM SET autovacuum = off;
ALTER SYSTEM SET checkpoint_timeout = '1d';
ALTER SYSTEM SET session_preload_libraries = 'plpgsql', 'pg_trgm';
SELECT pg_reload_conf();
"""

# A stock server: whatever the demo database takes away from PUBLIC is given back.
_STOCK = """
SET allow_system_table_mods = on;
UPDATE pg_proc p SET proacl = (SELECT i.initprivs FROM pg_init_privs i
    WHERE i.classoid = 'pg_proc'::regclass AND i.objoid = p.oid AND i.objsubid = 0)
WHERE p.pronamespace = 'pg_catalog'::regnamespace;
RESET allow_system_table_mods;
"""

_TRIM = """
SET session_replication_role = replica;
DO $$ DECLARE big regclass; BEGIN
    FOR big IN SELECT oid FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    LOOP
        EXECUTE format('DELETE FROM %s WHERE ctid NOT IN (SELECT ctid FROM %s LIMIT 60)', big, big);
    END LOOP;
END $$;
RESET session_replication_role;
"""

_WRITER = f"""
CREATE ROLE {WRITER} LOGIN NOSUPERUSER CREATEDB CREATEROLE REPLICATION;
DO $$ DECLARE it regrole; BEGIN
    FOR it IN SELECT oid FROM pg_roles WHERE rolname IN ('pg_monitor', 'pg_signal_backend',
        'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program',
        'pg_checkpoint', 'pg_maintain')
    LOOP EXECUTE format('GRANT %s TO {WRITER}', it); END LOOP;
END $$;
"""

_GRANTS = f"""
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, extra TO PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog TO {WRITER};
GRANT ALL ON ALL TABLES IN SCHEMA public TO {WRITER};
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {WRITER};
GRANT ALL ON SCHEMA public, extra TO {WRITER};
GRANT CREATE, TEMPORARY, CONNECT ON DATABASE armed TO {WRITER};
REVOKE ALL ON trap_view, hidden FROM {WRITER};
DO $$ DECLARE it regclass; BEGIN
    FOR it IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'p', 'v', 'm') AND relname NOT IN ('trap_view', 'hidden', 'trap_log')
    LOOP EXECUTE format('ALTER TABLE %s OWNER TO {WRITER}', it); END LOOP;
END $$;
"""

_SHARED = "VACUUM (FREEZE) pg_authid, pg_auth_members, pg_database, pg_db_role_setting, pg_shdepend"


@dataclass(frozen=True)
class Arena:
    """Addresses: the demo database for the agent's role; the armed copy for a role that may write
    and for the superuser; and one more copy, where texts are only analysed.
    """

    agent_url: str
    writer_url: str
    admin_url: str
    reading_url: str
    search_path: str
    """Of the armed copy."""
    folder: Path
    """The server's data folder."""
    dblink: str
    """How a query on the server would connect to the armed copy once more."""


@contextlib.contextmanager
def arena(
    bin_dir: Path | None = None, *, golds: Mapping[str, Path] | None = None
) -> Iterator[Arena]:
    """Serve an arena for as long as the block lasts; `golds` are scripts of more tables to read,
    each by the name of the schema that it gets.
    """
    with demo_database(bin_dir=bin_dir) as demo:
        urls = {name: demo.server.url(database=name) for name in ("armed", "reading")}
        with psycopg.connect(demo.admin_url, autocommit=True) as connection:
            for statement in _QUIET.strip().splitlines():
                connection.execute(statement.encode())
            connection.execute("VACUUM (FREEZE, ANALYZE)")
            connection.execute(_WRITER.encode())
            connection.execute(
                f"ALTER ROLE {WRITER} PASSWORD '{demo.server.password(WRITER)}'".encode()
            )
            _copy(connection, DATABASE, "armed")
            folder = connection.execute("SHOW data_directory").fetchone()
            with psycopg.connect(urls["armed"], autocommit=True) as armed:
                _arm(armed, golds or {})
            _copy(connection, "armed", "reading")
            connection.execute(_SHARED)
        assert folder is not None
        parts = conninfo_to_dict(urls["armed"])
        yield Arena(
            demo.url, demo.server.url(database="armed", user=WRITER), urls["armed"],
            urls["reading"], ", ".join(["extra", "public", *(golds or {})]), Path(folder[0]),
            make_conninfo(**parts).replace("'", ""),
        )  # fmt: skip


def _copy(connection: psycopg.Connection, source: str, name: str) -> None:
    connection.execute(f"CREATE DATABASE {name} TEMPLATE {source}".encode())


def _arm(connection: psycopg.Connection, golds: Mapping[str, Path]) -> None:
    connection.execute(_STOCK.encode())
    connection.execute(_TRIM.encode())
    available = connection.execute("SELECT name FROM pg_available_extensions").fetchall()
    for name in _EXTENSIONS:
        if (name,) in available:
            connection.execute(f"CREATE EXTENSION {name}".encode())
    connection.execute((HERE / "traps.sql").read_bytes())
    for name, script in golds.items():
        connection.execute(f"CREATE SCHEMA {name}; SET search_path = {name}".encode())
        connection.execute(script.read_bytes().replace(b"public.", b""))
        connection.execute(f"GRANT USAGE ON SCHEMA {name} TO {WRITER}".encode())
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO {WRITER}".encode())
    connection.execute("RESET search_path")
    path = ", ".join(["extra", "public", *golds])
    connection.execute(f"ALTER ROLE {WRITER} SET search_path = {path}".encode())
    connection.execute(_GRANTS.encode())
    connection.execute("VACUUM (FREEZE, ANALYZE)")
