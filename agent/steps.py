"""A tool call as the trail keeps it: what it was about, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.errors import ToolError
from agent.messages import Observation, QueryResult, Step, ToolCall

MAX_SUBJECT: Final = 20_000
"""Characters; as long as the longest query that the guard reads."""
MAX_ERROR: Final = 1_000

_SUBJECTS: Final = {
    "find_tables": "words",
    "get_schema": "table_name",
    "execute_read_only_sql": "query",
    "calculate": "expression",
    "ask_user": "question",
}


def step_of(
    call: ToolCall, observation: Observation | None = None, *, error: Exception | None = None
) -> Step:
    """Return the record of a call that gave `observation`, or failed with `error`."""
    subject = call.malformed or str(call.arguments.get(_SUBJECTS.get(call.name, ""), ""))
    if error is not None or observation is None:
        reason = error.reason if isinstance(error, ToolError) else str(error)
        return Step(call.name, False, subject[:MAX_SUBJECT], error=reason[:MAX_ERROR])
    if observation.table is not None:
        return Step(call.name, True, observation.table)
    if observation.chart is not None:
        return Step(call.name, True, observation.chart.title)
    if observation.result is None:
        return Step(call.name, True, subject[:MAX_SUBJECT])
    result = observation.result
    return Step(
        call.name,
        True,
        result.sql,
        rows=len(result.rows),
        duration_ms=result.duration_ms,
        tables=result.tables,
    )


def with_notes(steps: Sequence[Step], audited: QueryResult) -> list[Step]:
    """Return the steps, with what the audit said of a result beside the step that fetched it."""
    notes = tuple(note.text for note in audited.audit)
    return [
        replace(step, notes=notes) if step.ok and step.subject == audited.sql else step
        for step in steps
    ]
