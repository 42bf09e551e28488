"""What tables there are, kept for a while, and what the guard may let through on this server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from agent.database import server_policy
from agent.database.guard import GuardPolicy, RelationName
from agent.database.schema import TableSchema, TableSearch
from agent.database.session import AgentSession, AnalyticsDatabase, get_agent_session
from agent.database.tables import catalog_rows
from agent.database.tables.naming import TableNames
from agent.database.tables.search import TableIndex
from agent.errors import UnknownTable

CACHE_S: Final = 300.0
"""How long the catalogue is believed."""
RETRY_AFTER_S: Final = 10.0
"""How old it must be before an unknown name is reason enough to read it again."""

_SEARCH_PATH: Final = "SELECT nspname::text FROM unnest(current_schemas(false)) AS path(nspname)"


@dataclass(frozen=True)
class _Snapshot:
    loaded_at: float
    policy: GuardPolicy
    schemas: dict[RelationName, TableSchema]
    names: TableNames
    index: TableIndex


class Catalog:
    """The catalogue of one database, read at once and cached; safe to share between threads.

    All methods raise `DatabaseUnavailable` when it has to be read and cannot be.
    """

    def __init__(
        self, database: AnalyticsDatabase, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._database = database
        self._clock = clock
        self._lock = threading.Lock()
        self._snapshot: _Snapshot | None = None

    def get_table(self, name: str) -> TableSchema:
        """Return the schema of one table or view; raises `UnknownTable` with the nearest names."""
        found = self._current().names.find(name) or self._current(RETRY_AFTER_S).names.find(name)
        if found is None:
            raise UnknownTable(name, self._current().names.nearest(name))
        return found

    def find_tables(self, words: str) -> TableSearch:
        """Return the tables that fit `words` best, with the foreign keys that join them."""
        return self._current().index.search(words)

    def tables(self) -> tuple[TableSchema, ...]:
        """Return all that may be read, by name."""
        return tuple(sorted(self._current().schemas.values(), key=lambda table: table.name))

    def tables_named(self, names: Iterable[RelationName]) -> list[TableSchema]:
        """Return the schemas of tables that the guard has found in a query."""
        known = self._current().schemas
        return [known[name] for name in names if name in known]

    def policy(self, *, max_age_s: float = CACHE_S) -> GuardPolicy:
        """Return what the guard judges by, at most `max_age_s` seconds old."""
        return self._current(max_age_s).policy

    def _current(self, max_age_s: float = CACHE_S) -> _Snapshot:
        with self._lock:
            snapshot = self._snapshot
            if snapshot is None or self._clock() - snapshot.loaded_at >= max_age_s:
                snapshot = self._snapshot = self._load()
            return snapshot

    def _load(self) -> _Snapshot:
        with get_agent_session(self._database, for_catalog=True) as session:
            tables = _read_tables(session)
            path = tuple(name for (name,) in session.read_catalog(_SEARCH_PATH))
            policy = server_policy.build_policy(
                session.read_catalog(server_policy.FUNCTIONS),
                session.read_catalog(server_policy.OPERATORS),
                session.read_catalog(server_policy.TYPES),
                session.read_catalog(server_policy.CASTS),
                tables.relations,
                path,
                session.server_version,
            )
        schemas = tables.schemas
        return _Snapshot(
            self._clock(), policy, schemas, TableNames(schemas, path), TableIndex(schemas)
        )


def _read_tables(session: AgentSession) -> catalog_rows.Tables:
    return catalog_rows.build_tables(
        session.read_catalog(catalog_rows.TABLES),
        session.read_catalog(catalog_rows.COLUMNS),
        session.read_catalog(catalog_rows.KEYS),
        session.read_catalog(catalog_rows.ENUMS),
    )
