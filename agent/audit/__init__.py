"""The audit of observations: what is to be known of the rows of a query before they are trusted.

The rows are looked at, then the query; where its text cannot decide, the database is asked, with
few and bounded queries. What cannot be found out is left out.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Final

from agent.audit.duplicates import find_duplicates
from agent.audit.fan_out import find_fan_out
from agent.audit.filters import filters
from agent.audit.learnt_keys import LearntKeys
from agent.audit.nulls import find_empty_columns
from agent.audit.probes import Probes
from agent.audit.reading import Query, read
from agent.audit.shape import each_value_occurs, found_nothing, look_at_rows, without_hint
from agent.audit.values import describe_missing, missing_values
from agent.database.schema import TableSchema
from agent.errors import AgentError, UnknownTable
from agent.messages import AuditNote, NoteKind, QueryResult
from agent.protocols import Database

__all__ = ["ResultAudit"]

logger = logging.getLogger(__name__)

_GRAVEST_FIRST: Final = (
    NoteKind.FAN_OUT,
    NoteKind.UNKNOWN_VALUE,
    NoteKind.NO_ROWS,
    NoteKind.ALL_NULL,
    NoteKind.DUPLICATES,
    NoteKind.TRUNCATED,
)


class ResultAudit:
    """Implements `agent.protocols.Auditor` over one database; safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._learnt = LearntKeys()

    def on(self, database: Database) -> ResultAudit:
        """Return the same audit over the same database as somebody else reads it."""
        other = ResultAudit(database)
        other._learnt = self._learnt
        return other

    def audit(self, result: QueryResult) -> tuple[AuditNote, ...]:
        """Return what is to be known about `result`, the gravest first.

        Raises `DatabaseUnavailable`.
        """
        query = read(result.sql, self._tables(result)) if result.tables else None
        notes = [*look_at_rows(result), *find_empty_columns(result, query)]
        if query is not None:
            try:
                notes = self._ask(result, query, notes)
            except AgentError:
                raise
            except Exception:  # a reader of SQL meets what nobody thought of; no run ends for it
                logger.exception("the audit failed", extra={"private": result.sql})
        return tuple(sorted(notes, key=lambda note: _GRAVEST_FIRST.index(note.kind)))

    def _ask(self, result: QueryResult, query: Query, notes: list[AuditNote]) -> list[AuditNote]:
        """Return `notes` with those on the query; what it wants may explain that nothing came."""
        probes = Probes(self._database)
        wanted = filters(query)
        if not found_nothing(result):
            notes += [
                *find_fan_out(query, probes, self._learnt),
                *find_duplicates(result, query, probes),
            ]
            # One of several values may be misspelt, and nobody notices.
            missing = missing_values([each for each in wanted if each.must_occur], probes)
            return [*notes, *describe_missing(missing or [], probes)]
        missing = missing_values(wanted, probes)
        if missing:
            return [*describe_missing(missing, probes), *map(without_hint, notes)]
        return notes if missing is None else [*map(each_value_occurs, notes)]

    def _tables(self, result: QueryResult) -> Iterator[TableSchema]:
        for name in result.tables:
            try:
                yield self._database.get_table(name)
            except UnknownTable:  # gone since the query ran
                continue
