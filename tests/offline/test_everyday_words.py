"""Values that are everyday words are conditions only where the question shows that they are."""

from __future__ import annotations

import pytest

from agent.messages import Outcome


@pytest.mark.parametrize("question", ["how many new actors are there", "new rentals by store"])
def test_an_everyday_word_without_support_is_asked_about(question, demo_agent):
    result = demo_agent.run(question)
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert "category New" in result.answer


@pytest.mark.parametrize(
    "question",
    ["new films", "films in New", "films in the category New", "films that are New", 'films "New"'],
)
def test_an_everyday_word_beside_what_it_describes_is_a_value(question, demo_agent):
    result = demo_agent.run(question)
    assert len(result.results[-1].rows) == 62


@pytest.mark.parametrize(("reply", "filters"), [("only category New", True), ("2", False)])
def test_the_person_says_whether_the_word_is_meant(reply, filters, demo_agent, ask):
    question = "how many new rentals"
    _, result = ask(demo_agent, question, reply)
    assert result.outcome is Outcome.ANSWERED
    assert ("'New'" in result.sql[-1]) is filters


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("films in the catgory Hororr", True),
        ("revenue from Atlantis", False),
        ("films about newness", False),
    ],
)
def test_only_what_is_spelt_much_alike_is_offered(question, offered, demo_agent):
    result = demo_agent.run(question)
    options = result.clarification.options if result.clarification else ("read as it stands",)
    assert bool(options) is offered
