"""Which column, and which way to it: the choice among readings that a question leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from agent.models.offline.atlas import Atlas, Step
from agent.models.offline.draft import Draft, Noun
from agent.models.offline.frame import Path, Spot, Unclear
from agent.models.offline.link import Link
from agent.models.offline.reading import name_words
from agent.models.offline.thesaurus import alike

_STAFF: Final = frozenset(w for word in ("employe", "staff", "manag") for w in alike(word))
_FAR: Final = float("inf")


def plain(name: str) -> str:
    """Return a table's or column's name in words: `rental_date` → "rental date"."""
    bare = name.rsplit(".", 1)[-1].strip('"')
    return bare.replace("_", " ").strip().lower()


class Places:
    """Finds columns and paths from one root, with what the question mentions in mind."""

    def __init__(self, atlas: Atlas, draft: Draft, root: str, mentioned: Sequence[str]) -> None:
        self.atlas = atlas
        self.draft = draft
        self.root = root
        self.mentioned = tuple(dict.fromkeys(mentioned))
        self.notes: list[str] = []
        self.said = frozenset(w for word in draft.text.lower().split() for w in name_words(word))

    # --- columns -------------------------------------------------------------

    def table_of(self, noun: Noun) -> str | None:
        """Return the table that a noun names, the nearest to the root where several do."""
        links = [
            link for link in noun.links if link.kind in ("table", "event") and link.score >= 0.45
        ]
        if not links:
            return None
        best = links[0].score
        near = [link for link in links if link.score >= best - 0.04]
        return min(
            near, key=lambda link: self.atlas.distance(self.root, link.table, self.mentioned)
        ).table

    def column(
        self, noun: Noun, near: str | None = None, *, numeric: bool = False, dated: bool = False
    ) -> tuple[str, str] | None:
        """Return table and column that a noun names best, seen from `near` or the root.

        Raises `Unclear` where two columns fit equally well.
        """
        links = [
            link
            for link in noun.links
            if link.kind == "column" and self._fits(link, numeric, dated)
        ]
        if not links:
            return None
        costs = sorted(
            ((self._cost(link, near), n, link) for n, link in enumerate(links)), key=lambda c: c[:2]
        )
        best = costs[0]
        if best[0] == _FAR:
            return None
        ties = [link for cost, _, link in costs if cost - best[0] < 0.15]
        if len(ties) > 1 and (chosen := self._choose_column(noun, ties)):
            return chosen.table, chosen.column
        return best[2].table, best[2].column

    def _fits(self, link: Link, numeric: bool, dated: bool) -> bool:
        if numeric and self.atlas.tables[link.table].complete:
            return self.atlas.is_numeric(link.table, link.column)
        if dated:
            return self.atlas.is_date(link.table, link.column) or "year" in name_words(link.column)
        return True

    def _cost(self, link: Link, near: str | None) -> float:
        start = near or self.root
        distance = self.atlas.distance(start, link.table, self.mentioned)
        if distance == _FAR:
            return _FAR
        cost = distance / 10 + (1 - link.score) * 4
        if link.table in self.mentioned and link.table != start:
            cost -= 0.8
        if set(name_words(link.table)) & _STAFF:
            cost += 0.5
        if link.score < 0.9 and self._rest_is_said(link):
            cost -= 0.8
        return cost

    def _rest_is_said(self, link: Link) -> bool:
        """Whether the other words of a column's name stand elsewhere in the question."""
        words = set(name_words(link.column))
        return len(words) > 1 and all(alike(word) & self.said for word in words)

    def _choose_column(self, noun: Noun, ties: Sequence[Link]) -> Link | None:
        named = [link for link in ties if set(name_words(link.column)) & self._other_words(noun)]
        if len(named) == 1:
            return named[0]
        options = tuple(f"{plain(link.column)} of {plain(link.table)}" for link in ties[:5])
        reply = self.reply(options)
        if reply is not None:
            return ties[reply]
        raise Unclear(f"Which one do you mean by “{noun.text}”?", options)

    def _other_words(self, noun: Noun) -> frozenset[str]:
        return self.said - {w for word in noun.text.lower().split() for w in name_words(word)}

    def reply(self, options: Sequence[str]) -> int | None:
        """Return which of `options` a later message of the thread chose."""
        for text in reversed(self.draft.replies):
            low = text.lower().strip(" .!")
            if low.isdigit() and 0 < int(low) <= len(options):
                return int(low) - 1
            matches = [n for n, option in enumerate(options) if low == option.lower()]
            if not matches:
                matches = _by_words(low, options)
            if len(matches) == 1:
                return matches[0]
        return None

    # --- paths ---------------------------------------------------------------

    def path(self, table: str, near: str | None = None, start: str | None = None) -> Path | None:
        """Return the way from the root (or `start`) to `table`; None where there is none.

        `near` is the table that the words were said of. Raises `Unclear` where two ways are
        equally short and say different things.
        """
        begin = start or self.root
        if near is not None and near not in (begin, table) and near in self.atlas.tables:
            through = self.atlas.distance(near, table, self.mentioned)
            direct = self.atlas.distance(begin, table, self.mentioned)
            if through <= direct and self.atlas.distance(begin, near, self.mentioned) < _FAR:
                first, second = self.path(near, start=begin), self.path(table, start=near)
                if first is not None and second is not None and not _turns_back(first, second):
                    return (*first, *second)
        ways = self.atlas.paths(begin, table, self.mentioned, self.said)
        if not ways:
            return None
        return ways[0] if len(ways) == 1 else self._choose_way(ways, table)

    def _choose_way(self, ways: Sequence[Path], table: str) -> Path:
        ways = sorted(ways, key=lambda way: [step.target for step in way])
        vias = [self._via(way, ways) for way in ways]
        options = tuple(f"the {plain(table)} of the {via}" for via in vias)
        reply = self.reply(options)
        if reply is not None:
            return ways[reply]
        commented = [
            w
            for w in ways
            if any(w2 in self.said for s in w for w2 in name_words(s.target) if s.target != table)
        ]
        if len(commented) == 1:
            return commented[0]
        raise Unclear(
            f"“{plain(table).capitalize()}” can be reached in more than one way. Which {plain(table)} do you mean?",
            options,
        )

    def _via(self, way: Path, ways: Sequence[Path]) -> str:
        for step in way:
            if not all(any(s.target == step.target for s in other) for other in ways):
                return plain(step.target)
        return plain(way[0].target)

    def spot(self, table: str, column: str, near: str | None = None) -> Spot | None:
        """Return the column as seen from the root."""
        path = self.path(table, near)
        return None if path is None else Spot(path, table, column)

    def note(self, text: str) -> None:
        """Keep an assumption, to be said in the answer."""
        if text not in self.notes:
            self.notes.append(text)


def _turns_back(first: Path, second: Path) -> bool:
    return (
        bool(first and second) and second[0].key == first[-1].key and second[0].up != first[-1].up
    )


def _by_words(low: str, options: Sequence[str]) -> list[int]:
    words = {w for word in low.split() for w in name_words(word)}
    sets = [{w for word in option.split() for w in name_words(word)} for option in options]
    shared = set.intersection(*sets) if sets else set()
    scores = [len(words & (s - shared)) for s in sets]
    best = max(scores, default=0)
    return [n for n, score in enumerate(scores) if score == best and best > 0]


def reaches_down(path: Iterable[Step]) -> bool:
    """Whether a path leads to many rows for one of the root's."""
    return any(not step.up for step in path)
