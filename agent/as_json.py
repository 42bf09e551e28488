"""An `AgentResult` as JSON: what `db-agent ask --json` prints."""

from __future__ import annotations

from typing import Any

from agent.messages import AgentResult, Chart, QueryResult, Transition
from agent.numbers import plain_number


def result_as_json(result: AgentResult) -> dict[str, Any]:
    """Return `result` as plain values; decimals are numbers where a double holds them exactly."""
    return {
        "question": result.question,
        "answer": result.answer,
        "outcome": result.outcome.value,
        "failed": result.failed,
        "summary": result.summary,
        "n_queries": result.n_queries,
        "sql": list(result.sql),
        "results": [query_result_as_json(each) for each in result.results],
        "charts": [_chart(chart) for chart in result.charts],
        "warnings": list(result.warnings),
        "options": list(result.clarification.options) if result.clarification else [],
        "tables": list(result.tables),
        "model": result.model,
        "hops": result.hops,
        "duration_ms": result.duration_ms,
        "usage": {
            "input_tokens": result.usage.input_tokens,
            "output_tokens": result.usage.output_tokens,
            "cache_read_tokens": result.usage.cache_read_tokens,
            "cache_write_tokens": result.usage.cache_write_tokens,
        },
        "trail": [_transition(step) for step in result.trail],
    }


def query_result_as_json(result: QueryResult) -> dict[str, Any]:
    """Return one query result as plain values, without its SQL."""
    return {
        "columns": [column.name for column in result.columns],
        "types": [column.type_name for column in result.columns],
        "rows": [[plain_number(cell) for cell in row] for row in result.rows],
        "truncated": result.truncated,
        "notes": list(result.notes),
        "duration_ms": round(result.duration_ms, 3),
    }


def _chart(chart: Chart) -> dict[str, Any]:
    return {
        "title": chart.title,
        "result": chart.result_number,
        "alt_text": chart.alt_text,
        "spec": dict(chart.spec),
        "png_bytes": len(chart.png),
    }


def _transition(step: Transition) -> dict[str, Any]:
    return {
        "at": step.at.isoformat(timespec="milliseconds"),
        "phase": step.source.value,
        "event": step.event.value,
        "next": step.target.value,
        "trigger": step.trigger,
        "hops": step.state.hop_count,
        "errors": step.state.error_count,
        "model_calls": step.state.model_calls,
    }
