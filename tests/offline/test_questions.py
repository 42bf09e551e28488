"""The offline model on the demo database: every question has its own SQL as the truth.

The truths were written before the model saw the questions. What it cannot read it must ask about: a
wrong answer without a warning fails these tests, a question back only lowers the rate.
"""

from __future__ import annotations

import pytest

MOST_REFUSED = 0.08
"""True answers that the gate may send back before it lets them pass, of all."""

FILES = (
    "demo",
    "demo_paraphrased",
    "demo_third",
    "demo_fourth",
    "demo_fifth",
    "demo_sixth",
    "demo_by_others",
)


@pytest.mark.parametrize("name", FILES)
def test_answers_on_the_demo_database_are_right_or_asked_back(
    name, demo_agent, questions, judge, capsys
):
    rates = judge(demo_agent, questions(name))
    with capsys.disabled():
        print(f"\noffline model, {name}: {rates}")
    assert not rates.wrong
    assert rates.share_right >= 0.9, rates.asked_back
    assert not rates.failed_steps
    assert not rates.unplanned
    assert len(rates.refused) <= MOST_REFUSED * rates.total, rates.refused


def test_there_are_at_least_sixty_questions_and_twelve_follow_ups(questions):
    entries = [entry for name in FILES for entry in questions(name)]
    single = [entry for entry in entries if "q" in entry]
    follow_ups = sum(len(entry["thread"]) - 1 for entry in entries if "thread" in entry)
    assert len(single) >= 60
    assert follow_ups >= 12


def test_what_no_query_can_answer_is_refused_or_asked_back(demo_agent, questions, judge, capsys):
    entries = questions("unanswerable")
    rates = judge(demo_agent, entries)
    with capsys.disabled():
        print(f"\noffline model, unanswerable: {len(rates.asked_back)} of {rates.total} refused")
    assert not rates.wrong
    assert not rates.right
