"""How much one query may take: one frozen value, with the defaults of the product."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits of one session. Times are in milliseconds."""

    statement_timeout_ms: int = 3_000
    lock_timeout_ms: int = 500
    connect_timeout_s: int = 3
    pool_wait_s: float = 15.0
    """How long a query waits for a free connection."""
    max_cost: float | None = None
    """The planner's own estimate above which a query is not run, in its unit; None: no ceiling."""
    max_rows: int = 1_000
    max_cell_chars: int = 2_000
    max_result_bytes: int = 4_000_000
    """Bytes of all kept cells together."""
    max_read_bytes: int = 64_000_000
    """Bytes of all rows read, cut or not."""
    max_row_bytes: int = 16_000_000
    """Bytes of one row on the wire; a larger one ends the query."""

    @property
    def transaction_timeout_ms(self) -> int:
        """A whole session on the server: planning and one fetch, each with its own time limit."""
        return 2 * self.statement_timeout_ms + 2_000

    @property
    def deadline_s(self) -> float:
        """When the client cancels a statement that the server should have stopped long ago."""
        return self.statement_timeout_ms / 1_000 + 1.5
