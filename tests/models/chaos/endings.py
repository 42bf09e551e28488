"""Which ending is right after what the servers did last."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.messages import Outcome
from agent.models.retrying import MAX_ATTEMPTS
from agent.state import Event, Phase

from .catalogue import Manner, Sort
from .runs import Ended
from .servers import Served

ANSWERED = (Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS, Outcome.NO_DATA)
GOES_ON = (*ANSWERED, Outcome.NEEDS_CLARIFICATION, Outcome.ESCALATED)
MAY_END: dict[Sort, tuple[Event, ...]] = {
    # After a fault of this sort, the model is out of reach only for these reasons.
    Sort.PASSES: (Event.MODEL_FAILED,),
    Sort.LATE: (Event.MODEL_FAILED, Event.TIMED_OUT),
    Sort.ENDS: (Event.MODEL_FAILED,),
    Sort.DECLINES: (Event.MODEL_FAILED,),
    # A turn was had, so only the loop itself can have ended the run.
    Sort.NONE: (),
    Sort.ODD: (),
    Sort.SPOILS: (),
}
"""The events that end a run whose last call of a model was of that sort."""
ANY_TIME = (Event.CANCELLED, Event.TIMED_OUT, Event.BUDGET_SPENT, Event.TOOL_FAILED)
CEILINGS = (Event.RETRY_CEILING, Event.HOP_CEILING, Event.BUDGET_SPENT, Event.BACKTRACK_CEILING)


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
    if last is None or not told:
        yield "the model was out of reach, and no server had failed"
        return
    if not any(re.search(each, ended.result.summary) for each in told):
        yield f"none of the faults reads so: {ended.result.summary!r}"
    if last.usable and last.fault.manner is not Manner.DOOR_SHUT:
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
    recipe, state = ended.recipe, ended.result.trail[-1].state
    is_money = "$" in ended.result.summary
    match event:
        case Event.TIMED_OUT:
            if ended.seconds < recipe.wall_clock_s:
                yield f"timed out after {ended.seconds:.2f} s"
        case Event.BUDGET_SPENT if is_money:
            if recipe.max_usd is None or (ended.result.cost_usd or 0) < recipe.max_usd:
                yield "a ceiling in money that was not met"
        case Event.BUDGET_SPENT:
            if not state.model_call_ceiling_reached:
                yield "too few calls of the model for its ceiling"
        case Event.RETRY_CEILING:
            if not state.retry_ceiling_reached:
                yield "too few errors for their ceiling"
        case Event.HOP_CEILING:
            if not state.hop_ceiling_reached:
                yield "too few hops for their ceiling"
        case _:
            yield f"failed by {event}"


def _went_on(ended: Ended) -> Iterator[str]:
    """The run came to its end by the model's own turns."""
    last = _last(ended)
    if last is None or not last.usable:
        yield f"{ended.result.outcome} after {last.fault.kind if last else 'nothing'}"
    if ended.result.outcome in ANSWERED and ended.result.answer.split("\n")[-1] != ended.last_text:
        yield f"the answer is none of the model's: {ended.result.answer!r}"


def wrong_persistence(ended: Ended) -> Iterator[str]:
    """Say where a server was asked too often, or once more although that could not help."""
    in_a_row: dict[str, int] = {}
    given_up: set[str] = set()
    for number, served in enumerate(ended.log.served, start=1):
        name = served.server
        if name in given_up and not served.judging:
            yield f"request {number}: {name} was asked again after it had refused for good"
        passes = served.fault.sort is Sort.PASSES and served.fault.manner is not Manner.DOOR_SHUT
        in_a_row[name] = in_a_row.get(name, 0) + 1 if passes else 0
        if in_a_row[name] > MAX_ATTEMPTS:
            yield f"request {number}: {name} was asked {in_a_row[name]} times for one turn"
        if served.fault.sort in (Sort.ENDS, Sort.DECLINES) and not served.judging:
            given_up.add(name)
    last = ended.result.trail[-1]
    if last.target not in (Phase.FINISH, Phase.CLARIFY, Phase.FAILED, *_OTHER_ENDS):
        yield f"the run stands in {last.target}"


_OTHER_ENDS = (Phase.ESCALATED, Phase.CANCELLED)
