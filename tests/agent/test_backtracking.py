"""What does not work is not tried again: the memory goes back to what was sound, a few times."""

from __future__ import annotations

from collections.abc import Callable

from agent.messages import (
    Case,
    Message,
    Observations,
    Outcome,
    Severity,
    Turn,
    UserMessage,
    Verdict,
)
from agent.protocols import Judge
from agent.run import Agent
from agent.state import MAX_BACKTRACKS, Event, Phase
from agent.testing import RecordingModel, ScriptedJudge, ScriptedModel, call, calls, text

MakeAgent = Callable[..., Agent]

LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")
BY_RATING = call("execute_read_only_sql", query="SELECT rating, count(*) FROM film GROUP BY 1")
WRONG = call("execute_read_only_sql", query="SELECT no_such_column FROM film")
REFUSED = Verdict(valid=False, reason="It counts copies, not films.", severity=Severity.MAJOR)


def recording(*turns: Turn) -> RecordingModel:
    return RecordingModel(ScriptedModel(*turns))


def texts(messages: tuple[Message, ...]) -> str:
    """All that a model was told, in one text."""
    parts = []
    for message in messages:
        if isinstance(message, Observations):
            parts += [result.content for result in message.results]
        else:
            parts.append(message.text)
    return "\n".join(parts)


def refuse_all_but(draft: str, verdict: Verdict = REFUSED) -> Judge:
    def say(case: Case) -> Verdict:
        return Verdict(valid=True) if case.draft == draft else verdict

    return ScriptedJudge(say)


def test_the_same_failing_call_again_goes_back_to_the_last_sound_observation(
    make_agent: MakeAgent,
) -> None:
    model = recording(LOOK, WRONG, WRONG, COUNT, text("There are 1,000 films."))
    result = make_agent(model).run("how many?")
    assert (result.outcome, result.trail[-1].state.backtrack_count) == (Outcome.ANSWERED, 1)
    assert Event.BACKTRACK in [step.event for step in result.trail]
    after = model.heard[3]
    # The two wrong turns are gone, what was read before them is there, and why they are gone.
    assert [type(message) for message in after] == [UserMessage, Turn, Observations, UserMessage]
    assert after[3] == UserMessage(after[3].text, dropped_turns=2)  # type: ignore[union-attr]
    assert "no_such_column" in texts(after[3:])
    assert "table film" in texts(after[:3])


def test_a_failing_call_is_not_run_a_second_time(make_agent: MakeAgent) -> None:
    model = recording(LOOK, WRONG, calls(*_spelt_alike()), COUNT, text("There are 1,000 films."))
    result = make_agent(model).run("how many?")
    steps = [step for transition in result.trail for step in transition.steps]
    again = [step for step in steps if "the very step that had failed before" in step.error]
    assert len(again) == 1
    assert "no_such_column" in again[0].error


def _spelt_alike() -> list[tuple[str, dict[str, object]]]:
    return [("execute_read_only_sql", {"query": " SELECT no_such_column FROM film ;\n"})]


def test_a_call_that_worked_is_not_run_again_either(make_agent: MakeAgent) -> None:
    model = recording(LOOK, COUNT, COUNT, text("There are 1,000 films."))
    result = make_agent(model).run("how many?")
    assert (result.n_queries, result.hops, result.trail[-1].state.error_count) == (1, 3, 1)
    told = model.heard[3][-1]
    assert isinstance(told, Observations)
    assert "what it gave stands above" in told.results[0].content
    assert result.trail[-1].state.backtrack_count == 0


def test_going_back_gives_no_budget_back(make_agent: MakeAgent) -> None:
    result = make_agent(ScriptedModel(LOOK, WRONG, WRONG, COUNT, text("1,000 films"))).run("?")
    before = next(step for step in result.trail if step.event is Event.BACKTRACK).state
    after = next(step for step in result.trail if step.event is Event.RESUMED).state
    spent = ("hop_count", "retry_count", "error_count", "model_calls")
    assert [getattr(before, name) for name in spent] == [getattr(after, name) for name in spent]
    assert (before.hop_count, before.retry_count, before.model_calls) == (3, 2, 3)
    assert after.backtrack_count == before.backtrack_count + 1


