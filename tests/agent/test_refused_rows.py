"""Rows that are refused go, sound ones may be fetched again, and only a true repeat is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent.messages import AgentResult, Outcome, Severity, Turn, Verdict
from agent.run import Agent
from agent.state import Event
from agent.story import tell
from agent.testing import ScriptedJudge, ScriptedModel, call, calls, text

MakeAgent = Callable[..., Agent]

LOOK = call("get_schema", table_name="film")
JOINED = "SELECT sum(f.length) AS total FROM film f JOIN inventory i USING (film_id)"
COUNT = "SELECT count(*) AS films FROM film"
BY_RATING = "SELECT rating, count(*) AS films FROM film GROUP BY 1 ORDER BY 1"
LONG_BY_RATING = (
    "SELECT rating, count(*) AS films FROM film WHERE length > 100 GROUP BY 1 ORDER BY 1"
)
CHART = {"title": "T", "encoding": {"x": {"field": "rating"}, "y": {"field": "films"}}}


def sql(query: str) -> Turn:
    return call("execute_read_only_sql", query=query)


def events(result: AgentResult) -> list[Event]:
    return [each.event for each in result.trail]


def test_doubtful_rows_are_found_behind_a_calculation(make_agent: MakeAgent) -> None:
    share = call("calculate", expression="r1.total[1] / 60 + 7 * count(r1)")
    start = (LOOK, sql(JOINED), share, sql(COUNT))
    first = make_agent(ScriptedModel(*start, text("Long."))).run("60 and 7")
    hours = round(first.calculations[0].value)
    draft = text(f"The films last {hours} hours in all.")
    model = ScriptedModel(*start, draft, text("I do not know."))
    result = make_agent(model).run("how many hours, at 60 minutes, with 7 more?")
    (refused,) = [each.critique for each in result.trail if each.event is Event.REJECTED]
    assert refused is not None
    assert [figure.source for figure in refused.evidence.figures] == [
        "calculation 1: r1.total[1] / 60 + 7 * count(r1)"
    ]
    assert "counted several times" in str(refused.faults)
    assert JOINED in [each.sql for each in result.set_aside]


def test_older_doubtful_rows_go_and_the_sound_ones_may_be_fetched_again(
    make_agent: MakeAgent,
) -> None:
    total = make_agent(ScriptedModel(LOOK, sql(JOINED), text("x"))).run("?").set_aside[0].rows[0][0]
    model = ScriptedModel(
        LOOK, sql(JOINED), sql(COUNT), text(f"{total} minutes."), sql(COUNT), text("1,000 films.")
    )
    result = make_agent(model).run("how many minutes?")
    assert (result.outcome, result.sql) == (Outcome.ANSWERED, (COUNT,))
    assert [each.sql for each in result.set_aside] == [JOINED, COUNT]
    assert result.trail[-1].state.error_count == 0
    assert "ran 3 queries" in result.summary


def test_no_checkpoint_stands_on_doubtful_rows(make_agent: MakeAgent) -> None:
    wrong = sql("SELECT nothing FROM film")
    model = ScriptedModel(
        LOOK, sql(JOINED), call("get_schema", table_name="inventory"), wrong, wrong, text("?")
    )
    result = make_agent(model).run("how many minutes?")
    assert events(result).count(Event.RESUMED) == 1
    assert [each.sql for each in result.set_aside] == [JOINED]


def test_of_queries_sent_together_only_the_refused_one_may_not_be_sent_again(
    make_agent: MakeAgent,
) -> None:
    both = calls(*(("execute_read_only_sql", {"query": each}) for each in (COUNT, BY_RATING)))
    judge = ScriptedJudge({"First.": Verdict(False, "Not by rating.", Severity.MAJOR)})
    model = ScriptedModel(LOOK, both, text("First."), sql(COUNT), sql(BY_RATING), text("1,000."))
    result = make_agent(model, judge=judge).run("how many?")
    refused = [step for each in result.trail for step in each.steps if step.error]
    assert (result.sql, len(refused)) == ((COUNT,), 1)
    assert "what it gave was refused" in refused[0].error


def test_a_call_that_worked_never_counts_as_one_that_failed(make_agent: MakeAgent) -> None:
    search = call("find_tables", words="film")
    model = ScriptedModel(LOOK, sql(COUNT), sql(COUNT), search, sql(COUNT), text("1,000 films."))
    result = make_agent(model).run("how many?")
    state = result.trail[-1].state
    assert (state.error_count, state.backtrack_count, result.n_queries) == (2, 0, 1)
    assert "failed" not in tell(result.trail)


@pytest.mark.parametrize(
    ("tool", "arguments", "errors"),
    [
        ("calculate", {"expression": "r1.films[1] * 100"}, 0),
        ("calculate", {"expression": "r2.films[1] / r1.films[1]"}, 1),
        ("generate_chart", {"spec": {**CHART, "mark": "bar"}}, 0),
        ("generate_chart", {"spec": {**CHART, "mark": "bar", "result": 2}}, 1),
    ],
)
def test_the_same_words_over_other_results_are_another_call(
    make_agent: MakeAgent, tool: str, arguments: dict[str, Any], errors: int
) -> None:
    again = call(tool, **arguments)
    model = ScriptedModel(
        LOOK, sql(BY_RATING), again, sql(LONG_BY_RATING), again, text("That is it.")
    )
    result = make_agent(model).run("how many?")
    assert len(result.charts) + len(result.calculations) == 2 - errors
    assert result.trail[-1].state.error_count == errors


def test_an_empty_last_look_is_no_missing_data_where_the_answer_rests_on_rows(
    make_agent: MakeAgent,
) -> None:
    nothing = sql("SELECT title FROM film WHERE length < 0")
    both = text("There are 1,000 films; none has a negative length, no such row was found.")
    result = make_agent(ScriptedModel(LOOK, sql(COUNT), nothing, both)).run("how many?")
    assert result.outcome in (Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS), result.caveats
    assert result.warnings == ()
    alone = text("No film was found.")
    result = make_agent(ScriptedModel(LOOK, sql(COUNT), nothing, alone)).run("a negative length?")
    assert result.outcome is Outcome.NO_DATA
