"""Which ending is right after what the servers did last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from agent.messages import Outcome
from agent.state import TERMINAL_PHASES, Event

from .catalogue import LATE, Manner, Sort
from .runs import Ended
from .servers import Served

ATTEMPTS = 4
"""For one turn, where asking again may help."""
ANSWERED = (Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS, Outcome.NO_DATA)


def wrong_ending(ended: Ended) -> Iterator[str]:
    """Say what is wrong with how a run ended; nothing, where it is right."""
    result = ended.result
    event = result.trail[-1].event
    match result.outcome:
        case Outcome.SYSTEM_FAULT if event is Event.TOOL_FAILED:
            if not ended.recipe.database:
                yield f"a fault of ours, and nothing of ours was broken: {result.fault_detail}"
        case Outcome.SYSTEM_FAULT if event is Event.MODEL_FAILED:
            yield from _out_of_reach(ended)
        case Outcome.FAILED | Outcome.NOT_PERMITTED if event is Event.MODEL_FAILED:
            yield from _declined(ended)
        case Outcome.FAILED:
            yield from _ceiling(ended, event)
        case Outcome.CANCELLED:
            if ended.cancelled_for_s is None:
                yield "cancelled, and nobody had cancelled it"
        case Outcome.ESCALATED | Outcome.NEEDS_CLARIFICATION | Outcome.ANSWERED:
            yield from _went_on(ended)
        case Outcome.ANSWERED_WITH_CAVEATS | Outcome.NO_DATA:
            yield from _went_on(ended)
        case _:
            yield f"ended as {result.outcome} by {event}"


def _last(ended: Ended) -> Served | None:
    """Return what was served last to the one who answers: the judge may be out of reach."""
    asked = [served for served in ended.log.served if not served.judging]
    return asked[-1] if asked else None


def _out_of_reach(ended: Ended) -> Iterator[str]:
    last = _last(ended)
    told = [s.fault.told for s in ended.log.served if s.fault.told and not s.judging]
    if ended.ran_out_of_time:
        told.append(LATE)
    if last is None or not told:
        yield "the model was out of reach, and no server had failed"
        return
    if not any(re.search(each, ended.result.summary) for each in told):
        yield f"none of the faults reads so: {ended.result.summary!r}"
    is_strange = last.fault.manner is not Manner.DOOR_SHUT and not ended.ran_out_of_time
    if last.usable and is_strange:
        yield "the model was out of reach after a turn that can be used"
    if last.fault.sort is Sort.DECLINES:
        yield "a model that declined was told as one out of reach"


def _declined(ended: Ended) -> Iterator[str]:
    last = _last(ended)
    if last is None or last.fault.sort is not Sort.DECLINES:
        yield "told as declined, and no model had declined"
    elif not re.search(last.fault.told, ended.result.summary):
        yield f"declined, and the person reads {ended.result.summary!r}"


def _ceiling(ended: Ended, event: Event) -> Iterator[str]:
    """A run that failed by a ceiling has met it."""
    recipe, state = ended.recipe, ended.result.trail[-1].state
    cost = ended.result.cost_usd or Decimal(0)
    is_money = "$" in ended.result.summary
    met = {
        Event.TIMED_OUT: ended.seconds >= recipe.wall_clock_s,
        Event.RETRY_CEILING: state.retry_ceiling_reached,
        Event.HOP_CEILING: state.hop_ceiling_reached,
        Event.BUDGET_SPENT: recipe.max_usd is not None and cost >= recipe.max_usd
        if is_money
        else state.model_call_ceiling_reached,
    }
    if not met.get(event, False):
        yield f"failed by {event}, after {ended.seconds:.2f} s, {cost} dollars, {state}"


def _went_on(ended: Ended) -> Iterator[str]:
    """The run came to its end by the model's own turns."""
    last = _last(ended)
    if last is None or not last.usable:
        yield f"{ended.result.outcome} after {last.fault.kind if last else 'nothing'}"
    if ended.result.outcome in ANSWERED and ended.result.answer.split("\n")[-1] != ended.last_text:
        yield f"the answer is none of the model's: {ended.result.answer!r}"


@dataclass
class _Asked:
    """How often a server was asked, and what it said to that."""

    in_a_row: int = 0
    """Requests in vain since it last gave a reply, or might not have been reached."""
    has_refused: bool = False
    has_paused: bool = False
    """A piece of a turn has come; where no further one does, the loop asks for a turn once more."""
    may_be_shut: bool = False
    """It may have been asked while nobody listened."""
    last: Sort = Sort.NONE


def wrong_persistence(ended: Ended) -> Iterator[str]:
    """Say where a server was asked too often, too seldom, or although that could not help."""
    asked: dict[str, _Asked] = {}
    hopeless = ""
    for number, served in enumerate(ended.log.served, start=1):
        name, fault = served.server, served.fault
        was = asked.setdefault(name, _Asked())
        if was.has_refused and not served.judging:
            yield f"request {number}: {name} was asked again after it had refused for good"
        if hopeless not in ("", name) and not served.judging:
            yield f"request {number}: {name} was asked what {hopeless} had found wrong"
        passes = fault.sort is Sort.PASSES and fault.manner is not Manner.DOOR_SHUT
        was.in_a_row = was.in_a_row + 1 if passes else 0
        if was.in_a_row > ATTEMPTS * (2 if was.has_paused else 1):
            yield f"request {number}: {name} was asked {was.in_a_row} times for one turn"
        if fault.sort in (Sort.ENDS, Sort.DECLINES) and not served.judging:
            was.has_refused = not (was.has_paused and fault.sort is Sort.ENDS)
            hopeless = name if fault.about_request and was.has_refused else hopeless
        if not passes:
            was.has_paused = fault.twist == "pause_turn"
            was.may_be_shut = fault.manner is Manner.DOOR_SHUT
        was.last = fault.sort
    yield from _given_up_early(ended, asked)
    last = ended.result.trail[-1]
    if last.target not in TERMINAL_PHASES:
        yield f"the run stands in {last.target}"


def _given_up_early(ended: Ended, asked: dict[str, _Asked]) -> Iterator[str]:
    """A server whose trouble may pass is left for another, or for good, after four attempts."""
    names = list(asked)
    is_out_of_reach = ended.result.trail[-1].event is Event.MODEL_FAILED
    left = names if is_out_of_reach else names[:-1]
    is_short = ended.recipe.wall_clock_s < 5  # less time, fewer attempts
    for name in left:
        was = asked[name]
        is_known = was.last is Sort.PASSES and not (was.may_be_shut or is_short)
        if is_known and was.in_a_row < ATTEMPTS:
            yield f"{name} was given up after {was.in_a_row} attempts"
