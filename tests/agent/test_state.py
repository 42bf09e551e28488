"""The table of the state machine is whole, and the counters end every loop."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import pytest

from agent.errors import RetryCeilingExceeded, ToolError
from agent.self_correction import handle_tool_error, handle_tool_success
from agent.state import (
    MAX_BACKTRACKS,
    MAX_ERRORS,
    MAX_HOPS,
    MAX_MODEL_CALLS,
    MAX_RETRIES,
    TERMINAL_PHASES,
    TOOL_SCOPE,
    TRANSITIONS,
    WALL_CLOCK_S,
    AgentState,
    Event,
    Phase,
    UndefinedTransition,
    advance,
    tools_in_scope,
)


def reachable(start: Phase) -> set[Phase]:
    seen, frontier = {start}, [start]
    while frontier:
        source = frontier.pop()
        for (phase, _), target in TRANSITIONS.items():
            if phase is source and target not in seen:
                seen.add(target)
                frontier.append(target)
    return seen


def test_every_phase_is_reachable_from_the_first() -> None:
    assert reachable(AgentState().phase) == set(Phase)


@pytest.mark.parametrize("phase", [p for p in Phase if p not in TERMINAL_PHASES])
def test_every_phase_can_end(phase: Phase) -> None:
    assert reachable(phase) >= TERMINAL_PHASES


@pytest.mark.parametrize("phase", sorted(TERMINAL_PHASES))
def test_terminal_phases_have_no_exit(phase: Phase) -> None:
    assert [pair for pair in TRANSITIONS if pair[0] is phase] == []


def test_every_event_is_used() -> None:
    assert {event for _, event in TRANSITIONS} == set(Event)


@pytest.mark.parametrize("phase", [p for p in Phase if p not in TERMINAL_PHASES])
@pytest.mark.parametrize(
    "event",
    [
        Event.HOP_CEILING,
        Event.BUDGET_SPENT,
        Event.TIMED_OUT,
        Event.MODEL_FAILED,
        Event.TOOL_FAILED,
    ],
)
def test_a_limit_or_a_fault_ends_a_run_in_any_phase_as_failed(phase: Phase, event: Event) -> None:
    after = advance(AgentState(phase=phase), event)
    assert (after.phase, after.failed) == (Phase.FAILED, True)


def test_only_the_failed_phase_marks_a_run_as_failed() -> None:
    for (phase, event), target in TRANSITIONS.items():
        assert advance(AgentState(phase=phase), event).failed is (target is Phase.FAILED)


def test_an_undefined_pair_raises_with_both_names() -> None:
    with pytest.raises(UndefinedTransition, match=r"'finish'.*'tools_done'"):
        advance(AgentState(phase=Phase.FINISH), Event.TOOLS_DONE)


def test_advancing_changes_phase_and_failed_alone() -> None:
    state = AgentState(hop_count=3, retry_count=1, error_count=2, model_calls=4, seen_table=True)
    after = advance(state, Event.TOOLS_REQUESTED)
    assert after == replace(state, phase=Phase.ACTION)


def test_a_run_begins_with_nothing_spent() -> None:
    assert AgentState() == AgentState(Phase.PLANNING, 0, 0, 0, 0, 0, False, False, False)


def test_a_state_is_replaced_and_never_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        AgentState().hop_count = 0  # type: ignore[misc]


@pytest.mark.parametrize(("hops", "reached"), [(7, False), (8, True), (9, True)])
def test_the_hop_ceiling_is_met_at_eight(hops: int, reached: bool) -> None:
    assert MAX_HOPS == 8
    assert AgentState(hop_count=hops).hop_ceiling_reached is reached


@pytest.mark.parametrize(
    ("in_a_row", "in_all", "reached"),
    [(2, 4, False), (3, 3, True), (4, 4, True), (1, 5, True), (0, 6, True)],
)
def test_the_retry_ceiling_is_met_at_three_in_a_row_or_five_in_all(
    in_a_row: int, in_all: int, reached: bool
) -> None:
    assert (MAX_RETRIES, MAX_ERRORS) == (3, 5)
    state = AgentState(retry_count=in_a_row, error_count=in_all)
    assert state.retry_ceiling_reached is reached


@pytest.mark.parametrize(("calls", "reached"), [(13, False), (14, True), (15, True)])
def test_the_model_call_ceiling_is_met_at_fourteen(calls: int, reached: bool) -> None:
    assert MAX_MODEL_CALLS == 14
    assert AgentState(model_calls=calls).model_call_ceiling_reached is reached


@pytest.mark.parametrize(("times", "reached"), [(1, False), (2, True), (3, True)])
def test_the_backtrack_ceiling_is_met_at_two(times: int, reached: bool) -> None:
    assert MAX_BACKTRACKS == 2
    assert AgentState(backtrack_count=times).backtrack_ceiling_reached is reached


def test_a_run_may_take_two_minutes() -> None:
    assert WALL_CLOCK_S == 120.0


def test_a_draft_leaves_no_phase_but_through_the_gate() -> None:
    leads_to_finish = {pair for pair, target in TRANSITIONS.items() if target is Phase.FINISH}
    assert leads_to_finish == {(Phase.CRITIQUE, Event.ACCEPTED)}


def test_the_table_is_the_whole_design() -> None:
    """Written out once more by hand: a changed row has to be meant."""
    anywhere = {
        (phase, event): target
        for phase in Phase
        if phase not in TERMINAL_PHASES
        for event, target in [
            (Event.HOP_CEILING, Phase.FAILED),
            (Event.BUDGET_SPENT, Phase.FAILED),
            (Event.TIMED_OUT, Phase.FAILED),
            (Event.MODEL_FAILED, Phase.FAILED),
            (Event.TOOL_FAILED, Phase.FAILED),
            (Event.CANCELLED, Phase.CANCELLED),
        ]
    }
    thinking = {
        (phase, event): target
        for phase in (Phase.PLANNING, Phase.THOUGHT)
        for event, target in [
            (Event.TOOLS_REQUESTED, Phase.ACTION),
            (Event.DRAFT_READY, Phase.CRITIQUE),
            (Event.MODEL_OUTPUT_INVALID, Phase.OBSERVATION),
        ]
    }
    assert {
        **anywhere,
        **thinking,
        (Phase.PLANNING, Event.PLAN_READY): Phase.THOUGHT,
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
    } == TRANSITIONS


def test_a_success_forgets_errors_in_a_row_and_keeps_those_in_all() -> None:
    state = handle_tool_error(handle_tool_error(AgentState(), ToolError("a")), ToolError("b"))
    assert (state.retry_count, state.error_count) == (2, 2)
    state = handle_tool_success(state)
    assert (state.retry_count, state.error_count) == (0, 2)


def test_the_third_error_in_a_row_raises_with_the_counted_state() -> None:
    state = handle_tool_error(handle_tool_error(AgentState(), ToolError("a")), ToolError("b"))
    with pytest.raises(RetryCeilingExceeded, match="the last one: no such column") as raised:
        handle_tool_error(state, ToolError("no such column"))
    assert (raised.value.state.retry_count, raised.value.state.error_count) == (3, 3)


def test_error_success_error_ends_at_the_fifth_error() -> None:
    state = AgentState()
    for _ in range(4):
        state = handle_tool_success(handle_tool_error(state, ToolError("again")))
    with pytest.raises(RetryCeilingExceeded):
        handle_tool_error(state, ToolError("again"))


def test_sql_is_in_scope_only_after_a_schema_and_charts_only_after_rows() -> None:
    fresh = AgentState()
    assert "execute_read_only_sql" not in tools_in_scope(fresh)
    looked = replace(fresh, seen_table=True)
    assert "execute_read_only_sql" in tools_in_scope(looked)
    for tool in ("generate_chart", "calculate"):
        assert tool not in tools_in_scope(looked)
        assert tool in tools_in_scope(replace(looked, seen_rows=True))


def test_past_the_hop_ceiling_no_tool_is_in_scope() -> None:
    for seen_table, seen_rows in TOOL_SCOPE:
        state = AgentState(hop_count=MAX_HOPS, seen_table=seen_table, seen_rows=seen_rows)
        assert tools_in_scope(state) == ()


def test_the_state_machine_loads_nothing_but_the_standard_library() -> None:
    program = (
        "import sys; before = set(sys.modules); import agent.state; "
        "new = {m.partition('.')[0] for m in set(sys.modules) - before}; "
        "outside = new - set(sys.stdlib_module_names); "
        "print(sorted(m for m in outside if not m.startswith('_')))"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "['agent']"
