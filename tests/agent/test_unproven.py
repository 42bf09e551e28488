"""Words of a model that nothing has checked are shown without its figures."""

from __future__ import annotations

import pytest

from agent.errors import SqlFailed
from agent.messages import ToolCall
from agent.plan import without_guesses
from agent.trail import say_call, say_failure
from agent.unproven import without_figures

QUESTION = "What did the top five categories earn in 2005, over 20 dollars? (film_id 42)"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Check whether revenue is 67,416.", "Check whether revenue is …."),
        ("Check whether it is sixty-seven thousand", "Check whether it is …"),
        ("About a third of it, or 12%", "About … of it, or …"),
        ("Some 67 416 films, €67.416,51 or $67k", "Some … films, … or …"),
        ("EUR67416 or 67416USD or v67.416 or x=67416", "… or … or … or x=…"),
        ("٦٧٤١٦ films since 2006-06-01", "… films since …"),
        ("Compare 2004 with 2005", "Compare … with 2005"),
        ("`67416` is not one of the values", "`…` is not one of the values"),
    ],
)
def test_figure_that_the_question_does_not_name_is_hidden(words: str, shown: str) -> None:
    assert without_figures(words, QUESTION) == shown


@pytest.mark.parametrize(
    "words",
    [
        "Look at payment, then add it up by month",
        "Rank the top 5 categories of 2005 above $20",
        "Join film_2023 with a_1.b2, s3 and pg13",
        "Find film_id 42",
        "Put them in order and see which comes first",
        "",
    ],
)
def test_names_and_what_the_question_names_stay(words: str) -> None:
    assert without_figures(words, QUESTION) == words


def test_answer_to_a_question_back_is_named_by_itself() -> None:
    assert (
        without_figures("Take “2” as the answer, not “3”", "2") == "Take “2” as the answer, not “…”"
    )
    assert without_figures("It is 2", "2,005 of them") == "It is …"


def test_plan_is_kept_but_for_its_guesses() -> None:
    plan = ("See whether it is 67,416", "Rank the top five")
    assert without_guesses(plan, QUESTION) == ("See whether it is …", "Rank the top five")


def test_calls_are_told_whole_for_the_record_and_without_guesses_for_the_person() -> None:
    look = ToolCall("c", "get_schema", {"table_name": "67,416"})
    assert say_call(look) == "Looking at 67,416."
    assert say_call(look, QUESTION) == "Looking at …."
    assert say_call(ToolCall("c", "the 67,416 tool", {}), QUESTION).endswith("'the … tool'.")
    query = ToolCall("c", "execute_read_only_sql", {"query": "SELECT 67416::mpaa_rating"})
    error = SqlFailed("22P02", 'invalid input value for enum mpaa_rating: "67416"')
    assert "`67416` is not one of" in say_failure(query, error)
    assert "`…` is not one of" in say_failure(query, error, QUESTION)


def test_limit_of_ours_is_no_guess() -> None:
    query = ToolCall("c", "execute_read_only_sql", {"query": "SELECT 1"})
    error = SqlFailed("57014", "The query took longer than 5 s and was stopped.")
    assert "it took longer than 5 s and was stopped." in say_failure(query, error, QUESTION)
