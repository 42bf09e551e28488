"""The loop: drives the state machine from a question to a terminal phase.

Each phase is one function that does the phase's work and returns the event that ends it, so that
the route through a run is read off `TRANSITIONS` and nowhere else. Limits are checked in one
place, `_limit_reached`, before anything is spent.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from agent.acting import USABLE_STOPS, act, observe
from agent.breakdown import Breakdown
from agent.checkpoint.keeping import keep
from agent.critique import criticize
from agent.errors import ModelDeclined, ModelUnavailable
from agent.giving_up import GivenUp, unless_cancelled
from agent.messages import Directive, Step, Transition, Turn
from agent.money import came_late, may_spend
from agent.plan import read_first_plan, read_plan, read_steps, without_guesses
from agent.running import Happening, Run
from agent.self_correction import rewind
from agent.state import (
    MAX_BACKTRACKS,
    MAX_HOPS,
    MAX_MODEL_CALLS,
    WALL_CLOCK_S,
    Event,
    Phase,
    advance,
    tools_in_scope,
)
from agent.story.taking_over import say_taking_over
from agent.trail import say_call
from agent.watched_turn import watched_turn
from agent.watching import Kind, doing, spent

logger = logging.getLogger(__name__)

CANCELLED = "The run was cancelled."
DECLINED = "The model declined to answer this question. Put it differently, or ask a colleague."
GO_ON = "The plan is good. Take its first step now."


def run_react_loop(run: Run) -> None:
    """Drive `run` until its phase is terminal; the outcome stands in its state and memory.

    Raises nothing for what goes wrong in a run: a fault ends it in FAILED and stands in
    `run.fault`. An exception that is neither a `ToolError` nor a `Fault` is a bug and ends it so
    too.
    """
    run.started = run.clock() - run.spent_s
    run.answering = run.answering or run.model.name
    run.opened_by = run.opened_by or run.model.name
    while not run.state.is_terminal:
        run.happening = Happening()
        with doing(Kind.PHASE, run.state.phase) as act:
            event = _limit_reached(run) or _work(run)
            act.facts["event"] = str(event)
        _record(run, event)


def _work(run: Run) -> Event:
    """Do the phase's work. A bug in it ends the run as a fault of ours; no model reads of it."""
    try:
        return _PHASES[run.state.phase](run)
    except Exception as bug:
        logger.exception("bug in phase %s", run.state.phase)
        run.fault, run.happening.trigger = Breakdown.of(bug), "Something broke on our side."
        return Event.TOOL_FAILED


def _limit_reached(run: Run) -> Event | None:
    """Ask before spending: the only place where a run is measured against its limits."""
    if run.cancelled.is_set():
        run.happening.trigger = CANCELLED
        return Event.CANCELLED
    if run.seconds_left <= 0:
        run.happening.trigger = f"The time limit of {WALL_CLOCK_S:.0f} seconds was met."
        return Event.TIMED_OUT
    asks_the_model = run.state.phase in (Phase.PLANNING, Phase.THOUGHT)
    if asks_the_model and run.state.model_call_ceiling_reached:
        run.happening.trigger = f"The limit of {MAX_MODEL_CALLS} model turns was met."
        return Event.BUDGET_SPENT
    if asks_the_model and not may_spend(run):
        if run.cancelled.is_set():  # while it waited for other runs
            run.happening.trigger = CANCELLED
            return Event.CANCELLED
        run.happening.trigger = run.ceiling
        return Event.BUDGET_SPENT
    return None


def _plan(run: Run) -> Event:
    """PLANNING: the first model turn. A plan that comes with a step costs no turn of its own."""
    event = _take_turn(run, "planning")
    turn = run.memory.last_turn
    if event is Event.TOOLS_REQUESTED:
        run.happening.plan = _shown_plan(run, read_plan(turn.text) or read_steps(turn.text))
    elif event is Event.DRAFT_READY and (plan := read_first_plan(turn.text)):
        run.happening.plan = _shown_plan(run, plan)
        run.memory.add_correction(GO_ON)
        return Event.PLAN_READY
    return event


def _shown_plan(run: Run, plan: tuple[str, ...]) -> tuple[str, ...]:
    asked = [each.question for each in run.earlier]
    return without_guesses(plan, "\n".join([*asked, run.question]))


def _think(run: Run) -> Event:
    """THOUGHT: one model turn. A plan once more is neither a step nor an answer."""
    event = _take_turn(run, _task(run))
    if event is Event.DRAFT_READY and read_plan(run.memory.last_turn.text):
        return Event.MODEL_OUTPUT_INVALID
    return event


