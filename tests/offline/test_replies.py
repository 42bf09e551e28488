"""Replies to a question back: they complete it, choose an option, or are told to be unclear."""

from __future__ import annotations

import pytest

from agent.messages import Outcome


@pytest.mark.parametrize(
    ("question", "reply", "answer"),
    [
        ("average number of rentals", "per customer", "rentals per customer is"),
        ("average number of rentals", "customer", "rentals per customer is"),
        ("average number of rentals", "by store", "rentals per store is"),
        ("average number of rentals", "for each customer", "rentals per customer is"),
        ("average number of rentals", "month", "rentals per month is"),
        ("average number of rentals", "by customer in 2025", "per customer (2025) is"),
        ("average number of rentals", "1", "rentals per "),
        ("average number of rentals", "number of films", "There are 1,000 films"),
        ("median number of payments", "customers", "median number of payments per customer is"),
        ("best customers", "by revenue", "Total revenue by customer"),
        ("best customers", "by revenue in 2025", "Total revenue by customer (2025)"),
        ("best customers", "I mean by revenue", "Total revenue by customer"),
        ("best customers", "by total amount paid", "Total amount by customer"),
        ("best customers", "top customers by revenue", "Total revenue by customer"),
        ("best customers", "number of rentals", "Number of rentals by customer"),
        ("best customers", "the second", "Number of payments by customer"),
        ("best customers", "the first one", "Number of rentals by customer"),
        ("best customers", "number 2 please", "Number of payments by customer"),
        ("top films", "by rentals", "Number of rentals by film"),
        ("most expensive customers", "by revenue", "Total revenue by customer"),
        ("customers by staff", "the last", "Number of customers by staff"),
    ],
)
def test_a_reply_completes_the_question_before_it(question, reply, answer, demo_agent, ask):
    asked, answered = ask(demo_agent, question, reply)
    assert asked.outcome is Outcome.NEEDS_CLARIFICATION
    assert answered.outcome is Outcome.ANSWERED
    assert answer.lower() in answered.answer.lower()


def test_each_of_two_replies_answers_the_question_before_it(demo_agent, ask):
    *asked, answered = ask(
        demo_agent, "best customers", "number of films", "the customer of the rental"
    )
    assert [result.outcome for result in asked] == [Outcome.NEEDS_CLARIFICATION] * 2
    assert "number of films by customer" in answered.answer.lower()


@pytest.mark.parametrize(
    ("question", "then"),
    [("average number of rentals", "per customer"), ("best customers", "by revenue")],
)
def test_a_reply_that_is_not_understood_is_told_so_and_may_be_put_right(
    question, then, demo_agent, ask
):
    asked, *unclear, answered = ask(demo_agent, question, "banana", "banana", then)
    for result in unclear:
        assert result.answer == f"I did not understand “banana”. {asked.answer}"
        assert result.clarification.options == asked.clarification.options != ()
    assert answered.outcome is Outcome.ANSWERED


def test_words_that_mean_nothing_here_are_named_in_a_sentence_that_is_right(demo_agent, ask):
    (one,) = ask(demo_agent, "revenue by zodiac sign")
    (two,) = ask(demo_agent, "revenue by log of refunds and gizmos")
    assert "I do not know what “zodiac” means" in one.answer
    assert "what “log”, “refunds” and “gizmos” mean in" in two.answer


def test_nothing_of_a_kind_is_said_plainly(demo_agent, ask):
    (result,) = ask(demo_agent, "how many inactive customers in 2030")
    assert result.answer == "There are no inactive customers (2030)."
