"""What is looked at before and after: everything on the server that a query could leave behind."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from .arena import Arena

# Within a session: what it holds and how it is set. Names are qualified, since a query may have
# changed the search path.
IN_SESSION = """
SELECT pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.text AS transaction_id,
       (SELECT pg_catalog.string_agg(pg_catalog.concat(name, '=', setting), ';' ORDER BY name)
        FROM pg_catalog.pg_settings) AS settings,
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_prepared_statements) AS prepared,
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_cursors) AS cursors,
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_listening_channels()) AS channels,
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_class
        WHERE relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()) AS temporary,
       (SELECT pg_catalog.string_agg(pg_catalog.concat(locktype, ' ', mode), ';')
        FROM pg_catalog.pg_locks
        WHERE pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid()
        AND locktype OPERATOR(pg_catalog.<>) 'virtualxid'
        AND mode OPERATOR(pg_catalog.<>) 'AccessShareLock') AS locks
"""
SESSION_PARTS = (
    "transaction_id", "settings", "prepared", "cursors", "channels", "temporary", "locks",
)  # fmt: skip

_SIGHT = """
SELECT pg_current_wal_insert_lsn()::text AS wal,
       pg_snapshot_xmax(pg_current_snapshot())::text AS transactions,
       (SELECT string_agg(sequencename || '=' || coalesce(last_value, 0), ';' ORDER BY 1)
        FROM pg_sequences) AS sequences,
       (SELECT count(*) FROM trap_log) AS traps,
       (SELECT count(*) FROM pg_largeobject_metadata) AS large_objects,
       (SELECT string_agg(locktype || ' ' || mode, ';') FROM pg_locks
        WHERE pid <> pg_backend_pid() AND locktype <> 'virtualxid' AND pid <> %(victim)s) AS locks,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'
        AND application_name NOT LIKE 'fuzz%%' AND application_name <> 'db-agent') AS backends,
       (SELECT string_agg(stats_reset::text, ';') FROM pg_stat_database) AS statistics,
       pg_conf_load_time()::text AS configuration,
       (SELECT count(*) FROM pg_replication_slots) AS slots
"""
_NOT_WATCHED = ("pg_wal", "pg_stat_tmp", "pg_stat", "pgsql_tmp", "pg_xact", "pg_subtrans")
_CHANNELS = ("fuzz", "a", "film", "trap")


@dataclass(frozen=True)
class Sight:
    """All that was seen at one moment, by name."""

    parts: dict[str, Any]

    def differences(self, later: Sight) -> list[str]:
        """Say what is another in `later`."""
        found = []
        for name, value in self.parts.items():
            now = later.parts[name]
            if isinstance(value, frozenset) and now - value:
                found.append(f"{name}: {sorted(now - value)[:5]}")
            elif not isinstance(value, frozenset) and now != value:
                found.append(f"{name}: {_changed(str(value), str(now))}")
        return found


def session_differences(before: tuple[Any, ...], now: tuple[Any, ...]) -> list[str]:
    """Say what is another within a session than it was in one that did nothing."""
    return [
        f"{part}: {_changed(str(was), str(value))}"
        for part, was, value in zip(SESSION_PARTS, before, now, strict=True)
        if value != was
    ]


def _changed(before: str, now: str) -> str:
    old, new = before.split(";"), now.split(";")
    return f"{[x for x in old if x not in new][:3]} -> {[x for x in new if x not in old][:3]}"


class Watcher:
    """Looks at the server from connections of its own, none of which a query can reach."""

    def __init__(self, arena: Arena) -> None:
        self._folder = arena.folder
        self._connection = _connect(arena, "fuzz watcher")
        for channel in _CHANNELS:
            self._connection.execute(f"LISTEN {channel}".encode())
        self._arena = arena
        self._sleeper = self._put_to_sleep()

    def _put_to_sleep(self) -> psycopg.Connection[Any]:
        sleeper = _connect(self._arena, "fuzz sleeper")
        self.sleeper_pid = sleeper.info.backend_pid
        sleeper.pgconn.send_query(b"SELECT pg_sleep(1000000)")
        return sleeper

    def settled(self) -> Sight:
        """Return what there is when all that was found before is over: whoever looks first at a
        page that has just been written may write to it again.
        """
        if self._sleeper_state() != "asleep":
            self._sleeper.close()
            self._sleeper = self._put_to_sleep()
        self.sight()
        return self.sight()

    def sight(self) -> Sight:
        """Return what there is now."""
        cursor = self._connection.execute(_SIGHT.encode(), {"victim": self.sleeper_pid})
        row = cursor.fetchone()
        assert row is not None
        assert cursor.description is not None
        parts = {column.name: value for column, value in zip(cursor.description, row, strict=True)}
        parts["files"] = frozenset(_files(self._folder))
        parts["sleeper"] = self._sleeper_state()
        notes = [f"{n.channel} {n.payload}" for n in self._connection.notifies(timeout=0)]
        parts["notifications"] = ", ".join(notes)
        return Sight(parts)

    def _sleeper_state(self) -> str:
        if self._sleeper.info.transaction_status == TransactionStatus.ACTIVE:
            try:
                self._sleeper.pgconn.consume_input()
            except psycopg.Error as error:
                return str(error)
            if self._sleeper.pgconn.is_busy():
                return "asleep"
        return "woken"

    def make_room(self) -> None:
        """Checkpoint, so that none happens by itself while somebody looks."""
        self._connection.execute("CHECKPOINT")

    def close(self) -> None:
        """End both connections."""
        self._sleeper.close()
        self._connection.close()


def _connect(arena: Arena, name: str) -> psycopg.Connection[Any]:
    return psycopg.connect(arena.admin_url, autocommit=True, application_name=name)


def _files(folder: Path) -> list[str]:
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _NOT_WATCHED]
        found += [
            f"{where}/{name}" for name in names if not name.startswith(("pg_internal.init", "."))
        ]
    return found
