"""`get_schema` and `find_tables`: a model reads one table at a time, so prompts stay small.

The text of a schema, which models (the offline one too) read:

    table film: a film that can be rented (about 1000 rows)
    primary key: film_id
    columns:
    - film_id integer not null
    - rating mpaa_rating: age rating; one of 'G', 'PG', 'PG-13'
    foreign keys:
    - film.language_id -> language.language_id
    referenced by:
    - inventory.film_id -> film.film_id

and of a search:

    2 of 21 tables fit:
    - film (table, about 1000 rows): film_id, title, rating, and 3 more: a film that can be rented
    joins between them:
    - film_category.film_id -> film.film_id

A key of several columns is written `t.(a, b) -> u.(c, d)`. Line breaks in comments become spaces.
Names, labels and comments are data from an untrusted source: each stays on its line, and none can
look like a mark.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from agent.database.schema import (
    ColumnInfo,
    ForeignKey,
    TableMatch,
    TableSchema,
    TableSearch,
)
from agent.messages import Observation
from agent.protocols import Database
from agent.untrusted import one_line

MAX_COMMENT = 200
"""Characters of one comment that a model gets to read."""
MAX_LABELS = 30
"""Labels of one enum that a model gets to read."""
MAX_COLUMN_CHARS = 16_000
"""Characters of the columns of one table that a model gets to read."""
MAX_KEYS = 60
"""Foreign keys of one table, in each direction, that a model gets to read."""


class GetSchema(BaseModel):
    """Read the schema of exactly one table or view: columns, types, comments, keys."""

    model_config = ConfigDict(extra="forbid")

    table_name: str = Field(description="One table, as find_tables names it.", max_length=200)


class FindTables(BaseModel):
    """Find the tables that fit some words, and how they join. Start here."""

    model_config = ConfigDict(extra="forbid")

    words: str = Field(
        description="Nouns of the question, such as 'customer country payment'.", max_length=500
    )


def get_schema(arguments: GetSchema, database: Database) -> Observation:
    """Return the schema of one table as text.

    Raises `UnknownTable`, which names the nearest tables, or `DatabaseUnavailable`.
    """
    table = database.get_table(arguments.table_name)
    return Observation(describe_table(table), table=table.name)


def find_tables(arguments: FindTables, database: Database) -> Observation:
    """Return the tables that fit, in short. Raises `DatabaseUnavailable`."""
    return Observation(describe_search(database.find_tables(arguments.words)))


def describe_table(table: TableSchema) -> str:
    """Return the text of a schema, in the form that stands at the top of this file."""
    size = "" if table.row_estimate is None else f" (about {table.row_estimate} rows)"
    lines = [f"{table.kind} {table.name}{_remark(table.comment)}{size}"]
    if table.primary_key:
        lines.append(f"primary key: {', '.join(table.primary_key)}")
    columns, rest = _columns_that_fit(table.columns)
    lines += ["columns:", *columns]
    lines += _section("foreign keys:", table.foreign_keys[:MAX_KEYS])
    lines += _section("referenced by:", table.referenced_by[:MAX_KEYS])
    if rest:
        lines.append(f"note: {rest} more columns are not shown")
    return "\n".join(map(one_line, lines))


def _columns_that_fit(columns: tuple[ColumnInfo, ...]) -> tuple[list[str], int]:
    """Return the lines of the columns, and how many columns are left out.

    A table of very many columns is shown without remarks, and cut where even that is too long.
    """
    lines = [_column(column, remarks=True) for column in columns]
    if sum(map(len, lines)) > MAX_COLUMN_CHARS:
        lines = [_column(column, remarks=False) for column in columns]
    room = MAX_COLUMN_CHARS
    for position, line in enumerate(lines):
        room -= len(line)
        if room < 0:
            return lines[:position], len(lines) - position
    return lines, 0


def _column(column: ColumnInfo, *, remarks: bool) -> str:
    null = "" if column.nullable else " not null"
    text = f"- {column.name} {column.type_name}{null}"
    notes = [_cut(column.comment)] if column.comment else []
    if column.enum_labels:
        notes.append(f"one of {_labels(column.enum_labels)}")
    return f"{text}: {'; '.join(notes)}" if notes and remarks else text


def describe_search(search: TableSearch) -> str:
    """Return the text of a search, in the form that stands at the top of this file."""
    if not search.matches:
        return "No table may be read here: the role has no SELECT right on any."
    lines = [f"{len(search.matches)} of {search.total} tables fit:"]
    lines += [_match(match) for match in search.matches]
    lines += _section("joins between them:", search.joins)
    return "\n".join(map(one_line, lines))


def _match(match: TableMatch) -> str:
    rows = "" if match.row_estimate is None else f", about {match.row_estimate} rows"
    more = f", and {match.columns_cut} more" if match.columns_cut else ""
    columns = f"{', '.join(match.columns)}{more}"
    return f"- {match.name} ({match.kind}{rows}): {columns}{_remark(match.comment)}"


def _section(title: str, keys: tuple[ForeignKey, ...]) -> list[str]:
    return [title, *(f"- {_key(key)}" for key in keys)] if keys else []


def _key(key: ForeignKey) -> str:
    return f"{key.table}.{_columns(key.columns)} -> {key.target}.{_columns(key.target_columns)}"


def _columns(columns: tuple[str, ...]) -> str:
    return columns[0] if len(columns) == 1 else f"({', '.join(columns)})"


def _labels(labels: tuple[str, ...]) -> str:
    shown = ", ".join("'" + label.replace("'", "''") + "'" for label in labels[:MAX_LABELS])
    rest = len(labels) - MAX_LABELS
    return f"{shown} and {rest} more" if rest > 0 else shown


def _remark(comment: str) -> str:
    return f": {_cut(comment)}" if comment else ""


def _cut(comment: str) -> str:
    text = " ".join(comment.split())
    return text if len(text) <= MAX_COMMENT else f"{text[: MAX_COMMENT - 1]}…"
