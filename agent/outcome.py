"""From a run that has ended to its `AgentResult`: which ending it is, and in which words."""

from __future__ import annotations

from agent.critique import asserted_in, results_behind
from agent.evidence.silence import is_silent
from agent.messages import AgentResult, Critique, Evidence, NoteKind, Outcome, QueryResult
from agent.running import Run
from agent.state import Event, Phase
from agent.story.reasons import chart_reason, plain_reason
from agent.warnings import (
    ESCALATED_WARNING,
    FAILED_WARNING,
    NO_CHART_CAVEAT,
    NO_QUERY_WARNING,
    SILENT_CAVEAT,
    UNJUDGED_CAVEAT,
)

_SAID_ELSEWHERE = frozenset({NoteKind.TRUNCATED, NoteKind.NO_ROWS})
"""The result's own notes say the one, the ending of the run the other."""
REFUSED = "I may only read, and only what I was given to read."


def conclude(question: str, run: Run, duration_ms: int) -> AgentResult:
    """Return the result of a run in a terminal phase; `duration_ms` is its length."""
    outcome = _outcome(run)
    answer = ""
    if run.state.phase is Phase.FINISH:
        answer = run.memory.last_turn.text.strip()
    elif run.memory.clarification is not None and run.state.phase is Phase.CLARIFY:
        answer = run.memory.clarification.question
    critique = run.critiques[-1] if run.critiques else Critique("")
    return AgentResult(
        question=question,
        outcome=outcome,
        failed=run.state.failed,
        answer=answer,
        summary=_summary(run, outcome),
        results=tuple(run.memory.results),
        charts=tuple(run.memory.charts),
        warnings=_warnings(run),
        trail=tuple(run.transitions),
        model=run.answered_by,
        hops=run.state.hop_count,
        duration_ms=duration_ms,
        tables=_tables(run),
        clarification=run.memory.clarification,
        usage=run.usage,
        fault_detail="" if run.fault is None else run.fault.detail,
        plan=next((step.plan for step in run.transitions if step.plan), ()),
        # A picture that is missing makes an answer no worse: it is said, and no ending of its own.
        caveats=(*_caveats(run), *_missing_chart(run)),
        calculations=tuple(run.memory.calculations),
        evidence=critique.evidence,
        verdict=critique.verdict,
        judge=run.judge.name if run.judge is not None and critique.verdict is not None else "",
        draft=critique.draft if run.state.phase is Phase.ESCALATED else "",
        set_aside=tuple(run.memory.set_aside),
        cost_usd=run.cost_usd,
        time_zone=run.time_zone,
    )


def _outcome(run: Run) -> Outcome:
    match run.state.phase:
        case Phase.CANCELLED:
            return Outcome.CANCELLED
        case Phase.CLARIFY:
            return Outcome.NEEDS_CLARIFICATION
        case Phase.ESCALATED:
            return Outcome.ESCALATED
        case Phase.FAILED:
            return _failed_outcome(run)
    results = run.memory.results
    if run.refusals and not results:
        return Outcome.NOT_PERMITTED
    if results and not any(result.rows for result in _used(run)):
        return Outcome.NO_DATA
    if any(result.truncated for result in results[-1:]) or _caveats(run) or _critique_faults(run):
        return Outcome.ANSWERED_WITH_CAVEATS
    return Outcome.ANSWERED


def _failed_outcome(run: Run) -> Outcome:
    if run.fault is not None and not run.fault.declined:
        return Outcome.SYSTEM_FAULT
    too_many = run.transitions[-1].event is Event.RETRY_CEILING
    mostly_refused = run.refusals * 2 > run.state.error_count
    return Outcome.NOT_PERMITTED if too_many and mostly_refused else Outcome.FAILED


def _critique_faults(run: Run) -> tuple[str, ...]:
    """Return what the gate let pass with a warning."""
    accepted = run.state.phase is Phase.FINISH and run.critiques
    return run.critiques[-1].faults if accepted else ()


def _tables(run: Run) -> tuple[str, ...]:
    """Return what the shown rows come from: a look at a schema is no source of an answer."""
    sources = [result.tables for result in run.memory.results if result.rows and result.tables]
    return sources[-1] if sources else tuple(run.memory.tables)


