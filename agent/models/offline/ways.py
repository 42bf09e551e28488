"""Which way leads to a table, where several do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from agent.models.offline.atlas import Atlas, Step
from agent.models.offline.draft import Draft
from agent.models.offline.frame import CheckNeeded, Path, Spot, Unclear
from agent.models.offline.joins import From, Names
from agent.models.offline.ordinals import place_said
from agent.models.offline.reading import name_words
from agent.models.offline.saying import singular
from agent.models.offline.thesaurus import alike

STAFF: Final = frozenset(w for word in ("employe", "staff", "manag") for w in alike(word))

_FAR: Final = float("inf")

MAX_WAYS: Final = 4

MAX_STEPS: Final = 4


class Ways:
    """Finds ways from one root, with what the question mentions in mind."""

    def __init__(self, atlas: Atlas, draft: Draft, root: str, mentioned: Sequence[str]) -> None:
        self.atlas = atlas
        self.draft = draft
        self.root = root
        self.mentioned = tuple(dict.fromkeys(mentioned))
        self.notes: list[str] = []
        self.told: list[str] = []
        """Sentences of the answer that tell how a misspelt value was read."""
        self.said = frozenset(w for word in draft.text.lower().split() for w in name_words(word))

    def reply(self, options: Sequence[str]) -> int | None:
        """Return which of `options` a later message of the thread chose."""
        for text in reversed(self.draft.replies):
            low = text.lower().strip(" .!")
            if (place := place_said(low, len(options))) is not None:
                return place
            matches = [n for n, option in enumerate(options) if low == option.lower()]
            if not matches:
                matches = _by_words(low, options)
            if len(matches) == 1:
                return matches[0]
        return None

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
        return ways[0] if len(ways) == 1 else self._choose_way(ways, table, begin)

    def _choose_way(self, ways: Sequence[Path], table: str, begin: str) -> Path:
        ways = sorted(ways, key=lambda way: [step.target for step in way])
        buyers = [way for way in ways if not any(set(name_words(s.target)) & STAFF for s in way)]
        if len(buyers) == 1 and len(buyers[0]) > 2:
            # Where people live: that of the customers, not of those who serve them.
            self._note_owner(table, begin, self._via(buyers[0], ways))
            return buyers[0]
        ways = self._all_ways(ways, table, begin)
        options = tuple(f"the {plain(table)} of the {self._via(way, ways)}" for way in ways)
        reply = self.reply(options)
        if reply is not None:
            return ways[reply]
        agreed = self._agreed(ways, begin)
        if agreed is not None:
            self._note_owner(table, begin, self._via(agreed, ways))
            return agreed
        raise Unclear(
            f"“{plain(table).capitalize()}” can be reached in more than one way. "
            f"Which {plain(table)} do you mean?",
            options,
        )

    def _note_owner(self, table: str, begin: str, via: str) -> None:
        """Say whose row of `table` is meant for each row that is counted."""
        what = plain(table)
        self.note(f"{what} = the {what} of each {singular(plain(begin))}'s {via}")

    def _all_ways(self, ways: Sequence[Path], table: str, begin: str) -> list[Path]:
        """Add the longer ways that lead to one row each: they may say the same as a short one."""
        if any(not step.up for way in ways for step in way):
            return list(ways)
        # Two ways through the same last table say the same thing twice.
        found: dict[str, Path] = {}
        for way in (*ways, *sorted(self._upward(begin, table, ()), key=len)):
            found.setdefault(way[-1].source, way)
        return list(found.values())[:MAX_WAYS]

    def _upward(self, begin: str, table: str, so_far: Path) -> list[Path]:
        if len(so_far) >= MAX_STEPS:
            return []
        found: list[Path] = []
        seen = {step.target for step in so_far} | {begin}
        here = so_far[-1].target if so_far else begin
        for step, _ in self.atlas.steps(here, self.said):
            if not step.up or step.target in seen or self.atlas.role(step.key):
                continue
            if step.target == table:
                found.append((*so_far, step))
            else:
                found += self._upward(begin, table, (*so_far, step))
        return found

    def _agreed(self, ways: Sequence[Path], begin: str) -> Path | None:
        """Return a way that another one confirms for every row; the data are asked, not guessed."""
        if any(not step.up for way in ways for step in way) or len(ways) < 2:
            return None
        sql = self.atlas.as_now(ways_sql(ways, begin))
        if sql not in self.atlas.checks:
            raise CheckNeeded(sql, begin, frozenset(step.target for way in ways for step in way))
        checked = self.atlas.checks[sql]
        rows = checked[0] if checked else 0
        pairs = [(a, b) for a in range(len(ways)) for b in range(a + 1, len(ways))]
        same = [
            pair for pair, count in zip(pairs, checked[1:], strict=False) if count == rows and rows
        ]
        return ways[min(min(pair) for pair in same)] if same else None

    def _via(self, way: Path, ways: Sequence[Path]) -> str:
        for step in way:
            if not all(any(s.target == step.target for s in other) for other in ways):
                return plain(step.target)
        return plain(way[0].target)

    def path_exists(self, table: str) -> bool:
        """Whether some way leads from the root to `table`."""
        return self.atlas.distance(self.root, table, self.mentioned) < _FAR

    def spot(self, table: str, column: str, near: str | None = None) -> Spot | None:
        """Return the column as seen from the root."""
        path = self.path(table, near)
        return None if path is None else Spot(path, table, column)

    def note(self, text: str) -> None:
        """Keep an assumption, to be said in the answer."""
        if text not in self.notes:
            self.notes.append(text)


def plain(name: str) -> str:
    """Return a table's or column's name in words: `rental_date` → "rental date"."""
    bare = name.rsplit(".", 1)[-1].strip('"')
    return bare.replace("_", " ").strip().lower()


def ways_sql(ways: Sequence[Path], begin: str) -> str:
    """Return the query that counts for how many rows each two of `ways` lead to the same row."""
    source = From(begin, Names())
    ends = [f"{source.alias(way)}.{way[-1].key.target_columns[0]}" for way in ways]
    counts = [
        f"count(*) FILTER (WHERE {one} = {other}) AS same_{a}_{b}"
        for a, one in enumerate(ends, 1)
        for b, other in enumerate(ends, 1)
        if a < b
    ]
    return f"SELECT count(*) AS rows_compared, {', '.join(counts)}\n{source.text()}"


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
