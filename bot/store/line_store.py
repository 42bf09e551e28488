"""The line of questions that wait for a worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.store.connection import StoreConnection

# Of all workspaces and processes; what a process that stops gave back waits again. The index of
# unfinished runs keeps it cheap.
LINE: Final = """
select count(*) as waiting,
       coalesce(greatest(extract(epoch from now() - min(created_at)), 0), 0)::float as oldest_s
from db_agent.runs
where status = 'running' and owner = ''
"""


@dataclass(frozen=True)
class Line:
    """How long the line is."""

    waiting: int
    oldest_s: float
    """How long the first of them has waited, in seconds."""


class LineStore(StoreConnection):
    """Looks at the line; who stands in it is none of its business."""

    def line(self) -> Line:
        """Return how long the line is now. Raises `StoreUnavailable`."""
        with self._statement() as connection:
            row = connection.execute(LINE).fetchone()
        assert row is not None
        return Line(int(row["waiting"]), float(row["oldest_s"]))
