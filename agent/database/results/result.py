"""Builds a `QueryResult` row by row, within the limits, and says in words what was cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.database.link import wire
from agent.database.link.limits import Limits
from agent.database.results.cells import read_cell
from agent.messages import Cell, Column, QueryResult

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult


class ResultBuilder:
    """Takes rows from the wire as long as there is room, and counts what it leaves out."""

    def __init__(self, limits: Limits, description: PGresult) -> None:
        fields = range(description.nfields)
        self.labels = [(description.fname(i) or b"").decode("utf-8", "replace") for i in fields]
        self.kinds = [(description.ftype(i), description.fmod(i)) for i in fields]
        """Type OID and modifier of each column."""
        self.type_names: list[str] = []
        """The name of each column's type, to be filled in."""
        self.is_full = False
        """So much has arrived that no more should be read."""
        self._limits = limits
        self._rows: list[tuple[Cell, ...]] = []
        self._has_more = False
        self._cut_cells = 0
        self._kept_bytes = 0
        self._read_bytes = 0

    def add(self, result: PGresult) -> None:
        """Take the rows of `result`."""
        for row in range(result.ntuples):
            if len(self._rows) < self._limits.max_rows and not self.is_full:
                self._add_row(result, row)
            else:
                self._has_more = True

    def _add_row(self, result: PGresult, row: int) -> None:
        cells = []
        read_before = self._read_bytes
        for column, (type_oid, _) in enumerate(self.kinds):
            value = result.get_value(row, column)
            cell, was_cut = read_cell(value, type_oid, self._limits.max_cell_chars)
            size = len(value or b"")
            self._read_bytes += size
            self._kept_bytes += min(size, self._limits.max_cell_chars * 4)
            self._cut_cells += was_cut
            cells.append(cell)
        if self._read_bytes - read_before > self._limits.max_row_bytes:
            raise wire.RowTooLarge
        self._rows.append(tuple(cells))
        self.is_full = (
            self._kept_bytes > self._limits.max_result_bytes
            or self._read_bytes > self._limits.max_read_bytes
            or len(self._rows) * len(self.kinds) > self._limits.max_cells
        )

    def build(self, sql: str, columns: tuple[Column, ...], duration_ms: float) -> QueryResult:
        """Return the result of the query `sql`."""
        if not columns:  # a bare SELECT: PostgreSQL counts its row, but there is nothing in it
            return QueryResult(
                sql, (), (), duration_ms=duration_ms, notes=("The query names no column.",)
            )
        notes = self._notes()
        return QueryResult(sql, columns, tuple(self._rows), bool(notes), duration_ms, notes)

    def _notes(self) -> tuple[str, ...]:
        notes = []
        count = f"{len(self._rows):,} {'row' if len(self._rows) == 1 else 'rows'}"
        if self.is_full:
            notes.append(f"Only the first {count} were read: the rows are very long.")
        elif self._has_more:
            notes.append(f"Only the first {count} are here; there are more.")
        if self._cut_cells:
            cells = "1 cell was" if self._cut_cells == 1 else f"{self._cut_cells:,} cells were"
            notes.append(
                f"{cells} longer than {self._limits.max_cell_chars:,} characters and cut to that."
            )
        return tuple(notes)
