"""What the rows of a result show by themselves: none, nothing but NULL, not all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agent.messages import AuditNote, NoteKind, QueryResult


def found_nothing(result: QueryResult) -> bool:
    """Whether there is no row, or one that says so: a count of 0, a sum of nothing."""
    return not result.rows or (
        len(result.rows) == 1 and all(cell is None or cell == 0 for cell in result.rows[0])
    )


def look_at_rows(result: QueryResult) -> Iterator[AuditNote]:
    """Yield what is to be known of the rows, without a look at the query."""
    if not result.rows and result.columns:
        yield AuditNote(
            NoteKind.NO_ROWS,
            "No row matched.",
            "Check the filters and the spelling of values before you say that there are none.",
        )
    if len(result.rows) == 1 and all(cell is None for cell in result.rows[0]):
        yield AuditNote(
            NoteKind.ALL_NULL,
            "The only row holds no value.",
            "There was nothing to calculate from: check the filters, and say so if they are right.",
        )
    if result.truncated:
        yield AuditNote(
            NoteKind.TRUNCATED,
            " ".join(result.notes) or "Not all of the result was read.",
            "Do not count or add up these rows yourself: let a query do it over all of them.",
        )


def without_hint(note: AuditNote) -> AuditNote:
    """Return a note on missing rows beside one that says why they are missing."""
    return replace(note, hint="") if note.kind is NoteKind.NO_ROWS else note


def each_value_occurs(note: AuditNote) -> AuditNote:
    """Return a note on missing rows where every value that the filters want does occur."""
    if note.kind is not NoteKind.NO_ROWS:
        return note
    return replace(
        note,
        hint="Each filter by itself fits some rows: no row fits all of them, or a join drops it.",
    )
