"""Runs to rows of the store, and rows back to values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from psycopg.types.json import Jsonb

from agent.messages import AgentResult, Column, Outcome, QueryResult, Transition
from bot.store.cells import clean, from_json, to_json
from bot.store.records import Question, RunRecord, Thread


def ending(run_id: str, result: AgentResult) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "question": clean(result.question),
        "outcome": str(result.outcome),
        "failed": result.failed,
        "answer": clean(result.answer),
        "summary": clean(result.summary),
        "warnings": [clean(warning) for warning in result.warnings],
        "tables": [clean(table) for table in result.tables],
        "model": clean(result.model),
        "hops": result.hops,
        "n_queries": result.n_queries,
        "duration_ms": result.duration_ms,
        "fault_detail": clean(result.fault_detail),
        **asdict(result.usage),
    }


def result_rows(run_id: str, results: Sequence[QueryResult]) -> list[dict[str, Any]]:
    return [_result_row(run_id, number, result) for number, result in enumerate(results, 1)]


def _result_row(run_id: str, number: int, result: QueryResult) -> dict[str, Any]:
    rows, kept = to_json(result.rows)
    return {
        "run_id": run_id,
        "number": number,
        "sql": clean(result.sql),
        "names": [clean(column.name) for column in result.columns],
        "types": [clean(column.type_name) for column in result.columns],
        "rows": rows,
        "truncated": result.truncated or kept < len(result.rows),
        "notes": [clean(note) for note in result.notes],
        "duration_ms": result.duration_ms,
    }


def transition_rows(run_id: str, trail: Sequence[Transition]) -> list[dict[str, Any]]:
    return [
        {
            "run_id": run_id,
            "number": number,
            "at": step.at,
            "source": str(step.source),
            "event": str(step.event),
            "target": str(step.target),
            "trigger": clean(step.trigger),
            "state": Jsonb(asdict(step.state)),
            "model_output": clean(step.model_output),
        }
        for number, step in enumerate(trail, 1)
    ]


def read_result(row: Mapping[str, Any]) -> QueryResult:
    rows = from_json(row["rows"])
    columns = zip(row["column_names"], row["column_types"], strict=True)
    return QueryResult(
        sql=row["sql"],
        columns=tuple(Column(name, type_name) for name, type_name in columns),
        rows=rows,
        truncated=row["truncated"] or len(rows) < row["n_rows"],
        duration_ms=row["duration_ms"],
        notes=tuple(row["notes"]),
    )


def read_run(row: Mapping[str, Any], results: Sequence[QueryResult]) -> RunRecord:
    """Return the run of a row of `queries.RUN`."""
    thread = Thread(row["team_id"], row["channel_id"], row["thread_ts"])
    return RunRecord(
        id=str(row["id"]),
        question=Question(thread, row["message_ts"], row["asked_by"], row["question"]),
        outcome=Outcome(row["outcome"]) if row["outcome"] else None,
        answer=row["answer"],
        summary=row["summary"],
        card_ts=row["card_ts"],
        results=tuple(results),
    )
