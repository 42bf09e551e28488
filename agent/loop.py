"""The loop: drives the state machine from a question to a terminal phase.

Each phase is one function that does the phase's work and returns the event that ends it, so that
the route through a run is read off `TRANSITIONS` and nowhere else. Limits are checked in one
place, `_limit_reached`, before anything is spent.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from agent.errors import Fault, ModelDeclined, ModelUnavailable, RetryCeilingExceeded, ToolError
from agent.memory import WorkingMemory
from agent.messages import ToolCall, ToolResult, Transition
from agent.protocols import Model, Trail
from agent.self_correction import handle_tool_error, handle_tool_success
from agent.state import (
    MAX_HOPS,
    MAX_MODEL_CALLS,
    WALL_CLOCK_S,
    AgentState,
    Event,
    Phase,
    advance,
    tools_in_scope,
)
from agent.toolbox import Toolbox, ToolContext
from agent.trail import say_call, say_failure, say_success

logger = logging.getLogger(__name__)

EMPTY_TURN = (
    "Your last turn held neither a tool call nor an answer. Call a tool that is allowed now, "
    "or write the answer."
)
CUT_TURN = "Your last turn was cut off before its end. Say it again, shorter."
USABLE_STOPS = frozenset({"end_turn", "tool_use", "stop_sequence"})


@dataclass
class Run:
    """One run under way: its state, its memory, and what it may use."""

    model: Model
    toolbox: Toolbox
    memory: WorkingMemory
    system: str
    trail: Trail | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    clock: Callable[[], float] = time.monotonic
    state: AgentState = field(default_factory=AgentState)
    transitions: list[Transition] = field(default_factory=list)
    fault: Exception | None = None
    """What broke, where the run ends in a fault of ours or of the model's provider."""
    started: float = 0.0
    pending: list[ToolResult] = field(default_factory=list)
    """What the tool calls of the turn under way gave."""
    trigger: str = ""

    @property
    def seconds_left(self) -> float:
        return WALL_CLOCK_S - (self.clock() - self.started)


def run_react_loop(run: Run) -> None:
    """Drive `run` until its phase is terminal; the outcome stands in its state and memory.

    Raises nothing for what goes wrong in a run: a fault ends it in FAILED and stands in
    `run.fault`. An exception that is neither a `ToolError` nor a `Fault` is a bug and ends it so
    too.
    """
    run.started = run.clock()
    while not run.state.is_terminal:
        run.trigger = ""
        event = _limit_reached(run) or _work(run)
        _record(run, event)


def _work(run: Run) -> Event:
    """Do the phase's work. A bug in it ends the run as a fault of ours; no model reads of it."""
    try:
        return _PHASES[run.state.phase](run)
    except Exception as bug:
        logger.exception("bug in phase %s", run.state.phase)
        run.fault, run.trigger = bug, "Something broke on our side."
        return Event.MODEL_FAILED if run.state.phase is Phase.THOUGHT else Event.TOOL_FAILED


def _limit_reached(run: Run) -> Event | None:
    """Ask before spending: the only place where a run is measured against its limits."""
    if run.cancelled.is_set():
        run.trigger = "The run was cancelled."
        return Event.CANCELLED
    if run.seconds_left <= 0:
        run.trigger = f"The time limit of {WALL_CLOCK_S:.0f} seconds was met."
        return Event.TIMED_OUT
    if run.state.phase is Phase.THOUGHT and run.state.model_call_ceiling_reached:
        run.trigger = f"The limit of {MAX_MODEL_CALLS} model turns was met."
        return Event.BUDGET_SPENT
    return None


def _think(run: Run) -> Event:
    """THOUGHT: one model turn."""
    tools = run.toolbox.specs(tools_in_scope(run.state))
    run.state = replace(run.state, model_calls=run.state.model_calls + 1)
    try:
        turn = run.model.respond(
            run.system, tuple(run.memory.messages), tools, timeout_s=run.seconds_left
        )
    except ModelUnavailable as fault:
        run.fault, run.trigger = fault, "The model could not be reached."
        return Event.MODEL_FAILED
    run.memory.add_turn(turn)
    if turn.stop_reason == "refusal":
        run.fault = ModelDeclined(
            "The model declined to answer this question. Put it differently, or ask a colleague."
        )
        run.trigger = "The model declined."
        return Event.MODEL_FAILED
    if turn.stop_reason not in USABLE_STOPS:
        return Event.MODEL_OUTPUT_INVALID
    if turn.tool_calls:
        return _hop_ceiling(run) or Event.TOOLS_REQUESTED
    return Event.DRAFT_READY if turn.text.strip() else Event.MODEL_OUTPUT_INVALID


