"""An answer in words that say nothing of the rows is marked: small models write such answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.messages import Case, Judgement, Outcome, Usage, Verdict
from agent.run import Agent
from agent.testing import ScriptedModel, call, text
from agent.warnings import SILENT_CAVEAT

MakeAgent = Callable[..., Agent]

LOOK = call("get_schema", table_name="category")
NAMES = call("execute_read_only_sql", query="SELECT name FROM category ORDER BY name")
LONGEST = call(
    "execute_read_only_sql",
    query="SELECT rating, max(length) AS minutes FROM film GROUP BY rating ORDER BY 2 DESC LIMIT 3",
)


@pytest.mark.parametrize(
    "babble",
    [
        "You've just completed the final round.",
        "Here is your task now: planning.",
        "The plan is good. Take its first step now.",
        "You have been returned to your previous output.",
        "I'm sorry, but I'm still here.",
        "Your last turn was cut off. Say it again.",
        "You can turn it into something else, and it will still work, you just need to do "
        "another one more, and then it will work again.",
    ],
)
def test_words_that_name_nothing_that_was_found_are_marked(
    make_agent: MakeAgent, babble: str
) -> None:
    result = make_agent(ScriptedModel(LOOK, NAMES, text(babble))).run("which categories?")
    assert (result.outcome, result.answer) == (Outcome.ANSWERED_WITH_CAVEATS, babble)
    assert SILENT_CAVEAT in result.caveats


def test_a_small_word_of_a_title_names_no_film(make_agent: MakeAgent) -> None:
    titles = "SELECT title FROM film WHERE title LIKE 'The %' ORDER BY title LIMIT 3"
    query = call("execute_read_only_sql", query=titles)
    babble = text("I've got you back on the feet.")
    look = call("get_schema", table_name="film")
    result = make_agent(ScriptedModel(look, query, babble)).run("which films?")
    assert SILENT_CAVEAT in result.caveats


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (NAMES, "Action, Animation and others."),
        (NAMES, "Comedies are among them."),
        (NAMES, "There are 16 categories."),
        (NAMES, "All categories are in the table."),
        (NAMES, "Here they are."),
        (NAMES, "No, not one of them."),
        (NAMES, "Do you mean the names, or how many films each has?"),
        (LONGEST, "R films are the longest."),
    ],
)
def test_words_that_speak_of_the_rows_are_not(
    make_agent: MakeAgent, query: object, answer: str
) -> None:
    result = make_agent(ScriptedModel(LOOK, query, text(answer))).run("which categories?")
    assert SILENT_CAVEAT not in result.caveats


class Agreeing:
    """A judge that finds all well."""

    name = "agreeing"

    def judge(self, case: Case, **_: object) -> Judgement:
        return Judgement(Verdict(valid=True, reason="It is what was asked for."), Usage())


def test_what_a_judge_found_to_be_an_answer_is_not_marked(make_agent: MakeAgent) -> None:
    model = ScriptedModel(LOOK, NAMES, text("See them here."))
    result = make_agent(model, judge=Agreeing()).run("which categories?")
    assert (result.outcome, result.caveats) == (Outcome.ANSWERED, ())


def test_without_rows_there_is_nothing_to_be_silent_about(make_agent: MakeAgent) -> None:
    nothing = call("execute_read_only_sql", query="SELECT name FROM category WHERE name = 'Opera'")
    model = ScriptedModel(LOOK, nothing, text("There is no such category."))
    assert SILENT_CAVEAT not in make_agent(model).run("which?").caveats
