"""A run begins with a plan that people can read, and a simple question pays nothing for it."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from agent.messages import Outcome, Turn
from agent.plan import MAX_STEPS, read_plan, read_steps
from agent.protocols import Model
from agent.run import Agent
from agent.state import Event
from agent.testing import RecordingModel, ScriptedModel, call, text

MakeAgent = Callable[[Model], Agent]

LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")
ANSWER = text("There are 1,000 films.")


def with_words(words: str, turn: Turn) -> Turn:
    return Turn(words, turn.tool_calls, turn.stop_reason)


def test_a_plan_comes_with_the_first_step_and_costs_no_turn(make_agent: MakeAgent) -> None:
    planned = with_words("Plan:\n1. Look at the films.\n2. Count them.", LOOK)
    result = make_agent(ScriptedModel(planned, COUNT, ANSWER)).run("how many?")
    assert result.plan == ("Look at the films.", "Count them.")
    assert result.trail[-1].state.model_calls == 3
    assert result.trail[0].plan == result.plan


def test_a_plan_alone_is_told_to_go_on(make_agent: MakeAgent) -> None:
    model = RecordingModel(
        ScriptedModel(text("**Plan:**\n- Look at the films\n- Count them"), LOOK, COUNT, ANSWER)
    )
    result = make_agent(model).run("how many?")
    assert [step.event for step in result.trail][:2] == [Event.PLAN_READY, Event.TOOLS_REQUESTED]
    assert result.plan == ("Look at the films", "Count them")
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, "There are 1,000 films.")


def test_words_before_a_plan_make_no_answer_of_it(make_agent: MakeAgent) -> None:
    first = text("Let me see.\n\nPlan:\n1. Look at the films.\n2. Count them.")
    result = make_agent(ScriptedModel(first, LOOK, COUNT, ANSWER)).run("how many?")
    assert result.trail[0].event is Event.PLAN_READY
    assert result.plan == ("Look at the films.", "Count them.")
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, "There are 1,000 films.")


def test_an_answer_that_speaks_of_a_plan_is_none(make_agent: MakeAgent) -> None:
    words = "I can do this.\n\nPlan:\n1. Look.\n\nShall I?"
    result = make_agent(ScriptedModel(text(words))).run("how many?")
    assert (result.plan, result.answer) == ((), words)


def test_a_run_without_a_plan_goes_on_all_the_same(make_agent: MakeAgent) -> None:
    result = make_agent(ScriptedModel(LOOK, COUNT, ANSWER)).run("how many?")
    assert (result.plan, result.outcome) == ((), Outcome.ANSWERED)


def test_a_second_plan_is_no_answer(make_agent: MakeAgent) -> None:
    again = text("Plan: wait.")
    result = make_agent(ScriptedModel(again, again, LOOK, COUNT, ANSWER)).run("how many?")
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, "There are 1,000 films.")
    assert result.trail[-1].state.error_count == 1


def test_nothing_but_plans_is_no_answer_either(make_agent: MakeAgent) -> None:
    result = make_agent(ScriptedModel(text("Plan: wait."))).run("how many?")
    assert (result.outcome, result.trail[-1].event) == (Outcome.FAILED, Event.RETRY_CEILING)
    assert result.answer == ""


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("Plan: count the films.", ("count the films.",)),
        ("### Plan\n1) Find `film`.\n2) **Count**.", ("Find film.", "Count.")),
        ("Plan:\n" + "\n".join(f"{n}. Step {n}" for n in range(1, 9)), 5),
        ("The plan is to count.", ()),
        ("Planned revenue was 5.", ()),
        ("There are 5 films.\nPlan: none", ()),
        ("", ()),
    ],
)
def test_a_plan_is_read_by_its_heading(words: str, steps: tuple[str, ...] | int) -> None:
    plan = read_plan(words)
    assert len(plan) <= MAX_STEPS
    assert len(plan) == steps if isinstance(steps, int) else plan == steps


def test_a_sentence_beside_the_first_step_is_a_plan_of_one_step() -> None:
    assert read_steps("I will look at the films first.\n") == ("I will look at the films first.",)
    assert read_steps("x" * 500) == ("x" * 199 + "…",)


def test_words_beside_the_first_step_are_its_plan(make_agent: MakeAgent) -> None:
    planned = with_words("I will count the films.", LOOK)
    result = make_agent(ScriptedModel(planned, COUNT, ANSWER)).run("how many?")
    assert result.plan == ("I will count the films.",)


def test_words_beside_a_later_step_are_no_plan(make_agent: MakeAgent) -> None:
    later = with_words("Plan: count them.", COUNT)
    result = make_agent(ScriptedModel(LOOK, later, ANSWER)).run("how many?")
    assert result.plan == ()


def test_a_plan_that_was_cut_off_is_asked_for_again(make_agent: MakeAgent) -> None:
    cut = Turn("Plan:\n1. Look at the fil", (), "max_tokens")
    result = make_agent(ScriptedModel(cut, LOOK, COUNT, ANSWER)).run("how many?")
    assert (result.plan, result.trail[0].event) == ((), Event.MODEL_OUTPUT_INVALID)
    assert (result.outcome, result.trail[-1].state.error_count) == (Outcome.ANSWERED, 1)


def test_a_plan_is_read_in_time_from_endless_blanks() -> None:
    started = time.process_time()
    assert read_plan("\n" * 20_000 + "Plan:\n1. Count the films") == ("Count the films",)
    assert time.process_time() - started < 1
