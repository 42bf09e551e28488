"""Which column, and which way to it: the choice among readings that a question leaves open."""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.offline.draft import Noun
from agent.models.offline.frame import Unclear
from agent.models.offline.link import Link
from agent.models.offline.reading import name_words
from agent.models.offline.thesaurus import alike
from agent.models.offline.ways import _FAR, STAFF, Ways, plain


class Places(Ways):
    """Finds columns and paths from one root, with what the question mentions in mind."""

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
        if set(name_words(link.table)) & STAFF:
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

    # --- paths ---------------------------------------------------------------
