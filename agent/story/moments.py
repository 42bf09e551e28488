"""The trail of a run, cut into the moments that a story tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from agent.messages import Critique, Step, Transition
from agent.state import Event

QUERY: Final = "execute_read_only_sql"
_AGAIN: Final = "it was the very step"


class Kind(StrEnum):
    """What a moment is; neighbours of one kind may share a sentence."""

    SEARCH = "search"
    LOOK = "look"
    NO_TABLE = "no table"
    QUERY = "query"
    FAILED_QUERY = "failed query"
    CHART = "chart"
    CALCULATION = "calculation"
    FAILED_STEP = "failed step"
    REPEATED = "repeated"
    FAILED_AGAIN = "failed again"
    NOT_YET = "not yet"
    UNKNOWN = "unknown"
    MISFILLED = "misfilled"
    NOTHING_SAID = "nothing said"
    REFUSED = "refused"
    WENT_BACK = "went back"
    ASKED = "asked"


@dataclass(frozen=True)
class Moment:
    """One thing that happened, in the order of the trail."""

    kind: Kind
    step: Step | None = None
    critique: Critique | None = None
    number: int = 0
    """Which one of its kind it is in the run, counted from 1; failed queries are queries too."""

    @property
    def subject(self) -> str:
        return self.step.subject if self.step else ""


QUERIES: Final = (Kind.QUERY, Kind.FAILED_QUERY)


def moments_of(trail: Sequence[Transition]) -> tuple[Moment, ...]:
    """Return what happened, but for the plan, the last check and the ending."""
    return tuple(_numbered(_moments(trail)))


def ended_by_step(transition: Transition) -> Step | None:
    """Return the step in which the database or our own code broke, where one did."""
    if transition.event is not Event.TOOL_FAILED or not transition.steps:
        return None
    last = transition.steps[-1]
    broke = not last.ok and " ".join(last.error.split())[:60] in transition.trigger
    return last if broke else None


def _moments(trail: Sequence[Transition]) -> Iterator[Moment]:
    for transition in trail:
        broken = ended_by_step(transition)
        for step in transition.steps:
            if step is not broken:
                yield Moment(_kind(step), step)
        if transition.event is Event.MODEL_OUTPUT_INVALID:
            yield Moment(Kind.NOTHING_SAID)
        if transition.event in (Event.REJECTED, Event.ESCALATE) and transition.critique:
            yield Moment(Kind.REFUSED, critique=transition.critique)
        if transition.event is Event.RESUMED:
            yield Moment(Kind.WENT_BACK)


def _numbered(moments: Iterator[Moment]) -> Iterator[Moment]:
    numbers: Counter[Kind] = Counter()
    for moment in moments:
        alike = Kind.QUERY if moment.kind in QUERIES else moment.kind
        numbers[alike] += 1
        yield replace(moment, number=numbers[alike])


def _kind(step: Step) -> Kind:
    if step.ok:
        return _GOOD.get(step.tool, Kind.ASKED)
    if step.error.startswith(_AGAIN):
        return Kind.FAILED_AGAIN if "failed before" in step.error else Kind.REPEATED
    if step.error.startswith("The tool "):
        return Kind.NOT_YET if "may not be used yet" in step.error else Kind.UNKNOWN
    if step.error.startswith("The arguments of "):
        return Kind.MISFILLED
    return {QUERY: Kind.FAILED_QUERY, "get_schema": Kind.NO_TABLE}.get(step.tool, Kind.FAILED_STEP)


_GOOD: Final = {
    "find_tables": Kind.SEARCH,
    "get_schema": Kind.LOOK,
    QUERY: Kind.QUERY,
    "generate_chart": Kind.CHART,
    "calculate": Kind.CALCULATION,
    "ask_user": Kind.ASKED,
}
