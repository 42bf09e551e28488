"""Every scenario over every adapter, with the real loop and database: the same outcome."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agent.messages import AgentResult, Outcome, Turn, Usage
from agent.models.offline import OfflineModel
from agent.plan import read_plan
from agent.protocols import Model
from agent.run import Agent

from . import TABLE
from .asked_offline import ASKED, EXCEPTIONS
from .speakers import Speaker
from .wording import SIGNS, Fails, Rows, Scenario
from .worlds import AWAY, LOCKED, NO_ROOM, SLOW, WORLDS, Parts

FAILURES = (Outcome.FAILED, Outcome.SYSTEM_FAULT)
ANSWERS = (Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS, Outcome.NO_DATA)
TROUBLES = (AWAY, LOCKED.reason, SLOW.reason, NO_ROOM)


def run(
    model: Any, scenario: Scenario, parts: Parts, *, question: str = "", world: str = ""
) -> AgentResult:
    """Ask the question in its world, made anew."""
    around = WORLDS[world or scenario.world](parts)
    clock = {} if around.clock is None else {"clock": around.clock}
    agent = Agent(model, around.database, around.renderer, around.judge, now=_now, **clock)
    return agent.run(
        question or scenario.question,
        history=around.history,
        cancelled=around.cancelled,
        budget=around.budget,
    )


def _now(zone: ZoneInfo) -> datetime:
    return datetime(2026, 11, 30, 12, 0, tzinfo=zone)


def way(result: AgentResult) -> str:
    """Return the phases that a run went through."""
    sources = [SIGNS[each.source] for each in result.trail]
    return "".join([*sources, SIGNS[result.trail[-1].target]])


def found(result: AgentResult) -> tuple[Any, ...]:
    """Return what must not even depend on who found it: the outcome, and what it rests on."""
    tables = result.tables if result.outcome in ANSWERS else ()
    kept = (set(last_rows(result)), len(result.charts), tables, result.warnings, result.caveats)
    evidence = (result.evidence.untraced, result.evidence.faults)
    return (result.outcome, result.failed, *kept, *evidence, result.judge)


def course(result: AgentResult) -> tuple[Any, ...]:
    """Return all of a run that must not depend on who spoke."""
    last = result.trail[-1].state
    events = tuple(transition.event for transition in result.trail)
    counts = (last.hop_count, last.error_count, last.model_calls, last.backtrack_count)
    done = [
        (step.tool, step.ok, step.rows, step.tables, step.notes)
        + ((step.subject,) if step.ok else (step.error.split(":")[0],))
        for transition in result.trail
        for step in transition.steps
    ]
    kept = (result.sql, result.plan, result.evidence, result.verdict, result.draft)
    return (*found(result), result.answer, counts, events, done, *kept)


def last_rows(result: AgentResult) -> Rows:
    return result.results[-1].rows if result.results else ()


def assert_as_expected(result: AgentResult, scenario: Scenario, *, is_ordered: bool = True) -> None:
    """Hold a run against the table."""
    assert result.outcome is scenario.outcome, (result.summary, result.fault_detail)
    rows = last_rows(result)
    if isinstance(scenario.rows, int):
        assert len(rows) == scenario.rows
    elif is_ordered:
        assert rows == scenario.rows
    else:
        assert {*rows} == {*scenario.rows}
    assert len(result.charts) == scenario.charts
    assert result.failed is (scenario.outcome in FAILURES)
    assert bool(result.warnings) is (result.failed or scenario.outcome is Outcome.ESCALATED)
    assert result.evidence.holds
    if scenario.outcome is Outcome.SYSTEM_FAULT:
        assert result.fault_detail


@pytest.mark.parametrize("name", TABLE)
def test_run_goes_the_same_way_over_each_adapter(
    name: str, speakers: dict[str, Speaker], parts: Parts
) -> None:
    scenario = TABLE[name]
    courses: dict[str, Any] = {}
    for who, speaker in speakers.items():
        speaker.prepare(scenario.says)
        result = run(speaker.model, scenario, parts)
        assert_as_expected(result, scenario)
        assert (way(result), result.answer) == (scenario.way, scenario.answer), who
        assert len(result.evidence.figures) == scenario.figures, who
        assert speaker.has_said_all(), who
        if not speaker.counts_tokens:
            assert result.usage == Usage(), who
        elif scenario.says and not isinstance(scenario.says[0], Fails) and scenario.way != "P■":
            assert result.usage.output_tokens > 0, who
        courses[who] = course(result)
    assert {who: each for who, each in courses.items() if each != courses["claude"]} == {}


class Listening:
    """Passes everything on to a model, and keeps what it said."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = model.name
        self.said: list[Turn] = []

    def respond(self, *given: Any, timeout_s: float) -> Turn:
        self.said.append(self._model.respond(*given, timeout_s=timeout_s))
        return self.said[-1]


@pytest.mark.parametrize("name", ASKED)
def test_offline_model_comes_to_the_same_outcome(
    name: str, speakers: dict[str, Speaker], parts: Parts
) -> None:
    scenario, asked = TABLE[name], ASKED[name]
    model = Listening(OfflineModel())
    result = run(model, scenario, parts, question=asked.question, world=asked.world)
    assert_as_expected(result, scenario, is_ordered=asked.is_ordered)
    assert (way(result), result.answer) == (asked.way, asked.answer)
    assert result.usage == Usage()
    assert_well_spoken(model.said, result)
    speakers["scripted"].prepare(scenario.says)
    assert found(result) == found(run(speakers["scripted"].model, scenario, parts))


def assert_well_spoken(said: list[Turn], result: AgentResult) -> None:
    """Hold against the turns of the offline model what its exceptions say of it."""
    assert all(turn.stop_reason in ("tool_use", "end_turn") for turn in said)
    assert all(turn.tool_calls or (turn.text and not read_plan(turn.text)) for turn in said)
    assert all(read_plan(turn.text) for turn in said[:1] if turn.tool_calls[0].name != "ask_user")
    steps = [step for transition in result.trail for step in transition.steps]
    assert [step for step in steps if step.error.startswith(("The tool ", "The arguments "))] == []
    # What fails is the world's doing: the guard has refused nothing.
    assert {step.error for step in steps} <= {"", *TROUBLES}


def test_each_scenario_is_met_by_the_offline_model_or_it_is_said_why_not() -> None:
    assert {*ASKED, *EXCEPTIONS} == {*TABLE}
    assert not {*ASKED} & {*EXCEPTIONS}
    assert all(EXCEPTIONS.values())
    assert len(ASKED) >= 25
