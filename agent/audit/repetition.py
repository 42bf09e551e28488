"""How often the rows of a join's sources really come: one probing query for one SELECT."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from agent.audit.grain import grouped_by, keys_of
from agent.audit.probes import Probes
from agent.audit.reading import DIALECT, Tables, column_names

MAX_COUNTED: Final = 10
"""Combinations of sources that are counted for one SELECT."""
MAX_ROWS: Final = 100_000
"""Rows of a join that are looked at: what comes twice among them comes twice in all."""

Combination = tuple[frozenset[str], str]
"""The aliases of sources, and the SQL condition on the rows that are looked at ("": all)."""


@dataclass(frozen=True)
class Count:
    """How often the rows of some sources come in a join, all groups together."""

    rows: int
    """Rows of the join that hold a row of each of them."""
    once: int
    """How many there would be if none came twice in a group."""
    groups: int
    """Groups that hold any."""

    @property
    def is_repeated(self) -> bool:
        return self.rows > self.once

    @property
    def is_one_per_group(self) -> bool:
        return self.once == self.groups


class _Columns:
    """Names for the expressions of the inner query, each taken once."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, expression: str) -> str:
        return self._names.setdefault(expression, f"c{len(self._names) + 1}")

    def select_list(self) -> str:
        return ", ".join(f"{expression} AS {name}" for expression, name in self._names.items())


def count_repetitions(
    scope: Scope, tables: Tables, wanted: Sequence[Combination], probes: Probes
) -> dict[Combination, Count]:
    """Return how often the rows of each wanted combination come; nothing of what cannot be told.

    Raises `DatabaseUnavailable`.
    """
    identities = {each: _identity(scope, tables, each[0]) for each in dict.fromkeys(wanted)}
    known = [each for each, identity in identities.items() if identity][:MAX_COUNTED]
    if not known or scope.external_columns:
        return {}
    columns = _Columns()
    groups = [columns.name(group.sql(DIALECT)) for group in grouped_by(scope.expression)]
    counts = [
        f"({_count(columns, groups, identities[each], each[1])}) AS s{number}"
        for number, each in enumerate(known)
    ]
    joined = f"SELECT {columns.select_list()} {_source(scope.expression)} LIMIT {MAX_ROWS}"
    rows = probes.ask(f"{_ctes(scope.expression)} AS ({joined}) SELECT * FROM {', '.join(counts)}")
    if not rows:
        return {}
    numbers = [int(cell) if isinstance(cell, int) else 0 for cell in rows[0]]
    return {each: Count(*numbers[3 * n : 3 * n + 3]) for n, each in enumerate(known)}


def _count(
    columns: _Columns, groups: list[str], identity: tuple[tuple[str, ...], ...], condition: str
) -> str:
    """Return a query over the joined rows that gives the three numbers of a `Count`."""
    where = [f"{columns.name(_present(part))} IS NOT NULL" for part in identity]
    where += [columns.name(condition)] if condition else []
    fields = [*groups, *(columns.name(column) for part in identity for column in part)]
    present = f"FROM audited_join WHERE {' AND '.join(where)} GROUP BY"
    of_group = f"(SELECT count(*) FROM (SELECT 1 {present} {', '.join(groups)}) AS g)"
    return (
        f"SELECT coalesce(sum(n), 0)::bigint, count(*), {of_group if groups else 1} "
        f"FROM (SELECT count(*) AS n {present} {', '.join(fields)}) AS f"
    )


def _source(select: exp.Expr) -> str:
    """Return the FROM and WHERE of a SELECT."""
    parts = [select.args["from_"], *(select.args.get("joins") or [])]
    parts += [*(select.args.get("laterals") or []), select.args.get("where")]
    return " ".join(part.sql(DIALECT).strip() for part in parts if part is not None)


def _ctes(select: exp.Expr) -> str:
    """Return the WITH that a SELECT, wherever it stands, can see, and the name of one more."""
    node: exp.Expr | None = select
    while node is not None:
        ctes = node.args.get("with_")
        if ctes is not None:
            return f"{ctes.sql(DIALECT)}, audited_join"
        node = node.parent
    return "WITH audited_join"


def _identity(scope: Scope, tables: Tables, aliases: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """Return for each source the SQL of what tells its rows apart; () where one has nothing."""
    found = []
    for alias in sorted(aliases):
        if alias not in scope.selected_sources:
            return ()
        columns = _telling(alias, scope.selected_sources[alias][1], tables)
        if not columns:
            return ()
        found.append(columns)
    return tuple(found)


def _telling(alias: str, source: exp.Expr | Scope, tables: Tables) -> tuple[str, ...]:
    keys = [sorted(key) for key in keys_of(source, tables) if key]
    if keys:
        return tuple(_sql(alias, name) for name in min(keys, key=len))
    # Without a key it is the row as a whole; as text, since not every type can be compared.
    return tuple(f"{_sql(alias, name)}::text" for name in _all_columns(source, tables))


def _all_columns(source: exp.Expr | Scope, tables: Tables) -> tuple[str, ...]:
    if isinstance(source, exp.Table):
        table = tables.find(source)
        return column_names(table) if table is not None else ()
    if isinstance(source.expression, exp.Query):
        return tuple(source.expression.named_selects)
    return ()


def _present(columns: Iterable[str]) -> str:
    """Return SQL that is NULL only where an outer join found no row of a source."""
    return f"coalesce({', '.join(column.removesuffix('::text') + '::text' for column in columns)})"


def _sql(alias: str, name: str) -> str:
    return exp.column(name, alias, quoted=True).sql(DIALECT)