def test_who_keeps_coming_back_to_what_fails_is_passed_to_a_person(make_agent: MakeAgent) -> None:
    result = make_agent(
        ScriptedModel(
            LOOK,
            calls(_query(WRONG), _query(WRONG)),
            COUNT,
            WRONG,
            BY_RATING,
            WRONG,
            text("There are 1,000 films."),
        )
    ).run("how many?")
    assert [step.event for step in result.trail].count(Event.RESUMED) == MAX_BACKTRACKS
    assert result.trail[-1].event is Event.BACKTRACK_CEILING
    assert (result.outcome, result.answer, result.failed) == (Outcome.ESCALATED, "", False)
    assert "does not work" in result.summary
    assert "checks" not in f"{result.warnings} {result.summary}"  # nothing was written to check


def _query(turn: Turn) -> tuple[str, dict[str, object]]:
    return turn.tool_calls[0].name, dict(turn.tool_calls[0].arguments)


def test_three_errors_in_a_row_end_the_run_before_any_third_way_back(
    make_agent: MakeAgent,
) -> None:
    result = make_agent(ScriptedModel(LOOK, WRONG, WRONG, WRONG, text("42"))).run("how many?")
    assert (result.outcome, result.trail[-1].event) == (Outcome.FAILED, Event.RETRY_CEILING)
    assert (result.trail[-1].state.retry_count, result.trail[-1].state.backtrack_count) == (3, 1)
    assert "no_such_column" in result.summary


def test_rows_that_the_judge_refuses_are_set_aside_and_not_fetched_again(
    make_agent: MakeAgent,
) -> None:
    model = recording(
        LOOK, COUNT, text("There are 1,000."), COUNT, BY_RATING, text("5 ratings are there.")
    )
    result = make_agent(model, judge=refuse_all_but("5 ratings are there.")).run("what is there?")
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, "5 ratings are there.")
    assert [each.sql for each in result.set_aside] == [_query(COUNT)[1]["query"]]
    assert [each.sql for each in result.results] == [_query(BY_RATING)[1]["query"]]
    assert "It counts copies, not films." in texts(model.heard[3])
    assert "films (bigint)" not in texts(model.heard[3])  # the refused rows are out of its sight
    assert "what it gave was refused" in texts(model.heard[4])


def test_rows_that_are_right_stay_when_only_the_words_are_refused(make_agent: MakeAgent) -> None:
    model = recording(LOOK, COUNT, text("1,000 copies."), text("There are 1,000 films."))
    minor = Verdict(valid=False, reason="They are films.", severity=Severity.MINOR)
    judge = refuse_all_but("There are 1,000 films.", minor)
    result = make_agent(model, judge=judge).run("how many?")
    assert (result.n_queries, result.set_aside) == (1, ())
    assert "films (bigint)" in texts(model.heard[3])
    assert result.answer == "There are 1,000 films."


def test_a_draft_that_is_refused_to_the_last_is_no_answer(make_agent: MakeAgent) -> None:
    model = recording(LOOK, COUNT, text("1,000 a."), BY_RATING, text("5 b."), text("5 c."))
    result = make_agent(model, judge=refuse_all_but("none")).run("how many?")
    assert (result.outcome, result.answer, result.draft) == (Outcome.ESCALATED, "", "5 c.")
    # What was wrong the first time is still there, once.
    assert texts(model.heard[-1]).count("It counts copies, not films.") == 1
    assert [step.target for step in result.trail][-1] is Phase.ESCALATED
    assert result.trail[-1].event is Event.ESCALATE
    assert result.trail[-1].state.backtrack_count == MAX_BACKTRACKS
    assert "It counts copies, not films." in result.summary
    assert result.warnings == ("There is no answer yet: do not rely on anything below as one.",)


def test_a_figure_from_nowhere_after_the_last_way_back_goes_to_a_person(
    make_agent: MakeAgent,
) -> None:
    minor = Verdict(valid=False, reason="They are films.", severity=Severity.MINOR)
    drafts = [text("1,000 films."), text("There are 1,000 films."), text("4,711 films.")]
    model = ScriptedModel(LOOK, COUNT, *drafts)
    result = make_agent(model, judge=refuse_all_but("none", minor)).run("how many?")
    assert (result.outcome, result.answer, result.draft) == (
        Outcome.ESCALATED,
        "",
        "4,711 films.",
    )
    assert "4,711" in result.summary


