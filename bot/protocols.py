"""What the bot needs of whoever answers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Protocol

from agent.asker import NOBODY, Asker
from agent.checkpoint import Recorded
from agent.database.schema import TableSchema, TableSearch
from agent.messages import AgentResult, Exchange, QueryResult
from agent.protocols import Budget, Trail


class Agent(Protocol):
    """What answers: `agent.run.Agent`, or anything that behaves like it."""

    @property
    def model_name(self) -> str:
        """What the card calls the model."""

    def run(
        self,
        question: str,
        *,
        history: Sequence[Exchange] = (),
        trail: Trail | None = None,
        cancelled: threading.Event | None = None,
        budget: Budget | None = None,
        asker: Asker = NOBODY,
        resume: Sequence[Recorded] = (),
    ) -> AgentResult:
        """Answer what `asker` asks; what goes wrong in the run is an outcome, not an exception.

        With `resume` the run goes on that was kept so far. Raises `CheckpointUnreadable` where that
        cannot be read.
        """


class Catalogue(Protocol):
    """The database as a person may read it: `agent.database.postgres.PostgresDatabase` is one."""

    def tables(self) -> Sequence[TableSchema]:
        """Return all that may be read, by name. Raises a `Fault` where that cannot be had."""

    def find_tables(self, words: str) -> TableSearch:
        """Return what fits `words` best. Raises a `Fault` where that cannot be had."""

    def fetch_for_file(self, sql: str, *, time_zone: str = "") -> QueryResult:
        """Run a query of the record once more, with room for the rows of a file.

        Raises an `AgentError` where that cannot be done.
        """
