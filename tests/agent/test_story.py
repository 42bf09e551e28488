"""The story of a run says what the run did: each run here is a real one, over the demo database."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.messages import AgentResult, Transition, Turn, Verdict
from agent.protocols import Trail
from agent.run import Agent
from agent.state import Event, Phase
from agent.story import MAX_CHARS, tell
from agent.testing import ScriptedJudge, ScriptedModel, call, calls, text

MakeAgent = Callable[..., Agent]

FIND = call("find_tables", words="film payment")
LOOK = call("get_schema", table_name="film")
PAYMENT = call("get_schema", table_name="payment")
BAR = {"mark": "bar", "encoding": {"x": {"field": "rating"}, "y": {"field": "films"}}}


def query(sql: str) -> Turn:
    return call("execute_read_only_sql", query=sql)


COUNT = query("SELECT count(*) AS films FROM film")
RATINGS = query("SELECT rating, count(*) AS films FROM film GROUP BY rating")
WRONG = query("SELECT sum(total) AS total FROM payment")
ANSWER = text("There are 1,000 films.")


def story_of(agent: Agent, **more: Any) -> str:
    result = agent.run("how many films are there?", **more)
    return tell(result.trail, judge=result.judge)


def test_a_failed_query_and_its_mending_are_told(make_agent: MakeAgent) -> None:
    look = calls(("get_schema", {"table_name": "film"}), ("get_schema", {"table_name": "payment"}))
    right = query("SELECT sum(amount) AS total FROM payment")
    result = make_agent(ScriptedModel(look, WRONG, right, text("Done."))).run("revenue?")
    took = re.escape(f"{result.results[0].duration_ms:.0f} ms")
    told = tell(result.trail, duration_ms=12_300, cost_usd=Decimal("0.0213"))
    assert re.search(
        "I looked at film and payment. My first query failed because there is no column `total`; "
        rf"I used `amount` instead. The second gave 1 row in (?:{took}|less than 1 ms).\n",
        told,
    )
    assert told.endswith("4 steps, 12 s, $0.02.")


def test_what_failed_as_well_is_not_said_to_be_used_instead(make_agent: MakeAgent) -> None:
    turns = (query("SELECT titel FROM film"), query("SELECT titles FROM film"), ANSWER)
    told = story_of(make_agent(ScriptedModel(LOOK, *turns)))
    assert "no column `titel`. The second failed because there is no column `titles`." in told


def test_plan_search_and_chart_are_told(make_agent: MakeAgent) -> None:
    plan = replace(FIND, text="Plan:\n1. Find the tables\n2. Count films per rating\n3. Draw them")
    draw = call("generate_chart", spec={**BAR, "title": "Films by rating"})
    told = story_of(make_agent(ScriptedModel(plan, LOOK, RATINGS, draw, text("See the chart."))))
    assert told.startswith(
        "I planned three steps: find the tables; count films per rating; draw them. "
        "I searched for the right tables and looked at film. My query gave 6 rows in "
    )
    assert "I drew a chart, “Films by rating”." in told


def test_an_answer_without_a_query_says_so(make_agent: MakeAgent) -> None:
    told = story_of(make_agent(ScriptedModel(text("Plenty."))))
    assert "No query was run for this answer." in told
    assert told.endswith("No steps, at no cost.")


def test_a_second_look_is_named_whether_it_agrees_or_not(make_agent: MakeAgent) -> None:
    refusal = Verdict(False, "It counts copies, not films.")
    judge = ScriptedJudge({"Too many.": refusal}, name="claude-sonnet-5")
    told = story_of(
        make_agent(ScriptedModel(LOOK, COUNT, text("Too many."), RATINGS, text("Good.")), judge)
    )
    assert (
        "A second look by claude-sonnet-5 refused my first answer: it counts copies, not films. "
        "I went back to the last sound point to try another way. My second query gave 6 rows"
    ) in told
    assert "A second look by claude-sonnet-5 agreed." in told


def test_an_answer_that_is_refused_to_the_end_goes_to_a_person(make_agent: MakeAgent) -> None:
    judge = ScriptedJudge(lambda case: Verdict(False, "The rows are of another year."))
    drafts = [turn for n in range(4) for turn in (query(f"SELECT {n} AS n FROM film"), text("So."))]
    told = story_of(make_agent(ScriptedModel(LOOK, *drafts), judge))
    assert "refused my third answer: the rows are of another year." in told
    assert told.count("went back") == 2
    assert "So now a person has to look at it." in told


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        (
            [call("get_schema", table_name=name) for name in "abcdefghi"],
            "I stopped because too many steps had failed: three in a row.",
        ),
        (
            [call("find_tables", words=f"word {n}") for n in range(9)],
            "I searched for the right tables 8 times.\n\n"
            "I stopped because all 8 steps that a question may take were used up.",
        ),
        ([LOOK, Turn("", stop_reason="refusal")], "Then I had to stop. The model declined."),
        ([LOOK], "Then I had to stop. The script of the model ended after 1 turn."),
        (
            [FIND, call("ask_user", question="Which year do you mean?")],
            "I had to ask you something first: “Which year do you mean?” 2 steps",
        ),
        ([COUNT, LOOK, COUNT, ANSWER], "I tried a step that I may not take yet: to run a query"),
        ([call("drop_table"), LOOK, ANSWER], "I tried a step that does not exist."),
        ([call("get_schema", table=1), ANSWER], "I got the details of a step wrong."),
        ([call("get_schema", table_name="flim"), ANSWER], "I asked for `flim`, but there is no"),
        ([Turn(""), Turn("…", stop_reason="max_tokens"), ANSWER], "nothing that could be used two"),
        (
            [LOOK, query("SELECT titel FROM film"), query("SELECT titel FROM film"), ANSWER],
            "I came back to a step that had failed before; it was not run again. I went back",
        ),
        ([LOOK, LOOK, ANSWER], "I came back to a step that I had taken before;"),
        (
            [LOOK, query("DELETE FROM film"), ANSWER],
            "My query failed because it asked for `DELETE`, and I may only read.",
        ),
        (
            [LOOK, query("SELECT title FROM film WHERE false"), ANSWER],
            "My query gave no rows in ",
        ),
        (
            [LOOK, query("SELECT 1/0 FROM film"), query("SELECT 2/0 FROM film"), ANSWER],
            "because it divided by zero. The second failed for the same reason.",
        ),
    ],
)
def test_whatever_happens_is_told_in_plain_words(
    make_agent: MakeAgent, turns: list[Turn], words: str
) -> None:
    assert words in story_of(make_agent(ScriptedModel(*turns)))


def test_a_database_that_is_away_is_the_reason_and_no_failed_query(
    renderer: ProcessRenderer,
) -> None:
    away = PostgresDatabase("postgresql://nobody@127.0.0.1:1/nothing")
    told = story_of(Agent(ScriptedModel(LOOK, COUNT, ANSWER), away, renderer))
    assert told.startswith("I had to stop. The database nothing on 127.0.0.1 cannot be reached")
    assert "I asked for" not in told


def test_a_run_that_is_stopped_says_so(make_agent: MakeAgent) -> None:
    stop = threading.Event()

    class StopAfterLooking(Trail):
        def record(self, transition: Transition) -> None:
            if transition.event is Event.OBSERVED:
                stop.set()

    agent = make_agent(ScriptedModel(LOOK, COUNT, ANSWER))
    told = story_of(agent, trail=StopAfterLooking(), cancelled=stop)
    assert "I looked at film.\n\nI was stopped here. I had no answer by then. 1 step" in told


def test_time_that_runs_out_is_told(make_agent: MakeAgent) -> None:
    ticks = iter([0.0] * 8)
    agent = replace(
        make_agent(ScriptedModel(LOOK, COUNT, ANSWER)), clock=lambda: next(ticks, 1_000.0)
    )
    assert "I stopped because the time limit of 2 min was over." in story_of(agent)


def test_a_trail_that_was_cut_off_claims_no_ending(make_agent: MakeAgent) -> None:
    trail = make_agent(ScriptedModel(LOOK, COUNT, ANSWER)).run("how many?").trail
    after_query = next(
        number
        for number, each in enumerate(trail, 1)
        if each.event is Event.TOOLS_DONE and each.state.hop_count == 2
    )
    told = tell(trail[:after_query])
    assert "I looked at film.\n\nThe last thing on record: I ran a query: 1 row in " in told
    assert "The record stops here, before an ending" in told
    assert "2 steps" in told
    assert tell(()) == "Nothing is on record for this run."


def test_figures_are_said_to_come_from_where_the_check_found_them(make_agent: MakeAgent) -> None:
    assert "The one figure in the answer comes from the rows." in story_of(
        make_agent(ScriptedModel(LOOK, COUNT, ANSWER))
    )
    share = call("calculate", expression="r1.films[1] / sum(r1.films)")
    told = story_of(make_agent(ScriptedModel(LOOK, RATINGS, share, text("One more look."))))
    assert "I worked out one figure from the rows." in told


def test_a_figure_from_nowhere_is_told_each_time(make_agent: MakeAgent) -> None:
    told = story_of(make_agent(ScriptedModel(LOOK, COUNT, text("There are 1,234 films."))))
    reason = "no row of a query supports “1,234”"
    assert f"My first answer did not pass my own checks: {reason}. I went back" in told
    assert "I found no source for the one figure in the answer." in told
    assert f"It was let through with a warning: {reason}." in told


def test_a_remark_on_the_rows_is_passed_on(make_agent: MakeAgent) -> None:
    category = call("get_schema", table_name="category")
    sportz = query("SELECT count(*) AS n FROM category WHERE name = 'Sportz'")
    told = story_of(make_agent(ScriptedModel(category, sportz, text("None."))))
    assert "A check of the rows said: no category has the name 'Sportz'." in told


POOL = [
    *(FIND, LOOK, PAYMENT, COUNT, RATINGS, WRONG, Turn(""), call("drop_table"), text("Some.")),
    query("SELECT title FROM film WHERE rating = 'PG' LIMIT 2"),
    query("SELECT titel FROM film"),
    query("SELECT title FROM film WHERE false"),
    query("DROP TABLE film"),
    calls(("find_tables", {"words": "x"}), ("get_schema", {"table_name": "actor"})),
]


def claims(told: str, result: AgentResult) -> list[object]:
    """What the story says, as numbers."""
    return [
        [int(n.replace("no", "0").replace(",", "")) for n in re.findall(r"gave (\S+) rows?", told)],
        len(re.findall(r"(?:query|The \w+) failed (?:because|for)", told)),
        len(re.findall(r"went back", told)),
        len(re.findall(r"did not pass|refused my", told)),
        re.findall(r"(\w+) steps?, at no cost\.", told)[-1].lower(),
    ]


def facts(result: AgentResult) -> list[object]:
    """What the records of the run say, as numbers."""
    steps = [step for each in result.trail for step in each.steps]
    queries = [step for step in steps if step.tool == "execute_read_only_sql"]
    failed = [step for step in queries if not step.ok]
    not_run = ("The tool", "The arguments", "it was the very step")
    refused = [each for each in result.trail if each.event in (Event.REJECTED, Event.ESCALATE)]
    return [
        [step.rows for step in queries if step.ok],
        sum(not step.error.startswith(not_run) for step in failed),
        result.trail[-1].state.backtrack_count,
        len(refused),
        str(result.hops or "no"),
    ]


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.sampled_from(POOL), max_size=12), st.integers(0, 3))
def test_every_count_in_a_story_is_a_count_of_the_run(
    make_agent: MakeAgent, turns: list[Turn], refusals: int
) -> None:
    left = [refusals]

    def judge(_: object) -> Verdict:
        left[0] -= 1
        return Verdict(left[0] < 0, "It is not what was asked.")

    agent = make_agent(ScriptedModel(*turns, text("So many.")), ScriptedJudge(judge))
    result = agent.run("how many films are there?")
    told = tell(result.trail)
    assert claims(told, result) == facts(result), told
    assert len(told) <= MAX_CHARS
    ran = sum(len(rows) for rows in [facts(result)[0]] if isinstance(rows, list))
    assert ran == result.n_queries + len(result.set_aside)
    assert ("No query was run" in told) == (result.trail[-1].target is Phase.FINISH and not ran)
