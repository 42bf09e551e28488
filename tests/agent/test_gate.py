"""No draft becomes an answer unchecked: the figures first, then the judge."""

from __future__ import annotations

from collections.abc import Callable

from agent.errors import ModelUnavailable
from agent.messages import Case, Outcome, Turn, Usage, Verdict
from agent.run import Agent
from agent.state import MAX_MODEL_CALLS, Event, Phase
from agent.testing import RecordingModel, ScriptedJudge, ScriptedModel, call, text
from agent.warnings import NO_QUERY_WARNING, UNJUDGED_CAVEAT

MakeAgent = Callable[..., Agent]

LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")
NO_ROW = "No row of a query supports “1,234”."


class Listening:
    """A judge that finds all well, and keeps what it was shown."""

    name = "listening"

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def judge(self, case: Case, *, timeout_s: float) -> tuple[Verdict, Usage]:
        self.cases.append(case)
        return Verdict(valid=True, reason="It says what the rows say."), Usage(100, 10)


class Away:
    """A judge that is out of reach."""

    name = "away"

    def judge(self, case: Case, *, timeout_s: float) -> tuple[Verdict, Usage]:
        raise ModelUnavailable("The judge is away.")


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


def test_the_judge_looks_only_within_the_limit_of_model_calls(make_agent: MakeAgent) -> None:
    judge = Listening()
    refused = ScriptedJudge(lambda case: Verdict(valid=False, reason="Not so."))
    looks = [call("get_schema", table_name=name) for name in ("film", "actor", "city", "store")]
    model = ScriptedModel(*looks, COUNT, text("There are 1,000 films."))
    for each in (judge, refused):
        result = make_agent(model, judge=each).run("how many?")
        assert result.trail[-1].state.model_calls <= MAX_MODEL_CALLS


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
