"""What an error costs, when there have been too many, and what must not be tried again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from agent.errors import RepeatedCall, RetryCeilingExceeded, ToolError
from agent.memory import WorkingMemory
from agent.messages import QueryResult, Severity, ToolCall, UserMessage
from agent.state import AgentState
from agent.untrusted import one_line

QUERY: Final = "execute_read_only_sql"
READ_RESULTS: Final = frozenset({"generate_chart", "calculate"})
"""The tools that work on the results of queries."""


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
    refusals: list[str] = field(default_factory=list)
    """Why the run went back, each time: a second rewind takes out what the first one said."""

    def note_failure(self, call: ToolCall, error: ToolError, memory: WorkingMemory) -> None:
        """Remember that `call` failed, unless the same call may well succeed later."""
        if not error.may_pass and not isinstance(error, RepeatedCall):
            self.in_vain.setdefault(_key(call, memory.results), error.reason)

    def check(self, call: ToolCall, memory: WorkingMemory) -> None:
        """Raises `RepeatedCall` where `call` was made before, word for word."""
        key = _key(call, memory.results)
        reason = self.in_vain.get(key)
        if reason is not None:
            raise RepeatedCall(call.name, reason)
        if key in _made(memory):
            raise RepeatedCall(call.name)


@dataclass(frozen=True)
class Setback:
    """Why the run has to go back."""

    reasons: tuple[str, ...]
    severity: Severity = Severity.MINOR
    refused: tuple[int, ...] = ()
    """Where rows are refused: the numbers of their results; none for the newest alone."""


def rewind(
    state: AgentState, memory: WorkingMemory, attempts: Attempts, setback: Setback
) -> AgentState:
    """Take the memory back to the last verified checkpoint and say there what was wrong.

    Where the rows themselves are refused, that is the checkpoint before they were fetched, and
    their query may not be sent again; one that goes with them may. Returns the state with the
    backtrack counted; no other budget is given back.
    """
    if setback.severity is Severity.MAJOR:
        refused = setback.refused or (len(memory.results),)
        queries = [call for call in memory.calls_that_worked if call.name == QUERY]
        for number in refused:
            if number > memory.inherited:
                query = queries[number - 1 - memory.inherited]
                attempts.in_vain[_key(query, ())] = "what it gave was refused"
        memory.rewind(before_result=min(refused))
    else:
        memory.rewind()
    told = "\n".join(each.text for each in memory.messages if isinstance(each, UserMessage))
    forgotten = [reason for reason in attempts.refusals if reason not in told]
    memory.add_correction(_what_was_wrong(tuple(dict.fromkeys([*forgotten, *setback.reasons]))))
    attempts.refusals += setback.reasons
    return replace(
        state,
        backtrack_count=state.backtrack_count + 1,
        seen_table=bool(memory.tables),
        seen_rows=any(result.rows for result in memory.results),
    )


def _what_was_wrong(reasons: Sequence[str]) -> str:
    # A reason may quote a row.
    listed = "\n".join(f"- {one_line(reason)}" for reason in reasons)
    return (
        f"Your last attempt was refused and taken back:\n{listed}\n"
        "What stands above is sound. Go on from there in a different way."
    )


def _made(memory: WorkingMemory) -> set[str]:
    """Return what makes the calls that worked the calls that they were, each at its time."""
    made: set[str] = set()
    results = memory.inherited
    for call in memory.calls_that_worked:
        made.add(_key(call, memory.results[:results]))
        results += call.name == QUERY
    return made


def _key(call: ToolCall, results: Sequence[QueryResult]) -> str:
    """Return what makes two calls the same call; blanks around a text are no difference.

    What reads `results`, those that there were, is another call once there are others.
    """
    arguments = {
        str(name): value.strip().rstrip(";").rstrip() if isinstance(value, str) else value
        for name, value in call.arguments.items()
    }
    read = [result.sql for result in results] if call.name in READ_RESULTS else []
    return json.dumps([call.name, arguments, call.malformed, read], sort_keys=True, default=repr)
