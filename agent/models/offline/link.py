"""Words to names: which table, column or idea a phrase of the question may stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.likeness import (
    all_alike,
    bare_name,
    bare_words,
    concept_words,
    derives,
    is_plural,
    is_verb,
    likeness,
    nearly_same,
    split_by,
)
from agent.models.offline.naming import SUFFIXES, partly, within_table
from agent.models.offline.reading import Token, name_words, stems
from agent.models.offline.thesaurus import AUDIT, MONEY, alike


@dataclass(frozen=True)
class Link:
    """One thing that a phrase may stand for.

    `kind` is "table", "column", "event" (a verb that names a table's rows), or "money". `hint` is
    a table that the phrase itself names beside the column.
    """

    kind: str
    table: str = ""
    column: str = ""
    score: float = 1.0
    fuzzy: bool = False


_PEOPLE: Final = stems("member members person people user users base list")

_PREPOSITIONS: Final = frozenset({"to", "by", "of", "for", "from"})

_TRADE: Final = stems("buy sell purchase order")

_TRADE_TABLES: Final = stems("order sale purchase invoice transaction")

_HEADS: Final = stems("manager boss supervisor superior lead")

MAX_WORDS: Final = 4


class Linker:
    """Finds links for phrases in one atlas; remembers the names' words."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self._tables = {t: bare_words(name_words(t)) for t in atlas.tables}
        self._columns = {
            (t, c): name_words(c) for t, known in atlas.tables.items() for c in known.columns
        }
        self._found: dict[tuple[str, ...], tuple[Link, ...]] = {}

    def links(self, tokens: Sequence[Token]) -> tuple[Link, ...]:
        """Return what the phrase of `tokens` may stand for, the best first."""
        key = tuple(token.low for token in tokens)
        if key not in self._found:
            self._found[key] = self._search(tokens)
        return self._found[key]

    def _search(self, tokens: Sequence[Token]) -> tuple[Link, ...]:
        stems = tuple(token.stem for token in tokens)
        if len(stems) == 3 and stems[1] == "of":
            return self._reversed((stems[2], stems[0]))
        found = [*self._table_links(stems, tokens), *self._column_links(stems, tokens)]
        found += self._role_links(stems)
        if len(stems) == 1 and stems[0] in MONEY:
            found.append(Link("money", score=0.95))
        best: dict[tuple[str, str, str], Link] = {}
        for link in found:
            place = (link.kind, link.table, link.column)
            if place not in best or best[place].score < link.score:
                best[place] = link
        return tuple(sorted(best.values(), key=lambda link: -link.score))

    def _reversed(self, stems: tuple[str, ...]) -> tuple[Link, ...]:
        """Read "date of birth" as birth_date; what belongs to a table is no name of its own."""
        return tuple(
            Link("column", table, column)
            for (table, column), words in self._columns.items()
            if words == stems
        )

    def _table_links(self, stems: tuple[str, ...], tokens: Sequence[Token]) -> list[Link]:
        found: list[Link] = []
        for table, words in self._tables.items():
            if len(words) > 1 and self.atlas.is_link(table):
                continue
            penalty = 0.15 if self.atlas.is_view(table) else 0.0
            score = self._table_score(stems, tokens, table, words)
            event = 0.0 if score else self._event_score(tokens, words)
            if score:
                found.append(Link("table", table, score=score - penalty, fuzzy=score == 0.8))
            elif event:
                found.append(Link("event", table, score=event - penalty))
        return found

    def _table_score(
        self, stems: tuple[str, ...], tokens: Sequence[Token], table: str, words: tuple[str, ...]
    ) -> float:
        score = likeness(stems, words)
        single = len(stems) == 1
        if not score and single and nearly_same(tokens[0].low.removesuffix("s"), bare_name(table)):
            score = 0.8
        if stems[-1] in _PEOPLE and stems[:-1] == words:
            score = 0.95
        if score < 0.6 and len(stems) < len(words) and words[-len(stems) :] == stems:
            score = 0.6
        if score < 0.55 and single:
            score = max(score, self._comment_score(stems[0], table))
        return score

    @staticmethod
    def _event_score(tokens: Sequence[Token], words: tuple[str, ...]) -> float:
        """Match a verb with the table of what it does: rented with rental, bought with order."""
        if len(tokens) != 1 or not is_verb(tokens[0]) or len(words) != 1:
            return 0.0
        verb = tokens[0].stem
        if derives(verb, words):
            return 0.85
        return 0.6 if verb in _TRADE and words[0] in _TRADE_TABLES else 0.0

    def _role_links(self, stems: tuple[str, ...]) -> list[Link]:
        """Find keys that play a part: original language, manager, sales rep, recommended by."""
        found: list[Link] = []
        for key in self.atlas.keys:
            if len(key.columns) != 1:
                continue
            role = tuple(w for w in split_by(self.atlas.role(key)) if w not in _PREPOSITIONS)
            words = tuple(
                w
                for w in split_by(name_words(key.columns[0]))
                if w not in ("id", "key", "fk", *_PREPOSITIONS)
            )
            target = self._tables.get(key.target, ())
            score = 0.0
            if role and stems in (words, role, (*role, *target)):
                score = 0.97
            elif role and all_alike(stems, words) and len(words) > 1:
                score = 0.92
            elif key.table == key.target and len(stems) == 1 and stems[0] in _HEADS:
                score = 0.9
            if score:
                found.append(Link("role", key.table, key.columns[0], score))
        return found

    def _comment_score(self, word: str, table: str) -> float:
        comment = name_words(self.atlas.tables[table].comment.replace('"', "").replace(".", " "))
        return 0.5 if word in comment[:1] and len(word) > 3 else 0.0

    def _column_links(self, stems: tuple[str, ...], tokens: Sequence[Token]) -> list[Link]:
        found: list[Link] = []
        for (table, column), words in self._columns.items():
            if set(words) & AUDIT and not set(words) & AUDIT & set(stems):
                continue
            if (
                len(tokens) > 1
                and is_plural(tokens[0])
                and stems[:1] == self._tables[table][:1]
                and stems != words
            ):
                continue
            score, fuzzy = self._column_score(stems, table, column, words)
            if (
                len(tokens) > 1
                and is_verb(tokens[-1])
                and (score < 1 or stems[:-1] == self._tables[table])
            ):
                continue
            score, fuzzy = max((score, fuzzy), (self._raw_score(tokens, table, column), False))
            if self.atlas.is_view(table):
                score -= 0.15
            if score > 0.3:
                found.append(Link("column", table, column, score, fuzzy))
        return found

    def _raw_score(self, tokens: Sequence[Token], table: str, column: str) -> float:
        """Match names that run their words together: joindate, monthlymaintenance."""
        raw = column.strip('"').lower()
        said = "".join(token.low for token in tokens)
        if "_" in raw or len(said) < 4:
            return 0.0
        if raw in (said, said.removesuffix("s"), said + "s"):
            return 1.0
        first = tokens[0].stem
        rest = raw.removeprefix(first)
        return 0.75 if len(tokens) == 1 and rest != raw and rest in SUFFIXES else 0.0

    def _column_score(
        self, stems: tuple[str, ...], table: str, column: str, words: tuple[str, ...]
    ) -> tuple[float, bool]:
        """Return how well a phrase names a column, and whether only by a near spelling."""
        is_key = self.atlas.is_key(table, column)
        score = likeness(stems, words)
        if is_key and (score == 0.8 or (not score and "id" not in stems)):
            return 0.0, False
        if score:
            return score, score == 0.8
        own = self._tables[table]
        if len(stems) > len(own) and stems[: len(own)] == own:
            score = within_table(stems[len(own) :], words)
        return score or partly(stems, words) or self._loosely(stems, table, column, is_key), False

    def _loosely(self, stems: tuple[str, ...], table: str, column: str, is_key: bool) -> float:
        words = self._columns[table, column]
        if len(stems) == 1 and len(words) > 1 and alike(stems[0]) & set(words):
            return 0.45
        if len(stems) == 1 and set(concept_words(stems[0])) & set(words) and not is_key:
            return 0.5
        return self._in_comment(stems, table, column)

    def _in_comment(self, stems: tuple[str, ...], table: str, column: str) -> float:
        comment = self.atlas.column(table, column).comment
        if not comment:
            return 0.0
        words = name_words(comment.split(";")[0].split(".")[0].replace('"', ""))
        spans = (words[n : n + len(stems)] for n in range(len(words) - len(stems) + 1))
        if stems and any(span == stems for span in spans):
            return 0.55 if len(stems) > 1 or words[:1] == stems else 0.0
        return 0.0
