"""No draft becomes an answer unchecked: the figures first, then the judge."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.errors import NoVerdict
from agent.messages import Case, Evidence, Judgement, Outcome, Severity, Turn, Usage, Verdict
from agent.run import Agent
from agent.state import MAX_MODEL_CALLS, Event, Phase
from agent.testing import RecordingModel, ScriptedModel, call, text
from agent.warnings import NO_QUERY_WARNING, UNCHECKED_WARNING, UNJUDGED_CAVEAT

MakeAgent = Callable[..., Agent]

LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")
NO_ROW = "No row of a query supports “1,234”."


class Listening:
    """A judge that finds all well, and keeps what it was shown."""

    name = "listening"

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def judge(self, case: Case, *, max_turns: int, **_: object) -> Judgement:
        self.cases.append(case)
        return Judgement(Verdict(valid=True, reason="It says what the rows say."), Usage(100, 10))


class Away:
    """A judge that says nothing of use, in as many turns as it may have."""

    name = "away"

    def __init__(self, turns: int = 2) -> None:
        self.turns = turns

    def judge(self, case: Case, *, max_turns: int, **_: object) -> Judgement:
        raise NoVerdict("The judge gave none.", Usage(50, 5), min(self.turns, max_turns))


class Refusing:
    """A judge that refuses everything, and takes all the turns that it may have."""

    name = "refusing"

    def __init__(self) -> None:
        self.allowed: list[int] = []

    def judge(self, case: Case, *, max_turns: int, **_: object) -> Judgement:
        self.allowed.append(max_turns)
        verdict = Verdict(valid=False, reason="Not so.", severity=Severity.MINOR)
        return Judgement(verdict, Usage(), min(4, max_turns))


def test_a_figure_from_nowhere_sends_the_draft_back_with_the_rows_kept(
    make_agent: MakeAgent,
) -> None:
    model = RecordingModel(ScriptedModel(LOOK, COUNT, text("1,234 films."), text("1,000 films.")))
    result = make_agent(model).run("how many?")
    assert (result.outcome, result.answer, result.warnings) == (
        Outcome.ANSWERED,
        "1,000 films.",
        (),
    )
    assert [step.event for step in result.trail].count(Event.REJECTED) == 1
    assert NO_ROW in model.heard[3][-1].text  # type: ignore[union-attr]
    assert (result.n_queries, len(result.evidence.figures)) == (1, 1)
    assert result.evidence.figures[0].source.startswith("result 1")


def test_a_figure_from_nowhere_that_comes_back_stands_under_a_warning_that_names_it(
    make_agent: MakeAgent,
) -> None:
    result = make_agent(ScriptedModel(LOOK, COUNT, text("1,234 films."))).run("how many?")
    assert (result.outcome, result.failed) == (Outcome.ANSWERED_WITH_CAVEATS, False)
    assert result.warnings == (NO_ROW,)
    assert [step.event for step in result.trail].count(Event.REJECTED) == 1
    assert result.evidence.untraced == ("1,234",)
    assert result.trail[-1].trigger == "The answer goes out with a warning."


def test_an_answer_without_a_query_is_sent_back_for_its_figure_and_warns(
    make_agent: MakeAgent,
) -> None:
    result = make_agent(ScriptedModel(text("1,234 films."))).run("how many?")
    assert result.warnings == (NO_QUERY_WARNING, NO_ROW)
    assert result.trail[-1].state.backtrack_count == 1


def test_the_judge_sees_the_case_and_never_the_reasoning(make_agent: MakeAgent) -> None:
    judge = Listening()
    thinking = Turn("I think that it is a lot.", COUNT.tool_calls, "tool_use")
    model = ScriptedModel(LOOK, thinking, text("There are 1,000 films."))
    result = make_agent(model, judge=judge).run("how many films?")
    (case,) = judge.cases
    assert (case.question, case.draft) == ("how many films?", "There are 1,000 films.")
    assert case.results[0].rows == ((1000,),)
    assert "I think" not in repr(case)
    assert case.today.endswith(", time zone UTC")
    assert (result.judge, result.verdict) == (
        "listening",
        Verdict(valid=True, reason="It says what the rows say."),
    )
    assert result.usage == Usage(100, 10)


def test_each_look_of_the_judge_is_a_model_call(make_agent: MakeAgent) -> None:
    model = ScriptedModel(LOOK, COUNT, text("There are 1,000 films."))
    alone = make_agent(model).run("how many?")
    judged = make_agent(model, judge=Listening()).run("how many?")
    assert alone.trail[-1].state.model_calls == 3
    assert judged.trail[-1].state.model_calls == 4


def test_the_judge_is_not_asked_about_a_draft_that_its_figures_refute(
    make_agent: MakeAgent,
) -> None:
    judge = Listening()
    model = ScriptedModel(LOOK, COUNT, text("1,234 films."), text("1,000 films."))
    make_agent(model, judge=judge).run("how many?")
    assert [case.draft for case in judge.cases] == ["1,000 films."]


def test_a_judge_out_of_reach_is_said_on_the_card(make_agent: MakeAgent) -> None:
    model = ScriptedModel(LOOK, COUNT, text("There are 1,000 films."))
    result = make_agent(model, judge=Away()).run("how many?")
    assert (result.outcome, result.answer) == (
        Outcome.ANSWERED_WITH_CAVEATS,
        "There are 1,000 films.",
    )
    assert (result.caveats, result.judge, result.verdict) == ((UNJUDGED_CAVEAT,), "", None)
    # What the asking took is on the bill all the same.
    assert (result.usage, result.trail[-1].state.model_calls) == (Usage(50, 5), 5)


def test_the_judge_has_only_the_model_turns_that_are_left(make_agent: MakeAgent) -> None:
    judge = Refusing()
    looks = [call("get_schema", table_name=name) for name in ("film", "actor", "city", "store")]
    drafts = [text(f"There are 1,000 films, {n}th time said.") for n in ("four", "five", "six")]
    result = make_agent(ScriptedModel(*looks, COUNT, *drafts), judge=judge).run("how many?")
    # Six turns of the model, then four of the judge; one of the model, and three are left.
    assert judge.allowed == [8, 3]
    assert result.trail[-1].state.model_calls == MAX_MODEL_CALLS
    assert result.trail[-1].event is Event.BUDGET_SPENT
    assert result.outcome is Outcome.FAILED


def test_a_draft_at_the_limit_of_model_turns_is_answered_unjudged(make_agent: MakeAgent) -> None:
    judge = Refusing()
    looks = [call("get_schema", table_name=name) for name in ("film", "actor", "city", "store")]
    useless = [Turn("", (), "max_tokens")]
    turns = [*looks, *useless, *useless, COUNT, *useless, *useless]
    drafts = [text("There are 1,000 films."), text("1,000 films."), text("Films: 1,000.")]
    result = make_agent(ScriptedModel(*turns, *drafts), judge=judge).run("how many?")
    # Ten turns, four of the judge, and the fifteenth is not to be had.
    assert (judge.allowed, result.trail[-1].event) == ([4], Event.BUDGET_SPENT)
    model = ScriptedModel(*turns, text("1,234 films."), *[text(f"{n},000 f") for n in (2, 3, 1)])
    result = make_agent(model, judge=Away(turns=3)).run("how many?")
    assert (result.trail[-1].state.model_calls, result.verdict) == (14, None)
    assert UNJUDGED_CAVEAT in result.caveats


def test_an_answer_is_checked_even_where_it_comes_in_the_first_turn(make_agent: MakeAgent) -> None:
    judge = Listening()
    result = make_agent(ScriptedModel(text("Films are moving pictures.")), judge=judge).run("what?")
    assert [step.source for step in result.trail] == [Phase.PLANNING, Phase.CRITIQUE]
    assert len(judge.cases) == 1
    assert result.warnings == (NO_QUERY_WARNING,)


def test_the_trail_keeps_what_the_gate_found(make_agent: MakeAgent) -> None:
    model = ScriptedModel(LOOK, COUNT, text("1,234 films."), text("1,000 films."))
    result = make_agent(model, judge=Listening()).run("how many?")
    refused, accepted = [step.critique for step in result.trail if step.critique is not None]
    assert (refused.draft, refused.faults, refused.verdict) == ("1,234 films.", (NO_ROW,), None)
    assert (accepted.draft, accepted.faults) == ("1,000 films.", ())
    assert accepted.verdict == Verdict(valid=True, reason="It says what the rows say.")


def test_a_bug_in_the_check_of_figures_loses_no_run_and_is_said(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> Evidence:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr("agent.critique.check_evidence", broken)
    result = make_agent(ScriptedModel(LOOK, COUNT, text("There are 1,000 films."))).run("?")
    assert (result.outcome, result.failed) == (Outcome.ANSWERED_WITH_CAVEATS, False)
    assert result.warnings == (UNCHECKED_WARNING,)
    assert "secret detail" in caplog.text
