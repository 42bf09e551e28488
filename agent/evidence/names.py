"""Where a passage names rows or columns of the results: labels, dates, years of pivoted columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlglot import exp

from agent.evidence.cells import Spot, Table
from agent.evidence.columns import Holds
from agent.evidence.mentions import Mention
from agent.evidence.moments import Moment
from agent.evidence.nouns import concept, is_entity, name_words

_MAX_CHARS: Final = 80
_MAX_WORDS: Final = 9
_WORD = re.compile(r"[^\W_]+")
_COMMON: Final = frozenset(
    [
        "new",
        "other",
        "all",
        "total",
        "old",
        "top",
        "best",
        "first",
        "last",
        "open",
        "high",
        "low",
        "good",
        "unknown",
        "free",
        "small",
        "large",
        "medium",
        "none",
        "no",
        "yes",
        "true",
        "false",
        "active",
        "closed",
        "on",
        "off",
        "any",
        "some",
        "more",
        "most",
        "action",
        "a",
        "i",
        "in",
        "at",
        "is",
        "it",
        "as",
    ]
)
"""Labels that are everyday words: only a capital inside a sentence makes a name of them."""
_PERSON: Final = frozenset(
    [
        "customer",
        "actor",
        "staff",
        "name",
        "person",
        "manager",
        "author",
        "artist",
        "player",
        "user",
    ]
)

Dimension = tuple[str, str]
"""What kind of thing a name names: ("label", column), ("time", ""), ("column", "")."""


@dataclass(frozen=True)
class Hit:
    """What a name points at in one result."""

    table: int
    rows: frozenset[int] | None
    """None: all."""
    columns: frozenset[int] | None = None
    """None: all."""

    def holds(self, spot: Spot) -> bool:
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

    def rows_anywhere(self) -> bool:
        """Whether it points at rows of any result."""
        return any(hit.rows is not None for hit in self.hits)

    def rows(self, table: int) -> frozenset[int]:
        """Return the rows of a result that are named, if some but not all are."""
        found = [hit.rows for hit in self.hits if hit.table == table and hit.rows is not None]
        return frozenset().union(*found)


class Register:
    """The names that the results know."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._labels: dict[tuple[str, ...], list[tuple[int, int, int, str]]] = {}
        self._scopes: dict[tuple[str, ...], list[tuple[int, str]]] = {}
        self._first: set[str] = set()
        self._moments: dict[tuple[tuple[str, int], ...], tuple[Hit, ...]] = {}
        for table in tables:
            self._take_labels(table)
            for one in table.statement.filters:
                if one.text and one.day is None and one.op in ("=", "~") and one.is_scope:
                    self._note_scope(table.number, one.column, one.text)
        self._pivots = {t.number: _pivots(t) for t in tables}

    def _note_scope(self, table: int, column: str, text: str) -> None:
        key = _key(text)
        if key and len(key) <= _MAX_WORDS:
            self._scopes.setdefault(key, []).append((table, column))
            self._first |= _forms(key[0])

    def _take_labels(self, table: Table) -> None:
        for column, meaning in enumerate(table.meanings):
            if meaning.holds is not Holds.TEXT or column in table.moments:
                continue
            is_person = bool(meaning.words & _PERSON)
            for row, cells in enumerate(table.rows):
                cell = cells[column]
                if isinstance(cell, str) and 0 < len(cell) <= _MAX_CHARS:
                    for key in _keys(cell, is_person):
                        self._labels.setdefault(key, []).append((table.number, column, row, cell))
                        self._first |= _forms(key[0])

    def find(self, text: str) -> list[Name]:
        """Return the labels that `text` names, in order; of those that overlap the longest."""
        words = [(match.start(), match.end(), match[0].lower()) for match in _WORD.finditer(text)]
        found: list[Name] = []
        position = 0
        while position < len(words):
            made = (
                self._longest(text, words, position) if words[position][2] in self._first else None
            )
            if made is None:
                position += 1
                continue
            name, used = made
            found.append(name)
            position += used
        return found

    def _longest(
        self, text: str, words: Sequence[tuple[int, int, str]], position: int
    ) -> tuple[Name, int] | None:
        for length in range(min(_MAX_WORDS, len(words) - position), 0, -1):
            span = words[position : position + length]
            start, end = span[0][0], span[-1][1]
            for key in _variants(tuple(word for _, _, word in span)):
                if key in self._labels or key in self._scopes:
                    name = self._name(text, start, end, key)
                    return (name, length) if name is not None else None
        return None

    def _name(self, text: str, start: int, end: int, key: tuple[str, ...]) -> Name | None:
        said = text[start:end]
        labels = self._labels.get(key, [])
        if len(said) == 1 and (not said.isupper() or said in "AI"):
            return None
        rows: dict[tuple[int, int], set[int]] = {}
        for table, column, row, _ in labels:
            rows.setdefault((table, column), set()).add(row)
        hits = [Hit(table, frozenset(found)) for (table, _), found in rows.items()]
        scopes = self._scopes.get(key, [])
        hits += [Hit(table, None) for table, _ in scopes]
        columns = [self._tables[table].column_name(column).lower() for table, column in rows]
        label = labels[0][3] if labels else said
        return Name(
            start, end, said, ("label", columns[0] if columns else scopes[0][1]), tuple(hits),
            scopes[0][1] if scopes else "", is_sure=_is_sure(text, start, end, label),
        )  # fmt: skip

    def of_moment(self, moment: Moment) -> Name | None:
        """Return the rows and columns that a date, a time or a period names; None for none."""
        parts = tuple(moment.parts().items())
        if parts not in self._moments:
            self._moments[parts] = tuple(self._moment_hits(moment))
        hits = self._moments[parts]
        return Name(moment.start, moment.end, moment.text, ("time", ""), hits, moment=moment)

    def _moment_hits(self, moment: Moment) -> Iterator[Hit]:
        wanted = [m.parts() for m in (moment, *moment.either)]
        for table in self._tables:
            found: set[int] = set()
            for row, parts in _dated_rows(table):
                if any(_matches(want, parts) for want in wanted):
                    found.add(row)
            if found:
                yield Hit(table.number, frozenset(found))
            elif _lies_in(moment, table):
                yield Hit(table.number, None)
            for token, columns in self._pivots[table.number].items():
                if token.isdigit() and moment.year == int(token) and not moment.month:
                    yield Hit(table.number, None, columns)

    def of_figure(self, mention: Mention, before: str) -> Name | None:
        """Return the rows that a figure names: a group's own price or length, a key ("store 2")."""
        hits = []
        column_name = ""
        entity = names_entity(before, len(before))
        for table in self._tables:
            keys = [
                c for c, m in enumerate(table.meanings)
                if m.holds is Holds.KEY and entity and c in table.numbers and entity in m.nouns
            ]  # fmt: skip
            for column in keys or _grouping_columns(table):
                spots = [s for r in mention.ranges for s in table.find(column, r)]
                if spots:
                    hits.append(Hit(table.number, frozenset(s.row for s in spots)))
                    column_name = table.column_name(column)
        if not hits:
            return None
        return Name(mention.start, mention.end, mention.text, ("label", column_name), tuple(hits))


