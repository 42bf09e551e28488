"""Where a passage names rows or columns of the results: labels, dates, keys, filters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.dates import dated_rows, lies_in, matches, rows_beside
from agent.evidence.rows.grouping import grouping_columns, key_nouns, only_key
from agent.evidence.rows.labelled import Label, labels_of, spoken_forms
from agent.evidence.rows.labels import (
    MAX_WORDS,
    WORD,
    Key,
    forms_of,
    is_letter_name,
    is_sure_name,
    is_sure_short,
    key_of,
    variants_of,
)
from agent.evidence.rows.pivots import names_pivot
from agent.evidence.rows.split import split_columns
from agent.evidence.text.mentions import Mention
from agent.evidence.text.moments import Moment

_CODE = 2
"""Letters of a code."""
Dimension = tuple[str, str]
"""What kind of thing a name names: ("label", its column) or ("time", "")."""


@dataclass(frozen=True)
class Hit:
    """What a name points at in one result."""

    table: int
    rows: frozenset[int] | None
    """None: all."""
    columns: frozenset[int] | None = None
    """None: all."""

    def holds(self, spot: Spot) -> bool:
        """Whether a cell is among what is pointed at."""
        in_rows = self.rows is None or spot.row in self.rows
        return in_rows and (self.columns is None or spot.column in self.columns)


@dataclass(frozen=True)
class Name:
    """A label or a date in a passage that points at rows or columns."""

    start: int
    end: int
    text: str
    dimension: Dimension
    hits: tuple[Hit, ...]
    scope: str = ""
    """The column that a query filters by this name."""
    moment: Moment | None = None
    is_sure: bool = True

    def points_at(self, spot: Spot) -> bool | None:
        """Whether a cell is among what is named; None where its result does not know the name."""
        hits = [hit for hit in self.hits if hit.table == spot.table]
        return any(hit.holds(spot) for hit in hits) if hits else None

    @property
    def has_rows(self) -> bool:
        """Whether it points at rows of any result."""
        return any(hit.rows is not None for hit in self.hits)

    @property
    def has_columns(self) -> bool:
        """Whether it points at columns of any result."""
        return any(hit.columns is not None for hit in self.hits)

    def rows(self, table: int) -> frozenset[int]:
        """Return the rows of a result that are named, if some but not all are."""
        found = [hit.rows for hit in self.hits if hit.table == table and hit.rows is not None]
        return frozenset().union(*found)


class Register:
    """The names that the results know."""

    def __init__(self, tables: Sequence[Table], text: str) -> None:
        """`text` is all that will be read: labels whose first word is not in it are left out."""
        self._tables = tables
        said = spoken_forms(text)
        self._dated = [dated_rows(table) for table in tables]
        self._labels: dict[Key, list[Label]] = {}
        self._split: dict[Key, list[Hit]] = {}
        self._scopes: dict[Key, list[tuple[int, str]]] = {}
        self._first: set[str] = set()
        self._moments: dict[tuple[tuple[str, int], ...], tuple[Hit, ...]] = {}
        for table in tables:
            for key, label in labels_of(table, said):
                self._labels.setdefault(key, []).append(label)
                self._first |= forms_of(key[0])
            self._take_filters(table)
            self._take_split(table)

    def _take_split(self, table: Table) -> None:
        names = [column.name for column in table.result.columns]
        for key, columns in split_columns(table.statement.outputs, names).items():
            self._split.setdefault(key, []).append(Hit(table.number, None, columns))
            self._first |= forms_of(key[0])

    def _take_filters(self, table: Table) -> None:
        for one in table.statement.filters:
            key = key_of(one.text)
            is_name = key and one.day is None and one.op in ("=", "~") and one.is_scope
            if is_name and len(key) <= MAX_WORDS:
                self._scopes.setdefault(key, []).append((table.number, one.column))
                self._first |= forms_of(key[0])

    def find(self, text: str) -> list[Name]:
        """Return the labels that `text` names, in order; of those that overlap the longest."""
        words = [(match.start(), match.end(), match[0].lower()) for match in WORD.finditer(text)]
        found: list[Name] = []
        position = 0
        while position < len(words):
            name, used = None, 1
            if words[position][2] in self._first:
                name, used = self._longest(text, words, position)
            found += [name] if name is not None else []
            position += used
        return found

    def _longest(
        self, text: str, words: Sequence[tuple[int, int, str]], position: int
    ) -> tuple[Name | None, int]:
        for length in range(min(MAX_WORDS, len(words) - position), 0, -1):
            span = words[position : position + length]
            for key in variants_of(tuple(word for _, _, word in span)):
                if key in self._labels or key in self._scopes or key in self._split:
                    name = self._name(text, span[0][0], span[-1][1], key)
                    return name, length if name is not None else 1
        return None, 1

    def _name(self, text: str, start: int, end: int, key: Key) -> Name | None:
        said = text[start:end]
        if len(said) == 1 and not is_letter_name(text, start, end):
            return None
        labels, scopes = self._labels.get(key, []), self._scopes.get(key, [])
        if said.islower() and labels and _is_spelt_apart(key, labels):
            return None  # "us" is no country, "sports" in "the sports" may be one
        if len(said) <= _CODE and not said.isupper() and labels and all(b.is_short for b in labels):
            return None  # "It" is no code of Italy
        rows: dict[tuple[int, int], set[int]] = {}
        for label in labels:
            rows.setdefault((label.table, label.column), set()).add(label.row)
        hits = [Hit(table, frozenset(found)) for (table, _), found in rows.items()]
        hits += [Hit(t, None) for t, _ in scopes if all(t != known for known, _ in rows)]
        hits += self._split.get(key, [])
        columns = [self._tables[table].column_name(column).lower() for table, column in rows]
        dimension = columns[0] if columns else scopes[0][1] if scopes else "column"
        is_null = bool(labels) and all(label.is_null for label in labels)
        is_sure = not is_null and is_sure_name(text, start, end, labels[0].text if labels else said)
        if labels and all(label.is_short for label in labels):
            is_sure = is_sure and is_sure_short(text, start, end)
        return Name(
            start, end, said, ("label", dimension), tuple(hits), scopes[0][1] if scopes else "",
            is_sure=is_sure,
        )  # fmt: skip

    def of_moment(self, moment: Moment) -> Name:
        """Return the rows and columns that a date, a time or a period names, if any."""
        parts = tuple(moment.parts().items())
        if parts not in self._moments:
            self._moments[parts] = tuple(self._moment_hits(moment))
        hits = self._moments[parts]
        return Name(moment.start, moment.end, moment.text, ("time", ""), hits, moment=moment)

    def _moment_hits(self, moment: Moment) -> Iterator[Hit]:
        wanted = [m.parts() for m in (moment, *moment.either)]
        for table in self._tables:
            rows: frozenset[int] = frozenset()
            for known, dated in self._dated[table.number]:
                if any(matches(one, known) for one in wanted):
                    rows |= dated
            if rows:
                yield Hit(table.number, rows)
            elif lies_in(moment, table):
                yield Hit(table.number, None)
            for token, columns in table.pivots.items():
                if names_pivot(token, moment):
                    yield Hit(table.number, None, columns)

    def widened(self, name: Name, word: str) -> Name:
        """Return a name that points at all rows before, until, after or since a date."""
        hits = [hit for hit in name.hits if not hit.rows]
        for table, dated in enumerate(self._dated):
            rows = rows_beside(dated, name.moment, word) if name.moment is not None else frozenset()
            hits += [Hit(table, rows)] if rows else [h for h in name.hits if h.table == table]
        return replace(name, hits=tuple(dict.fromkeys(hits)))

    def of_figure(self, mention: Mention, entity: str) -> Name | None:
        """Return the rows that a figure names: a group's own price or length, a key ("store 2").

        `entity` is the concept of the noun before the figure.
        """
        hits, column_name = [], ""
        for table in self._tables:
            keys = [c for c in table.keys if entity and entity in key_nouns(table, c)]
            if entity == "number":
                keys += only_key(table)
            for column in keys or grouping_columns(table):
                spots = [s for r in mention.ranges for s in table.find(column, r)]
                if mention.is_word and not mention.currency:  # "three" is no price of 2.99
                    spots = [s for s in spots if s.value == mention.value]
                if spots:
                    hits.append(Hit(table.number, frozenset(s.row for s in spots)))
                    column_name = table.column_name(column)
        if not hits:
            return None
        return Name(mention.start, mention.end, mention.text, ("label", column_name), tuple(hits))


def _is_spelt_apart(key: Key, labels: Sequence[Label]) -> bool:
    """Whether a word is only a short or another name, which needs its capitals."""
    if len(key) > 1:
        return False
    return not any(label.is_null or key[0] in label.text.lower() for label in labels) or all(
        label.is_short for label in labels
    )
