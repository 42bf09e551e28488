"""Questions of our own to the database: few, bounded, and none that may fail a run."""

from __future__ import annotations

from typing import Final

from agent.errors import ToolError
from agent.messages import Cell
from agent.protocols import Database

MAX_PROBES: Final = 3
"""Queries of our own for one result."""


class Probes:
    """What is left of the probing queries for one result."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._left = MAX_PROBES

    def ask(self, sql: str) -> tuple[tuple[Cell, ...], ...]:
        """Return the rows of a query; none where it fails, or none is left.

        It passes the guard and the statement timeout as any other. Raises `DatabaseUnavailable`.
        """
        if self._left <= 0:
            return ()
        self._left -= 1
        try:
            return self._database.fetch(sql).rows
        except ToolError:
            return ()
