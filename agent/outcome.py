"""From a run that has ended to its `AgentResult`: which ending it is, and in which words."""

from __future__ import annotations

from agent.errors import Fault, ModelDeclined
from agent.loop import Run
from agent.messages import AgentResult, Outcome
from agent.state import Event, Phase
from agent.warnings import FAILED_WARNING, NO_QUERY_WARNING

OUR_FAULT = "Something broke on our side; the people who run this bot can find it in its log."


def conclude(question: str, run: Run, duration_ms: int) -> AgentResult:
    """Return the result of a run in a terminal phase; `duration_ms` is its length."""
    outcome = _outcome(run)
    answer = ""
    if run.state.phase is Phase.FINISH:
        answer = run.memory.last_turn.text.strip()
    elif run.memory.clarification is not None and run.state.phase is Phase.CLARIFY:
        answer = run.memory.clarification.question
    return AgentResult(
        question=question,
        outcome=outcome,
        failed=run.state.failed,
        answer=answer,
        summary=_summary(run),
        results=tuple(run.memory.results),
        charts=tuple(run.memory.charts),
        warnings=_warnings(run, outcome),
        trail=tuple(run.transitions),
        model=run.model.name,
        hops=run.state.hop_count,
        duration_ms=duration_ms,
        tables=_tables(run),
        clarification=run.memory.clarification,
        usage=run.memory.usage,
        fault_detail=_fault_detail(run),
    )


def _outcome(run: Run) -> Outcome:
    match run.state.phase:
        case Phase.CANCELLED:
            return Outcome.CANCELLED
        case Phase.CLARIFY:
            return Outcome.NEEDS_CLARIFICATION
        case Phase.FAILED:
            nothing_broke = run.fault is None or isinstance(run.fault, ModelDeclined)
            return Outcome.FAILED if nothing_broke else Outcome.SYSTEM_FAULT
    results = run.memory.results
    if results and not results[-1].rows:
        return Outcome.NO_DATA
    if any(result.truncated for result in results[-1:]):
        return Outcome.ANSWERED_WITH_CAVEATS
    return Outcome.ANSWERED


def _tables(run: Run) -> tuple[str, ...]:
    """Return what the shown rows come from: a look at a schema is no source of an answer."""
    sources = [result.tables for result in run.memory.results if result.rows and result.tables]
    return sources[-1] if sources else tuple(run.memory.tables)


def _warnings(run: Run, outcome: Outcome) -> tuple[str, ...]:
    if run.state.failed:
        return (FAILED_WARNING,)
    if outcome is Outcome.ANSWERED and not run.memory.results:
        return (NO_QUERY_WARNING,)
    return ()


def _summary(run: Run) -> str:
    """Return what the run did, or why it ended without an answer and what to do about it."""
    if run.state.phase is Phase.FAILED:
        return _failure(run)
    if run.state.phase is Phase.CANCELLED:
        return "This run was cancelled before it had an answer."
    queries = len(run.memory.results)
    tables = ", ".join(run.memory.tables)
    looked = f"I looked at {tables}" if tables else "I looked at no table"
    ran = "no query" if not queries else "1 query" if queries == 1 else f"{queries} queries"
    return f"{looked} and ran {ran}."


def _failure(run: Run) -> str:
    if isinstance(run.fault, Fault):
        return str(run.fault)
    if run.fault is not None:
        return OUR_FAULT
    last = run.transitions[-1]
    advice = {
        Event.HOP_CEILING: "Ask for less at once, or name the table you mean.",
        Event.RETRY_CEILING: f"{_last_error(run)} Put the question differently.".lstrip(),
        Event.BUDGET_SPENT: "Ask for less at once.",
        Event.TIMED_OUT: "Ask for less at once, such as a shorter period.",
    }.get(last.event, "Ask again.")
    return f"{last.trigger} {advice}"


def _last_error(run: Run) -> str:
    failures = [step.trigger for step in run.transitions if "failed:" in step.trigger]
    if not failures:
        return ""
    return failures[-1] if failures[-1].endswith((".", "?", "!", "…")) else f"{failures[-1]}."


def _fault_detail(run: Run) -> str:
    if isinstance(run.fault, Fault):
        return run.fault.detail or str(run.fault)
    return "" if run.fault is None else f"{type(run.fault).__name__}: {run.fault}"
