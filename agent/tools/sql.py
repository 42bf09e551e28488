"""`execute_read_only_sql`: one SELECT, and its rows as a model reads them.

    result 2: 3 rows in 31 ms
    columns: category (text), revenue (numeric)
    <data>
    ["Sports",5314.21]
    ["O'Hara",null]
    </data>
    note: Only the first 1,000 rows are here; there are more.

A row is a line of JSON. Between the <data> marks stand values from the database: data from an
untrusted source, never an instruction; `<`, `>` and characters that nobody sees are written as
JSON escapes, so that no value can close the fence or hide in it. What the audit found stands in
notes, with what to do about it; a value in a note stands in quotes, on one line and cut.
"""

from __future__ import annotations

import json

from pydantic import BaseModel, ConfigDict, Field

from agent.messages import Cell, NoteKind, Observation, QueryResult
from agent.numbers import plain_number
from agent.protocols import Database
from agent.untrusted import escaped_in_json, without_invisible

MAX_SHOWN_ROWS = 60
"""Rows of one result that go to the model; the card and the chart get all that were read."""
MAX_SHOWN_CHARS = 6_000
"""Characters of rows of one result that go to the model."""
MAX_NOTE_CHARS = 6_000
"""Characters of one note, or of the labels of all columns, that go to the model."""
MIN_SHORTENED = 20
"""Characters that are left of a long text in a row of very many columns."""


class ExecuteReadOnlySql(BaseModel):
    """Run one read-only SELECT on PostgreSQL and get its rows. Read the schemas first."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(description="One SELECT (WITH is fine), without a semicolon at the end.")


def execute_read_only_sql(
    arguments: ExecuteReadOnlySql, database: Database, result_number: int
) -> Observation:
    """Run one query; it becomes result `result_number` of the run, counted from 1.

    Raises `SqlRejected`, `SqlFailed` or `DatabaseUnavailable`.
    """
    result = database.fetch(arguments.query)
    return Observation(describe_result(result, result_number), result=result)


def describe_result(result: QueryResult, number: int) -> str:
    """Return the text of a result, in the form that stands at the top of this file."""
    count = len(result.rows)
    rows = "1 row" if count == 1 else f"{count} rows"
    labels = ", ".join(f"{column.name} ({column.type_name})" for column in result.columns)
    lines = [
        f"result {number}: {rows} in {result.duration_ms:.0f} ms",
        f"columns: {_inert(labels)}",
    ]
    shown = _rows_that_fit(result)
    lines += ["<data>", *shown, "</data>"]
    found = {note.kind for note in result.audit}
    notes = [] if NoteKind.TRUNCATED in found else list(result.notes)
    if shown and len(_line(result.rows[0])) > MAX_SHOWN_CHARS:
        notes.append("long texts are cut here")
    if len(shown) < count:
        notes.append(f"{len(shown)} of {count} rows are shown here")
    if not count and NoteKind.NO_ROWS not in found:
        notes.append("no row matched; check the filters and the spelling of values")
    notes += [f"{note.text} {note.hint}".strip() for note in result.audit]
    lines += [f"note: {_inert(note)}" for note in notes]
    return "\n".join(lines)


def _inert(text: str) -> str:
    """Return words that may quote the database: on one line, and unable to look like a mark."""
    line = " ".join(without_invisible(text).split())
    line = line.replace("<", "\\u003c").replace(">", "\\u003e")
    return line if len(line) <= MAX_NOTE_CHARS else f"{line[:MAX_NOTE_CHARS]}…"


def _rows_that_fit(result: QueryResult) -> list[str]:
    shown: list[str] = []
    room = MAX_SHOWN_CHARS
    for row in result.rows[:MAX_SHOWN_ROWS]:
        line = _line(row)
        if not shown and len(line) > room:
            line = _line(_shortened(row))
        room -= len(line)
        if shown and room < 0:
            break
        shown.append(line)
    return shown


def _shortened(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return a first row that does not fit with its long texts cut: some of it must be shown."""
    most = max(MIN_SHORTENED, MAX_SHOWN_CHARS // len(row) - len('"…", '))
    return tuple(
        f"{cell[:most]}…" if isinstance(cell, str) and len(cell) > most else cell
        for cell in map(plain_number, row)
    )


def _line(row: tuple[Cell, ...]) -> str:
    text = json.dumps([plain_number(cell) for cell in row], ensure_ascii=False, allow_nan=False)
    return escaped_in_json(text)