def _task(run: Run) -> str:
    """Return what the model is to do now; the prompt says what each task asks for."""
    if run.state.hop_ceiling_reached:
        return "concluding"
    if run.rethinking:
        return "rethinking"
    return "repairing" if run.state.retry_count else "acting"


def _take_turn(run: Run, task: str) -> Event:
    """Ask the model for its next turn and say what kind of turn it is."""
    run.memory.direct(Directive(task, tools_in_scope(run.state)))
    run.state = replace(run.state, model_calls=run.state.model_calls + 1)
    run.memory.last_turn = Turn()
    messages, tools = run.memory.bounded_messages, run.toolbox.specs
    asked, seconds_left = run.model.name, run.seconds_left
    try:
        turn = unless_cancelled(
            lambda: watched_turn(run.model, run.prompt, messages, tools, timeout_s=seconds_left),
            run.cancelled,
            late=lambda turn: came_late(
                run, {turn.model or asked: turn.usage} if isinstance(turn, Turn) else {}
            ),
        )
    except GivenUp:
        run.happening.trigger = CANCELLED
        return Event.CANCELLED
    except ModelUnavailable as fault:
        run.fault, run.happening.trigger = Breakdown.of(fault), str(fault)
        return Event.MODEL_FAILED
    if not turn.model and asked != run.opened_by:  # another one took the run up
        turn = replace(turn, model=asked)
    answered_by = turn.model or run.model.name
    run.memory.add_turn(turn, answered_by)
    spent(answered_by, turn.usage, run.prices.cost_usd(answered_by, turn.usage))
    if turn.stop_reason == "refusal":
        run.fault = Breakdown.of(ModelDeclined(DECLINED))
        run.happening.trigger = "The model declined."
        return Event.MODEL_FAILED
    if turn.stop_reason not in USABLE_STOPS:
        return Event.MODEL_OUTPUT_INVALID
    if turn.tool_calls:
        return _hop_ceiling(run) or Event.TOOLS_REQUESTED
    return Event.DRAFT_READY if turn.text.strip() else Event.MODEL_OUTPUT_INVALID


def _hop_ceiling(run: Run) -> Event | None:
    if not run.state.hop_ceiling_reached:
        return None
    run.happening.trigger = f"The limit of {MAX_HOPS} tool calls was met."
    return Event.HOP_CEILING


def _backtrack(run: Run) -> Event:
    """BACKTRACK: rewind to the last verified checkpoint and ask for a different approach."""
    setback, run.setback = run.setback, None
    assert setback is not None
    if run.state.backtrack_ceiling_reached:
        run.happening.trigger = f"I had gone back {MAX_BACKTRACKS} times already."
        return Event.BACKTRACK_CEILING
    run.state = rewind(run.state, run.memory, run.attempts, setback)
    run.rethinking = True
    run.happening.trigger = "I went back to what was sound, to try another way."
    return Event.RESUMED


_PHASES: dict[Phase, Callable[[Run], Event]] = {
    Phase.PLANNING: _plan,
    Phase.THOUGHT: _think,
    Phase.ACTION: act,
    Phase.OBSERVATION: observe,
    Phase.CRITIQUE: criticize,
    Phase.BACKTRACK: _backtrack,
}


def _record(run: Run, event: Event) -> None:
    source, happening = run.state.phase, run.happening
    run.state = advance(run.state, event)
    steps: tuple[Step, ...] = ()
    if event is not Event.TOOLS_DONE:  # the audit, one transition later, adds to them
        steps, run.steps = tuple(run.steps), []
    transition = Transition(
        at=datetime.now(UTC),
        source=source,
        event=event,
        target=run.state.phase,
        trigger=_taken_over(run) + (happening.trigger or _default_trigger(run, event)),
        state=run.state,
        model_output=_model_output(run) if source in (Phase.PLANNING, Phase.THOUGHT) else "",
        usage=run.usage,
        cost_usd=run.cost_usd,
        plan=happening.plan,
        steps=steps,
        critique=happening.critique,
    )
    run.transitions.append(transition)
    keep(run, transition)
    if run.trail is not None:
        run.trail.record(transition)


def _taken_over(run: Run) -> str:
    """Say that another model answers from here on, once; "" where it is the same."""
    before, run.answering = run.answering, run.model.name
    if before == run.answering:
        return ""
    return say_taking_over(before, run.answering)


def _default_trigger(run: Run, event: Event) -> str:
    match event:
        case Event.TOOLS_REQUESTED:
            return " ".join(say_call(call) for call in run.memory.last_turn.tool_calls)
        case Event.PLAN_READY:
            return "I made a plan."
        case Event.DRAFT_READY:
            return "I wrote an answer; now it is checked."
        case Event.ACCEPTED:
            return "The answer passed its checks."
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
