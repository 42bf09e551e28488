"""The words of a story: errors as people say them, names that took the place of others, sizes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.database.postgres import PostgresDatabase
from agent.errors import ToolError
from agent.messages import Critique, Evidence, Figure, Step, Transition, Turn, Verdict
from agent.run import Agent
from agent.state import TRANSITIONS, AgentState, Event, Phase
from agent.story import MAX_CHARS, tell
from agent.story.instead import used_instead
from agent.story.reasons import plain_reason
from agent.story.words import count, listed, money, ordinal, took
from agent.testing import ScriptedModel, call

JARGON = ("phase", "hop", "event", "token", "schema", "cte", "null", "sql", "relation", "syntax")


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT total FROM payment", "there is no column `total`"),
        ("SELECT p.total FROM payment p", "there is no column `total`"),
        ('SELECT "To tal" FROM payment', "there is no column `To tal`"),
        ("SELECT 1 FROM films", "there is no table `films` that I may read"),
        ("SELECT lower(1, 2) FROM film", "there is no function `lower` for such values"),
        ("SELECT f.title FROM film", "it took a value from `f` without saying where that comes"),
        ("SELECT f.title FROM film AS g", "it took a value from `f` without saying where"),
        ("SELECT title, count(*) FROM film", "the column `title` was neither grouped nor added up"),
        ("SELECT film_id FROM film, inventory", "more than one table has a column `film_id`"),
        ("SELECT 1 FROM film, film", "it named `film` twice"),
        ("SELECT 1 FROM film WHERE count(*) > 1", "it put a total where there can be none"),
        ("SELECT 1 FROM film WHERE row_number() OVER () = 1", "it put a ranking where there can"),
        ("SELECT (SELECT title FROM film) FROM film", "it expected one value and got several"),
        ("SELECT title + 1 FROM film", "it mixed values of different kinds"),
        ("SELECT title FROM film UNION SELECT 1", "it mixed values of different kinds"),
        ("SELECT 1 FROM film WHERE title", "it mixed values of different kinds"),
        ("SELECT 1 FROM film WHERE rating = 'PG13'", "`PG13` is not one of the values that occur"),
        ("SELECT title::int FROM film", "it took a text for a number"),
        ("SELECT date '2024-13-45'", "it wrote a date or a time in a way that cannot be read"),
        ("SELECT 1 / 0 FROM film", "it divided by zero"),
        ("SELECT 2000000000 * 2 FROM film", "a number in it was too large"),
        ("SELECT title FROM film WHERE (", "it broke off in the middle"),
        ("SELECT title title title FROM film", "it was not written correctly near `title`"),
        ("SELECT 'a FROM film", "a quotation mark in it was not closed"),
        ("SELECT 1; SELECT 2", "it was more than one query at once"),
        ("", "it was empty"),
        ("DELETE FROM film", "it asked for `DELETE`, and I may only read"),
        ("DROP TABLE film", "it asked for `DROP`, and I may only read"),
        ("WITH d AS (DELETE FROM film RETURNING 1) SELECT 1 FROM d", "done more than read"),
        ("SELECT title INTO other FROM film", "it would have done more than read"),
        ("SELECT title FROM film FOR UPDATE", "it would have done more than read"),
        ("SELECT * FROM pg_shadow", "`pg_shadow` is one of the database's own tables"),
        ("SELECT current_user", "`CURRENT_USER` tells about the server, not about your data"),
        ("SELECT pg_sleep(1)", "it used `pg_sleep`, which I may not use"),
        ("SELECT title\u200b FROM film", "it held a character that nobody can see"),
        (
            "SELECT count(*) FROM rental a, rental b, rental c WHERE a.rental_id > b.rental_id",
            "it took longer than 0.1 s and was stopped",
        ),
    ],
)
def test_what_the_server_and_the_guard_say_becomes_what_people_say(
    hasty_database: PostgresDatabase, sql: str, reason: str
) -> None:
    with pytest.raises(ToolError) as raised:
        hasty_database.fetch(sql)
    assert isinstance(raised.value, ToolError)
    said = plain_reason(raised.value.reason)
    assert reason in said
    assert not said.endswith(".")
    assert not any(word in said.lower().split() for word in JARGON)


@pytest.fixture(scope="module")
def hasty_database(demo_database_url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(demo_database_url, statement_timeout_ms=100)
    yield database
    database.close()


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        (call("no_such_tool"), "The model asked for a step that I cannot do"),
        (call("generate_chart", spec={}), "The model asked for a step that came too early"),
        (call("get_schema", tables="film"), "The model asked for a step in a way that I could not"),
    ],
)
def test_what_a_model_asked_for_in_vain_is_told_without_names_of_tools(
    turn: Turn, said: str, make_agent: Callable[..., Agent]
) -> None:
    summary = make_agent(ScriptedModel(turn, turn, turn)).run("how many films?").summary
    assert said.lower() in summary.lower()
    assert not re.search(r"\btool|generate_chart|get_schema", summary)


def test_an_error_that_nobody_knows_keeps_its_words_on_one_line() -> None:
    assert plain_reason("The moon\nis NULL.") == "the moon is empty"
    assert plain_reason("There is no result r2.") == "there is no result 2"
    assert plain_reason("x" * 500, 50) == "x" * 49 + "…"


@pytest.mark.parametrize(
    ("failed", "missing", "mended", "used"),
    [
        ("SELECT sum(total) FROM payment", "total", "SELECT sum(amount) FROM payment", "amount"),
        ("SELECT total FROM payment", "total", "select p.amount from payment p", "amount"),
        ("SELECT p.total FROM payment p", "total", "SELECT p.amount FROM payment p", "amount"),
        (
            "SELECT sum(total) AS total FROM p",
            "total",
            "SELECT sum(amount) AS total FROM p",
            "amount",
        ),
        ("SELECT 1 FROM films WHERE a", "films", "SELECT 1 FROM film WHERE a", "film"),
        ("SELECT a, t FROM p WHERE t > 1", "t", "SELECT a, u FROM p WHERE u > 1", "u"),
        # not clear
        ("SELECT a, t FROM p WHERE t > 1", "t", "SELECT a, u FROM p WHERE v > 1", ""),
        ("SELECT total FROM payment", "total", "SELECT count(*) FROM film", ""),
        ("SELECT total FROM payment", "total", "SELECT amount * 2 FROM payment", ""),
        ("SELECT total FROM payment", "total", "SELECT 5 FROM payment", ""),
        ("SELECT a, total FROM p", "total", "SELECT a FROM p", ""),
        ("SELECT total FROM payment", "total", "SELECT total FROM invoice", ""),
        ("SELECT amount FROM payment", "total", "SELECT amount FROM payment", ""),
        ("SELECT 'total', x FROM p", "total", "SELECT 'amount', x FROM p", ""),
        ("SELECT total FROM 'p", "total", "SELECT amount FROM 'p", ""),
    ],
)
def test_a_name_is_said_to_be_used_instead_only_where_that_is_clear(
    failed: str, missing: str, mended: str, used: str
) -> None:
    assert used_instead(failed, missing, mended) == used


FAILED = Phase.FAILED
CELL = "result 1, row 1, films"


def figures(*sources: str) -> Evidence:
    return Evidence(tuple(Figure(str(n), source) for n, source in enumerate(sources, 1)))


@pytest.mark.parametrize(
    ("critique", "words"),
    [
        (Critique("", figures()), "No figure in the answer needed a source."),
        (Critique("", figures(CELL)), "The one figure in the answer comes from the rows."),
        (Critique("", figures(*[CELL] * 6)), "All 6 figures in the answer come from the rows."),
        (
            Critique("", figures(CELL, CELL, "the question")),
            "All 3 figures in the answer have a source: 2 from the rows and 1 from your question.",
        ),
        (
            Critique("", figures(CELL, "", "calculation 1: r1.n"), faults=("No row supports 7.",)),
            "Two of the 3 figures in the answer have a source: 1 from the rows and 1 from a "
            "calculation. It was let through with a warning: no row supports 7.",
        ),
        (Critique("", figures(CELL, "")), "One of the 2 figures in the answer comes from the"),
        (Critique("", figures(CELL, CELL)), "Both figures in the answer come from the rows."),
        (Critique("", figures(*["a filter of query 1"] * 2)), "from what the query asked for."),
        (Critique("", figures("what is left without 7")), "comes from the rest of the answer."),
        (Critique("", figures("", "")), "I found no source for any of the 2 figures"),
        (Critique("", figures("")), "I found no source for the one figure in the answer."),
        (Critique("", verdict=Verdict(True)), "A second look by opus agreed."),
    ],
)  # fmt: skip
def test_how_the_figures_were_checked_is_told(critique: Critique, words: str) -> None:
    assert words in tell(accepted(critique), judge="opus")


def test_a_second_look_is_not_said_to_agree_where_it_did_not() -> None:
    assert "agreed" not in tell(accepted(Critique("", verdict=Verdict(False, "No."))))
    assert "second look" not in tell(accepted(Critique("")), judge="opus")


def test_figures_of_an_earlier_answer_are_not_laid_to_this_run() -> None:
    told = tell(accepted(Critique("", figures(CELL)))[1:])
    assert "The one figure in the answer comes from the rows of an earlier answer." in told
    assert "No query was run for this answer." in told


def accepted(critique: Critique) -> list[Transition]:
    state = AgentState(Phase.FINISH, hop_count=2)
    step = Step("execute_read_only_sql", True, "SELECT 1", rows=1)
    return [
        transition(Phase.OBSERVATION, Event.OBSERVED, AgentState(Phase.THOUGHT), steps=(step,)),
        transition(Phase.CRITIQUE, Event.ACCEPTED, state, critique=critique),
    ]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (money(Decimal("0.0213")), "$0.02"),
        (money(Decimal("0.0099")), "less than one cent"),
        (money(Decimal("0.01")), "$0.01"),
        (money(Decimal("0.025")), "$0.03"),
        (money(Decimal("1234.5")), "$1,234.50"),
        (money(Decimal(0)), "at no cost"),
        (took(0.4), "less than 1 ms"),
        (took(31.4), "31 ms"),
        (took(999.6), "1.0 s"),
        (took(9_960), "10 s"),
        (took(59_600), "1 min"),
        (took(125_000), "2 min 5 s"),
        (count(0, "row"), "no rows"),
        (count(1, "row"), "1 row"),
        (count(1200, "row"), "1,200 rows"),
        (ordinal(3), "third"),
        (" ".join(ordinal(n) for n in (11, 21, 22, 103, 112)), "11th 21st 22nd 103rd 112th"),
        (listed(["a"]), "a"),
        (listed(["a", "b", "c"]), "a, b and c"),
    ],
)
def test_sizes_read_well(said: str, words: str) -> None:
    assert said == words


def test_money_that_nobody_knows_is_left_out() -> None:
    last = AgentState(Phase.FINISH, hop_count=1)
    assert tell([transition(Phase.CRITIQUE, Event.ACCEPTED, last)]).endswith("1 step.")
    known = transition(Phase.CRITIQUE, Event.ACCEPTED, last, cost_usd=Decimal("0.5"))
    assert tell([known]).endswith("1 step, $0.50.")


def test_of_a_very_long_run_the_middle_is_left_out_not_the_end() -> None:
    state = AgentState(Phase.THOUGHT, hop_count=40)
    failed = [
        Step("execute_read_only_sql", False, error=f"Reason {n} that nobody has seen before")
        for n in range(40)
    ]
    trail = [transition(Phase.OBSERVATION, Event.OBSERVED, state, steps=(s,)) for s in failed]
    told = tell([*trail, transition(Phase.THOUGHT, Event.TIMED_OUT, replace(state, phase=FAILED))])
    assert len(told) <= MAX_CHARS
    assert "reason 0 that" in told
    assert "A part in the middle is left out here" in told
    assert "reason 39 that" in told
    assert told.endswith("I had no answer by then. 40 steps.")


def transition(source: Phase, event: Event, state: AgentState, **more: object) -> Transition:
    return Transition(datetime.now(UTC), source, event, state.phase, "", state, **more)  # type: ignore[arg-type]


words = st.text(max_size=20) | st.sampled_from(["wordy " * 30, "The tool 'x' does not exist."])
tools = st.sampled_from(
    ["find_tables", "get_schema", "execute_read_only_sql", "generate_chart", "calculate", "?"]
)
steps = st.builds(
    Step,
    tools,
    st.booleans(),
    subject=words,
    error=words,
    rows=st.none() | st.integers(0, 10**9),
    duration_ms=st.none() | st.floats(0, 10**6),
    notes=st.lists(words, max_size=2).map(tuple),
)
critiques = st.builds(
    Critique,
    words,
    st.lists(st.builds(Figure, words, words), max_size=4).map(lambda found: Evidence(tuple(found))),
    st.none() | st.builds(Verdict, st.booleans(), words),
    st.lists(words, max_size=3).map(tuple),
)


@st.composite
def transitions(draw: st.DrawFn) -> Transition:
    (source, event), target = draw(st.sampled_from(list(TRANSITIONS.items())))
    state = AgentState(target, *(draw(st.integers(0, 9)) for _ in range(5)))
    return Transition(
        datetime.now(UTC), source, event, target, draw(words), state,
        plan=draw(st.lists(words, max_size=5).map(tuple)),
        steps=draw(st.lists(steps, max_size=3).map(tuple)),
        critique=draw(st.none() | critiques),
    )  # fmt: skip


@given(st.lists(transitions(), max_size=12), st.none() | st.integers(0, 10**7))
def test_any_trail_becomes_a_short_story(trail: list[Transition], duration_ms: int | None) -> None:
    told = tell(trail, duration_ms=duration_ms, judge="a judge")
    assert 0 < len(told) <= MAX_CHARS
    assert told.count("\n") in (0, 2)
    # Whatever is left out of it, it ends with what the run took.
    assert not trail or re.search(r"(?:No|\d+) steps?[\w $.,]*\.$", told)


def test_amounts_beyond_all_measure_are_told() -> None:
    assert money(Decimal("1e30")).startswith("$1,000,000,000")
    assert took(float("inf")) == "a time that was not measured"
