"""The state machine of a run: phases, events, the table, the ceilings. Standard library only.

`TRANSITIONS` is the only thing that sets a phase: `advance` looks the pair up, and a pair that is
not in the table raises. Everything that bounds a run stands in this file and is compared with `>=`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

MAX_HOPS: Final = 8
"""Tool calls in one run, malformed and refused ones included."""
MAX_RETRIES: Final = 3
"""Consecutive tool errors; a success sets the count back to 0."""
MAX_ERRORS: Final = 5
"""Tool errors in all, so that error, success, error cannot eat every hop."""
MAX_BACKTRACKS: Final = 2
"""Times that the memory is rewound and the question put differently."""
MAX_MODEL_CALLS: Final = 14
"""Model turns in one run: planning, hops, repairs and the judge together."""
WALL_CLOCK_S: Final = 120.0
"""Seconds from the question to the end of the run."""


class Phase(StrEnum):
    """Where a run stands."""

    PLANNING = "planning"  # the first model turn: where to look, in which steps
    THOUGHT = "thought"  # one model turn
    ACTION = "action"  # run the tool calls of that turn
    OBSERVATION = "observation"  # record what came back, errors too, and audit it
    CRITIQUE = "critique"  # check the draft against the evidence, then ask the judge
    BACKTRACK = "backtrack"  # rewind to the last verified checkpoint, ask differently
    FINISH = "finish"
    CLARIFY = "clarify"
    ESCALATED = "escalated"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Event(StrEnum):
    """What may happen to a run."""

    PLAN_READY = "plan_ready"
    TOOLS_REQUESTED = "tools_requested"
    DRAFT_READY = "draft_ready"
    MODEL_OUTPUT_INVALID = "model_output_invalid"
    TOOLS_DONE = "tools_done"
    OBSERVED = "observed"
    CLARIFICATION_NEEDED = "clarification_needed"
    RETRY_CEILING = "retry_ceiling"
    BACKTRACK = "backtrack"  # the same failing call came again
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    ESCALATE = "escalate"  # the draft is refused, and the last backtrack is spent
    RESUMED = "resumed"
    BACKTRACK_CEILING = "backtrack_ceiling"
    HOP_CEILING = "hop_ceiling"
    BUDGET_SPENT = "budget_spent"
    TIMED_OUT = "timed_out"
    MODEL_FAILED = "model_failed"  # the model is out of reach, or refused us
    TOOL_FAILED = "tool_failed"  # the database is out of reach, or our own code has a bug
    CANCELLED = "cancelled"


TERMINAL_PHASES: Final = frozenset(
    {Phase.FINISH, Phase.CLARIFY, Phase.ESCALATED, Phase.FAILED, Phase.CANCELLED}
)

_ANYWHERE: Final = {
    Event.HOP_CEILING: Phase.FAILED,
    Event.BUDGET_SPENT: Phase.FAILED,
    Event.TIMED_OUT: Phase.FAILED,
    Event.MODEL_FAILED: Phase.FAILED,
    Event.TOOL_FAILED: Phase.FAILED,
    Event.CANCELLED: Phase.CANCELLED,
}

TRANSITIONS: Final[dict[tuple[Phase, Event], Phase]] = {
    (Phase.PLANNING, Event.PLAN_READY): Phase.THOUGHT,
    (Phase.PLANNING, Event.TOOLS_REQUESTED): Phase.ACTION,
    (Phase.PLANNING, Event.DRAFT_READY): Phase.CRITIQUE,
    (Phase.PLANNING, Event.MODEL_OUTPUT_INVALID): Phase.OBSERVATION,
    (Phase.THOUGHT, Event.TOOLS_REQUESTED): Phase.ACTION,
    (Phase.THOUGHT, Event.DRAFT_READY): Phase.CRITIQUE,
    (Phase.THOUGHT, Event.MODEL_OUTPUT_INVALID): Phase.OBSERVATION,
    (Phase.ACTION, Event.TOOLS_DONE): Phase.OBSERVATION,
    (Phase.OBSERVATION, Event.OBSERVED): Phase.THOUGHT,
    (Phase.OBSERVATION, Event.CLARIFICATION_NEEDED): Phase.CLARIFY,
    (Phase.OBSERVATION, Event.BACKTRACK): Phase.BACKTRACK,
    (Phase.OBSERVATION, Event.RETRY_CEILING): Phase.FAILED,
    (Phase.CRITIQUE, Event.ACCEPTED): Phase.FINISH,
    (Phase.CRITIQUE, Event.REJECTED): Phase.BACKTRACK,
    (Phase.CRITIQUE, Event.ESCALATE): Phase.ESCALATED,
    (Phase.BACKTRACK, Event.RESUMED): Phase.THOUGHT,
    (Phase.BACKTRACK, Event.BACKTRACK_CEILING): Phase.ESCALATED,
    **{
        (phase, event): target
        for phase in Phase
        if phase not in TERMINAL_PHASES
        for event, target in _ANYWHERE.items()
    },
}


class UndefinedTransition(LookupError):
    """A pair of phase and event that the table does not hold: a bug in the loop."""

    def __init__(self, phase: Phase, event: Event) -> None:
        super().__init__(f"no transition from phase {phase.value!r} on event {event.value!r}")


@dataclass(frozen=True)
class AgentState:
    """A run's counters and phase. Replaced, never changed in place."""

    phase: Phase = Phase.PLANNING
    hop_count: int = 0
    retry_count: int = 0
    error_count: int = 0
    backtrack_count: int = 0
    model_calls: int = 0
    seen_table: bool = False
    """A schema has been read, so SQL may be written."""
    seen_rows: bool = False
    """A query gave rows, so there is something to draw and to calculate with."""
    failed: bool = False
    """Set where a run ends badly, never inferred from the wording of a message."""

    @property
    def is_terminal(self) -> bool:
        return self.phase in TERMINAL_PHASES

    @property
    def hop_ceiling_reached(self) -> bool:
        return self.hop_count >= MAX_HOPS

    @property
    def retry_ceiling_reached(self) -> bool:
        return self.retry_count >= MAX_RETRIES or self.error_count >= MAX_ERRORS

    @property
    def backtrack_ceiling_reached(self) -> bool:
        return self.backtrack_count >= MAX_BACKTRACKS

    @property
    def model_call_ceiling_reached(self) -> bool:
        return self.model_calls >= MAX_MODEL_CALLS


def advance(state: AgentState, event: Event) -> AgentState:
    """Return the state after `event`, by the table.

    Raises `UndefinedTransition` for a pair that the table does not hold.
    """
    target = TRANSITIONS.get((state.phase, event))
    if target is None:
        raise UndefinedTransition(state.phase, event)
    return replace(state, phase=target, failed=state.failed or target is Phase.FAILED)


EXPLORING_TOOLS: Final = ("find_tables", "get_schema", "ask_user")

TOOL_SCOPE: Final[dict[tuple[bool, bool], tuple[str, ...]]] = {
    # (a table has been seen, a query gave rows) -> the tools a model may use
    (False, False): EXPLORING_TOOLS,
    (True, False): (*EXPLORING_TOOLS, "execute_read_only_sql"),
    (True, True): (*EXPLORING_TOOLS, "execute_read_only_sql", "generate_chart", "calculate"),
}


def tools_in_scope(state: AgentState) -> tuple[str, ...]:
    """Return the names of the tools that the next model turn may use.

    Past the hop ceiling there are none: one last turn may still put into words what was found.
    """
    if state.hop_ceiling_reached:
        return ()
    return TOOL_SCOPE[state.seen_table, state.seen_rows]
