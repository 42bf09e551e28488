"""A question back ends a run; the reply goes on from there, with all that was learnt."""

from __future__ import annotations

from collections.abc import Callable

from agent.messages import (
    AgentResult,
    Clarification,
    Exchange,
    Outcome,
    Severity,
    Turn,
    UserMessage,
    Verdict,
)
from agent.run import Agent
from agent.testing import RecordingModel, ScriptedJudge, ScriptedModel, call, text

MakeAgent = Callable[..., Agent]

LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT rating, count(*) AS films FROM film GROUP BY 1")
ASK = call("ask_user", question="By rating or by category?", options=["rating", "category"])
LONGEST = call("execute_read_only_sql", query="SELECT max(length) AS longest FROM film")


def as_exchange(result: AgentResult) -> Exchange:
    return Exchange(
        result.question,
        result.answer,
        result.sql,
        result.results,
        tables=result.tables,
        clarification=result.clarification,
    )


def test_a_reply_goes_on_with_the_tables_that_were_read(make_agent: MakeAgent) -> None:
    asked = make_agent(ScriptedModel(LOOK, ASK)).run("how many films of each?")
    assert asked.outcome is Outcome.NEEDS_CLARIFICATION
    model = RecordingModel(ScriptedModel(LONGEST, text("It is the longest of all.")))
    result = make_agent(model).run("rating", history=[as_exchange(asked)])
    # The first turn may query at once: no look at the same table has to be paid for again.
    assert "execute_read_only_sql" in model.offered[0]
    assert (result.outcome, result.hops) == (Outcome.ANSWERED, 1)
    question, past, reply = model.heard[0]
    assert (question, reply) == (UserMessage("how many films of each?"), UserMessage("rating"))
    assert isinstance(past, Turn)
    assert "By rating or by category?" in past.text
    assert "table film" in past.text
    assert "- rating mpaa_rating" in past.text


def test_rows_that_were_seen_before_the_question_back_are_evidence(make_agent: MakeAgent) -> None:
    asked = make_agent(ScriptedModel(LOOK, COUNT, ASK)).run("how many films of each?")
    most = max(int(str(row[1])) for row in asked.results[0].rows)
    answer = text(f"The most common rating has {most} films.")
    result = make_agent(ScriptedModel(answer)).run("rating", history=[as_exchange(asked)])
    assert (result.outcome, result.evidence.untraced) == (Outcome.ANSWERED, ())
    # They are rows of this question: no warning says that it was answered without a query.
    assert (result.results, result.warnings) == (asked.results, ())


def test_rows_that_were_seen_before_the_question_back_can_be_drawn_and_calculated_with(
    make_agent: MakeAgent,
) -> None:
    asked = make_agent(ScriptedModel(LOOK, COUNT, ASK)).run("how many films of each?")
    share = call("calculate", expression="r1.films[1] / sum(r1.films) * 100")
    model = ScriptedModel(share, LONGEST, text("A share of all."))
    result = make_agent(model).run("the share of the first", history=[as_exchange(asked)])
    assert (len(result.calculations), result.n_queries) == (1, 2)
    again = make_agent(ScriptedModel(share, share, LONGEST, text("A share of all.")))
    twice = again.run("the share of the first", history=[as_exchange(asked)])
    assert (len(twice.calculations), twice.trail[-1].state.error_count) == (1, 1)
    assert result.trail[-1].state.error_count == 0


def test_rows_that_are_refused_after_a_question_back_are_the_new_ones(
    make_agent: MakeAgent,
) -> None:
    asked = make_agent(ScriptedModel(LOOK, COUNT, ASK)).run("how many films of each?")
    refused = Verdict(valid=False, reason="Not the longest.", severity=Severity.MAJOR)
    judge = ScriptedJudge({"The longest.": refused})
    by_title = call("execute_read_only_sql", query="SELECT title FROM film ORDER BY length LIMIT 1")
    model = ScriptedModel(LONGEST, text("The longest."), LONGEST, by_title, text("That film."))
    result = make_agent(model, judge=judge).run("rating", history=[as_exchange(asked)])
    assert (result.answer, result.trail[-1].state.error_count) == ("That film.", 1)
    assert [each.sql for each in result.set_aside] == [LONGEST.tool_calls[0].arguments["query"]]
    assert [each.sql for each in result.results[:1]] == list(asked.sql)


def test_the_tables_of_a_question_back_are_not_shrunk(make_agent: MakeAgent) -> None:
    asked = make_agent(ScriptedModel(LOOK, ASK)).run("how many films of each?")
    long_ago = [Exchange(f"q {n}", "An answer of many words. " * 400) for n in range(5)]
    model = RecordingModel(ScriptedModel(LONGEST, text("It is the longest of all.")))
    history = [*long_ago, as_exchange(asked)]
    large = call("execute_read_only_sql", query="SELECT repeat(title, 60) AS t FROM film")
    model = RecordingModel(ScriptedModel(large, LONGEST, text("It is the longest of all.")))
    make_agent(model).run("rating", history=history)
    past = model.heard[-1][11]
    assert isinstance(past, Turn)
    assert "- rating mpaa_rating" in past.text


def test_figures_of_an_earlier_answer_are_no_evidence(make_agent: MakeAgent) -> None:
    earlier = make_agent(ScriptedModel(LOOK, LONGEST, text("185 minutes."))).run("longest film?")
    longest = str(earlier.results[0].rows[0][0])
    answer = text(f"Still {longest} minutes.")
    result = make_agent(ScriptedModel(answer)).run("and now?", history=[as_exchange(earlier)])
    assert len(result.evidence.untraced) == 1
    assert longest in result.evidence.untraced[0]


def test_a_table_that_is_gone_since_is_simply_not_known(make_agent: MakeAgent) -> None:
    asked = Exchange(
        "how many?", "Of what?", tables=("gone", "film"), clarification=_question("Of what?")
    )
    model = RecordingModel(ScriptedModel(text("no idea")))
    make_agent(model).run("films", history=[asked])
    past = model.heard[0][1]
    assert isinstance(past, Turn)
    assert "table film" in past.text
    assert "gone" not in past.text


def test_an_answered_question_leaves_the_next_to_look_for_itself(make_agent: MakeAgent) -> None:
    earlier = make_agent(ScriptedModel(LOOK, LONGEST, text("185 minutes."))).run("longest film?")
    model = RecordingModel(ScriptedModel(text("no idea")))
    make_agent(model).run("and the shortest?", history=[as_exchange(earlier)])
    assert "execute_read_only_sql" not in model.offered[0]


def _question(words: str) -> Clarification:
    return Clarification(words)


def test_rows_from_before_a_question_back_that_are_refused_end_no_run(
    make_agent: MakeAgent,
) -> None:
    asked = make_agent(ScriptedModel(LOOK, COUNT, ASK)).run("how many films of each?")
    refused = Verdict(valid=False, reason="Not what was asked.", severity=Severity.MAJOR)
    judge = ScriptedJudge({"All of them.": refused})
    model = ScriptedModel(text("All of them."), LONGEST, text("That one."))
    result = make_agent(model, judge=judge).run("rating", history=[as_exchange(asked)])
    assert (result.outcome, result.answer) == (Outcome.ANSWERED, "That one.")
    assert [each.sql for each in result.results[:1]] == list(asked.sql)
