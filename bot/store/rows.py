"""Runs to rows of the store, and rows back to values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from agent.checkpoint import Recorded
from agent.messages import (
    AgentResult,
    Column,
    Evidence,
    Outcome,
    QueryResult,
    Transition,
    Usage,
)
from agent.state import AgentState, Event, Phase
from bot.store import values
from bot.store.cells import clean, from_json, to_json
from bot.store.records import Begun, Dropped, Hold, HowAsked, Question, Renewed, RunRecord, Thread
from bot.store.values import clean_all, from_jsonb, to_jsonb

ROWS_GONE: Final = (
    "The rows that this answer was made of are no longer kept, so its table is not shown. Ask the "
    "question anew to see it as of today."
)
"""What stands on a result, and on a card made of it, that has aged out."""


def ending(run_id: str, result: AgentResult) -> dict[str, Any]:
    """Return the parameters of `queries.FINISH`."""
    return {
        "run_id": run_id,
        "question": clean(result.question),
        "outcome": str(result.outcome),
        "failed": result.failed,
        "answer": clean(result.answer),
        "summary": clean(result.summary),
        "warnings": clean_all(result.warnings),
        "tables": clean_all(result.tables),
        "model": clean(result.model),
        "hops": result.hops,
        "n_queries": result.n_queries,
        "duration_ms": result.duration_ms,
        "fault_detail": clean(result.fault_detail),
        "plan": clean_all(result.plan),
        "caveats": clean_all(result.caveats),
        "evidence": to_jsonb(values.EVIDENCE, result.evidence),
        "calculations": to_jsonb(values.CALCULATIONS, result.calculations),
        "clarification": to_jsonb(values.CLARIFICATION, result.clarification),
        "verdict": to_jsonb(values.VERDICT, result.verdict),
        "judge": clean(result.judge),
        "draft": clean(result.draft),
        "time_zone": clean(result.time_zone),
        "cost_usd": result.cost_usd,
        **asdict(result.usage),
    }


def result_rows(run_id: str, result: AgentResult) -> list[dict[str, Any]]:
    """Return the parameters of `queries.ADD_RESULT`: the results, then those set aside."""
    kept = [_result_row(each, set_aside=False) for each in result.results]
    aside = [_result_row(each, set_aside=True) for each in result.set_aside]
    return [
        {"run_id": run_id, "number": number, **row} for number, row in enumerate(kept + aside, 1)
    ]


def _result_row(result: QueryResult, *, set_aside: bool) -> dict[str, Any]:
    rows, kept = to_json(result.rows)
    return {
        "sql": clean(result.sql),
        "names": [clean(column.name) for column in result.columns],
        "types": [clean(column.type_name) for column in result.columns],
        "rows": rows,
        "truncated": result.truncated or kept < len(result.rows),
        "notes": clean_all(result.notes),
        "duration_ms": result.duration_ms,
        "tables": clean_all(result.tables),
        "audit": to_jsonb(values.AUDIT, result.audit),
        "set_aside": set_aside,
    }


def transition_rows(run_id: str, trail: Sequence[Transition]) -> list[dict[str, Any]]:
    """Return the parameters of `queries.ADD_TRANSITION`."""
    return [transition_row(run_id, number, each) for number, each in enumerate(trail, 1)]


def transition_row(run_id: str, number: int, each: Transition) -> dict[str, Any]:
    """Return the parameters of `queries.ADD_TRANSITION`; `number` counts from 1."""
    return {
        "run_id": run_id,
        "number": number,
        "at": each.at,
        "source": str(each.source),
        "event": str(each.event),
        "target": str(each.target),
        "trigger": clean(each.trigger),
        "state": to_jsonb(values.STATE, each.state),
        "model_output": clean(each.model_output),
        "usage": to_jsonb(values.USAGE, each.usage),
        "cost_usd": each.cost_usd,
        "plan": clean_all(each.plan),
        "steps": to_jsonb(values.STEPS, each.steps),
        "critique": to_jsonb(values.CRITIQUE, each.critique),
    }


def read_result(row: Mapping[str, Any]) -> QueryResult:
    """Return the result of a row of `queries.RESULTS_OF`."""
    rows, is_gone = from_json(row["rows"]), row["rows_gone"]
    columns = zip(row["column_names"], row["column_types"], strict=True)
    return QueryResult(
        sql=row["sql"],
        columns=tuple(Column(name, type_name) for name, type_name in columns),
        rows=rows,
        truncated=row["truncated"] or len(rows) < row["n_rows"] or is_gone,
        duration_ms=row["duration_ms"],
        notes=(ROWS_GONE,) if is_gone else tuple(row["notes"]),
        tables=tuple(row["tables"]),
        audit=from_jsonb(values.AUDIT, row["audit"]) or (),
    )


def read_transition(row: Mapping[str, Any]) -> Transition:
    """Return the transition of a row of `queries.TRAIL`."""
    return Transition(
        at=row["at"],
        source=Phase(row["source"]),
        event=Event(row["event"]),
        target=Phase(row["target"]),
        trigger=row["trigger"],
        state=from_jsonb(values.STATE, row["state"]) or AgentState(),
        model_output=row["model_output"],
        usage=from_jsonb(values.USAGE, row["usage"]) or Usage(),
        cost_usd=row["cost_usd"],
        plan=tuple(row["plan"]),
        steps=from_jsonb(values.STEPS, row["steps"]) or (),
        critique=from_jsonb(values.CRITIQUE, row["critique"]),
    )


def read_run(
    row: Mapping[str, Any],
    results: Sequence[QueryResult],
    set_aside: Sequence[QueryResult] = (),
) -> RunRecord:
    """Return the run of a row with `queries.RUN_COLUMNS`."""
    return RunRecord(
        id=str(row["id"]),
        question=read_question(row),
        outcome=Outcome(row["outcome"]) if row["outcome"] else None,
        answer=row["answer"],
        summary=row["summary"],
        card_ts=row["card_ts"],
        results=tuple(results),
        failed=bool(row["failed"]),
        warnings=tuple(row["warnings"]),
        tables=tuple(row["tables_read"]),
        plan=tuple(row["plan"]),
        caveats=tuple(row["caveats"]),
        clarification=from_jsonb(values.CLARIFICATION, row["clarification"]),
        calculations=from_jsonb(values.CALCULATIONS, row["calculations"]) or (),
        evidence=from_jsonb(values.EVIDENCE, row["evidence"]) or Evidence(),
        verdict=from_jsonb(values.VERDICT, row["verdict"]),
        judge=row["judge"],
        draft=row["draft"],
        set_aside=tuple(set_aside),
        model=row["model"],
        hops=row["hops"] or 0,
        duration_ms=row["duration_ms"] or 0,
        usage=_usage(row),
        cost_usd=row["cost_usd"],
        fault_detail=row["fault_detail"],
        time_zone=row["time_zone"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
    )


def read_begun(row: Mapping[str, Any], owner: str, kept: Sequence[Mapping[str, Any]]) -> Begun:
    """Return a run from its row of `work_queries.BEGIN` and its rows of `work_queries.KEPT`."""
    recorded = [Recorded(read_transition(each), each["checkpoint"]) for each in kept]
    if row["part"] is not None:
        recorded.append(Recorded(None, row["part"]))
    return Begun(
        run_id=str(row["id"]),
        question=read_question(row),
        how=from_jsonb(values.HOW, row["how"]) or HowAsked(),
        hold=Hold(owner, row["attempt"]),
        failures=row["failures"],
        asked_at=row["created_at"],
        card_ts=row["card_ts"],
        has_ended=row["has_ended"],
        kept=tuple(recorded),
        wish=read_renewed(row),
    )


def read_renewed(row: Mapping[str, Any]) -> Renewed:
    """Return what others want of a run, from the columns of its row."""
    return Renewed(Dropped(row["dropped"]) if row["dropped"] else None, row["stop_by"])


def read_question(row: Mapping[str, Any]) -> Question:
    """Return the question of a row with the columns of its run and its thread."""
    thread = Thread(row["team_id"], row["channel_id"], row["thread_ts"])
    return Question(thread, row["message_ts"], row["asked_by"], row["question"], row["about"])


def _usage(row: Mapping[str, Any]) -> Usage:
    return Usage(
        row["input_tokens"] or 0,
        row["output_tokens"] or 0,
        row["cache_read_tokens"] or 0,
        row["cache_write_tokens"] or 0,
    )
