"""Threads: what a message leans on, and what leaves nothing behind."""

from __future__ import annotations

import pytest

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
