"""The trail of a run in plain English, for a person who knows no SQL.

Everything that is said is read off the records of the run: no model is asked, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from agent.messages import Transition
from agent.state import Event
from agent.story.deeds import tell_deeds, tell_plan
from agent.story.detail import Detail
from agent.story.endings import tell_checks, tell_cost, tell_ending
from agent.story.moments import moments_of
from agent.story.taking_over import tell_taking_over

MAX_CHARS: Final = 1_200
_DETAILS: Final = (
    Detail(),
    Detail(quote=120, notes=2, tables=4),
    Detail(quote=80, plan=3, notes=1, tables=3),
    Detail(quote=50, plan=0, notes=0, tables=2),
)
_LEFT_OUT: Final = "A part in the middle is left out here; the full record has it."


def tell(
    trail: Sequence[Transition],
    *,
    duration_ms: int | None = None,
    cost_usd: Decimal | None = None,
    judge: str = "",
) -> str:
    """Return what a run did and why it ended as it did, in a paragraph or two.

    `trail` may end in the middle, where a run was cut off. `duration_ms` is left out where it is
    not known; the money is what the last record says where `cost_usd` is None, and is left out
    where no price is known. `judge` is who took a second look. At most `MAX_CHARS` characters: a
    long story is told in less detail.
    """
    if not trail:
        return "Nothing is on record for this run."
    story = ""
    for detail in _DETAILS:
        did, end = _paragraphs(trail, judge, detail)
        end = [*end, tell_cost(trail[-1], duration_ms, cost_usd)]
        story = _joined(did, end)
        if len(story) <= MAX_CHARS:
            return story
    while len(story) > MAX_CHARS and len(did) > 1:
        did = did[: len(did) // 2] + did[len(did) // 2 + 1 :]
        middle = (len(did) + 1) // 2
        story = _joined([*did[:middle], _LEFT_OUT, *did[middle:]], end)
    return story[: MAX_CHARS - 1] + "…" if len(story) > MAX_CHARS else story


def _paragraphs(
    trail: Sequence[Transition], judge: str, detail: Detail
) -> tuple[list[str], list[str]]:
    plan = next((tell_plan(each.plan, detail) for each in trail if each.plan), "")
    answered = trail[-1].event is Event.ACCEPTED
    deeds = tell_deeds(moments_of(trail), answered=answered, judge=judge, detail=detail)
    at_once = tell_taking_over(trail[:1])
    later = [] if at_once else tell_taking_over(trail)
    did = [sentence for sentence in (*at_once, plan, *deeds, *later) if sentence]
    end = [*tell_checks(trail, judge, detail), *tell_ending(trail, detail)]
    return did, end if did else [sentence.removeprefix("Then ") for sentence in end]


def _joined(did: Sequence[str], end: Sequence[str]) -> str:
    return "\n\n".join(" ".join(part) for part in (did, end) if part)
