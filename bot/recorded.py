"""A run as the store remembers it -> what can be shown of it; pure."""

from __future__ import annotations

from agent.messages import AgentResult, Outcome
from bot.store import ROWS_GONE, RunRecord


def result_of(record: RunRecord) -> AgentResult:
    """Return the run's result, without its trail and its pictures, which the record has not.

    Where its rows are no longer kept it says so.
    """
    return AgentResult(
        question=record.question.text,
        outcome=record.outcome or Outcome.CANCELLED,
        failed=record.failed,
        answer=record.answer,
        summary=record.summary,
        results=record.results,
        charts=(),
        warnings=record.warnings,
        trail=(),
        model=record.model,
        hops=record.hops,
        duration_ms=record.duration_ms,
        tables=record.tables,
        clarification=record.clarification,
        usage=record.usage,
        fault_detail=record.fault_detail,
        plan=record.plan,
        caveats=(*record.caveats, ROWS_GONE) if record.rows_gone else record.caveats,
        calculations=record.calculations,
        evidence=record.evidence,
        verdict=record.verdict,
        judge=record.judge,
        draft=record.draft,
        set_aside=record.set_aside,
        cost_usd=record.cost_usd,
        time_zone=record.time_zone,
    )
