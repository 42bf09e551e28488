"""The known tables as a map: what stands for what, and which way leads from table to table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from agent.models.offline.known import Known
from agent.models.offline.reading import name_words
from agent.models.offline.thesaurus import AUDIT
from agent.models.offline.tool_texts import Key, KnownColumn

# Whole numbers, so that two ways of equal cost compare as equal.
_UP, _DOWN, _ROLE, _UNSAID, _MENTIONED, _LINK = 10, 15, 20, 2, -6, -3
_FAR: Final = 120
CHECK: Final = "SELECT count(*) AS rows_compared"
_NUMERIC: Final = (
    "int",
    "numeric",
    "decimal",
    "real",
    "double",
    "money",
    "float",
    "serial",
    "year",
)
_TEXT: Final = ("char", "text", "citext", "name", "bpchar")
_LABELS: Final = (
    "name",
    "title",
    "full_name",
    "fullname",
    "label",
    "description",
    "subject",
    "code",
)
_ID_WORDS: Final = frozenset({"id", "key", "fk", "uuid", "code", "no", "ref", "pk"})


@dataclass(frozen=True)
class Step:
    """One join: from `source` to `target` along `key`; `up` towards the one side."""

    source: str
    target: str
    key: Key
    up: bool


class Atlas:
    """Questions about tables, columns and paths, answered from what is known so far."""

    def __init__(self, known: Known) -> None:
        self.tables = known.tables
        self.keys = tuple(
            k for k in known.keys if k.table in self.tables and k.target in self.tables
        )
        self.all_keys = known.keys
        self.checks = {
            ran.sql: tuple(int(cell) for cell in ran.rows[0]) if ran.rows else ()
            for ran in known.ran
            if ran.columns[:1] == ("rows_compared",) or ran.sql.startswith(CHECK)
        }

    # --- columns -------------------------------------------------------------

    def column(self, table: str, name: str) -> KnownColumn:
        """Return what is known of a column, at least its name."""
        return self.tables[table].columns.get(name, KnownColumn(name))

    def is_numeric(self, table: str, name: str) -> bool:
        """Whether a column holds numbers; unknown types count as no."""
        kind = self.column(table, name).type.lower()
        return (
            any(word in kind for word in _NUMERIC) and "[]" not in kind and "interval" not in kind
        )

    def is_text(self, table: str, name: str) -> bool:
        """Whether a column holds text; enums count, unknown types count by their name."""
        column = self.column(table, name)
        if not column.type:
            return not self.is_key(table, name) and not looks_dated(name)
        if column.labels:
            return True
        return any(word in column.type.lower() for word in _TEXT) or not _plain(column.type)

    def is_date(self, table: str, name: str) -> bool:
        """Whether a column holds dates or times with dates; unknown types by their name."""
        kind = self.column(table, name).type.lower()
        if not kind:
            return looks_dated(name)
        return kind.startswith(("date", "timestamp"))

    def is_boolean(self, table: str, name: str) -> bool:
        """Whether a column is a boolean."""
        return self.column(table, name).type.lower().startswith("bool")

    def is_key(self, table: str, name: str) -> bool:
        """Whether a column is part of the primary key or of a foreign key."""
        if name in self.tables[table].primary_key:
            return True
        words = name_words(name)
        return any(k.table == table and name in k.columns for k in self.all_keys) or (
            bool(words) and words[-1] == "id"
        )

    def identity(self, table: str) -> tuple[str, ...]:
        """Return the columns that tell the rows of a table apart, as far as is known."""
        known = self.tables[table]
        if known.primary_key:
            return known.primary_key
        for key in self.keys:
            if key.target == table:
                return key.target_columns
        return ()

    @cached_property
    def _label_cache(self) -> dict[str, tuple[str, ...]]:
        return {}

    def label(self, table: str) -> tuple[str, ...]:
        """Return the columns that name a row to a person: a title, or first and last name."""
        if table not in self._label_cache:
            self._label_cache[table] = self._find_label(table)
        return self._label_cache[table]

    def _find_label(self, table: str) -> tuple[str, ...]:
        columns = {name.strip('"').lower(): name for name in self.tables[table].columns}
        own = name_words(table)
        for first, last in (
            ("first_name", "last_name"),
            ("firstname", "lastname"),
            ("firstname", "surname"),
            ("first", "last"),
        ):
            if first in columns and last in columns:
                return columns[first], columns[last]
        exact = [name for low, name in columns.items() if name_words(low) == own]
        named = [columns[low] for low in _LABELS[:5] if low in columns]
        prefixed = [
            name
            for low, name in columns.items()
            if name_words(low)[-1:] in (("name",), ("titl",), ("descript",))
            and set(name_words(low)[:-1]) & {*own, "compani", "full", "display", "short"}
            and not self.is_key(table, name)
        ]
        prefixed.sort(
            key=lambda name: (not set(name_words(name)) & set(own), "descript" in name_words(name))
        )
        weak = [columns[low] for low in _LABELS[5:] if low in columns]
        exact = [name for name in exact if self.is_text(table, name)]
        return tuple((named + exact + prefixed + weak)[:1])

    def is_link(self, table: str) -> bool:
        """Whether a table only links others: nothing in it but keys and when it was written."""
        keys = [k for k in self.all_keys if k.table == table]
        used = {column for key in keys for column in key.columns}
        rest = [
            name
            for name in self.tables[table].columns
            if name not in used and not set(name_words(name)) & AUDIT
        ]
        if not self.tables[table].columns:
            return False
        return len(keys) >= 2 and not rest and len({k.target for k in keys}) >= 2

    def is_view(self, table: str) -> bool:
        """Whether a table is a view of others."""
        return "view" in self.tables[table].kind

    def date_columns(self, table: str) -> tuple[str, ...]:
        """Return the columns that say when something happened, the likeliest first."""
        known = self.tables[table]
        own = set(name_words(table))
        dated = [
            name
            for name in known.columns
            if self.is_date(table, name) and not set(name_words(name)) & AUDIT
        ]
        order = list(known.columns)

        def rank(name: str) -> tuple[bool, bool, bool, int]:
            words = set(name_words(name))
            created = bool(words & {"creat", "insert"})
            return not (words & own), known.columns[name].nullable, created, order.index(name)

        return tuple(sorted(dated, key=rank))

    # --- paths ---------------------------------------------------------------

    def role(self, key: Key) -> tuple[str, ...]:
        """Return what a key's column says beyond its target's name: `manager_staff_id` → manager."""
        words = [w for column in key.columns for w in name_words(column)]
        target = set(name_words(key.target)) | {
            w for c in key.target_columns for w in name_words(c)
        }
        return tuple(w for w in words if w not in target and w not in _ID_WORDS)

    def steps(self, table: str, said: Iterable[str] = ()) -> list[tuple[Step, int]]:
        """Return the joins that begin at `table` and what each costs; `said` are words said."""
        words = set(said)
        found: list[tuple[Step, int]] = []
        for key in self.keys:
            role = self.role(key)
            extra = 0 if not role or set(role) & words else _ROLE
            if key.table == table and key.target != table:
                found.append((Step(table, key.target, key, True), _UP + extra))
            elif key.target == table and key.table != table:
                found.append((Step(table, key.table, key, False), _DOWN + extra))
        return found

    def paths(
        self, start: str, goal: str, mentioned: Iterable[str] = (), said: Iterable[str] = ()
    ) -> list[tuple[Step, ...]]:
        """Return the cheapest ways from `start` to `goal`, all of equal cost; none if there is none.

        Ways through tables that the question mentions are cheaper.
        """
        if start == goal:
            return [()]
        graph = self._graph(frozenset(mentioned), frozenset(said))
        if start not in graph or goal not in graph:
            return []
        import networkx as nx

        try:
            best = nx.dijkstra_path_length(graph, start, goal)
        except nx.NetworkXNoPath:
            return []
        nodes = nx.all_shortest_paths(graph, start, goal, weight="weight")
        ways = [
            tuple(graph.edges[a, b]["step"] for a, b in zip(route, route[1:], strict=False))
            for route in nodes
        ]
        return ways if best < _FAR else []

    def distance(self, start: str, goal: str, mentioned: Iterable[str] = ()) -> float:
        """Return how far apart two tables are; infinite where no way leads."""
        if start == goal:
            return 0.0
        graph = self._graph(frozenset(mentioned), frozenset())
        if start not in graph or goal not in graph:
            return float("inf")
        import networkx as nx

        try:
            return float(nx.dijkstra_path_length(graph, start, goal))
        except nx.NetworkXNoPath:
            return float("inf")

    @cached_property
    def _graphs(self) -> dict[tuple[frozenset[str], frozenset[str]], object]:
        return {}

    def _graph(self, mentioned: frozenset[str], said: frozenset[str]):  # type: ignore[no-untyped-def]
        import networkx as nx

        if (mentioned, said) not in self._graphs:
            graph = nx.DiGraph()
            for table in self.tables:
                for step, cost in self.steps(table, said):
                    weight = cost + (_MENTIONED if step.target in mentioned else _UNSAID)
                    if step.target not in mentioned and not step.up and self.is_link(step.target):
                        weight += _LINK
                    known = graph.get_edge_data(step.source, step.target)
                    if known is None or weight < known["weight"]:
                        graph.add_edge(step.source, step.target, weight=weight, step=step)
            self._graphs[mentioned, said] = graph
        return self._graphs[mentioned, said]


def looks_dated(name: str) -> bool:
    """Whether a column's name alone says that it holds a date."""
    words = name_words(name)
    low = name.lower().strip('"')
    return bool(set(words) & {"date", "timestamp", "datetim"}) or low.endswith(
        ("_at", "_on", "date", "_ts", "time")
    )


def _plain(kind: str) -> bool:
    known = (
        *_NUMERIC,
        "date",
        "time",
        "bool",
        "bytea",
        "json",
        "xml",
        "uuid",
        "tsvector",
        "interval",
        "[]",
        "point",
        "inet",
    )
    return any(word in kind.lower() for word in known)
