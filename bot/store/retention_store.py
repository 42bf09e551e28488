"""What ages out of the store, a batch at a time."""

from __future__ import annotations

from typing import LiteralString

from bot.store import retention_queries as queries
from bot.store.connection import StoreConnection


class RetentionStore(StoreConnection):
    """Each method drops at most `limit` of the oldest, and returns how many.

    None where another process is at it. What has not ended is left.
    """

    def drop_old_rows(self, *, days: int, limit: int) -> int | None:
        """Empty results that are older than so many days; their SQL and columns stay."""
        return self._drop(queries.DROP_ROWS, days, limit)

    def drop_old_checkpoints(self, *, days: int, limit: int) -> int | None:
        """Empty the checkpoints of runs that ended so long ago: nobody goes on with them."""
        return self._drop(queries.DROP_CHECKPOINTS, days, limit)

    def drop_old_runs(self, *, days: int, limit: int) -> int | None:
        """Drop runs that are older, with all that belongs to them; what they cost stays."""
        return self._drop(queries.DROP_RUNS, days, limit)

    def drop_old_conversations(self, *, days: int, limit: int) -> int | None:
        """Drop conversations without runs in which nobody asked for so many days."""
        return self._drop(queries.DROP_CONVERSATIONS, days, limit)

    def drop_old_visits(self) -> int | None:
        """Drop what is left of visits to the page where workspaces install the app."""
        return self._drop(queries.DROP_VISITS, 0, 0)

    def _drop(self, query: LiteralString, days: int, limit: int) -> int | None:
        with self._connection() as connection:
            turn = connection.execute(queries.TURN).fetchone()
            if turn is None or not turn["is_ours"]:
                return None
            cursor = connection.execute(query, {"days": days, "limit": limit})
            if query is not queries.DROP_RUNS:
                return cursor.rowcount
            row = cursor.fetchone()
            return int(row["n"]) if row else 0
