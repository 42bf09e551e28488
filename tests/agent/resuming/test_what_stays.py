"""What a run began with stays, whatever has changed where it goes on; its limits hold as ever."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from agent.asker import Asker
from agent.database.postgres import PostgresDatabase
from agent.errors import ModelUnavailable
from agent.messages import Clarification, Exchange, Outcome, ToolCall, Turn, Usage
from agent.models.taking_over import TakingOver
from agent.state import Event
from agent.testing import ScriptedModel, call, text

from .processes import COUNT, LOOK, Desk, Kept, Killed, OnlyNext, cancelled, timeless

ANSWER = text("There are 1,000 films.")
TURNS = [LOOK, COUNT, ANSWER]
AFTER_THE_LOOK = 3


class Away:
    """A model that is out of reach."""

    def __init__(self, name: str = "first") -> None:
        self.name, self.asked = name, 0

    def respond(self, *_: Any, **__: Any) -> Turn:
        self.asked += 1
        raise ModelUnavailable("The model is out of reach; try again in a minute.")


def cut_off(desk: Desk, model: Any, at: int, *, agent: Any = None, **asked: Any) -> Kept:
    """What is kept of a run whose process ends with transition `at`."""
    kept = Kept(desk.through, die_at=at)
    with pytest.raises(Killed):
        (agent or desk.agent(model)).run("how many?", trail=kept, **asked)
    return kept


def test_a_run_that_goes_on_after_midnight_keeps_its_day_and_its_zone(desk: Desk) -> None:
    def at(day: int) -> Any:
        return lambda zone: datetime(2026, 7, day, 23, 59, tzinfo=zone)

    zoned = call("execute_read_only_sql", query="SELECT timestamptz '2026-01-01 00:00+00' AS at")
    turns = [LOOK, zoned, text("It was nine.")]
    whole_model, asker = OnlyNext(*turns), Asker("Mia", "Asia/Tokyo", "de-DE")
    whole = desk.agent(whole_model, now=at(30)).run("how many?", asker=asker)
    kept = cut_off(desk, None, 1, agent=desk.agent(OnlyNext(*turns), now=at(30)), asker=asker)
    model = OnlyNext(*turns, said=1)
    result = desk.agent(model, now=at(31)).run("?", trail=kept, resume=kept.recorded)
    assert {*model.systems} == {*whole_model.systems}
    assert "2026-07-30" in model.systems[0]
    assert result.results[0].rows == (("2026-01-01 09:00:00+09",),)
    assert (result.time_zone, result.question) == ("Asia/Tokyo", "how many?")
    assert timeless(result) == timeless(whole)


def test_the_thread_stays_as_it_was_when_the_run_began(desk: Desk) -> None:
    before = [Exchange("which?", "The long ones.", ("SELECT 1",), asked_by="Ada")]
    kept = cut_off(desk, OnlyNext(*TURNS), AFTER_THE_LOOK, history=before, asker=Asker("Mia"))
    seen: list[Any] = []

    class Reading(OnlyNext):
        def respond(self, system: str, messages: Any, tools: Any, *, timeout_s: float) -> Turn:
            seen.append(messages)
            return super().respond(system, messages, tools, timeout_s=timeout_s)

    forgotten = [Exchange("something", "else")]
    desk.agent(Reading(*TURNS, said=1)).run("?", history=forgotten, resume=kept.recorded)
    first, past, question = seen[0][:3]
    assert (first.text, first.speaker, question.speaker) == ("which?", "Ada", "Mia")
    assert "The long ones." in past.text


def test_rows_from_before_a_question_back_are_there_without_asking_for_them(desk: Desk) -> None:
    asked, _ = desk.whole([LOOK, COUNT, call("ask_user", question="Which?", options=["a", "b"])])
    history = [
        Exchange(
            "how many?", asked.answer, asked.sql, asked.results, ("film",), Clarification("Which?")
        )
    ]
    turns = [text("There are 1,000 films.")]
    whole, kept = desk.whole(turns, history=history)
    assert whole.outcome is Outcome.ANSWERED
    desk.fetched.clear()
    for cut in range(1, len(kept.rows) + 1):
        result, _ = desk.go_on(turns, kept.rows[:cut])
        assert result is not None
        assert timeless(result) == timeless(whole)
    assert desk.fetched == []


def test_time_in_which_nobody_worked_is_not_the_runs(desk: Desk) -> None:
    now = [1_000.0]

    class Slow(OnlyNext):
        def respond(self, *args: Any, **given: Any) -> Turn:
            now[0] += 50.0
            return super().respond(*args, **given)

    looks = [call("get_schema", table_name=name) for name in ("film", "actor", "rental", "city")]
    agent = desk.agent(Slow(*looks), clock=lambda: now[0])
    kept = cut_off(desk, None, 6, agent=agent)  # after two turns: a hundred seconds
    now[0] = 5.0  # another machine, with a clock of its own, much later
    model = Slow(*looks, said=2)
    result = desk.agent(model, clock=lambda: now[0]).run("?", resume=kept.recorded)
    assert (len(model.heard), result.trail[-1].event) == (1, Event.TIMED_OUT)
    assert result.duration_ms == 150_000


def test_a_model_that_has_taken_over_stays(desk: Desk) -> None:
    second = OnlyNext(*TURNS)
    kept = cut_off(desk, TakingOver(Away(), second), AFTER_THE_LOOK)
    first = Away()
    later = TakingOver(first, OnlyNext(*TURNS, said=1))
    result = desk.agent(later).run("?", resume=kept.recorded)
    assert (first.asked, result.model) == (0, "scripted")
    assert sum("scripted" in step.trigger for step in result.trail) == 1


def test_another_model_gets_no_thoughts_that_are_not_its_own(desk: Desk) -> None:
    thinking = replace(LOOK, provider_content=({"type": "thinking"},), answers="print")
    kept = cut_off(desk, ScriptedModel(thinking, *TURNS[1:], name="before"), AFTER_THE_LOOK)

    def go_on(name: str, resumed: Kept, *, die_at: int = 0) -> tuple[Any, Kept, Any]:
        model, rest = OnlyNext(*TURNS, said=1), Kept(desk.through, resumed.recorded, die_at=die_at)
        model._name = name
        agent, result = desk.agent(model), None
        if die_at:
            with pytest.raises(Killed):
                agent.run("?", trail=rest, resume=resumed.recorded)
        else:
            result = agent.run("?", trail=rest, resume=resumed.recorded)
        return result, rest, [each for each in model.heard[0] if isinstance(each, Turn)]

    same, _, turns = go_on("before", kept)
    assert turns[0] == thinking
    result, _, turns = go_on("after", kept)
    assert turns[0] == LOOK
    assert result.answer == same.answer == ANSWER.text
    assert result.model == "before, then after"
    # Nobody was out of reach: the bot was started anew with another one.
    assert result.trail[AFTER_THE_LOOK].trigger == same.trail[AFTER_THE_LOOK].trigger
    _, rest, _ = go_on("after", kept, die_at=AFTER_THE_LOOK + 3)
    _, _, turns = go_on("before", rest)
    assert (turns[0].provider_content, turns[1].model) == (thinking.provider_content, "after")


def test_a_run_cancelled_while_nobody_worked_at_it_ends_at_once(desk: Desk) -> None:
    kept = cut_off(desk, OnlyNext(*TURNS), AFTER_THE_LOOK)
    model = OnlyNext(*TURNS)
    result = desk.agent(model).run("?", resume=kept.recorded, cancelled=cancelled())
    assert (result.outcome, model.heard) == (Outcome.CANCELLED, [])


def test_a_budget_is_asked_for_the_next_call_and_knows_what_was_spent(desk: Desk) -> None:
    spent: list[Usage] = []

    class Empty:
        def begin_call(self, usage: Usage, *_: Any) -> str:
            spent.append(usage)
            return "Nothing is left this month."

        def end_late_call(self, *_: Any) -> None: ...

    usage = Usage(1_200, 30)
    kept = cut_off(desk, OnlyNext(replace(LOOK, usage=usage), *TURNS[1:]), AFTER_THE_LOOK)
    model = OnlyNext(*TURNS)
    result = desk.agent(model).run("?", resume=kept.recorded, budget=Empty())
    assert (model.heard, spent, result.usage) == ([], [usage], usage)
    assert result.summary == "Nothing is left this month."


def test_a_database_that_is_gone_is_met_at_the_next_query(
    desk: Desk, demo_database_url: str
) -> None:
    asker = Asker(zone="Asia/Tokyo")
    kept = cut_off(desk, OnlyNext(*TURNS), AFTER_THE_LOOK, asker=asker)
    gone = PostgresDatabase(demo_database_url.replace("%2Fsocket", "%2Fgone"))
    elsewhere = replace(desk, database=gone)
    result = elsewhere.agent(OnlyNext(*TURNS, said=1)).run("?", resume=kept.recorded)
    gone.close()
    assert result.outcome is Outcome.SYSTEM_FAULT
    assert result.time_zone == "Asia/Tokyo"
    assert result.trail[-1].steps[0].tool == "execute_read_only_sql"


def test_a_run_that_broke_tells_the_same_when_it_is_read_again(desk: Desk) -> None:
    class Bug:
        name = "bug"

        def respond(self, *_: Any, **__: Any) -> Turn:
            raise ZeroDivisionError("seven by zero")

    for model in (Bug(), Away()):
        kept = Kept(desk.through)
        result = desk.agent(model).run("how many?", trail=kept)
        again = desk.agent(model).run("how many?", resume=kept.recorded)
        assert again == result
        assert result.outcome is Outcome.SYSTEM_FAULT


def test_calls_keep_the_order_of_their_arguments(desk: Desk) -> None:
    odd = Turn(
        tool_calls=(ToolCall("c", "get_schema", {"zz": 1, "a": 1e20}),), stop_reason="tool_use"
    )
    _, kept = desk.whole([odd, ANSWER])
    model = OnlyNext(odd, ANSWER, said=1)
    desk.agent(model).run("?", resume=kept.rows[:AFTER_THE_LOOK])
    turn = next(each for each in model.heard[0] if isinstance(each, Turn))
    assert str(turn.tool_calls[0].arguments) == "{'zz': 1, 'a': 1e+20}"
