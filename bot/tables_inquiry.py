"""Answers `/ask tables`: what the bot's login may read of the database, and nothing else."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from agent.database.schema import TableMatch, TableSchema
from agent.errors import Fault
from bot.protocols import Catalogue
from bot.render import Card, render_notice
from bot.render.reader import ENGLISH, Reader
from bot.render.tables import NO_CATALOGUE, ListedTable, render_tables

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TablesInquiry:
    """Looks at the catalogue, as the login that answers questions sees it."""

    catalogue: Catalogue | None
    """None: whoever answers has no database that could be listed."""

    def told(self, words: str, reader: Reader = ENGLISH) -> Card:
        """Return all tables, or those that fit `words`, as `reader` writes figures."""
        if self.catalogue is None:
            return render_notice(NO_CATALOGUE)
        try:
            if not words:
                tables = self.catalogue.tables()
                return render_tables(as_listed(tables), total=len(tables), reader=reader)
            found = self.catalogue.find_tables(words)
        except Fault as fault:
            log.error("the tables could not be listed: %s", fault.detail)
            return render_notice(str(fault))
        return render_tables(
            as_listed(found.matches),
            total=found.total,
            words=words,
            fits=found.fits,
            reader=reader,
        )

    def all(self) -> list[ListedTable] | None:
        """Return everything that may be read, the largest first; None where it cannot be had."""
        if self.catalogue is None:
            return None
        try:
            tables = as_listed(self.catalogue.tables())
        except Fault as fault:
            log.error("the tables could not be listed: %s", fault.detail)
            return None
        return sorted(tables, key=lambda table: (-(table.rows or 0), table.name))


def as_listed(tables: Iterable[TableSchema | TableMatch]) -> list[ListedTable]:
    """Return what a list tells of tables."""
    return [
        ListedTable(table.name, table.kind, table.comment, table.row_estimate) for table in tables
    ]
