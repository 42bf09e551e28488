"""The known tables as a map: what stands for what, and which way leads from table to table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from agent.models.offline.columns import Columns
from agent.models.offline.reading import name_words
from agent.models.offline.tool_texts import Key

# Whole numbers, so that two ways of equal cost compare as equal.
_UP, _DOWN, _ROLE, _UNSAID, _MENTIONED, _LINK = 10, 15, 20, 2, -6, -3
_FAR: Final = 120
_ID_WORDS: Final = frozenset({"id", "key", "fk", "uuid", "code", "no", "ref", "pk"})


@dataclass(frozen=True)
class Step:
    """One join: from `source` to `target` along `key`; `up` towards the one side."""

    source: str
    target: str
    key: Key
    up: bool


class Atlas(Columns):
    """Questions about tables, columns and paths, answered from what is known so far."""

    # --- columns -------------------------------------------------------------

    # --- paths ---------------------------------------------------------------

    def role(self, key: Key) -> tuple[str, ...]:
        """Return what a key says beyond its target's name: `manager_staff_id` → manager."""
        return _role(key)

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
        """Return the cheapest ways from `start` to `goal`, all of equal cost; perhaps none.

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
        ways = [tuple(graph.edges[a, b]["step"] for a, b in pairwise(route)) for route in nodes]
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
            graph: nx.DiGraph[str] = nx.DiGraph()
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


@lru_cache(maxsize=4096)
def _role(key: Key) -> tuple[str, ...]:
    words = [w for column in key.columns for w in name_words(column)]
    target = set(name_words(key.target)) | {w for c in key.target_columns for w in name_words(c)}
    return tuple(w for w in words if w not in target and w not in _ID_WORDS)
