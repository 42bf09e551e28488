"""FROM clauses: each path from a root becomes joins, each joined table an alias of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from agent.models.offline.atlas import Step
from agent.models.offline.frame import Path, Spot


class Names:
    """Hands out aliases, so that no two of one query are the same."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def take(self, table: str) -> str:
        """Return a new alias for `table`, its own name where that is free."""
        bare = base_name(table)
        for number in self._numbers():
            alias = bare if number == 1 else _numbered(bare, number)
            if alias not in self._used:
                self._used.add(alias)
                return alias
        raise AssertionError("numbers do not end")

    @staticmethod
    def _numbers() -> Iterator[int]:
        return count(1)


def base_name(table: str) -> str:
    """Return a table's name without its schema, still as SQL writes it."""
    match = re.search(r'("(?:[^"]|"")+"|[^."]+)$', table)
    return match[1] if match else table


def _numbered(name: str, number: int) -> str:
    return f'{name[:-1]}_{number}"' if name.endswith('"') else f"{name}_{number}"


class From:
    """The joined tables of one query, grown as columns are asked for."""

    def __init__(self, root: str, names: Names, *, outer: bool = False) -> None:
        self.names = names
        self._join = "LEFT JOIN" if outer else "JOIN"
        self._aliases: dict[Path, str] = {(): names.take(root)}
        alias = self._aliases[()]
        self._lines = [f"FROM {root}" + ("" if alias == root else f" AS {alias}")]
        self.downs: set[Path] = set()

    def alias(self, path: Path, *, outer: bool = False) -> str:
        """Return the alias of the table that `path` leads to, joined in if it was not yet."""
        if path not in self._aliases:
            source = self.alias(path[:-1], outer=outer)
            step = path[-1]
            join = "LEFT JOIN" if outer and path[-1].up else self._join
            target = self.names.take(step.target)
            self._aliases[path] = target
            named = step.target if target == step.target else f"{step.target} AS {target}"
            self._lines.append(f"{join} {named} ON {join_condition(step, source, target)}")
            if not step.up:
                self.downs.add(path)
        return self._aliases[path]

    def has(self, path: Path) -> bool:
        """Whether `path` is joined already."""
        return path in self._aliases

    def column(self, spot: Spot) -> str:
        """Return a column as the query writes it."""
        alias = self.alias(spot.path)
        if "+" in spot.column:
            return (
                "(" + " || ' ' || ".join(f"{alias}.{part}" for part in spot.column.split("+")) + ")"
            )
        return f"{alias}.{spot.column}"

    def text(self) -> str:
        """Return the FROM clause."""
        return "\n".join(self._lines)


def join_condition(step: Step, source: str, target: str) -> str:
    """Return the ON condition of one step, from alias `source` to alias `target`."""
    key = step.key
    own, other = (key.columns, key.target_columns) if step.up else (key.target_columns, key.columns)
    pairs = zip(own, other, strict=True)
    return " AND ".join(f"{target}.{b} = {source}.{a}" for a, b in pairs)
