"""From the text of a query to a tree in which each column names its table.

Plain subqueries and CTEs are merged into the query around them, so that a join inside one and a
sum outside of it are seen together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlglot import exp
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope
from sqlglot.schema import Schema

from agent.audit.ctes import MAX_NODES, size, with_plain_ctes_in_place
from agent.database.guard.second_reader import read_with_sqlglot
from agent.database.schema import TableSchema

DIALECT: Final = "postgres"


@dataclass(frozen=True)
class Query:
    """One query, read; the tree belongs to whoever asked for it."""

    tree: exp.Expr
    tables: Tables

    def scopes(self) -> Iterator[Scope]:
        """Yield every SELECT of the query, inner ones first."""
        yield from (scope for scope in traverse_scope(self.tree) if _is_select(scope))


class Tables:
    """The tables that a query reads, found by how the query writes them."""

    def __init__(self, schemas: Iterable[TableSchema]) -> None:
        self._schemas = tuple(schemas)
        self._names = tuple(_parts(table.name) for table in self._schemas)

    def find(self, node: exp.Table) -> TableSchema | None:
        """Return the table that `node` means; None where that is not certain."""
        found = [
            table
            for table, (schema, name) in zip(self._schemas, self._names, strict=True)
            if name == node.name and (not node.db or not schema or schema == node.db)
        ]
        return found[0] if len(found) == 1 else None


def read(sql: str, schemas: Iterable[TableSchema]) -> Query | None:
    """Return the query `sql`, which reads the tables `schemas`; None where it cannot be read."""
    found = read_with_sqlglot(sql)
    if len(found) != 1 or not isinstance(found[0], exp.Query):
        return None
    tables = Tables(schemas)
    try:
        tree = with_plain_ctes_in_place(found[0].copy())
        if size(tree) > MAX_NODES:
            return None
        tree = qualify(
            tree,
            dialect=DIALECT,
            schema=_Columns(tables),
            validate_qualify_columns=False,
        )
        return Query(merge_subqueries(tree), tables)
    except Exception:  # whatever it raises, it has no opinion on this query
        return None


def column_names(table: TableSchema) -> tuple[str, ...]:
    """Return the names of the columns as they are stored, without quotes."""
    return tuple(stored(column.name) for column in table.columns)


def stored(name: str) -> str:
    """Return a name as it is stored, from how SQL writes it."""
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _parts(name: str) -> tuple[str, str]:
    table = exp.to_table(name, dialect=DIALECT)
    return table.db, table.name


def _is_select(scope: Scope) -> bool:
    return isinstance(scope.expression, exp.Select)


class _Columns(Schema):
    """What sqlglot asks to find out whose column a bare name is."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def column_names(self, table: exp.Table | str, *_: Any, **__: Any) -> list[str]:
        found = self._tables.find(table) if isinstance(table, exp.Table) else None
        return list(column_names(found)) if found else []

    def get_column_type(self, *_: Any, **__: Any) -> exp.DataType:
        return exp.DataType.build("unknown")

    def add_table(self, *_: Any, **__: Any) -> None:
        """Nothing can be added."""

    @property
    def supported_table_args(self) -> tuple[str, ...]:
        return ("this", "db")

    @property
    def empty(self) -> bool:
        return False