def test_scope_follows_what_is_left_after_going_back(make_agent: MakeAgent) -> None:
    model = recording(calls(_query(LOOK), _query(COUNT)), text("1,000."), LOOK, COUNT, text("1k"))
    make_agent(model, judge=refuse_all_but("1k")).run("how many?")
    assert "execute_read_only_sql" not in model.offered[2]
    assert "generate_chart" in model.offered[1]


def test_the_first_turn_after_going_back_has_a_task_of_its_own(make_agent: MakeAgent) -> None:
    model = recording(LOOK, WRONG, WRONG, COUNT, text("There are 1,000 films."))
    make_agent(model).run("how many?")
    assert model.tasks == ["planning", "acting", "repairing", "rethinking", "acting"]
    assert len(set(model.systems)) == 1


def test_what_hung_on_refused_rows_may_be_done_again_over_others(make_agent: MakeAgent) -> None:
    share = call("calculate", expression="r1.count[1] * 100")
    actor = call("get_schema", table_name="actor")
    by_rating = call("execute_read_only_sql", query="SELECT count(*) FROM film WHERE rating = 'R'")
    count = call("execute_read_only_sql", query="SELECT count(*) FROM film")
    model = ScriptedModel(
        LOOK, by_rating, actor, share, text("Most."), count, actor, share, text("All.")
    )
    result = make_agent(model, judge=refuse_all_but("All.")).run("how many?")
    assert (result.outcome, result.trail[-1].state.error_count) == (Outcome.ANSWERED, 0)
    assert len(result.calculations) == 1


def test_doubtful_rows_that_a_failing_call_took_along_may_be_fetched_again(
    make_agent: MakeAgent,
) -> None:
    doubtful = call(
        "execute_read_only_sql",
        query="SELECT sum(f.length) FROM film f JOIN inventory i USING (film_id)",
    )
    model = ScriptedModel(LOOK, doubtful, WRONG, WRONG, doubtful, text("A long time."))
    result = make_agent(model).run("how long are all films together?")
    assert [step.state.backtrack_count for step in result.trail][-1] >= 1
    fetched = [step for each in result.trail for step in each.steps if step.rows is not None]
    assert len(fetched) == 2


def test_the_trail_keeps_what_the_audit_said_beside_its_query(make_agent: MakeAgent) -> None:
    nothing = call("execute_read_only_sql", query="SELECT title FROM film WHERE title = 'x'")
    result = make_agent(ScriptedModel(LOOK, nothing, text("There is none."))).run("is there an x?")
    (noted,) = [step for each in result.trail for step in each.steps if step.notes]
    assert noted.rows == 0
    assert result.results[0].audit
    assert noted.notes == tuple(note.text for note in result.results[0].audit)


def test_the_same_call_with_its_arguments_in_another_order_is_the_same(
    make_agent: MakeAgent,
) -> None:
    one = calls(("nowhere", {"a": 1, "b": 2}))
    other = calls(("nowhere", {"b": 2, "a": 1}))
    result = make_agent(ScriptedModel(LOOK, one, other, COUNT, text("1,000 films."))).run("?")
    assert result.trail[-1].state.backtrack_count == 1


def test_a_second_way_back_does_not_lose_the_first_reason(make_agent: MakeAgent) -> None:
    model = recording(LOOK, COUNT, text("Copies."), BY_RATING, text("Ratings."), text("Nothing."))
    reasons = {
        "Copies.": Verdict(valid=False, reason="It counts copies."),
        "Ratings.": Verdict(valid=False, reason="It counts ratings."),
    }
    make_agent(model, judge=ScriptedJudge(reasons)).run("how many?")
    last = model.heard[-1][-1]
    assert isinstance(last, UserMessage)
    assert "- It counts copies.\n- It counts ratings.\n" in last.text


def test_the_same_calculation_over_the_same_two_results_is_not_made_again(
    make_agent: MakeAgent,
) -> None:
    share = call("calculate", expression="r2.count[1] / r1.films[1]")
    model = ScriptedModel(LOOK, COUNT, BY_RATING, share, share, text("A share."))
    result = make_agent(model).run("what share?")
    assert (len(result.calculations), result.trail[-1].state.error_count) == (1, 1)
