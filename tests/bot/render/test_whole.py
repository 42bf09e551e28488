"""Files and lists beside a message that could not hold all; nothing refused is in them."""

from __future__ import annotations

from agent.messages import Outcome
from agent.warnings import NO_QUERY_WARNING
from bot.render.lists import in_sections
from bot.render.whole import whole_answer, whole_sql


def test_a_refused_draft_is_in_no_file(make_result):
    refused = make_result(Outcome.ESCALATED, answer="It is 42.", summary="It does not add up.")
    text = whole_answer(refused)
    assert "42" not in text
    assert "It does not add up." in text


def test_an_answer_without_a_query_is_warned_of_in_its_file_too(make_result):
    assert f"WARNING: {NO_QUERY_WARNING}" in whole_answer(make_result(results=()))


def test_queries_are_one_script():
    assert whole_sql(["select 1;", "select 2"], ["select 3"]) == (
        "-- Query 1\nselect 1;\n\n-- Query 2\nselect 2;\n\n-- Set aside 1\nselect 3;\n"
    )


def test_a_list_says_how_many_of_its_lines_did_not_fit():
    lines = [f"• {n} {'x' * 200}" for n in range(500)]
    blocks = in_sections(lines, "question")
    shown = "".join(block["text"]["text"] for block in blocks if block["type"] == "section")
    assert len(blocks) == 5
    kept = shown.count("•")
    assert f"{500 - kept} more questions did not fit here." in str(blocks[-1])
    assert in_sections(lines[:3], "question")[-1]["type"] == "section"
