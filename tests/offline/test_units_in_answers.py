"""Units and currencies in answers: taken from where a comment tells them plainly, else none."""

from __future__ import annotations

import pytest

from agent.models.offline.tool_texts import KnownColumn
from agent.models.offline.units import currency, time_unit


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("median payment amount", "is $"),
        ("average film length", "minutes"),
        ("median rental duration", "days"),
    ],
)
def test_a_figure_is_said_in_the_unit_that_its_comment_begins_with(question, said, demo_agent):
    assert said in demo_agent.run(question).answer


def test_money_is_in_no_unit_of_time(demo_agent):
    answer = demo_agent.run("median payment amount").answer
    assert "day" not in answer
    assert "minute" not in answer


@pytest.mark.parametrize(
    ("name", "comment", "unit"),
    [
        ("amount", "US dollars: a late fee for each day beyond the limit", ""),
        ("length minutes", "", "minute"),
        ("length", "Running time in minutes; NULL where unknown.", "minute"),
        ("duration", "(milliseconds)", "millisecond"),
        ("first day", "", ""),
        ("min price", "", ""),
        ("rest", "How long it lies, often a few hours", ""),
    ],
)
def test_a_unit_of_time_comes_only_from_a_plain_place(name, comment, unit):
    assert time_unit(KnownColumn(name, "numeric", comment=comment), name) == unit


@pytest.mark.parametrize(
    ("comment", "sign"),
    [
        ("US dollars: what was paid", "$"),
        ("Net price in euro", "€"),
        ("(GBP)", "£"),
        ("What was paid; pounds are converted", ""),
        ("Eurostar trips", ""),
    ],
)
def test_a_currency_comes_only_from_a_plain_place(comment, sign):
    assert currency(KnownColumn("price", "numeric", comment=comment)) == sign
