"""What an error costs, when there have been too many, and what must not be tried again."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from agent.errors import RepeatedCall, RetryCeilingExceeded, ToolError
from agent.memory import WorkingMemory
from agent.messages import Severity, ToolCall
from agent.state import AgentState


def handle_tool_error(state: AgentState, error: Exception) -> AgentState:
    """Return the state with one more error counted, in a row and in all.

    Raises `RetryCeilingExceeded`, with that state as its `state`, once a ceiling is met.
    """
    counted = replace(state, retry_count=state.retry_count + 1, error_count=state.error_count + 1)
    if counted.retry_ceiling_reached:
        raise RetryCeilingExceeded(counted, str(error))
    return counted


def handle_tool_success(state: AgentState) -> AgentState:
    """Return the state with the errors in a row forgotten; those in all stay counted."""
    return replace(state, retry_count=0)


@dataclass
class Attempts:
    """The calls of a run that must not be made again, and why; a rewind forgets none of them."""

    in_vain: dict[str, str] = field(default_factory=dict)

    def note_failure(self, call: ToolCall, error: ToolError) -> None:
        """Remember that `call` failed, unless the same call may well succeed later."""
        if not error.may_pass:
            self.in_vain.setdefault(_key(call), error.reason)

    def check(self, call: ToolCall, memory: WorkingMemory) -> None:
        """Raises `RepeatedCall` where `call` was made before, word for word."""
        reason = self.in_vain.get(_key(call))
        if reason is not None:
            raise RepeatedCall(call.name, reason)
        if any(_key(call) == _key(each) for each in memory.calls_that_worked):
            raise RepeatedCall(call.name)


@dataclass(frozen=True)
class Setback:
    """Why the run has to go back."""

    reasons: tuple[str, ...]
    severity: Severity = Severity.MINOR


def rewind(
    state: AgentState, memory: WorkingMemory, attempts: Attempts, setback: Setback
) -> AgentState:
    """Take the memory back to the last verified checkpoint and say there what was wrong.

    Where the rows themselves are refused, that is the checkpoint before they were fetched, and
    their query may not be sent again. Returns the state with the backtrack counted; no other
    budget is given back.
    """
    rows_are_wrong = setback.severity is Severity.MAJOR
    for call in memory.rewind(before_last_result=rows_are_wrong):
        if rows_are_wrong and call.name == "execute_read_only_sql":
            attempts.in_vain[_key(call)] = "what it gave was refused"
    memory.add_correction(_what_was_wrong(setback))
    return replace(
        state,
        backtrack_count=state.backtrack_count + 1,
        seen_table=bool(memory.tables),
        seen_rows=any(result.rows for result in memory.results),
    )


def _what_was_wrong(setback: Setback) -> str:
    reasons = "\n".join(f"- {reason}" for reason in setback.reasons)
    return (
        f"Your last attempt was refused and taken back:\n{reasons}\n"
        "What stands above is sound. Go on from there in a different way."
    )


def _key(call: ToolCall) -> str:
    """Return what makes two calls the same call; blanks around a text are no difference."""
    arguments = {
        str(name): value.strip().rstrip(";").rstrip() if isinstance(value, str) else value
        for name, value in call.arguments.items()
    }
    return f"{call.name} {json.dumps(arguments, sort_keys=True, default=repr)} {call.malformed}"
