"""What the known columns hold, and which of them name a row."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from agent.models.offline.known import Known
from agent.models.offline.outdated import as_now
from agent.models.offline.reading import name_words
from agent.models.offline.thesaurus import AUDIT
from agent.models.offline.tool_texts import KnownColumn

CHECK: Final = "SELECT count(*) AS rows_compared"
"""How a query begins that only compares readings."""
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


class Columns:
    """Questions about tables and columns, answered from what is known so far."""

    def __init__(self, known: Known) -> None:
        self.tables = known.tables
        self.keys = tuple(
            k for k in known.keys if k.table in self.tables and k.target in self.tables
        )
        self.all_keys = known.keys
        self._renamed = known.renamed
        self.checks = {
            ran.sql: tuple(int(cell) for cell in ran.rows[0]) if ran.rows else ()
            for ran in known.ran
            if ran.columns[:1] == ("rows_compared",) or ran.sql.startswith(CHECK)
        }

    def as_now(self, sql: str) -> str:
        """Return a query with the names that hold now; all else goes on with the known ones."""
        return as_now(sql, self._renamed) if self._renamed else sql

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
            created = bool(words & {"creat", "insert", "birth", "dob"})
            return not (words & own), known.columns[name].nullable, created, order.index(name)

        return tuple(sorted(dated, key=rank))


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
