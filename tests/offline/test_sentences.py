"""Answers read like sentences that a person would write."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("longest film", "The longest film is "),
        ("longest film in the Horror category", "The longest film with category Horror is "),
        ("list all rentals", "At least 1,000 rentals."),
        ("films longer than 500 minutes", "There are no films with length more than 500."),
        ("how many R films are there", "There are 153 films with rating R."),
        ("how many rentals yesterday", "There are no rentals (yesterday"),
        ("rentals by weekday", "highest on Saturday"),
        ("rentals by month in 2025", "highest in December 2025"),
        ("average revenue per customer", "The average revenue per customer is $"),
        ("revenue by store", "store = the store of each payment's staff"),
        ("customers from Portugal who spent more than 100", "more than 100 and country Portugal"),
        ("films not in the Horror category", "films where category is not Horror"),
    ],
)
def test_an_answer_reads_like_a_sentence(question, said, demo_agent):
    assert said in demo_agent.run(question).answer


def test_the_longest_film_is_said_in_the_unit_of_its_length(demo_agent):
    assert demo_agent.run("longest film").answer.endswith(" minutes.")


def test_a_number_and_an_adjective_are_one_order(demo_agent):
    first, second = demo_agent.run("top 3 cheapest films"), demo_agent.run("the 3 cheapest films")
    assert first.results[-1].rows == second.results[-1].rows


@pytest.mark.parametrize(
    "question", ["who are the top 10 customers by money spent", "which category earns the least?"]
)
def test_what_people_spend_and_categories_earn_is_revenue(question, demo_agent):
    assert "sum(payment.amount)" in demo_agent.run(question).sql[-1]
