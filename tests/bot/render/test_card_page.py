"""docs/card.md says what the card says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent.messages import Outcome
from agent.warnings import FAILED_WARNING, NO_QUERY_WARNING
from bot.render import render_card

PAGE = (Path(__file__).parents[3] / "docs" / "card.md").read_text(encoding="utf-8")
ENDINGS = {
    cells[1].strip().strip("`"): cells[2].strip()
    for cells in (line.split("|") for line in PAGE.splitlines() if line.startswith("| `"))
}


def test_the_page_names_every_outcome_and_no_other():
    assert set(ENDINGS) == {outcome.value for outcome in Outcome}


@pytest.mark.parametrize("outcome", list(Outcome))
def test_each_ending_opens_with_the_words_on_the_page(make_result, read, outcome):
    lines = read(render_card(make_result(outcome), run_id="r1"))
    words = [line for line in lines if not line.startswith("⚠️")]
    opening = f"*{ENDINGS[outcome.value]}*" if ENDINGS[outcome.value] else "Sports earned the most."
    assert words[0].startswith(opening)


def test_each_ending_has_first_words_of_its_own():
    said = [words for words in ENDINGS.values() if words]
    assert len(set(said)) == len(said) == len(Outcome) - 2


@pytest.mark.parametrize("warning", [FAILED_WARNING, NO_QUERY_WARNING])
def test_the_page_has_the_warnings_word_for_word(warning):
    assert f"| {warning} |" in PAGE


def test_the_page_has_the_lines_about_what_was_found(make_result, categories):
    nothing = (replace(categories, rows=()),)
    for results in ((categories,), nothing, ()):
        text = render_card(make_result(Outcome.FAILED, results=results), run_id="r1").text
        assert f'"{text.splitlines()[-1]}"' in PAGE.replace("\n", " ")
