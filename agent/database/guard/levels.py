"""What the names of a query stand for: each SELECT, the items in its FROM, and their columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from agent.database.guard.tree import Node, strings

Expression = Mapping[str, Any]
"""A node with its type around it, as the parser gives it."""


@dataclass(eq=False)
class Level:
    """One SELECT, or the place around a WITH query: what a name in it may mean."""

    outer: Level | None = None
    ctes: Mapping[str, tuple[Node, Level]] = field(default_factory=dict)
    """Each CTE in scope, and the level that its query stands in."""
    items: list[Item] = field(default_factory=list)
    bodies: Mapping[str, Level] = field(default_factory=dict)
    """For each query of its own WITH, the level that it stands in."""

    def chain(self) -> Iterator[Level]:
        """Yield this level, and those around it, from the inside out."""
        level: Level | None = self
        while level is not None:
            yield level
            level = level.outer

    def named(self, name: str) -> list[Item]:
        """Return what an alias may mean: of the nearest level that has it, one item.

        Those inside a join with a name of its own may be meant only within that join: they come
        before it.
        """
        found: list[Item] = []
        for level in self.chain():
            for item in level.items:
                if item.name == name:
                    found.append(item)
                    if not item.is_hidden:
                        return found
        return found

    def within(self, items: Iterable[Item]) -> Level:
        """Return this level with some of its items only."""
        return Level(self.outer, self.ctes, list(items))


@dataclass(frozen=True, eq=False)
class Item:
    """An item of FROM; its inside is read in `level`."""

    name: str
    kind: str
    node: Node
    level: Level
    is_hidden: bool = False
    """It is part of a join with a name of its own, which hides the names inside."""


Value = tuple[Expression, Level]
"""What fills a column: an expression, and where it stands."""


@dataclass(frozen=True)
class Row:
    """The columns of something, each with what fills it, None where that is not known."""

    columns: Mapping[str, Value | None]
    is_open: bool = False
    """It may have other columns as well."""
    is_array: bool = False
    is_typed: bool = False
    """It has the type of a table, so that its columns are known wherever it is handed on."""
    is_value: bool = False
    """The item of FROM is one value, not a row, although its column has a name."""


OPEN: Final = Row({}, is_open=True)


class Levels:
    """Makes the levels of one query, each once."""

    def __init__(self) -> None:
        self._made: dict[int, Level] = {}

    def enter(self, select: Node, outer: Level) -> Level:
        """Return the level of a SELECT that stands in `outer`."""
        if id(select) not in self._made:
            ctes, bodies = _with_queries(select.get("withClause", {}), outer)
            level = self._made[id(select)] = Level(outer, ctes, bodies=bodies)
            level.items = list(_items(select.get("fromClause", []), level))
        return self._made[id(select)]


def _with_queries(
    clause: Node, outer: Level
) -> tuple[Mapping[str, tuple[Node, Level]], Mapping[str, Level]]:
    """Return the CTEs in scope behind a WITH, and the level of each one's own query.

    Without RECURSIVE each one sees those before it only.
    """
    found = dict(outer.ctes)
    bodies: dict[str, Level] = {}
    around = Level(outer, found)
    for item in clause.get("ctes", []):
        cte = item["CommonTableExpr"]
        if not clause.get("recursive"):
            around = Level(outer, dict(found))
        bodies[cte["ctename"]] = around
        found[cte["ctename"]] = (cte, around)
    return found, bodies


def _items(from_clause: list[Expression], level: Level) -> Iterator[Item]:
    """Yield the items of FROM from the left to the right; a LATERAL one sees those before it."""
    before: list[Item] = []
    pending: list[tuple[Expression, bool, bool]] = [(p, False, False) for p in from_clause[::-1]]
    while pending:
        part, is_hidden, is_done = pending.pop()
        ((kind, node),) = part.items()
        name = node.get("alias", {}).get("aliasname", "")
        if kind == "RangeTableSample":
            pending.append((node["relation"], is_hidden, False))
            continue
        if kind == "JoinExpr" and not is_done:
            inside_is_hidden = is_hidden or bool(name)
            pending.append((part, is_hidden, True))
            pending += [(node[side], inside_is_hidden, False) for side in ("rarg", "larg")]
            continue
        shared = node.get("join_using_alias", {}).get("aliasname", "")
        if shared:
            before.append(Item(shared, "using", node, level, is_hidden or bool(name)))
            yield before[-1]
        if kind == "JoinExpr" and not name:
            continue
        sees_others = kind not in ("RangeSubselect", "RangeVar", "JoinExpr") or "lateral" in node
        inside = level if kind == "JoinExpr" else level.within(before if sees_others else [])
        before.append(Item(name or _own_name(kind, node), kind, node, inside, is_hidden))
        yield before[-1]


def _own_name(kind: str, node: Node) -> str:
    if kind == "RangeVar":
        return str(node["relname"])
    return called(node["functions"]) if kind == "RangeFunction" else ""


def called(functions: list[Expression]) -> str:
    """Return the name of the first function of a FROM item, "" where it is grammar."""
    first = functions[0]["List"]["items"][0]
    return strings(first["FuncCall"]["funcname"])[-1] if "FuncCall" in first else ""
