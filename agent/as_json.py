"""An `AgentResult` as JSON: what `db-agent ask --json` prints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from agent.messages import (
    AgentResult,
    AuditNote,
    Calculation,
    Chart,
    Critique,
    Evidence,
    QueryResult,
    Step,
    Transition,
    Usage,
    Verdict,
)
from agent.numbers import plain_number


def result_as_json(result: AgentResult) -> dict[str, Any]:
    """Return `result` as plain values that `json.dumps(…, allow_nan=False)` takes.

    Decimals are numbers where a double holds them exactly, else text; money is a number, or null
    where the price is not known.
    """
    return {
        "question": result.question,
        "answer": result.answer,
        "outcome": result.outcome.value,
        "failed": result.failed,
        "summary": result.summary,
        "plan": list(result.plan),
        "n_queries": result.n_queries,
        "sql": list(result.sql),
        "results": [query_result_as_json(each) for each in result.results],
        "set_aside": [each.sql for each in result.set_aside],
        "calculations": [_calculation(each) for each in result.calculations],
        "charts": [_chart(chart) for chart in result.charts],
        "warnings": list(result.warnings),
        "caveats": list(result.caveats),
        "evidence": _evidence(result.evidence),
        "verdict": _verdict(result.verdict),
        "judge": result.judge,
        "draft": result.draft,
        "options": list(result.clarification.options) if result.clarification else [],
        "tables": list(result.tables),
        "time_zone": result.time_zone,
        "model": result.model,
        "hops": result.hops,
        "duration_ms": result.duration_ms,
        "usage": _usage(result.usage),
        "cost_usd": _money(result.cost_usd),
        "trail": [_transition(step) for step in result.trail],
    }


def query_result_as_json(result: QueryResult) -> dict[str, Any]:
    """Return one query result as plain values, without its SQL."""
    return {
        "columns": [column.name for column in result.columns],
        "types": [column.type_name for column in result.columns],
        "rows": [[_number(cell) for cell in row] for row in result.rows],
        "truncated": result.truncated,
        "notes": list(result.notes),
        "audit": [_audit_note(note) for note in result.audit],
        "duration_ms": _number(round(result.duration_ms, 3)),
    }


def _audit_note(note: AuditNote) -> dict[str, Any]:
    return {"kind": note.kind.value, "text": note.text, "fault": note.is_fault}


def _chart(chart: Chart) -> dict[str, Any]:
    return {
        "title": chart.title,
        "result": chart.result_number,
        "alt_text": chart.alt_text,
        "spec": _plain(chart.spec),
        "png_bytes": len(chart.png),
    }


def _calculation(calculation: Calculation) -> dict[str, Any]:
    return {"expression": calculation.expression, "value": _number(calculation.value)}


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "figures": [{"text": each.text, "source": each.source} for each in evidence.figures],
        "untraced": list(evidence.untraced),
        "faults": list(evidence.faults),
    }


def _verdict(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {
        "valid": verdict.valid,
        "reason": verdict.reason,
        "severity": None if verdict.valid else verdict.severity.value,
    }


def _transition(transition: Transition) -> dict[str, Any]:
    state = transition.state
    return {
        "at": transition.at.isoformat(timespec="milliseconds"),
        "phase": transition.source.value,
        "event": transition.event.value,
        "next": transition.target.value,
        "trigger": transition.trigger,
        "hops": state.hop_count,
        "errors": state.error_count,
        "errors_in_a_row": state.retry_count,
        "backtracks": state.backtrack_count,
        "model_calls": state.model_calls,
        "usage": _usage(transition.usage),
        "cost_usd": _money(transition.cost_usd),
        "plan": list(transition.plan),
        "steps": [_step(step) for step in transition.steps],
        "critique": _critique(transition.critique),
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "tool": step.tool,
        "ok": step.ok,
        "subject": step.subject,
        "error": step.error,
        "rows": step.rows,
        "duration_ms": None if step.duration_ms is None else _number(round(step.duration_ms, 3)),
        "tables": list(step.tables),
        "notes": list(step.notes),
    }


def _critique(critique: Critique | None) -> dict[str, Any] | None:
    if critique is None:
        return None
    return {
        "draft": critique.draft,
        "evidence": _evidence(critique.evidence),
        "verdict": _verdict(critique.verdict),
        "faults": list(critique.faults),
    }


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
    }


def _money(dollars: Decimal | None) -> float | None:
    """Return dollars as a number; a millionth of a cent is as far as anybody looks."""
    return None if dollars is None else float(round(dollars, 8))


def _plain(value: Any) -> Any:
    """Return a chart's specification as JSON has it: whole, but for numbers that it cannot hold."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return _number(value)


def _number(value: Any) -> Any:
    """Return a value as JSON has it; a number that is none, such as NaN, by its name."""
    if isinstance(value, float | Decimal) and not math.isfinite(value):
        return str(value)
    return plain_number(value)
