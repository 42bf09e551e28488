"""Averages of counts, two sides of one thing, who did it, and which way money went."""

from __future__ import annotations

import pytest

from agent.messages import Outcome


@pytest.mark.parametrize(
    ("question", "average"),
    [
        ("How many discs does a store hold on average?", 1270),
        ("on average, how many actors does a film have?", 5.51),
        ("How many films does an actor star in, on average?", 28.32),
    ],
)
def test_what_one_has_on_average_is_the_average_of_counts(question, average, demo_agent):
    result = demo_agent.run(question)
    assert result.outcome is Outcome.ANSWERED
    assert float(result.results[-1].rows[0][0]) == pytest.approx(average, abs=0.01)


@pytest.mark.parametrize("question", ["average number of payments", "how many discs on average?"])
def test_the_average_of_one_count_is_asked_about(question, demo_agent):
    result = demo_agent.run(question)
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert "per what" in result.answer


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("Inactive and active customers: how many of each?", {20, 580}),
        ("active versus inactive customers - how many of each", {20, 580}),
        ("Drama vs Comedy films: how many of each?", {68, 70}),
        ("compare the number of Drama and Comedy films", {68, 70}),
    ],
)
def test_two_sides_of_one_thing_are_two_rows(question, counts, demo_agent):
    result = demo_agent.run(question)
    rows = result.results[-1].rows
    assert len(rows) == 2
    assert {value for row in rows for value in row[:2] if isinstance(value, int)} >= counts


@pytest.mark.parametrize(
    ("follow_up", "rows"),
    [
        ("broken down by language", 12),
        ("split it by language", 12),
        ("and by language too", 12),
        ("by language instead", 6),
    ],
)
def test_a_further_split_adds_and_instead_replaces(follow_up, rows, demo_agent, ask):
    *_, result = ask(demo_agent, "revenue per year", follow_up)
    assert len(result.results[-1].rows) == rows


def test_who_did_it_is_answered_with_people(demo_agent):
    result = demo_agent.run("who rented Canyon of Midsummer in 2025?")
    assert {"first_name", "last_name"} <= {column.name for column in result.results[-1].columns}
    assert "customer" in result.answer


@pytest.mark.parametrize("question", ["who handled rentals in May 2025", "who returned a film"])
def test_who_is_asked_about_where_no_people_are_plain(question, demo_agent):
    assert demo_agent.run(question).outcome is Outcome.NEEDS_CLARIFICATION


@pytest.mark.parametrize(
    "follow_up", ["in the Bremen store only", "at the Bremen store", "just the Bremen store"]
)
def test_a_place_of_a_store_said_later_narrows_the_question(follow_up, demo_agent, ask):
    *_, result = ask(demo_agent, "top 4 customers by number of rentals", follow_up)
    assert len(result.results[-1].rows) == 4
    assert "JOIN store" in result.sql[-1]
    assert "'Bremen'" in result.sql[-1]


@pytest.mark.parametrize(
    "question",
    [
        "how much rent did we pay for the Bremen store?",
        "what do we spend on our staff?",
        "what did we spend on films in 2025",
    ],
)
def test_money_that_goes_out_is_not_answered_with_income(question, demo_agent):
    result = demo_agent.run(question)
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert "goes out" in result.answer


def test_deeds_of_people_are_counted_not_the_people(demo_agent):
    result = demo_agent.run("number of customers' payments")
    assert result.sql[-1].split()[-2:] == ["FROM", "payment"]


def test_two_values_of_one_column_are_either_one(demo_agent, ask):
    *_, result = ask(demo_agent, "revenue by language", "only German and French")
    assert len(result.results[-1].rows) == 2


def test_two_kinds_of_deeds_are_asked_about(demo_agent, ask):
    question = "which customers rented Drama and Comedy films"
    asked, answered = ask(demo_agent, question, "either")
    assert asked.outcome is Outcome.NEEDS_CLARIFICATION
    assert "'Drama', 'Comedy'" in answered.sql[-1]


@pytest.mark.parametrize(
    ("words", "desc"),
    [("highest to lowest", True), ("largest to smallest", True), ("fewest first", False)],
)
def test_orders_are_read_in_everyday_words(words, desc, demo_agent):
    rows = demo_agent.run(f"discs per language, {words}").results[-1].rows
    counts = [row[1] for row in rows]
    assert counts == sorted(counts, reverse=desc)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How many people opened our newsletter yesterday?", "newsletter"),
        ("what is the average height of our customers in Porto", "height"),
        ("how many staff were pregnant last month?", "pregnant"),
    ],
)
def test_the_word_that_names_nothing_comes_first(question, word, demo_agent):
    result = demo_agent.run(question)
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert f"“{word}”" in result.answer


def test_a_language_of_films_says_nothing_of_cities(demo_agent):
    assert demo_agent.run("how many German cities?").outcome is Outcome.NEEDS_CLARIFICATION


def test_an_average_of_rows_per_thing_is_that_of_their_numbers(demo_agent):
    result = demo_agent.run("average discs per store")
    assert float(result.results[-1].rows[0][0]) == 1270


@pytest.mark.parametrize("question", ["revenue in Grace", "how many rentals in Antje in 2025?"])
def test_a_first_name_is_no_place(question, demo_agent):
    result = demo_agent.run(question)
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert "first name" not in result.answer
