"""Finds the tables that fit some words, and the foreign keys that join them. Bounded answers."""

from __future__ import annotations

import heapq
import math
import re
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final

import networkx as nx
import snowballstemmer
from rapidfuzz import fuzz, process

from agent.database.guard import RelationName
from agent.database.schema import ForeignKey, TableMatch, TableSchema, TableSearch

MAX_MATCHES: Final = 12
MAX_JOINS: Final = 24
MAX_COLUMNS: Final = 16
MAX_COMMENT_CHARS: Final = 200
MAX_CHARS: Final = 2_000
MAX_WORDS: Final = 40
MAX_PATH: Final = 5
"""Tables on a join path, ends included."""

_NAME_WEIGHT, _COLUMN_WEIGHT, _LABEL_WEIGHT, _COMMENT_WEIGHT = 10.0, 4.0, 3.0, 2.0
_FUZZY_FROM: Final = 82
"""Likeness of two stems, in percent, from which one may stand for the other."""
_KEEP_SHARE: Final = 0.2
"""A match with less than this share of the best score is left out."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_NOISE: Final = frozenset(
    [
        "a", "all", "an", "and", "are", "as", "at", "be", "by", "chart", "did", "do", "does",
        "each", "for", "from", "get", "give", "had", "has", "have", "how", "i", "id", "in", "is",
        "it", "list", "many", "me", "most", "much", "my", "of", "on", "or", "our", "per", "pleas",
        "show", "that", "the", "their", "there", "these", "they", "thi", "to", "top", "us", "was",
        "we", "were", "what", "when", "where", "which", "who", "whose", "with", "you",
    ]
)  # fmt: skip


class TableIndex:
    """An index of the words in names, comments and labels of all tables of a snapshot."""

    def __init__(self, schemas: Mapping[RelationName, TableSchema]) -> None:
        self._tables = {table.name: table for table in schemas.values()}
        self._weights: dict[str, dict[str, float]] = defaultdict(dict)
        """Stem -> table -> how much the stem says of the table."""
        for table in self._tables.values():
            for stem, weight in _stems_of(table):
                known = self._weights[stem]
                known[table.name] = max(known.get(table.name, 0.0), weight)
        self._vocabulary = list(self._weights)
        self._graph: nx.Graph[str] = nx.Graph()
        self._graph.add_nodes_from(self._tables)
        for table in self._tables.values():
            self._graph.add_edges_from((key.table, key.target) for key in table.foreign_keys)

        self._rank = {table.name: self._importance(table) for table in self._tables.values()}

    def _importance(self, table: TableSchema) -> tuple[float, str]:
        """Order tables: many foreign keys and many rows come first."""
        links = self._graph.degree[table.name]
        return -(links + math.log10((table.row_estimate or 0) + 1)), table.name

    def search(self, words: str) -> TableSearch:
        """Return the best matches, or the most important tables where no word fits."""
        by_stem = [scores for stem in _wanted(words) if (scores := self._score(stem))]
        totals: defaultdict[str, float] = defaultdict(float)
        for scores in by_stem:
            for name, score in scores.items():
                totals[name] += score
        if totals:
            names = self._choose(by_stem, totals)
        else:
            names = sorted(self._tables, key=self._rank.__getitem__)[:MAX_MATCHES]
        matches = tuple(_match(self._tables[name]) for name in names)
        fits = bool(totals) or not names
        return TableSearch(matches, tuple(self._joins(names)), len(self._tables), fits)

    def _choose(self, by_stem: list[dict[str, float]], totals: Mapping[str, float]) -> list[str]:
        """Return the best tables in all, with the best one for each word among them."""

        def place(name: str) -> tuple[float, float, str]:
            return -totals[name], *self._rank[name]

        # One word may be in every table; the table that it means must not fall behind for that.
        own = {min(scores, key=lambda name: (-scores[name], place(name))) for scores in by_stem}
        enough = max(totals.values()) * _KEEP_SHARE
        others = [name for name, total in totals.items() if total >= enough and name not in own]
        own_best = heapq.nsmallest(MAX_MATCHES, own, key=place)
        rest = heapq.nsmallest(MAX_MATCHES - len(own_best), others, key=place)
        return sorted([*own_best, *rest], key=place)

    def _score(self, stem: str) -> dict[str, float]:
        """Return how well each table fits one word; tables that do not are left out."""
        best: dict[str, float] = {}
        for known, likeness in self._alike(stem):
            tables = self._weights[known]
            rarity = math.log(1 + len(self._tables) / len(tables))
            for name, weight in tables.items():
                best[name] = max(best.get(name, 0.0), weight * rarity * likeness)
        return best

    def _alike(self, stem: str) -> Iterator[tuple[str, float]]:
        """Yield known stems that `stem` may mean, with their likeness between 0 and 1."""
        if stem in self._weights:
            yield stem, 1.0
            return
        if len(stem) < 4:
            return
        for known, ratio, _ in process.extract(
            stem, self._vocabulary, scorer=fuzz.ratio, score_cutoff=_FUZZY_FROM, limit=5
        ):
            yield known, (ratio / 100) ** 3

    def _joins(self, names: list[str]) -> list[ForeignKey]:
        """Return the foreign keys along the shortest paths between the tables, nearest first."""
        paths = []
        reach = {
            name: nx.single_source_shortest_path(self._graph, name, cutoff=MAX_PATH - 1)
            for name in names
        }
        for start, end in combinations(names, 2):
            if end in reach[start]:
                paths.append(reach[start][end])
        joins: dict[ForeignKey, None] = {}
        for path in sorted(paths, key=len):
            for left, right in pairwise(path):
                joins.update(dict.fromkeys(self._keys_between(left, right)))
        return list(joins)[:MAX_JOINS]

    def _keys_between(self, left: str, right: str) -> Iterator[ForeignKey]:
        for table, other in ((left, right), (right, left)):
            for key in self._tables[table].foreign_keys:
                if key.target == other:
                    yield key


def _wanted(words: str) -> list[str]:
    return list(dict.fromkeys(stems(words[:MAX_CHARS])))[:MAX_WORDS]


def stems(text: str) -> list[str]:
    """Return the stems of the words in `text` that say something; names are taken apart."""
    found = (_stem(word.lower()) for word in _WORD.findall(text))
    return [stem for stem in found if stem not in _NOISE]


_stemmer = snowballstemmer.stemmer("english")
_stemmer_lock = threading.Lock()


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    with _stemmer_lock:  # it keeps state while it works
        return str(_stemmer.stemWord(word))


def _stems_of(table: TableSchema) -> Iterator[tuple[str, float]]:
    name_stems = stems(table.name)
    # A word that is all of the name says more than one of four; a view repeats what tables hold.
    share = (0.5 + 0.5 / max(len(name_stems), 1)) * (0.7 if table.kind == "view" else 1.0)
    for stem in name_stems:
        yield stem, _NAME_WEIGHT * share
    sources = [(_COMMENT_WEIGHT, table.comment)]
    for column in table.columns:
        sources.append((_COLUMN_WEIGHT, column.name))
        sources.append((_COMMENT_WEIGHT, column.comment))
        sources.append((_LABEL_WEIGHT, " ".join(column.enum_labels[:50])))
    for weight, text in sources:
        for stem in stems(text):
            yield stem, weight


def _match(table: TableSchema) -> TableMatch:
    columns = tuple(column.name for column in table.columns)
    comment = table.comment
    if len(comment) > MAX_COMMENT_CHARS:
        comment = comment[: MAX_COMMENT_CHARS - 1] + "…"
    return TableMatch(
        table.name, table.kind, comment, table.row_estimate,
        columns[:MAX_COLUMNS], max(len(columns) - MAX_COLUMNS, 0),
    )  # fmt: skip
