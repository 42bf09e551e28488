"""The points at which a process dies, and what may be done once more because of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .doors import Fuse, How, When

Way = Literal["mention", "direct", "command", "follow-up", "edit", "stop", "too often", "migration"]
BEFORE, DURING, UNCOMMITTED, AFTER = When.BEFORE, When.DURING, When.UNCOMMITTED, When.AFTER
FREEZES = How.FREEZES


@dataclass(frozen=True)
class Point:
    """Where a process dies, and over what."""

    name: str
    door: str
    when: When
    nth: int = 1
    story: str = "plain"
    way: Way = "mention"
    attempts: Sequence[int] = (2,)
    """How often its run may have been begun in the end."""
    calls_again: int = 0
    """Calls of the model that are made once more: at most the one in flight."""
    queries_again: int = 0
    times: int = 1
    """How many processes die of it."""
    after_s: float = 0.02
    how: How = How.DIES

    @property
    def is_exact(self) -> bool:
        """Is it known what was in flight? Steps are shown beside the work."""
        return self.when is not DURING and self.door != "append"

    def fuse(self, number: int) -> Fuse:
        """Return what kills a process there."""
        return Fuse(number, self.door, self.when, self.nth, self.times, self.after_s, self.how)


TRANSITIONS = (
    *("the plan", "reading a schema", "looking at it", "the choice of a query", "the query"),
    *("looking at its rows", "the draft", "the judge's verdict"),
)
"""What the eight steps of the plain story are."""
_CALLS, _QUERIES = (1, 4, 7, 8), (5,)
_STEPS = tuple(
    Point(
        f"after {what}, before its commit" if when is UNCOMMITTED else f"{what} is committed",
        "keep",
        when,
        nth=nth,
        calls_again=int(when is UNCOMMITTED and nth in _CALLS),
        queries_again=int(when is UNCOMMITTED and nth in _QUERIES),
    )
    for nth, what in enumerate(TRANSITIONS, start=1)
    for when in (UNCOMMITTED, AFTER)
)
_TAKEN = (
    Point("before it is claimed", "claim", BEFORE, attempts=(1,)),
    Point("claimed, before its commit", "claim", UNCOMMITTED, attempts=(1,)),
    Point("claimed, before its acknowledgement", "claim", AFTER, attempts=(1, 2)),
    Point("acknowledged", "acknowledge", AFTER, attempts=(1, 2)),
    Point("a worker begins", "begin", BEFORE, attempts=(1,)),
    Point("begun, before its commit", "begin", UNCOMMITTED, attempts=(1,)),
    Point("begun", "begin", AFTER),
    Point("before its first post", "start stream", BEFORE),
    Point("posted, before that is noted", "start stream", AFTER),
    Point("the post is noted, before its commit", "place", UNCOMMITTED),
    Point("the post is noted", "place", AFTER),
)
_AT_WORK = (
    Point("before the first call of the model", "model", BEFORE),
    Point("in the first call of the model", "model", DURING, calls_again=1, after_s=0.1),
    Point("in a later call of the model", "model", DURING, nth=2, calls_again=1, after_s=0.1),
    Point("the model has answered", "model", AFTER, nth=3, calls_again=1),
    Point("in the judge's call", "model", DURING, nth=4, calls_again=1, after_s=0.1),
    Point("while a schema is read", "schema", DURING, after_s=0.0),
    Point("before a query", "query", BEFORE, queries_again=1),
    Point("in a query", "query", DURING, story="slow query", queries_again=1, after_s=0.05),
    Point("a query has run", "query", AFTER, queries_again=1),
    Point("between two queries of a turn", "keep part", AFTER, story="two queries"),
    Point("a wrong query is recorded", "keep", AFTER, nth=6, story="wrong query"),
    Point("while a step is shown", "append", DURING, after_s=0.0, story="slow query"),
    Point("a step is shown", "append", AFTER, story="chart", calls_again=1),
    Point("in the drawing of a chart", "drawing", DURING, story="chart", after_s=0.05),
    Point("a chart is drawn", "drawing", AFTER, story="chart"),
)
_ENDS = (
    Point("before the upload", "upload", BEFORE, story="chart"),
    Point("in the upload", "upload", DURING, story="chart", after_s=0.002),
    Point("uploaded", "upload", AFTER, story="chart"),
    Point("the file is looked at", "look at file", AFTER, story="chart"),
    Point("before the end is recorded", "finish", BEFORE),
    Point("the end is recorded, before its commit", "finish", UNCOMMITTED),
    Point("the end is recorded", "finish", AFTER),
    Point("the end of a run with a chart is recorded", "finish", AFTER, story="chart"),
    Point("the stream is ended", "stop stream", AFTER),
    Point("before the last edit", "edit", BEFORE),
    Point("in the last edit", "edit", DURING, after_s=0.001),
    Point("after the last edit", "edit", AFTER),
    Point("shown, before that is committed", "show", UNCOMMITTED),
    Point("shown", "show", AFTER, attempts=(1,)),
    Point("before the job ends", "job", BEFORE, attempts=(1,)),
    Point("the job has ended", "job", AFTER, attempts=(1,)),
    Point("a question back is recorded", "finish", AFTER, story="asked back"),
    Point("a question back is shown", "edit", AFTER, story="asked back"),
)
_PASSED_ON = (
    Point("a refused answer is recorded", "finish", AFTER, story="escalated"),
    Point("passed on, before its commit", "escalate", UNCOMMITTED, story="escalated"),
    Point("passed on", "escalate", AFTER, story="escalated"),
    Point("its card says so", "edit", AFTER, story="escalated"),
    Point("people are called, before that is noted", "post", AFTER, story="escalated"),
    Point(
        "the call is noted, before its commit", "place escalation", UNCOMMITTED, story="escalated"
    ),
    Point("the call is noted", "place escalation", AFTER, story="escalated"),
)
_OTHER_WAYS = (
    Point(
        "direct message, in a call", "model", DURING, 2, way="direct", calls_again=1, after_s=0.1
    ),
    Point("direct message, after the last edit", "edit", AFTER, way="direct"),
    Point("direct message, its stream is ended", "stop stream", AFTER, way="direct"),
    Point("command, claimed", "claim", AFTER, way="command", attempts=(1, 2)),
    Point("command, at work", "keep", AFTER, nth=4, way="command"),
    Point("a follow-up waits, at work", "keep", AFTER, nth=4, way="follow-up"),
    Point("a follow-up waits, recorded", "finish", AFTER, way="follow-up"),
    Point("edited after the death", "model", DURING, 2, way="edit", after_s=0.1),
    Point("edited after the end was recorded", "finish", AFTER, way="edit"),
    Point("Stop is asked for", "ask to stop", AFTER, way="stop", attempts=(1, 2)),
    Point("stopped, and recorded", "finish", AFTER, way="stop"),
    Point(
        "three deaths over one question",
        "model",
        DURING,
        2,
        way="too often",
        times=3,
        attempts=(4,),
    ),
    Point("before a migration", "migrate", BEFORE, way="migration", attempts=(1,)),
    Point("in a migration", "migrate", DURING, way="migration", attempts=(1,), after_s=0.05),
    Point("a migration, before its commit", "migrate", UNCOMMITTED, way="migration", attempts=(1,)),
    Point("a migration is done", "migrate", AFTER, way="migration", attempts=(1,)),
)
_FROZEN = (
    Point(
        "frozen in a call of the model", "model", DURING, 2, calls_again=1, after_s=0.1, how=FREEZES
    ),
    Point("frozen before a step is recorded", "keep", BEFORE, 4, calls_again=1, how=FREEZES),
    Point("frozen in a commit", "keep", UNCOMMITTED, 5, queries_again=1, how=FREEZES),
    Point("frozen before the end is recorded", "finish", BEFORE, how=FREEZES),
    Point("frozen before the last edit", "edit", BEFORE, how=FREEZES),
    Point("frozen before it is shown", "show", BEFORE, how=FREEZES),
)
POINTS = (*_TAKEN, *_STEPS, *_AT_WORK, *_ENDS, *_PASSED_ON, *_OTHER_WAYS, *_FROZEN)


def points_for(processes: int) -> tuple[Point, ...]:
    """Return the points that can be tried with so many processes.

    Of one that stands still another has to take the place.
    """
    return POINTS if processes > 1 else POINTS[: -len(_FROZEN)]
