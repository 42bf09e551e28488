"""How much one query may take: one frozen value, with the defaults of the product."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final


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
    max_cells: int = 250_000
    """Cells of all kept rows together: 1,000 rows of 250 columns."""
    max_cell_chars: int = 2_000
    max_result_bytes: int = 4_000_000
    """Bytes of all kept cells together."""
    max_read_bytes: int = 64_000_000
    """Bytes of all rows read, cut or not."""
    max_row_bytes: int = 16_000_000
    """Bytes of one row on the wire; a larger one ends the query."""

    @property
    def transaction_timeout_ms(self) -> int:
        """A whole session on the server, should nobody else have ended it by then."""
        return self.statement_timeout_ms + 2_000

    @property
    def deadline_s(self) -> float:
        """When the client cancels a query that the server should have stopped long ago."""
        return self.statement_timeout_ms / 1_000 + 1.0


FILE_ROWS: Final = 50_000
"""Rows of a file for a person; a spreadsheet takes a million, a channel does not want them."""
_FILE_CELL_CHARS: Final = 32_000
"""A spreadsheet's cell holds 32,767 characters."""


def for_a_file(limits: Limits) -> Limits:
    """Return the limits of a query whose rows become a file, which no model reads."""
    return replace(
        limits,
        max_rows=max(FILE_ROWS, limits.max_rows),
        max_cells=1_000_000,
        max_cell_chars=_FILE_CELL_CHARS,
        max_result_bytes=20_000_000,
    )


class QueryClock:
    """The time limit of one query, whatever the steps it takes; begins with its making."""

    def __init__(self, limits: Limits) -> None:
        self._limit_ms = limits.statement_timeout_ms
        self._started = time.monotonic()
        self.deadline = self._started + limits.deadline_s
        """A time of `time.monotonic`."""

    @property
    def counts(self) -> bool:
        """So much has passed that the next step should have less than the whole time."""
        return self._limit_ms - self.left_ms > self._limit_ms / 20

    @property
    def left_ms(self) -> int:
        """What the server may still take; never 0, which would be no limit at all."""
        passed = round((time.monotonic() - self._started) * 1_000)
        return max(self._limit_ms - passed, 50)