def _warnings(run: Run) -> tuple[str, ...]:
    if run.state.failed:
        return (FAILED_WARNING,)
    if run.state.phase is Phase.ESCALATED:
        return (ESCALATED_WARNING,)
    if run.state.phase is Phase.CLARIFY and run.memory.clarification is not None:
        return asserted_in(run.memory.clarification.question, run)
    if run.state.phase is not Phase.FINISH:
        return ()
    no_query = () if run.memory.results else (NO_QUERY_WARNING,)
    return (*no_query, *_critique_faults(run))


def _caveats(run: Run) -> tuple[str, ...]:
    """Return what remains true of the rows that the answer rests on and is no warning already."""
    if run.state.phase is Phase.CLARIFY:
        return ()  # what was looked up on the way to a question back is no answer
    notes = (note for result in _used(run) for note in result.audit)
    said = set(_critique_faults(run))
    caveats = [note.text for note in notes if note.kind not in _SAID_ELSEWHERE]
    if run.judge is not None and run.state.phase is Phase.FINISH:
        missing = run.critiques[-1].verdict is None
        caveats += [UNJUDGED_CAVEAT] if missing else []
    caveats += [SILENT_CAVEAT] if _is_silent(run) else []
    return tuple(text for text in dict.fromkeys(caveats) if text not in said)


def _missing_chart(run: Run) -> tuple[str, ...]:
    """Say that a chart was tried and none was drawn, unless the answer does, and why if known."""
    if run.state.phase is not Phase.FINISH or run.memory.charts:
        return ()
    steps = (step for transition in run.transitions for step in transition.steps)
    failed = [step for step in steps if step.tool == "generate_chart" and not step.ok]
    if not failed:
        return ()
    reason = next((why for step in failed if (why := chart_reason(step.error))), "")
    if NO_CHART_CAVEAT in run.memory.last_turn.text:
        return (f"{reason[0].upper()}{reason[1:]}.",) if reason else ()
    return (f"{NO_CHART_CAVEAT.rstrip('.')}: {reason}.",) if reason else (NO_CHART_CAVEAT,)


def _is_silent(run: Run) -> bool:
    """The answer names nothing of its rows, draws none, and no judge found it to be one."""
    if run.state.phase is not Phase.FINISH or not run.critiques or run.memory.charts:
        return False
    last = run.critiques[-1]
    return last.verdict is None and is_silent(last.draft, last.evidence, run.memory.results)


def _used(run: Run) -> list[QueryResult]:
    """Return the results that the answer rests on: the last one, and those of traced figures."""
    evidence = run.critiques[-1].evidence if run.critiques else Evidence()
    behind = results_behind(evidence, len(run.memory.results))
    return [run.memory.results[number - 1] for number in behind]


def _summary(run: Run, outcome: Outcome) -> str:
    """Return what the run did, or why it ended without an answer and what to do about it."""
    if outcome is Outcome.NOT_PERMITTED and run.state.failed:
        return f"{REFUSED} Ask for something that can be read from the data."
    if run.state.phase is Phase.FAILED:
        return _failure(run)
    if run.state.phase is Phase.CANCELLED:
        return "This run was cancelled before it had an answer."
    if run.state.phase is Phase.ESCALATED:
        return _refusal(run)
    queries = len(run.memory.results) + len(run.memory.set_aside)
    tables = ", ".join(run.memory.tables)
    looked = f"I looked at {tables}" if tables else "I looked at no table"
    ran = "no query" if not queries else "1 query" if queries == 1 else f"{queries} queries"
    return f"{looked} and ran {ran}."


def _refusal(run: Run) -> str:
    if run.critiques and run.critiques[-1].faults:
        reason = run.critiques[-1].faults[0]
        return f"My answer did not pass its checks: {reason}"
    return "I kept coming back to a step that does not work, so I stopped."


def _failure(run: Run) -> str:
    if run.fault is not None:
        return run.fault.words
    if run.ceiling and run.transitions[-1].event is Event.BUDGET_SPENT:
        return run.ceiling
    last = run.transitions[-1]
    advice = {
        Event.HOP_CEILING: "Ask for less at once, or name the table you mean.",
        Event.RETRY_CEILING: f"{_last_error(run)} Put the question differently.",
        Event.BUDGET_SPENT: "Ask for less at once.",
        Event.TIMED_OUT: "Ask for less at once, such as a shorter period.",
    }.get(last.event, "Ask again.")
    return f"{last.trigger} {advice}"


def _last_error(run: Run) -> str:
    errors = [step.error for each in run.transitions for step in each.steps if step.error]
    if not errors:
        return "The model wrote nothing that could be used."
    reason = plain_reason(errors[-1]).rstrip(".")
    return f"The last step failed: {reason}."
