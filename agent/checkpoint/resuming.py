"""From checkpoints to a run that goes on where it was cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.checkpoint.delta import fold
from agent.checkpoint.recorded import Recorded
from agent.checkpoint.snapshot import Opening, Snapshot
from agent.errors import CheckpointUnreadable
from agent.memory import WorkingMemory
from agent.messages import QueryResult, Transition, Turn
from agent.running import Run
from agent.state import Phase


@dataclass(frozen=True)
class CutOff:
    """A run as it stood when nobody worked at it any more."""

    opening: Opening
    snapshot: Snapshot
    transitions: tuple[Transition, ...]
    kept: Snapshot
    """As it stood after the last transition."""


def read_back(recorded: Sequence[Recorded]) -> CutOff:
    """Return the run that these were told of, in order and without a gap, from the first one on.

    Raises `CheckpointUnreadable`.
    """
    whole = [each for each in recorded if each.transition is not None]
    transitions = tuple(each.transition for each in whole if each.transition is not None)
    kept = fold([each.checkpoint for each in whole])
    _check(kept, transitions)
    snapshot = kept
    if len(recorded) > len(whole):
        snapshot = _with_part(kept, recorded)
    assert kept.opening is not None
    return CutOff(kept.opening, snapshot, transitions, kept)


def _with_part(kept: Snapshot, recorded: Sequence[Recorded]) -> Snapshot:
    """Return the run with what its last phase had done; as it stood before, where that is odd."""
    try:
        snapshot = fold([each.checkpoint for each in recorded])
    except CheckpointUnreadable:
        return kept
    is_part = snapshot.state.phase is kept.state.phase is Phase.ACTION
    return snapshot if is_part and recorded[-1].transition is None and _fits(snapshot) else kept


def _check(snapshot: Snapshot, transitions: Sequence[Transition]) -> None:
    if snapshot.opening is None:
        raise CheckpointUnreadable("there is no first checkpoint")
    if transitions[-1].target is not snapshot.state.phase:
        raise CheckpointUnreadable("the last checkpoint is not that of the last transition")
    if not _fits(snapshot):
        raise CheckpointUnreadable("the checkpoints do not fit each other")


def _fits(snapshot: Snapshot) -> bool:
    """Say whether all that is referred to is there."""
    places = range(len(snapshot.fetched))
    used = [*snapshot.results, *snapshot.set_aside]
    has_setback = snapshot.setback is not None or snapshot.state.phase is not Phase.BACKTRACK
    return (
        len(snapshot.audits) == len(snapshot.fetched)
        and all(place in places for place in used)
        and bool(snapshot.checkpoints)
        and has_setback
        and len(snapshot.pending) <= len(snapshot.last_turn.tool_calls)
    )


def take_up(run: Run, cut_off: CutOff) -> None:
    """Put `run`, which was just made, where it was when it was cut off."""
    was = _readable(cut_off.snapshot, cut_off.opening, run.model.name)
    run.memory = _memory(was, cut_off.opening.inherited)
    run.transitions = list(cut_off.transitions)
    run.kept = _readable(cut_off.kept, cut_off.opening, run.model.name)
    run.state, run.spent_s = was.state, was.spent_s
    run.setback, run.rethinking, run.refusals = was.setback, was.rethinking, was.refusals
    run.ceiling, run.fault = was.ceiling, was.fault
    run.pending, run.said, run.steps = list(was.pending), list(was.said), list(was.steps)
    run.critiques = list(was.critiques)
    run.attempts.in_vain = dict(was.in_vain)
    run.attempts.refusals = list(was.went_back_for)
    run.judge_usage = was.judge_usage
    run.judge_usage_by_model = dict(was.judge_usage_by_model)


def _readable(was: Snapshot, opening: Opening, model: str) -> Snapshot:
    """Take out what only those can read who said it: their thoughts, signed or in own blocks."""

    def turn(said: Turn) -> Turn:
        is_own = (said.model or opening.model) == model
        return said if is_own else replace(said, provider_content=(), answers="")

    messages = (turn(each) if isinstance(each, Turn) else each for each in was.messages)
    return replace(was, messages=tuple(messages), last_turn=turn(was.last_turn))


def _memory(was: Snapshot, inherited: int) -> WorkingMemory:
    def result(place: int) -> QueryResult:
        return replace(was.fetched[place], audit=was.audits[place])

    return WorkingMemory(
        messages=list(was.messages),
        results=[result(place) for place in was.results],
        charts=list(was.charts),
        calculations=list(was.calculations),
        tables=list(was.tables),
        calls_that_worked=list(was.calls_that_worked),
        set_aside=[result(place) for place in was.set_aside],
        inherited=inherited,
        clarification=was.clarification,
        last_turn=was.last_turn,
        usage=was.usage,
        usage_by_model=dict(was.usage_by_model),
        checkpoints=list(was.checkpoints),
    )
