"""Questions to begin with, drawn from what this database holds; kept, and drawn anew in time."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import inflection

from agent.database.schema import ColumnInfo, TableSchema
from agent.errors import Fault
from bot.protocols import Catalogue

log = logging.getLogger(__name__)

MAX_PROMPTS: Final = 4
"""Slack shows so many."""
FRESH_S: Final = 600.0
"""How long the prompts of a catalogue are shown, in seconds; a new table is no hurry."""
AGAIN_S: Final = 60.0
"""After a catalogue that could not be read, in seconds."""

_KINDS: Final = frozenset({"table", "partitioned table", "foreign table"})
_SAYABLE: Final = re.compile(r"[a-z]+(?:_[a-z]+){0,2}")
_MOMENT: Final = re.compile(r"date|timestamp")
_OF_THE_ROW: Final = re.compile(r"updat|modif|chang|delet|load|sync|import")
_NUMBER: Final = re.compile(r"numeric|money|real|double")
_AMOUNT: Final = re.compile(r"(?:^|_)(?:amount|total|revenue|sales|turnover|salary|price)$")
_NAME: Final = re.compile(r"(?:^|_)(?:name|title|label)$")
_TEXT: Final = re.compile(r"text|char|citext")
_SAME_IN_PLURAL: Final = frozenset({"staff", "personnel", "stock", "feedback", "media", "data"})
_FEW: Final = 25
"""A bar chart of more bars is hard to read."""


class OwnPrompts:
    """The prompts of one database; safe to share between threads."""

    def __init__(
        self,
        catalogue: Catalogue | None,
        given: Sequence[str] = (),
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`given` are shown instead of drawn ones; without a catalogue there are no others."""
        self._catalogue = catalogue
        self._kept = tuple(given[:MAX_PROMPTS])
        self._until = float("inf") if given or catalogue is None else 0.0
        self._clock = clock
        self._lock = threading.Lock()

    def now(self) -> tuple[str, ...]:
        """Return up to four questions; () where the database holds nothing to ask about.

        While it cannot be reached, the last ones stand.
        """
        with self._lock:
            if self._catalogue is not None and self._clock() >= self._until:
                try:
                    self._kept = draw_prompts(self._catalogue.tables())
                    self._until = self._clock() + FRESH_S
                except Fault as fault:
                    log.warning("no prompts are drawn from the database: %s", fault.detail or fault)
                    self._until = self._clock() + AGAIN_S
            return self._kept


def draw_prompts(tables: Sequence[TableSchema]) -> tuple[str, ...]:
    """Return up to four questions that the tables can answer, each of another kind where it goes.

    Only tables whose names can be said are asked about, and none that is known to be empty.
    """
    known = sorted(filter(_is_good, tables), key=lambda table: (-_rows(table), table.name))
    by_name = {table.name: table for table in known}
    kinds = (
        _leaders(known, by_name),
        _months(known),
        _shares(known, by_name),
        _totals(known),
    )
    first = [next(kind, "") for kind in kinds]
    counts = (f"How many {_many(table)} are there?" for table in _things(known))
    return tuple(dict.fromkeys(filter(None, chain(first, counts))))[:MAX_PROMPTS]


@dataclass(frozen=True)
class _Link:
    """A table, and one that its rows point to."""

    table: TableSchema
    target: TableSchema


def _leaders(known: Sequence[TableSchema], by_name: dict[str, TableSchema]) -> Iterator[str]:
    """Yield "Which five customers have the most rentals?"."""
    for link in _links(known, by_name):
        if _has_moment(link.table) and _has_name(link.target) and _rows(link.target) > 5:
            yield f"Which five {_many(link.target)} have the most {_many(link.table)}?"


def _months(known: Sequence[TableSchema]) -> Iterator[str]:
    """Yield "Rentals per month, as a line chart"."""
    for table in known:
        if _has_moment(table):
            yield f"{_many(table).capitalize()} per month, as a line chart"


def _shares(known: Sequence[TableSchema], by_name: dict[str, TableSchema]) -> Iterator[str]:
    """Yield "Number of films by rating, as a bar chart"."""
    for table in known:
        for column in table.columns:
            if 2 <= len(column.enum_labels) <= _FEW and _SAYABLE.fullmatch(column.name):
                yield _bars(table, column.name)
    for link in _links(known, by_name):
        if _has_name(link.target) and 2 <= _rows(link.target) <= _FEW:
            yield _bars(link.table, _one(link.target))


def _totals(known: Sequence[TableSchema]) -> Iterator[str]:
    """Yield "Total amount of payments per month"."""
    for table in known:
        amount = next(filter(_is_amount, table.columns), None)
        if amount is not None and _has_moment(table):
            total = inflection.humanize(amount.name).lower().removeprefix("total ").strip()
            yield f"Total {total} of {_many(table)} per month".replace("Total total of", "Total of")


def _things(known: Sequence[TableSchema]) -> list[TableSchema]:
    """Return what is worth counting: first what most others point to."""
    return sorted(
        (table for table in known if not _only_joins(table)),
        key=lambda table: (-len(table.referenced_by), -_rows(table), table.name),
    )


def _links(known: Sequence[TableSchema], by_name: dict[str, TableSchema]) -> Iterator[_Link]:
    """Yield what points to what, the most rows first, and of their targets the largest first."""
    for table in known:
        # Of two ways to one table nobody knows which is meant: the sender, or the recipient?
        names = [key.target for key in table.foreign_keys]
        targets = [by_name[name] for name in names if name in by_name and names.count(name) == 1]
        for target in sorted(targets, key=lambda each: (-_rows(each), each.name)):
            if target is not table and not _only_joins(table):
                yield _Link(table, target)


def _is_good(table: TableSchema) -> bool:
    is_sayable = _SAYABLE.fullmatch(_bare(table)) is not None
    return is_sayable and table.kind in _KINDS and table.row_estimate != 0


def _only_joins(table: TableSchema) -> bool:
    """Is the table there only to join others, as film_actor is?"""
    pointing = {column for key in table.foreign_keys for column in key.columns}
    return len(table.primary_key) > 1 and set(table.primary_key) <= pointing


def _has_moment(table: TableSchema) -> bool:
    return any(
        _MOMENT.match(column.type_name) and not _OF_THE_ROW.search(column.name)
        for column in table.columns
    )


def _has_name(table: TableSchema) -> bool:
    return any(
        _NAME.search(column.name) and _TEXT.search(column.type_name) for column in table.columns
    )


def _is_amount(column: ColumnInfo) -> bool:
    return bool(
        _AMOUNT.search(column.name)
        and _SAYABLE.fullmatch(column.name)
        and _NUMBER.match(column.type_name)
    )


def _bars(table: TableSchema, by: str) -> str:
    return f"Number of {_many(table)} by {by.replace('_', ' ')}, as a bar chart"


def _rows(table: TableSchema) -> int:
    """Return how many rows there are, roughly; one where nobody has counted."""
    return 1 if table.row_estimate is None else table.row_estimate


def _bare(table: TableSchema) -> str:
    return table.name.rpartition(".")[2]


def _one(table: TableSchema) -> str:
    words = _bare(table).replace("_", " ")
    return words if words in _SAME_IN_PLURAL else str(inflection.singularize(words))


def _many(table: TableSchema) -> str:
    words = _bare(table).replace("_", " ")
    return words if words in _SAME_IN_PLURAL else str(inflection.pluralize(words))
