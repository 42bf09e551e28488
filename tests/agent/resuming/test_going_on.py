"""Wherever a run is cut off, it ends as if it had not been; nothing recorded is done twice."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.checkpoint import Recorded
from agent.messages import Case, Severity, ToolCall, Turn, Usage, Verdict
from agent.testing import ScriptedJudge, call, calls, text

from .processes import (
    BY_RATING,
    COUNT,
    LOOK,
    LOOK_ELSEWHERE,
    NOTHING,
    UNTOLD,
    WRONG,
    Desk,
    timeless,
)

THOUGHTS = {"type": "thinking", "thinking": UNTOLD, "signature": "z==", "a": {"c": 1e20, "b": -0.0}}
THINKING = Turn(
    "I count.",
    (ToolCall("c1", "execute_read_only_sql", {"query": "SELECT count(*) AS films FROM film"}),),
    "tool_use",
    Usage(1_000, 20, 300, 40),
    ({**THOUGHTS}, {"type": "tool_use", "id": "c1", "input": {"query": "z", "a": [1.0, None]}}),
    answers="print of all before",
)
ODD = Turn(
    UNTOLD,
    (
        ToolCall("o1", "get_schema", {"z": float("inf"), "a": UNTOLD}, malformed=""),
        ToolCall("o2", "get_schema", {}, malformed='{"table_name": ' + UNTOLD),
    ),
    "tool_use",
)
CHART = call(
    "generate_chart",
    spec={"mark": "bar", "encoding": {"x": {"field": "rating"}, "y": {"field": "films"}}},
)
SHARE = call("calculate", expression="r1.films[1] / sum(r1.films)")
SEVERAL = calls(
    ("get_schema", {"table_name": "film"}),
    ("execute_read_only_sql", dict(COUNT.tool_calls[0].arguments)),
    ("execute_read_only_sql", dict(WRONG.tool_calls[0].arguments)),
    ("execute_read_only_sql", dict(BY_RATING.tool_calls[0].arguments)),
)
ASK = call("ask_user", question="Films or copies?", options=["films", "copies"])
PLAN = text("Plan:\n1. Look at film.\n2. Count.")
ANSWER = text("There are 1,000 films.")
REFUSED = Verdict(False, "It counts copies, not films.", Severity.MAJOR)
POOR_WORDS = Verdict(False, "It names no unit.", Severity.MINOR)


def judge(verdicts: dict[str, Verdict]) -> Any:
    return ScriptedJudge(lambda case: verdicts.get(case.draft, Verdict(valid=True)))


RUNS: dict[str, tuple[list[Turn], Any]] = {
    "an answer": ([LOOK, COUNT, ANSWER], None),
    "a plan, thoughts, a judge": ([PLAN, LOOK, THINKING, ANSWER], judge({})),
    "several calls, errors": ([SEVERAL, ODD, ANSWER], None),
    "a chart and a share": (
        [LOOK, BY_RATING, CHART, SHARE, text("PG films are 19.4 % of all.")],
        None,
    ),
    "no usable turn": (
        [Turn(), LOOK, Turn("half of", stop_reason="max_tokens"), COUNT, ANSWER],
        None,
    ),
    "the same error again": ([LOOK, WRONG, WRONG, COUNT, ANSWER], None),
    "a figure from nowhere": ([LOOK, COUNT, text("There are 1,234 films."), ANSWER], None),
    "twice from nowhere": ([LOOK, COUNT, text("1,234 films."), text("4,321 films.")], None),
    "rows refused": (
        [LOOK, COUNT, text("1,000 copies."), BY_RATING, text("No rating has 1,000 films.")],
        judge({"1,000 copies.": REFUSED}),
    ),
    "refused to the end": (
        [LOOK, COUNT, text("a film"), text("a film"), text("a film")],
        judge({"a film": POOR_WORDS}),
    ),
    "a question back": ([LOOK, ASK], None),
    "too many errors": ([LOOK, WRONG, call("calculate", expression="1"), ODD], None),
    "no rows": ([LOOK, NOTHING, text("There is no such film.")], None),
    "a script that ends": ([LOOK, COUNT], None),
    "a model that declines": ([LOOK, Turn("no", stop_reason="refusal")], None),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_cut_off_after_any_transition_ends_as_if_it_had_not_been(
    name: str, desk: Desk
) -> None:
    turns, desk.judge = RUNS[name]
    whole, kept = desk.whole(turns)
    everything = [each.checkpoint for each in kept.rows]
    asked = desk.fetched.copy()
    for cut in range(1, len(kept.rows) + 1):
        desk.fetched.clear()
        result, rest = desk.go_on(turns, kept.rows[:cut])
        assert result is not None
        assert timeless(result) == timeless(whole), f"cut off after {cut}"
        assert result.trail[:cut] == whole.trail[:cut]
        assert [each.transition for each in rest.rows[cut:]] == rest.told == [*result.trail[cut:]]
        # What comes after a cut is kept as it would have been without it.
        assert [each.checkpoint for each in rest.rows] == everything, f"cut off after {cut}"
        recorded = {each.subject for at in whole.trail[:cut] for each in at.steps if each.ok}
        assert not recorded & set(desk.fetched)
        assert len(desk.fetched) <= len(asked)


@pytest.mark.parametrize("name", ["rows refused", "several calls, errors"])
def test_a_run_may_be_cut_off_after_each_of_its_transitions(name: str, desk: Desk) -> None:
    turns, desk.judge = RUNS[name]
    whole, kept = desk.whole(turns)
    result, relayed, processes = desk.relay(turns)
    assert timeless(result) == timeless(whole)
    assert processes == len(whole.trail) + 1  # the last one only tells the result
    assert [each.checkpoint for each in relayed.rows] == [each.checkpoint for each in kept.rows]


def test_what_a_phase_had_done_between_two_calls_is_not_done_again(desk: Desk) -> None:
    turns = [SEVERAL, ANSWER]
    whole, kept = desk.whole(turns)
    assert kept.parts == 3
    for part in (1, 2, 3):
        _, begun = desk.go_on(turns, kept.rows[:1], die_in=part)
        assert len(begun.recorded) == 2
        desk.fetched.clear()
        result, _ = desk.go_on(turns, begun.recorded)
        assert result is not None
        assert timeless(result) == timeless(whole)
        done = [SEVERAL.tool_calls[at].arguments.get("query") for at in range(part)]
        assert not set(done) & set(desk.fetched)


def test_a_part_that_cannot_be_read_is_as_if_it_were_not_there(desk: Desk) -> None:
    turns = [SEVERAL, ANSWER]
    whole, kept = desk.whole(turns)
    for part in (
        {},
        {"format": 1, "number": 2, "set": {"state": {"phase": "finish"}}, "added": {}},
    ):
        result, _ = desk.go_on(turns, [kept.rows[0], Recorded(None, part)])
        assert result is not None
        assert timeless(result) == timeless(whole)


def test_a_run_that_is_over_gives_its_result_and_does_nothing(desk: Desk) -> None:
    turns = [LOOK, COUNT, ANSWER]
    whole, kept = desk.whole(turns)
    desk.fetched.clear()
    result, rest = desk.go_on((), kept.rows)
    assert result == whole
    assert (desk.fetched, rest.told, rest.words) == ([], [], [])


POOL = [LOOK, LOOK_ELSEWHERE, COUNT, BY_RATING, NOTHING, WRONG, SEVERAL, ODD, SHARE, THINKING]
POOL += [PLAN, Turn(), text("There are 1,234 films."), text("Many."), ANSWER]


@settings(max_examples=25, derandomize=True)
@given(data=st.data())
def test_any_run_cut_off_anywhere_goes_on(data: st.DataObject, shared_desk: Desk) -> None:
    turns = [*data.draw(st.lists(st.sampled_from(POOL), min_size=1, max_size=9)), ANSWER]
    refused = data.draw(st.sets(st.sampled_from(["Many.", ANSWER.text])))
    verdict = data.draw(st.sampled_from([REFUSED, POOR_WORDS]))

    def say(case: Case) -> Verdict:
        return verdict if case.draft in refused else Verdict(valid=True)

    shared_desk.judge = ScriptedJudge(say) if data.draw(st.booleans()) else None
    whole, kept = shared_desk.whole(turns)
    result, relayed, _ = shared_desk.relay(turns)
    assert timeless(result) == timeless(whole)
    assert [each.checkpoint for each in relayed.rows] == [each.checkpoint for each in kept.rows]
