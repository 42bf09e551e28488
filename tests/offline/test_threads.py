"""Threads: what a message leans on, and what leaves nothing behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.asker import Asker
from agent.messages import Exchange, Outcome


def test_a_refused_follow_up_leaves_nothing_behind(demo_agent, ask):
    _, refused, last = ask(
        demo_agent,
        "revenue by category in 2025",
        "which of these grew most since 2024?",
        "and the bottom three",
    )
    assert refused.outcome is Outcome.NEEDS_CLARIFICATION
    assert len(last.results[-1].rows) == 3
    assert "2025-01-01" in last.sql[-1]
    assert "2024" not in last.sql[-1]


def test_a_failed_follow_up_leaves_nothing_behind(demo_agent):
    first = demo_agent.run("rentals by store in 2025")
    history = [
        Exchange("rentals by store in 2025", first.answer, first.sql, first.results),
        Exchange("only Horror films", ""),
    ]
    last = demo_agent.run("only Porto", history=history)
    assert "Horror" not in " ".join(last.sql[-1:])


def test_a_first_question_that_was_turned_down_may_still_be_put_right(demo_agent, ask):
    refused, mended = ask(demo_agent, "revenue by zodiac sign", "by category")
    assert refused.outcome is Outcome.NEEDS_CLARIFICATION
    assert len(mended.results[-1].rows) == 16


@pytest.mark.parametrize(
    "words",
    [
        "new question: how many actors are there",
        "forget that. how many actors are there?",
        "Different question - how many actors are there",
        "ok, another question: how many actors?",
        "I have a new question: how many actors are there?",
        "Let's start over. How many actors?",
    ],
)
def test_a_fresh_start_forgets_what_was_asked_before(words, demo_agent, ask):
    _, fresh, after = ask(demo_agent, "films in the Horror category", words, "which are they?")
    assert fresh.sql[-1].split() == ["SELECT", "count(*)", "AS", "actor_count", "FROM", "actor"]
    assert "Horror" not in after.sql[-1]


@pytest.mark.parametrize(
    "question",
    [
        "revenue by zodiac sign",
        "how many rentals are overdue?",
        "average happiness of customers",
        "order films by happiness",
        "films by colour of the cover",
        "x" * 2_000,
    ],
)
def test_what_is_asked_back_ends_in_a_question(question, demo_agent):
    result = demo_agent.run(question)
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert result.answer.endswith("?")


@pytest.fixture
def of_two(demo_agent, as_exchange):
    """A thread in which you asked for revenue by category, and then Mia for the actors."""
    yours = as_exchange(demo_agent.run("revenue by category in 2025"))
    hers = as_exchange(demo_agent.run("how many actors are there"))
    return [replace(yours, asked_by="you"), replace(hers, asked_by="Mia")]


@pytest.mark.parametrize(
    "words", ["my last question, but only 2024", "Same as my previous one for 2024, please"]
)
def test_my_last_question_is_nobody_elses(words, demo_agent, of_two):
    mine = demo_agent.run(words, history=of_two, asker=Asker("you"))
    assert "category" in mine.sql[-1]
    assert "2024-01-01" in mine.sql[-1]
    never_asked = demo_agent.run(words, history=of_two, asker=Asker("Ben"))
    assert never_asked.outcome is Outcome.NEEDS_CLARIFICATION


def test_my_last_question_alone_is_asked_again(demo_agent, of_two):
    again = demo_agent.run("my last question again", history=of_two, asker=Asker("you"))
    assert again.results[-1].rows == of_two[0].results[-1].rows


def test_a_follow_up_goes_on_from_whoever_asked_last(demo_agent, of_two):
    last = demo_agent.run("only 2024", history=of_two[:1], asker=Asker("Mia"))
    assert "category" in last.sql[-1]
    assert "2024-01-01" in last.sql[-1]


@pytest.mark.parametrize(
    ("words", "table", "rows"),
    [
        ("top 3 customers by rentals", "customer", 3),
        ("top 3 customers by rentals in Berlin", "customer", 3),
        ("top 5 films by revenue", "film", 5),
    ],
)
def test_a_question_with_a_subject_of_its_own_starts_afresh(words, table, rows, demo_agent, ask):
    alone = demo_agent.run(words)
    after = ask(demo_agent, "rentals per month in 2025", words)[-1]
    assert after.sql[-1] == alone.sql[-1]
    assert f"{table}.{table}_id" in after.sql[-1]
    assert len(after.results[-1].rows) == rows


def test_a_top_by_another_figure_keeps_the_groups(demo_agent, ask):
    by_money = ask(demo_agent, "rentals per month in 2025", "top 3 by revenue")[-1]
    assert by_money.answer.startswith("Total revenue by month (2025), the 3 highest: December")
    by_rows = ask(demo_agent, "revenue by category in 2025", "top 3 by rentals")[-1]
    assert by_rows.answer.startswith("Number of rentals by category (2025), the 3 highest: Sports")


def test_and_another_thing_is_counted_like_the_one_before(demo_agent, ask):
    last = ask(demo_agent, "how many customers are there", "and films?")[-1]
    assert last.answer == "There are 1,000 films."


@pytest.mark.parametrize("words", ["how do I use this?", "how do I export this?", "thanks!"])
def test_what_is_about_asking_is_no_follow_up(words, demo_agent, ask):
    _, aside, after = ask(demo_agent, "rentals per month in 2025", words, "in 2024")
    assert aside.outcome is Outcome.NEEDS_CLARIFICATION
    assert not aside.sql
    assert after.answer.startswith("Number of rentals by month (2024)")


@pytest.mark.parametrize(
    "refused", ["forecast next month", "why did sports win?", "drop table films"]
)
def test_what_was_refused_is_no_part_of_the_next_question(refused, demo_agent, ask):
    *_, berlin = ask(demo_agent, refused, "ranking of customers by rentals in Berlin")
    assert berlin.answer.startswith("Number of rentals by customer with city Berlin")
    *_, length = ask(demo_agent, refused, "what is the average length of a film per language?")
    assert length.n_queries == 1
    *_, compared = ask(demo_agent, "sales by store", refused, "and what about 2024?")
    assert compared.answer.startswith("Total sales by store (2024)")


@pytest.mark.parametrize("words", ["as a table", "without the chart", "without a chart"])
def test_a_chart_that_is_not_wanted_is_not_drawn(words, demo_agent, ask):
    drawn, plain, again = ask(
        demo_agent, "rentals per month in 2025 as a line chart", words, "as a bar chart"
    )
    assert [len(result.charts) for result in (drawn, plain, again)] == [1, 0, 1]
