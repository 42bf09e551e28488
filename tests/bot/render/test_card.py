"""The card as a person reads it, top to bottom."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from agent.messages import Clarification, Column, Outcome, QueryResult
from agent.warnings import FAILED_WARNING, NO_QUERY_WARNING
from bot.render import reduced, render_card


def test_an_answer_with_table_and_chart_reads_from_the_answer_to_the_cost(make_result, chart, read):
    card = render_card(make_result(charts=(chart,)), run_id="r1", chart_file_ids=["F1"])
    assert read(card) == [
        "Sports earned the most.",
        "Category | Revenue",
        "Sports | 5,314.21",
        "Sci-Fi | 4,756.98",
        "– | 12.00",
        "Drama | 3.00",
        "[picture F1: Bar chart: Sports 5,314.21 down to 12.00]",
        "(How: category, payment · no filters · all dates · 1 query · first 4 rows)",
        "[Show SQL] [Why] [CSV] [Ask a person]",
        "[👍] [👎]",
        "(offline · 12 s · 3 steps)",
    ]
    assert card.text == "Sports earned the most."


def test_thumbs_carry_the_run_and_are_named_for_who_cannot_see_them(make_result):
    card = render_card(make_result(), run_id="run-7")
    (row,) = [block for block in card.blocks if block["type"] == "context_actions"]
    (thumbs,) = row["elements"]
    for side, name in (("positive_button", "Good answer"), ("negative_button", "Bad answer")):
        assert thumbs[side]["accessibility_label"] == name
        assert thumbs[side]["value"].endswith(":run-7")
    assert thumbs["positive_button"]["value"] != thumbs["negative_button"]["value"]


def test_buttons_carry_their_ids_and_the_run(make_result):
    card = render_card(make_result(), run_id="run-7")
    (row,) = [block for block in card.blocks if block["type"] == "actions"]
    assert [(each["action_id"], each["value"]) for each in row["elements"]] == [
        ("show_sql", "run-7"),
        ("why", "run-7"),
        ("csv", "run-7"),
        ("ask_a_person", "run-7"),
    ]


def test_an_answer_without_a_query_warns_first_and_can_still_be_asked_about(make_result, read):
    result = make_result(results=(), tables=(), hops=0, answer="About 3,000 films.")
    card = render_card(result, run_id="r1")
    assert read(card) == [
        f"⚠️ *{NO_QUERY_WARNING}*",
        "About 3,000 films.",
        "[Why] [Ask a person]",
        "[👍] [👎]",
        "(offline · 12 s)",
    ]
    assert card.text == f"⚠️ {NO_QUERY_WARNING}\n\nAbout 3,000 films."


def test_a_warning_that_the_agent_gave_already_is_not_said_twice(make_result):
    result = make_result(results=(), warnings=(NO_QUERY_WARNING, "42 has no source."))
    card = render_card(result, run_id="r1")
    assert str(card.blocks).count(NO_QUERY_WARNING) == 1
    assert card.text.startswith(f"⚠️ {NO_QUERY_WARNING}\n⚠️ 42 has no source.\n\n")


def test_a_failed_run_warns_says_why_and_shows_what_it_had_found(make_result, read):
    result = make_result(
        Outcome.FAILED,
        answer="",
        summary="The limit of 8 tool calls was met. Ask for less at once.",
        warnings=(FAILED_WARNING,),
    )
    assert read(render_card(result, run_id="r1")) == [
        f"⚠️ *{FAILED_WARNING}*",
        "*I did not get to an answer.* The limit of 8 tool calls was met. Ask for less at once.",
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


def test_a_fault_of_ours_does_not_read_as_no_data(make_result, read):
    fault = make_result(
        Outcome.SYSTEM_FAULT,
        answer="",
        results=(),
        summary="The database cannot be reached. Try again in a minute.",
    )
    lines = read(render_card(fault, run_id="r1"))
    assert lines[:4] == [
        f"⚠️ *{FAILED_WARNING}*",
        "*Something went wrong that has nothing to do with your data.* "
        "The database cannot be reached. Try again in a minute.",
        "",
        "No query had brought anything back by then.",
    ]
    assert "No rows matched" not in str(lines)


def test_rows_that_were_taken_back_are_not_denied(make_result, categories, read):
    failed = make_result(
        Outcome.FAILED, answer="", results=(), set_aside=(categories,), summary="It took too long."
    )
    lines = read(render_card(failed, run_id="r1"))
    assert "did not stand" in lines[3]
    assert "5,314.21" not in str(lines)


def test_no_data_says_so_plainly_and_shows_no_earlier_rows(make_result, categories, read):
    nothing = replace(categories, sql="SELECT 1 WHERE false", rows=())
    result = make_result(
        Outcome.NO_DATA, answer="No payment was made in 1999.", results=(categories, nothing)
    )
    assert read(render_card(result, run_id="r1")) == [
        "*No rows matched.*",
        "",
        "No payment was made in 1999.",
        "(How: category, payment · 1 condition, see SQL · 2 queries)",
        "[Show SQL] [Why] [Ask a person]",
        "[👍] [👎]",
        "(offline · 12 s · 3 steps)",
    ]


def test_a_question_back_lists_its_options_and_says_where_to_answer(make_result, read):
    result = make_result(
        Outcome.NEEDS_CLARIFICATION,
        results=(),
        answer="Which revenue?",
        clarification=Clarification("Which revenue?", ("payments", "rentals × rate")),
    )
    assert read(render_card(result, run_id="r1"))[:8] == [
        "*I need to know one thing first.*",
        "",
        "Which revenue?",
        "• payments",
        "• rentals × rate",
        "",
        "Answer here in the thread and I will go on.",
        "(How: category, payment)",
    ]


def test_one_number_is_a_sentence_and_no_table(make_result):
    one = QueryResult("SELECT count(*)", (Column("count", "int8"),), ((1000,),))
    card = render_card(make_result(results=(one,), answer="There are 1,000 films."), run_id="r1")
    assert [block["type"] for block in card.blocks] == [
        *("section", "context", "actions", "context_actions", "context")
    ]


def test_one_number_that_nobody_said_is_said_under_its_name(make_result, read):
    one = QueryResult("SELECT count(*)", (Column("count", "int8"),), ((1000,),))
    card = render_card(make_result(Outcome.FAILED, results=(one,), answer=""), run_id="r1")
    assert "Count: 1,000" in read(card)


def test_one_row_of_few_columns_is_words_and_no_table(make_result, read):
    columns = (Column("category", "text"), Column("films", "int8"), Column("avg_rate", "numeric"))
    one = QueryResult("SELECT", columns, (("Sports", 1074, Decimal("2.98765432")),))
    lines = read(render_card(make_result(results=(one,)), run_id="r1"))
    assert lines[1:5] == [
        "Category: Sports",
        "Films: 1,074",
        "Avg rate: 2.988",
        "(Some figures are rounded here; the CSV has them in full.)",
    ]
    assert "[Show SQL] [Why] [CSV] [Ask a person]" in lines


def test_up_to_three_short_rows_of_two_columns_are_a_list(make_result, categories, read):
    three = replace(categories, rows=categories.rows[:3])
    card = render_card(make_result(results=(three,)), run_id="r1")
    assert read(card)[1:5] == [
        "*Category: Revenue*",
        "• Sports: 5,314.21",
        "• Sci-Fi: 4,756.98",
        "• –: 12.00",
    ]
    assert "table" not in {block["type"] for block in card.blocks}


@pytest.mark.parametrize(
    ("columns", "rows", "cell"),
    [(2, 4, "short"), (3, 2, "short"), (5, 1, "short"), (2, 2, "long " * 12)],
)
def test_more_or_longer_values_are_a_table(make_result, columns, rows, cell):
    names = tuple(Column(f"c{at}", "text") for at in range(columns))
    result = QueryResult("SELECT", names, ((cell,) * columns,) * rows)
    card = render_card(make_result(results=(result,)), run_id="r1")
    assert "table" in {block["type"] for block in card.blocks}


def test_a_table_in_the_answer_gives_way_to_the_table_block(make_result):
    answer = "The leaders:\n\n| a | b |\n|---|---|\n| x | 1 |"
    with_block = render_card(make_result(answer=answer), run_id="r1")
    without = render_card(make_result(answer=answer, results=()), run_id="r1")
    assert with_block.blocks[0]["text"]["text"] == "The leaders:"
    assert "```\na  b\n─  ─\nx  1\n```" in str(without.text)


def test_a_picture_that_could_not_be_shown_is_said_to_be_missing(make_result, chart, read):
    card = render_card(make_result(charts=(chart, chart)), run_id="r1", chart_file_ids=["F1", None])
    assert "[picture F1: Bar chart: Sports 5,314.21 down to 12.00]" in read(card)
    assert "(The chart Revenue by category could not be shown.)" in read(card)


def test_more_rows_than_a_person_reads_are_counted_and_left_to_the_csv(
    make_result, categories, read
):
    many = replace(categories, rows=categories.rows * 104)
    lines = read(render_card(make_result(results=(many,)), run_id="r1"))
    assert "(First 40 of 416 rows; the CSV has all.)" in lines
    assert sum(" | " in line for line in lines) == 41


def test_a_truncated_result_never_promises_that_the_csv_has_all(make_result, categories, read):
    many = replace(
        categories, rows=categories.rows * 104, truncated=True, notes=("more rows exist",)
    )
    lines = read(render_card(make_result(results=(many,)), run_id="r1"))
    assert "(First 40 of the 416 rows that were read; the CSV has those.)" in lines
    assert "(Note: More rows exist.)" in lines


def test_a_very_long_answer_is_cut_with_a_visible_note(make_result, read):
    answer = "\n\n".join(f"Paragraph {n} says something about the data." for n in range(450))
    assert len(answer) > 20_000
    card = render_card(make_result(answer=answer, warnings=("Mind the gap.",)), run_id="r1")
    lines = read(card)
    assert lines[0] == "⚠️ *Mind the gap.*"
    assert "Paragraph 100 says something about the data." in lines
    assert any("more characters did not fit into a Slack message" in line for line in lines)
    assert "Sports | 5,314.21" in lines
    assert len(card.text) <= 4_000


def test_many_warnings_all_stand_above_a_long_answer(make_result):
    warnings = tuple(f"Figure {n} could not be traced to a row of a result." for n in range(50))
    card = render_card(make_result(answer="word " * 5_000, warnings=warnings), run_id="r1")
    above = str(card.blocks[0]["text"]["text"])
    assert all(warning in above and warning in card.text for warning in warnings)


def test_the_reduced_card_keeps_every_word_and_says_what_is_missing(make_result, chart):
    result = make_result(charts=(chart,), warnings=("Mind the gap.",))
    whole = render_card(result, run_id="r1", chart_file_ids=["F1"])
    small = reduced(whole)
    assert {block["type"] for block in small.blocks} == {"section", "context", "actions"}
    assert small.text == whole.text
    gone = ("table", "image", "context_actions")
    kept = [block for block in whole.blocks if block["type"] not in gone]
    assert all(block in small.blocks for block in kept)
    assert "Slack did not take the table or the picture of this answer." in str(small.blocks)
    assert reduced(small) == small
