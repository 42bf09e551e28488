"""ACTION and OBSERVATION: run the tool calls of a turn, and give the model what came back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.breakdown import Breakdown
from agent.checkpoint.keeping import keep_part
from agent.errors import Fault, RepeatedCall, RetryCeilingExceeded, ToolError
from agent.memory import Answered
from agent.messages import ToolCall, ToolResult
from agent.running import Run
from agent.self_correction import Setback, handle_tool_error, handle_tool_success
from agent.state import MAX_HOPS, Event, tools_in_scope
from agent.steps import step_of, with_notes
from agent.toolbox import ToolContext
from agent.tools.sql import describe_result
from agent.trail import say_call, say_failure, say_success
from agent.untrusted import one_line
from agent.watching import Kind, doing

EMPTY_TURN = (
    "Your last turn held neither a tool call nor an answer. Call a tool that is allowed now, "
    "or write the answer."
)
CUT_TURN = "Your last turn was cut off before its end. Say it again, shorter."
USABLE_STOPS = frozenset({"end_turn", "tool_use", "stop_sequence"})


def act(run: Run) -> Event:
    """ACTION: run the tool calls of the turn in order, each a hop; past a ceiling, refuse."""
    calls = run.memory.last_turn.tool_calls
    for call in calls[len(run.pending) :]:  # some may have been run before the run was cut off
        if run.pending:
            keep_part(run)
        refusal = _refusal(run)
        if refusal:
            run.pending.append(Answered(ToolResult(call.id, call.name, refusal, is_error=True)))
            continue
        scope = tools_in_scope(run.state)
        run.state = replace(run.state, hop_count=run.state.hop_count + 1)
        if run.trail is not None:
            run.trail.begin(say_call(call, run.question))
        try:
            run.said.append(_run_tool(run, call, scope))
        except Fault as fault:
            run.fault, run.happening.trigger = Breakdown.of(fault), say_failure(call, fault)
            run.steps.append(step_of(call, error=fault))
            _tell_end(run, run.happening.trigger)
            return Event.TOOL_FAILED
    run.happening.trigger, run.said = " ".join(run.said), []
    return Event.TOOLS_DONE


def _tell_end(run: Run, done: str) -> None:
    """Tell the trail how the last step ended."""
    if run.trail is not None:
        run.trail.end(done, ok=run.steps[-1].ok)


def _refusal(run: Run) -> str:
    """Return why a further call of this turn is not run; a refused call is no hop and no error."""
    if run.state.hop_ceiling_reached:
        return f"Refused: the limit of {MAX_HOPS} tool calls is met. Answer with what you have."
    if run.state.retry_ceiling_reached:
        return "Not run: there were too many errors before it."
    if run.memory.clarification is not None:
        return "Not run: the person is asked first."
    if run.cancelled.is_set() or run.seconds_left <= 0:
        return "Not run: the run has ended."
    return ""


def _run_tool(run: Run, call: ToolCall, scope: Sequence[str]) -> str:
    """Run one call and keep what it gave; returns what happened, for the trail."""
    context = ToolContext(tuple(run.memory.results), run.question, run.locale)
    try:
        with doing(Kind.TOOL, call.name):
            run.attempts.check(call, run.memory)
            observation = run.toolbox.run(call, scope, context)
    except ToolError as error:
        _fail(run, call, error)
        _tell_end(run, say_failure(call, error, run.question))
        return say_failure(call, error)
    run.memory.add_observation(call, observation)
    has_rows = observation.result is not None and bool(observation.result.rows)
    run.state = replace(
        handle_tool_success(run.state),
        seen_table=run.state.seen_table or observation.table is not None,
        seen_rows=run.state.seen_rows or has_rows,
    )
    gave_rows = observation.result is not None
    content = "" if gave_rows else observation.content
    run.pending.append(Answered(ToolResult(call.id, call.name, content), True, gave_rows))
    run.steps.append(step_of(call, observation))
    done = say_success(call, observation)
    _tell_end(run, done)
    return done


def _fail(run: Run, call: ToolCall, error: ToolError) -> None:
    told = ToolResult(call.id, call.name, one_line(str(error)), is_error=True)
    run.pending.append(Answered(told))
    run.steps.append(step_of(call, error=error))
    run.attempts.note_failure(call, error, run.memory)
    run.refusals += error.is_refusal
    if isinstance(error, RepeatedCall) and error.failed_with:
        run.setback = Setback((str(error),))
    _count_error(run, error)


def _count_error(run: Run, error: ToolError) -> None:
    try:
        run.state = handle_tool_error(run.state, error)
    except RetryCeilingExceeded as exceeded:
        run.state = exceeded.state


def observe(run: Run) -> Event:
    """OBSERVATION: audit what came back and give it to the model; say whether to go on or back."""
    run.rethinking = False
    if run.pending:
        _give_results(run)
    else:
        _reject_turn(run)
    if run.state.retry_ceiling_reached:
        run.happening.trigger = (
            f"There were too many errors: {run.state.retry_count} in a row, "
            f"{run.state.error_count} in all."
        )
        return Event.RETRY_CEILING
    if run.memory.clarification is not None:
        return Event.CLARIFICATION_NEEDED
    if run.setback is not None:
        run.happening.trigger = "I was about to repeat a step that had failed."
        return Event.BACKTRACK
    return Event.OBSERVED


def _give_results(run: Run) -> None:
    """Put the results into the conversation; where all rows are sound, that is a checkpoint."""
    pending, run.pending = run.pending, []
    fetched = sum(each.gave_rows for each in pending)
    number = len(run.memory.results) - fetched
    given: list[ToolResult] = []
    for each in pending:
        result = each.result
        if each.gave_rows:
            number += 1
            result = replace(result, content=_audited(run, number))
        given.append(result)
    run.memory.add_tool_results(given)
    has_found = any(each.worked for each in pending)
    newest = run.memory.results[number - max(fetched, 1) : number]
    if has_found and all(result.is_verified for result in newest):
        run.memory.mark()


def _audited(run: Run, number: int) -> str:
    """Audit result `number`; returns its text with the notes."""
    result = run.memory.results[number - 1]
    audited = replace(result, audit=run.auditor.audit(result))
    run.memory.results[number - 1] = audited
    run.steps[:] = with_notes(run.steps, audited)
    return describe_result(audited, number)


def _reject_turn(run: Run) -> None:
    """Tell the model that its turn was empty or cut off; that counts as an error, as a bad call."""
    turn = run.memory.last_turn
    correction = EMPTY_TURN if turn.stop_reason in USABLE_STOPS else CUT_TURN
    if turn.tool_calls:
        run.memory.add_tool_results(
            [ToolResult(call.id, call.name, correction, is_error=True) for call in turn.tool_calls]
        )
    else:
        run.memory.add_correction(correction)
    run.happening.trigger = "The model gave no usable turn; it was asked again."
    _count_error(run, ToolError(correction))
