"""The loop drives any model to an end: the right one, with the right counters, and says so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from agent.audit import ResultAudit
from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.loop import run_react_loop
from agent.memory import WorkingMemory
from agent.messages import (
    Exchange,
    Observations,
    Outcome,
    ToolCall,
    Transition,
    Turn,
    UserMessage,
)
from agent.protocols import Model, Trail
from agent.run import Agent
from agent.running import Run
from agent.state import MAX_HOPS, MAX_MODEL_CALLS, AgentState, Event, Phase
from agent.testing import RecordingModel, ScriptedModel, call, calls, text
from agent.toolbox import Toolbox
from agent.warnings import FAILED_WARNING, NO_QUERY_WARNING

MakeAgent = Callable[[Model], Agent]

LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")
WRONG_TOO = call("execute_read_only_sql", query="SELECT nor_this_one FROM film")
WRONG = call("execute_read_only_sql", query="SELECT no_such_column FROM film")


TABLES = (
    "actor",
    "address",
    "category",
    "city",
    "country",
    "customer",
    "film",
    "film_actor",
    "film_category",
    "inventory",
    "language",
    "payment",
    "rental",
    "staff",
    "store",
)
LOOKS = [call("get_schema", table_name=name) for name in TABLES]


def listening(*turns: Turn) -> RecordingModel:
    return RecordingModel(ScriptedModel(*turns))


def last_observations(model: RecordingModel) -> Observations:
    last = model.heard[-1][-1]
    assert isinstance(last, Observations)
    return last


def test_a_question_ends_with_answer_rows_and_sql(make_agent: MakeAgent) -> None:
    result = make_agent(ScriptedModel(LOOK, COUNT, text("There are 1,000 films."))).run("how many?")
    assert (result.outcome, result.failed) == (Outcome.ANSWERED, False)
    assert result.answer == "There are 1,000 films."
    assert result.sql == ("SELECT count(*) AS films FROM film",)
    assert (result.n_queries, result.hops, result.warnings) == (1, 2, ())
    assert result.results[0].columns[0].name == "films"
    assert result.tables == ("film",)
    assert [step.target for step in result.trail] == [
        Phase.ACTION,
        Phase.OBSERVATION,
        Phase.THOUGHT,
        Phase.ACTION,
        Phase.OBSERVATION,
        Phase.THOUGHT,
        Phase.CRITIQUE,
        Phase.FINISH,
    ]


def test_an_answer_without_a_query_carries_the_warning(make_agent: MakeAgent) -> None:
    result = make_agent(ScriptedModel(text("About 42."))).run("how many films?")
    assert (result.n_queries, result.failed) == (0, False)
    assert result.warnings == (NO_QUERY_WARNING, "No row of a query supports “42”.")


def test_an_answer_after_nothing_but_failed_queries_carries_the_warning(
    make_agent: MakeAgent,
) -> None:
    result = make_agent(ScriptedModel(LOOK, WRONG, text("About 42."))).run("how many films?")
    assert (result.n_queries, result.warnings[0]) == (0, NO_QUERY_WARNING)


def test_tools_are_offered_as_the_run_learns(make_agent: MakeAgent) -> None:
    model = listening(LOOK, COUNT, text("1,000"))
    make_agent(model).run("how many?")
    assert [("execute_read_only_sql" in names) for names in model.offered] == [False, True, True]
    assert [("generate_chart" in names) for names in model.offered] == [False, False, True]


def test_sql_before_any_schema_is_refused_and_costs_a_hop(make_agent: MakeAgent) -> None:
    model = listening(COUNT, LOOK, COUNT, text("1,000"))
    result = make_agent(model).run("how many?")
    refusal = model.heard[1][-1]
    assert isinstance(refusal, Observations)
    assert refusal.results[0].is_error
    assert "Read the schema of a table first" in refusal.results[0].content
    assert (result.hops, result.n_queries, result.failed) == (3, 1, False)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (call("drop_table", name="film"), "does not exist. Allowed now: find_tables"),
        (call("get_schema", table="film"), "table_name: Field required"),
        (call("get_schema", table_name=7), "table_name: Input should be a valid string"),
        (call("get_schema", table_name="film", also="actor"), "Extra inputs"),
        (call("get_schema", table_name="flim"), "film"),
        (
            Turn(
                tool_calls=(ToolCall("x", "get_schema", {}, malformed="{table_name:"),),
                stop_reason="tool_use",
            ),
            "no JSON object: {table_name:",
        ),
    ],
)
def test_a_wrong_call_is_told_word_for_word_and_may_be_mended(
    make_agent: MakeAgent, wrong: Turn, words: str
) -> None:
    model = listening(wrong, LOOK, COUNT, text("1,000"))
    result = make_agent(model).run("how many?")
    told = model.heard[1][-1]
    assert isinstance(told, Observations)
    assert told.results[0].is_error
    assert words in told.results[0].content
    assert (result.hops, result.failed) == (3, False)


def test_three_errors_in_a_row_end_the_run_and_say_the_last(make_agent: MakeAgent) -> None:
    result = make_agent(
        ScriptedModel(LOOK, WRONG, WRONG_TOO, call("no_such_tool"), text("42"))
    ).run("how many?")
    assert (result.outcome, result.failed, result.answer) == (Outcome.FAILED, True, "")
    assert result.trail[-1].event is Event.RETRY_CEILING
    assert result.trail[-1].state.retry_count == 3
    assert result.warnings == (FAILED_WARNING,)
    assert "3 in a row" in result.summary
    assert "the model asked for a step that I cannot do" in result.summary


def test_errors_and_successes_in_turn_end_at_the_fifth_error(make_agent: MakeAgent) -> None:
    # A success sets the row back, not the sum: two errors, a success, twice, and one more error.
    flood = calls(
        ("no_such_tool", {"n": 1}),
        ("no_such_tool", {"n": 2}),
        ("find_tables", {"words": "a"}),
        ("no_such_tool", {"n": 3}),
        ("no_such_tool", {"n": 4}),
        ("find_tables", {"words": "b"}),
    )
    last = call("no_such_tool", n=5)
    result = make_agent(ScriptedModel(flood, last, text("42"))).run("how many?")
    assert result.trail[-1].event is Event.RETRY_CEILING
    assert (result.trail[-1].state.error_count, result.trail[-1].state.retry_count) == (5, 1)
    assert result.hops == 7


def test_calls_after_the_third_error_of_a_turn_are_not_run(make_agent: MakeAgent) -> None:
    flood = calls(
        *[("no_such_tool", {"n": n}) for n in range(3)], ("get_schema", {"table_name": "film"})
    )
    result = make_agent(ScriptedModel(flood, text("42"))).run("how many?")
    assert (result.hops, result.tables, result.outcome) == (3, (), Outcome.FAILED)


def test_endless_exploring_ends_at_the_hop_ceiling(make_agent: MakeAgent) -> None:
    result = make_agent(ScriptedModel(*LOOKS)).run("how many?")
    assert (result.hops, result.outcome) == (MAX_HOPS, Outcome.FAILED)
    assert result.trail[-1].event is Event.HOP_CEILING
    assert "8 tool calls" in result.summary


def test_after_the_last_hop_what_was_found_may_still_be_said(make_agent: MakeAgent) -> None:
    model = listening(*LOOKS[:7], COUNT, text("There are 1,000 films."))
    result = make_agent(model).run("how many?")
    assert (result.hops, result.outcome) == (MAX_HOPS, Outcome.ANSWERED)
    assert (result.n_queries, result.warnings) == (1, ())
    assert model.offered[-1] == ()


def test_twenty_calls_in_one_turn_run_eight_and_each_gets_its_result(
    make_agent: MakeAgent,
) -> None:
    model = listening(
        calls(*[("find_tables", {"words": f"films {number}"}) for number in range(20)]),
        text("Many."),
    )
    result = make_agent(model).run("how many?")
    results = last_observations(model).results
    assert result.hops == MAX_HOPS
    assert [r.is_error for r in results] == [False] * 8 + [True] * 12
    assert "the limit of 8 tool calls is met" in results[-1].content
    assert {r.call_id for r in results} == {f"call_{n}" for n in range(1, 21)}


def test_a_question_back_ends_the_run_and_runs_nothing_after_it(make_agent: MakeAgent) -> None:
    asking = calls(
        ("ask_user", {"question": "By revenue or by rentals?", "options": ["revenue", "rentals"]}),
        ("get_schema", {"table_name": "film"}),
    )
    result = make_agent(ScriptedModel(asking)).run("best film?")
    assert (result.outcome, result.failed) == (Outcome.NEEDS_CLARIFICATION, False)
    assert result.answer == "By revenue or by rentals?"
    assert result.clarification is not None
    assert result.clarification.options == ("revenue", "rentals")
    assert result.hops == 1


@pytest.mark.parametrize("useless", [Turn(), Turn(text="  \n"), Turn("cut of", (), "max_tokens")])
def test_a_useless_turn_is_asked_for_again(make_agent: MakeAgent, useless: Turn) -> None:
    result = make_agent(ScriptedModel(useless, LOOK, COUNT, text("1,000"))).run("how many?")
    assert (result.outcome, result.trail[1].state.error_count) == (Outcome.ANSWERED, 1)


def test_nothing_but_useless_turns_end_as_too_many_errors(make_agent: MakeAgent) -> None:
    result = make_agent(ScriptedModel(*[Turn()] * 9)).run("how many?")
    assert (result.outcome, result.trail[-1].event) == (Outcome.FAILED, Event.RETRY_CEILING)


def test_a_model_that_declines_ends_the_run(make_agent: MakeAgent) -> None:
    result = make_agent(ScriptedModel(Turn("no", (), "refusal"))).run("how many?")
    assert (result.outcome, result.failed) == (Outcome.FAILED, True)
    assert "declined" in result.summary


def test_a_model_out_of_reach_is_a_fault_with_what_was_found(make_agent: MakeAgent) -> None:
    result = make_agent(ScriptedModel(LOOK, COUNT)).run("how many?")
    assert (result.outcome, result.failed, result.n_queries) == (Outcome.SYSTEM_FAULT, True, 1)
    assert "script" in result.summary
    assert result.trail[-1].event is Event.MODEL_FAILED


class Broken:
    """A model with a bug."""

    name = "broken"

    def respond(self, *_: object, **__: object) -> Turn:
        raise ZeroDivisionError("secret detail")


def test_a_bug_is_a_fault_of_ours_and_its_detail_is_for_the_operator(
    make_agent: MakeAgent, caplog: pytest.LogCaptureFixture
) -> None:
    result = make_agent(Broken()).run("how many?")
    assert (result.outcome, result.failed) == (Outcome.SYSTEM_FAULT, True)
    assert "secret detail" not in result.summary
    assert "secret detail" in result.fault_detail
    assert "bug in phase planning" in caplog.text


def test_a_query_without_rows_is_no_data(make_agent: MakeAgent) -> None:
    nothing = call("execute_read_only_sql", query="SELECT title FROM film WHERE title = 'x'")
    result = make_agent(ScriptedModel(LOOK, nothing, text("There is none."))).run("is there an x?")
    assert (result.outcome, result.warnings) == (Outcome.NO_DATA, ())


def test_a_cut_result_is_a_caveat(make_agent: MakeAgent) -> None:
    everything = call("execute_read_only_sql", query="SELECT rental_id FROM rental")
    result = make_agent(ScriptedModel(LOOK, everything, text("Many."))).run("list rentals")
    assert result.outcome is Outcome.ANSWERED_WITH_CAVEATS
    assert result.results[0].truncated
    assert len(result.results[0].rows) == 1_000


def test_the_tables_are_those_that_the_shown_rows_come_from(make_agent: MakeAgent) -> None:
    joined = call(
        "execute_read_only_sql",
        query="SELECT count(*) FROM rental JOIN inventory USING (inventory_id)",
    )
    result = make_agent(ScriptedModel(LOOK, joined, text("Many."))).run("rentals?")
    assert set(result.tables) == {"rental", "inventory"}


def test_cancelling_ends_the_run_at_its_next_step(make_agent: MakeAgent) -> None:
    cancelled = threading.Event()

    class Stopper(Trail):
        def record(self, transition: Transition) -> None:
            if transition.target is Phase.THOUGHT:
                cancelled.set()

    model = listening(LOOK, COUNT, text("1,000"))
    result = make_agent(model).run("how many?", trail=Stopper(), cancelled=cancelled)
    assert (result.outcome, len(model.heard)) == (Outcome.CANCELLED, 1)
    assert not result.failed


def test_the_wall_clock_ends_the_run(database: PostgresDatabase, renderer: ProcessRenderer) -> None:
    now = [0.0]

    class Slow(RecordingModel):
        def respond(self, *args: Any, **kwargs: Any) -> Turn:
            now[0] += 50.0
            return super().respond(*args, **kwargs)

    model = Slow(ScriptedModel(*LOOKS))
    result = Agent(model, database, renderer, clock=lambda: now[0]).run("how many?")
    assert (result.outcome, result.trail[-1].event) == (Outcome.FAILED, Event.TIMED_OUT)
    assert len(model.heard) == 3
    assert "120 seconds" in result.summary
    assert result.duration_ms == 150_000


@pytest.mark.parametrize(("seconds", "turns"), [(39.9, 4), (40.0, 3), (40.1, 3)])
def test_the_last_second_of_the_wall_clock_is_no_longer_there(
    database: PostgresDatabase, renderer: ProcessRenderer, seconds: float, turns: int
) -> None:
    now = [0.0]

    class Slow(RecordingModel):
        def respond(self, *args: Any, **kwargs: Any) -> Turn:
            now[0] += seconds
            return super().respond(*args, **kwargs)

    model = Slow(ScriptedModel(*LOOKS))
    result = Agent(model, database, renderer, clock=lambda: now[0]).run("how many?")
    assert (result.trail[-1].event, len(model.heard)) == (Event.TIMED_OUT, turns)


def test_model_turns_are_bounded_too(database: PostgresDatabase, renderer: ProcessRenderer) -> None:
    model = listening(LOOK, text("1,000"))
    run = Run(
        question="how many?",
        model=model,
        toolbox=Toolbox(database, renderer),
        memory=WorkingMemory.of("how many?"),
        prompt=str,
        auditor=ResultAudit(database),
        state=AgentState(model_calls=MAX_MODEL_CALLS - 1),
    )
    run_react_loop(run)
    assert len(model.heard) == 1
    assert (run.state.phase, run.transitions[-1].event) == (Phase.FAILED, Event.BUDGET_SPENT)


def test_a_draft_in_the_last_model_turn_is_still_an_answer(
    database: PostgresDatabase, renderer: ProcessRenderer
) -> None:
    run = Run(
        question="what?",
        model=ScriptedModel(text("Films are moving pictures.")),
        toolbox=Toolbox(database, renderer),
        memory=WorkingMemory.of("what?"),
        prompt=str,
        auditor=ResultAudit(database),
        state=AgentState(model_calls=MAX_MODEL_CALLS - 1),
    )
    run_react_loop(run)
    assert (run.state.phase, run.state.model_calls) == (Phase.FINISH, MAX_MODEL_CALLS)


def test_the_trail_keeps_what_the_model_said_where_it_spoke(make_agent: MakeAgent) -> None:
    planned = Turn("Plan: look.", LOOK.tool_calls, "tool_use")
    result = make_agent(ScriptedModel(planned, COUNT, text("There are 1,000 films."))).run("?")
    said = [(step.source, step.model_output) for step in result.trail if step.model_output]
    assert [source for source, _ in said] == [Phase.PLANNING, Phase.THOUGHT, Phase.THOUGHT]
    assert said[0][1] == "Plan: look.\nget_schema({'table_name': 'film'})"
    assert said[2][1] == "There are 1,000 films."


def test_the_trail_is_told_while_the_run_goes_on(make_agent: MakeAgent) -> None:
    heard: list[tuple[float, str]] = []

    class Ear(Trail):
        def record(self, transition: Transition) -> None:
            heard.append((time.monotonic(), transition.trigger))

    result = make_agent(ScriptedModel(LOOK, COUNT, text("1,000"))).run("?", trail=Ear())
    assert [words for _, words in heard] == [step.trigger for step in result.trail]
    assert "I looked at film." in [words for _, words in heard]
    assert any(words.startswith("I ran a query: 1 row in") for _, words in heard)


def test_history_reaches_the_model_as_earlier_turns(make_agent: MakeAgent) -> None:
    first = make_agent(ScriptedModel(LOOK, COUNT, text("There are 1,000 films."))).run("how many?")
    earlier = Exchange("how many?", first.answer, first.sql, first.results)
    model = listening(text("no idea"))
    make_agent(model).run("only 2024", history=[earlier])
    question, past, follow_up = model.heard[0]
    assert question == UserMessage("how many?")
    assert isinstance(past, Turn)
    assert past.text.startswith("There are 1,000 films.")
    assert "```sql\nSELECT count(*) AS films FROM film\n```" in past.text
    assert "[1000]" in past.text
    assert follow_up == UserMessage("only 2024")


def test_the_system_prompt_says_the_day_and_the_zone(make_agent: MakeAgent) -> None:
    model = listening(text("no idea"))
    make_agent(model).run("what day is it?")
    assert time.strftime("Today is %Y-", time.gmtime()) in model.systems[0]
    assert "Time zone: UTC." in model.systems[0]


def test_a_model_that_says_nothing_ends_in_one_plain_sentence_after_another(
    make_agent: MakeAgent,
) -> None:
    result = make_agent(ScriptedModel(*[text(" ")] * 9)).run("?")
    assert (result.outcome, result.failed) == (Outcome.FAILED, True)
    assert result.summary == (
        "There were too many errors: 3 in a row, 3 in all. "
        "The model wrote nothing that could be used. Put the question differently."
    )


@pytest.mark.parametrize("blank", ["", " \n "])
def test_a_question_back_without_words_is_refused(make_agent: MakeAgent, blank: str) -> None:
    result = make_agent(ScriptedModel(call("ask_user", question=blank), text("Then not."))).run("?")
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, "Then not.")
    assert "in a way that I could not read" in result.trail[1].trigger
