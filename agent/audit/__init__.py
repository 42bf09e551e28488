"""The audit of observations: what is to be known of the rows of a query before they are trusted."""

from __future__ import annotations

from agent.audit.shape import look_at_rows
from agent.messages import AuditNote, QueryResult
from agent.protocols import Database

__all__ = ["ResultAudit"]


class ResultAudit:
    """Implements `agent.protocols.Auditor` over one database; safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def audit(self, result: QueryResult) -> tuple[AuditNote, ...]:
        """Return what is to be known about `result`, the gravest first.

        Raises `DatabaseUnavailable`.
        """
        return tuple(look_at_rows(result))
