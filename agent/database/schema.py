"""What is known of tables: values, and the text in which a model reads them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnInfo:
    """A column of a table or view. `type_name` is as PostgreSQL writes it."""

    name: str
    type_name: str
    nullable: bool
    comment: str = ""
    enum_labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class ForeignKey:
    """Columns of `table` that point at `target_columns` of `target`. Names as SQL writes them."""

    table: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]


@dataclass(frozen=True)
class TableSchema:
    """One table, view, materialized view, partitioned or foreign table."""

    name: str
    """As SQL must write it: quoted where needed, with its schema where the path finds another."""
    kind: str
    comment: str
    row_estimate: int | None
    columns: tuple[ColumnInfo, ...]
    primary_key: tuple[str, ...]
    foreign_keys: tuple[ForeignKey, ...]
    """From this table to others."""
    referenced_by: tuple[ForeignKey, ...]
    """From others to this table."""


@dataclass(frozen=True)
class TableMatch:
    """A table that fits a search, in short."""

    name: str
    kind: str
    comment: str
    row_estimate: int | None
    columns: tuple[str, ...]
    """Column names, perhaps only the first ones; then `columns_cut` is how many are left out."""
    columns_cut: int = 0


@dataclass(frozen=True)
class TableSearch:
    """The answer to a search: the best tables, and the foreign keys on shortest paths between."""

    matches: tuple[TableMatch, ...]
    joins: tuple[ForeignKey, ...]
    total: int
    """How many tables can be read in all."""
    fits: bool = True
    """False: none fits the words, so these are the tables of most weight."""
