"""What a card says of the checks: figures, second look, caveats, plan, cost, and a refusal."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from agent.messages import Evidence, Figure, Outcome, Usage, Verdict
from agent.warnings import ESCALATED_WARNING
from bot.render import Handoff, render_card, turn_to
from bot.render.handoff import PASSED_ON

SOURCED = Figure("5,314.21", "result 1, row 1, revenue")
FROM_NOWHERE = Figure("7.9 %")
CHECKED = Evidence((SOURCED, SOURCED, FROM_NOWHERE))


def test_figures_and_second_look_stand_in_the_how_line(make_result, read):
    result = make_result(evidence=CHECKED, judge="claude-opus-5", verdict=Verdict(True))
    assert (
        "(How: category, payment · no filters · all dates · 1 query · first 4 rows · "
        "2 of 3 figures found in the rows · second look: claude-opus-5)"
    ) in read(render_card(result, run_id="r1"))


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ((FROM_NOWHERE,), "no figure found in the rows (1 in the answer)"),
        ((FROM_NOWHERE, FROM_NOWHERE), "no figure found in the rows (2 in the answer)"),
        ((SOURCED, FROM_NOWHERE), "1 of 2 figures found in the rows"),
        ((SOURCED, SOURCED), "2 of 2 figures checked"),
        ((SOURCED,), "1 of 1 figure checked"),
    ],
)
def test_checked_are_figures_only_where_all_were_found(make_result, read, figures, words):
    lines = read(render_card(make_result(evidence=Evidence(figures)), run_id="r1"))
    assert (
        f"(How: category, payment · no filters · all dates · 1 query · first 4 rows · {words})"
        in lines
    )


def test_answer_without_figures_claims_no_check(make_result, read):
    lines = read(render_card(make_result(evidence=Evidence()), run_id="r1"))
    assert "(How: category, payment · no filters · all dates · 1 query · first 4 rows)" in lines


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.ESCALATED])
def test_a_run_without_an_answer_boasts_of_no_checks(make_result, read, outcome):
    result = make_result(outcome, answer="", evidence=CHECKED, judge="claude-opus-5")
    text = str(read(render_card(result, run_id="r1")))
    assert "figures" not in text
    assert "second look" not in text


def test_caveats_come_before_what_was_cut(make_result, categories, read):
    cut = replace(categories, truncated=True, notes=("more rows exist",))
    result = make_result(
        Outcome.ANSWERED_WITH_CAVEATS,
        results=(cut,),
        caveats=("12 payments without a rental are not in it.", "More rows exist."),
    )
    assert ("(Note: 12 payments without a rental are not in it. More rows exist.)") in read(
        render_card(result, run_id="r1")
    )


def test_a_plan_of_several_steps_is_shown_and_one_of_one_step_is_not(make_result, read):
    plan = ("Look at payment.", "Add it up by month.")
    assert "(Plan: 1. Look at payment · 2. Add it up by month)" in read(
        render_card(make_result(plan=plan), run_id="r1")
    )
    assert "Plan:" not in str(read(render_card(make_result(plan=plan[:1]), run_id="r1")))


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        (Decimal("0.0234"), " · 1,010 tokens · $0.02"),
        (Decimal("0.0004"), " · 1,010 tokens · under $0.01"),
        (Decimal("1234.5"), " · 1,010 tokens · $1,234.50"),
        (Decimal(0), " · 1,010 tokens"),
        (None, " · 1,010 tokens · cost unknown"),
    ],
)
@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.FAILED, Outcome.CANCELLED])
def test_the_foot_says_what_it_took_and_what_that_cost(make_result, read, outcome, cost, shown):
    taken = {"cost_usd": cost, "usage": Usage(900, 10, 80, 20)}
    lines = read(render_card(make_result(outcome, **taken), run_id="r1"))
    assert lines[-1] == f"(offline · 12 s · 3 steps{shown})"


def refused(make_result, **changes):
    return make_result(
        Outcome.ESCALATED,
        answer="",
        draft="Sports earned 9,999 in all.",
        summary="My answer did not pass its checks: 9,999 stands in no row.",
        **changes,
    )


def test_a_refused_run_says_why_and_what_happens_and_never_its_draft(make_result, read):
    card = render_card(
        refused(make_result), run_id="r1", handoff=Handoff(PASSED_ON, has_channel=True)
    )
    assert read(card) == [
        f"⚠️ *{ESCALATED_WARNING}*",
        "*This needs a person.* My answer did not pass its checks: 9,999 stands in no row.",
        "",
        "I have passed it on to a person. The answer will come here, in this thread.",
        "",
        "What I had found by then:",
        "Category | Revenue",
        "Sports | 5,314.21",
        "Sci-Fi | 4,756.98",
        "– | 12.00",
        "Drama | 3.00",
        "(How: category, payment · no filters · all dates · 1 query · first 4 rows)",
        "[Show SQL] [Why] [CSV] [Ask a person]",
        "[👍] [👎]",
        "(offline · 12 s · 3 steps)",
    ]
    assert "Sports earned" not in str(card)


def test_a_refused_draft_does_not_come_in_through_the_answer(make_result):
    result = replace(refused(make_result), answer="Sports earned 9,999 in all.")
    assert "Sports earned" not in str(render_card(result, run_id="r1"))


@pytest.mark.parametrize(
    ("contact", "words"),
    [
        ("the data team, #data-help.", "Ask the data team, #data-help."),
        ("", "Ask whoever runs this bot."),
        ("<!channel>", "Ask &lt;!channel&gt;."),
    ],
)
def test_without_a_channel_the_card_says_whom_to_ask(make_result, read, contact, words):
    card = render_card(refused(make_result), run_id="r1", handoff=turn_to(contact))
    assert words in read(card)


@pytest.mark.parametrize("has_channel", [True, False])
def test_calling_a_person_asks_first_where_others_will_read_it(make_result, has_channel):
    card = render_card(make_result(), run_id="r1", handoff=Handoff("", has_channel=has_channel))
    (row,) = [block for block in card.blocks if block["type"] == "actions"]
    assert ("confirm" in row["elements"][-1]) is has_channel