def _hop_ceiling(run: Run) -> Event | None:
    if not run.state.hop_ceiling_reached:
        return None
    run.trigger = f"The limit of {MAX_HOPS} tool calls was met."
    return Event.HOP_CEILING


def _act(run: Run) -> Event:
    """ACTION: run the tool calls of the turn in order, each a hop; past a ceiling, refuse."""
    said: list[str] = []
    for call in run.memory.last_turn.tool_calls:
        refusal = _refusal(run)
        if refusal:
            run.pending.append(ToolResult(call.id, call.name, refusal, is_error=True))
            continue
        scope = tools_in_scope(run.state)
        run.state = replace(run.state, hop_count=run.state.hop_count + 1)
        try:
            said.append(_run_tool(run, call, scope))
        except Fault as fault:
            run.fault, run.trigger = fault, say_failure(call, fault)
            return Event.TOOL_FAILED
    run.trigger = " ".join(said)
    return Event.TOOLS_DONE


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
    context = ToolContext(tuple(run.memory.results))
    try:
        observation = run.toolbox.run(call, scope, context)
    except ToolError as error:
        run.pending.append(ToolResult(call.id, call.name, str(error), is_error=True))
        _count_error(run, error)
        return say_failure(call, error)
    run.memory.add_observation(observation)
    has_rows = observation.result is not None and bool(observation.result.rows)
    run.state = replace(
        handle_tool_success(run.state),
        seen_table=run.state.seen_table or observation.table is not None,
        seen_rows=run.state.seen_rows or has_rows,
    )
    run.pending.append(ToolResult(call.id, call.name, observation.content))
    return say_success(call, observation)


def _count_error(run: Run, error: ToolError) -> None:
    try:
        run.state = handle_tool_error(run.state, error)
    except RetryCeilingExceeded as exceeded:
        run.state = exceeded.state


def _observe(run: Run) -> Event:
    """OBSERVATION: give the model what came back; too many errors, or a question back, end it."""
    if run.pending:
        run.memory.add_tool_results(run.pending)
        run.pending = []
    else:
        _reject_turn(run)
    if run.state.retry_ceiling_reached:
        run.trigger = (
            f"There were too many errors: {run.state.retry_count} in a row, "
            f"{run.state.error_count} in all."
        )
        return Event.RETRY_CEILING
    if run.memory.clarification is not None:
        return Event.CLARIFICATION_NEEDED
    return Event.OBSERVED


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
    run.trigger = "The model gave no usable turn; it was asked again."
    _count_error(run, ToolError(correction))


_PHASES: dict[Phase, Callable[[Run], Event]] = {
    Phase.THOUGHT: _think,
    Phase.ACTION: _act,
    Phase.OBSERVATION: _observe,
}


def _record(run: Run, event: Event) -> None:
    source = run.state.phase
    run.state = advance(run.state, event)
    transition = Transition(
        at=datetime.now(UTC),
        source=source,
        event=event,
        target=run.state.phase,
        trigger=run.trigger or _default_trigger(run, event),
        state=run.state,
        model_output=_model_output(run) if source is Phase.THOUGHT else "",
    )
    run.transitions.append(transition)
    if run.trail is not None:
        run.trail.record(transition)


def _default_trigger(run: Run, event: Event) -> str:
    match event:
        case Event.TOOLS_REQUESTED:
            return " ".join(say_call(call) for call in run.memory.last_turn.tool_calls)
        case Event.DRAFT_READY:
            return "I wrote the answer."
        case Event.CLARIFICATION_NEEDED:
            return "I asked you a question back."
        case Event.MODEL_OUTPUT_INVALID:
            return "The model gave neither a step nor an answer."
        case _:
            return ""


def _model_output(run: Run) -> str:
    turn = run.memory.last_turn
    calls = [f"{call.name}({dict(call.arguments)})" for call in turn.tool_calls]
    return "\n".join([part for part in (turn.text.strip(), *calls) if part])