def _lies_in(moment: Moment, table: Table) -> bool:
    """Whether a year or a month is the period by which all rows of a result are chosen."""
    for low, high in table.statement.scope_periods:
        if low is None or high is None or moment.year is None or moment.day is not None:
            continue
        same_year = low.year == high.year == moment.year
        if same_year and moment.month in (None, low.month) and moment.month in (None, high.month):
            return True
    return False


def _key(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(text))


def _keys(cell: str, is_person: bool) -> Iterator[tuple[str, ...]]:
    key = _key(cell)
    if not key or len(key) > _MAX_WORDS:
        return
    yield key
    head = re.split(r",| \(| / | [-–] ", cell, maxsplit=1)[0]
    if head != cell and len(head) > 2:
        yield _key(head)
    if is_person and 2 <= len(key) <= 4 and len(key[-1]) > 3:
        yield key[-1:]


def _forms(word: str) -> set[str]:
    forms = {word, word + "s", word.removesuffix("s")}
    return forms | {word[:-1] + "ies"} if word.endswith("y") else forms


def _variants(key: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield key
    *head, last = key
    if len(last) > 3:
        if last.endswith("s"):
            yield (*head, last[:-1])
        if last.endswith("ies"):
            yield (*head, last[:-3] + "y")
        yield (*head, last + "s")


def _is_sure(text: str, start: int, end: int, label: str) -> bool:
    said = text[start:end]
    if said.lower() not in _COMMON and label.lower() not in _COMMON:
        return True
    if not said[0].isupper():
        return False
    inside = re.search(r"[\w,;)'\"]\s*$", text[:start]) is not None
    return (
        inside
        or not re.match(r"\s+[a-z]", text[end:])
        or re.match(
            r"\s+(?:is|was|has|had|and|earned|made|with|at|leads|came|comes|took|brought|ranks|films|category|genre)\b",
            text[end:],
        )
        is not None
    )


def _pivots(table: Table) -> dict[str, frozenset[int]]:
    """Return the words by which columns of one kind differ: the years of revenue_2024, revenue_2025."""
    kin: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for column in table.measures:
        words = name_words(table.column_name(column))
        for position, word in enumerate(words):
            rest = (*words[:position], *words[position + 1 :], table.meanings[column].holds.name)
            kin.setdefault(rest, []).append((word, column))
    found: dict[str, set[int]] = {}
    for members in kin.values():
        if len({word for word, _ in members}) > 1:
            for word, column in members:
                if word.isdigit():
                    found.setdefault(word, set()).add(column)
    return {word: frozenset(columns) for word, columns in found.items()}


def _dated_rows(table: Table) -> Iterator[tuple[int, dict[str, int]]]:
    for column, moments in table.moments.items():
        if _is_aggregate(table, column):
            continue
        for row, moment in enumerate(moments):
            if moment is not None:
                yield row, moment.parts()
    calendar = [c for c in table.numbers if table.meanings[c].holds is Holds.CALENDAR]
    if calendar:
        for row in range(len(table.rows)):
            values = ((table.meanings[c].unit, table.numbers[c][row]) for c in calendar)
            yield row, {unit: int(value) for unit, value in values if value is not None}


def _is_aggregate(table: Table, column: int) -> bool:
    outputs = table.statement.outputs
    return column < len(outputs) and outputs[column].find(exp.AggFunc) is not None


def _matches(wanted: dict[str, int], parts: dict[str, int]) -> bool:
    """Whether a row's date is what is wanted; a year that the row does not have is let pass."""
    known = _completed(parts)
    if "year" in wanted and "year" not in known and len(wanted) == 1:
        return False
    if wanted.get("minute") == 0 and "minute" not in known:
        wanted = {name: value for name, value in wanted.items() if name != "minute"}
    if "day" in wanted and wanted["day"] == 1 and "day" not in known:
        wanted = {name: value for name, value in wanted.items() if name != "day"}
    return all(
        known.get(name, value if name == "year" else None) == value
        for name, value in wanted.items()
    )


def _completed(parts: dict[str, int]) -> dict[str, int]:
    made = dict(parts)
    if "month" in parts:
        made.setdefault("quarter", (parts["month"] + 2) // 3)
        made.setdefault("half", (parts["month"] + 5) // 6)
    elif "quarter" in parts:
        made.setdefault("half", (parts["quarter"] + 1) // 2)
    if {"year", "month", "day"} <= set(parts) and "week" not in parts:
        made["week"] = date(parts["year"], parts["month"], parts["day"]).isocalendar()[1]
    if "year" in parts:
        made.setdefault("decade", parts["year"] // 10 * 10)
    return made


def _grouping_columns(table: Table) -> Iterator[int]:
    """Yield the numeric columns that a query groups by, keys and parts of dates aside."""
    tree = table.statement.tree
    if tree is None or tree.find(exp.Group) is None:
        return
    for column in table.measures:
        holds_kind = table.meanings[column].holds
        if column < len(table.statement.outputs) and holds_kind in (
            Holds.MONEY,
            Holds.NUMBER,
            Holds.TIME,
        ):
            output = table.statement.outputs[column]
            if (
                not output.find(exp.AggFunc, exp.Div, exp.Sub)
                and output.find(exp.Column) is not None
            ):
                if not _is_defined_inside(tree, output):
                    yield column


def _is_defined_inside(tree: exp.Expression, output: exp.Expression) -> bool:
    """Whether a column is a name for what a subquery or a CTE aggregates."""
    column = output.find(exp.Column)
    return column is not None and any(
        alias.alias == column.name and alias is not output and alias.find(exp.AggFunc) is not None
        for alias in tree.find_all(exp.Alias)
    )


def names_entity(text: str, start: int) -> str:
    """Return the concept of the noun right before `start`, such as "store" in "store 2"."""
    match = re.search(
        r"([^\W\d_]+)(?:'s)?\s*(?:#|no\.?|number|nr\.?|id|:)?\s*#?$", text[:start], re.IGNORECASE
    )
    noun = concept(match[1]) if match else ""
    return noun if is_entity(noun) or noun in ("id", "number") else ""
