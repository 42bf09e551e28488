"""A card is written as its reader writes: figures, dates, money, and the words' figures too."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evidence import Sources, check_evidence
from agent.messages import AgentResult, Column, Outcome, QueryResult
from bot.render import render_card, render_csv
from bot.render.prose import AS_WRITTEN, in_notation
from bot.render.reader import Reader

SALES = QueryResult(
    "SELECT city, revenue, share, sold_on, seen_at, price FROM sale WHERE sold_on >= '2026-01-01'",
    (
        Column("city", "text"),
        Column("revenue", "numeric"),
        Column("share", "numeric"),
        Column("sold_on", "date"),
        Column("seen_at", "timestamp with time zone"),
        Column("price", "money"),
    ),
    (
        (
            *("Bremen", Decimal("1234567.89"), Decimal("0.5")),
            *("2026-03-04", "2026-03-04 14:05:00+09", "$1,234.50"),
        ),
        (
            *("Porto", Decimal("5314.21"), Decimal("12.25")),
            *("2026-12-31", "2026-12-31 09:00:00+09", "-$5.00"),
        ),
        (
            *("8,000 Miles", Decimal("-0.75"), Decimal("1")),
            *("2026-01-01", "2026-01-01 00:30:00+09", "$0.99"),
        ),
    ),
    tables=("sale",),
)
ANSWER = "Porto made $5,314.21, or 12.25% of all; 8,000 Miles lost 0.75."


def result_of(answer: str, shown: QueryResult = SALES, **changes: object) -> AgentResult:
    evidence = check_evidence(answer, Sources("Revenue by city?", (shown,)))
    made = AgentResult(
        question="Revenue by city?", outcome=Outcome.ANSWERED, failed=False, answer=answer,
        summary="", results=(shown,), charts=(), warnings=(), trail=(), model="offline", hops=2,
        duration_ms=1_500, tables=("sale",), evidence=evidence, time_zone="Asia/Tokyo",
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def cells(result: AgentResult, locale: str) -> list[list[str]]:
    card = render_card(result, run_id="r1", reader=Reader(locale))
    (table,) = [block for block in card.blocks if block["type"] == "table"]
    return [[cell["text"] for cell in row] for row in table["rows"][1:]]


@pytest.mark.parametrize(
    ("locale", "row"),
    [
        ("", "1,234,567.89 0.50 4 Mar 2026 4 Mar 2026, 14:05 +09 $1,234.50"),
        ("en-US", "1,234,567.89 0.50 Mar 4, 2026 Mar 4, 2026, 2:05 PM +09 $1,234.50"),
        ("en-GB", "1,234,567.89 0.50 4 Mar 2026 4 Mar 2026, 14:05 +09 $1,234.50"),
        ("de-DE", "1.234.567,89 0,50 04.03.2026 04.03.2026, 14:05 +09 1.234,50 $"),
        ("de-CH", "1'234'567.89 0.50 04.03.2026 04.03.2026, 14:05 +09 $ 1'234.50"),
        ("fr-FR", "1 234 567,89 0,50 4 mars 2026 4 mars 2026, 14:05 +09 1 234,50 $"),
        ("hi-IN", "12,34,567.89 0.50 4 मार्च 2026 4 मार्च 2026, 2:05 pm +09 $1,234.50"),
        ("pt-PT", "1 234 567,89 0,50 4 mar. 2026 4 mar. 2026, 14:05 +09 1 234,50 $"),
        ("es-LA", "1,234,567.89 0.50 4 mar 2026 4 mar 2026, 2:05 p.m. +09 $1,234.50"),
        ("ja-JP", "1,234,567.89 0.50 2026/03/04 2026/03/04, 14:05 +09 $1,234.50"),
        ("xx-QQ", "1,234,567.89 0.50 4 Mar 2026 4 Mar 2026, 14:05 +09 $1,234.50"),
        ("?", "1,234,567.89 0.50 4 Mar 2026 4 Mar 2026, 14:05 +09 $1,234.50"),
    ],
)
def test_table_is_written_as_its_reader_writes(locale, row):
    first = cells(result_of(ANSWER), locale)[0][1:]
    assert " ".join(" ".join(first).split()) == row


def test_french_thousands_have_a_narrow_blank_that_does_not_break():
    assert cells(result_of(ANSWER), "fr-FR")[0][1] == "1\u202f234\u202f567,89"


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("", "Porto made $5,314.21, or 12.25% of all; 8,000 Miles lost 0.75."),
        ("en-US", "Porto made $5,314.21, or 12.25% of all; 8,000 Miles lost 0.75."),
        ("de-DE", "Porto made 5.314,21 $, or 12,25 % of all; 8,000 Miles lost 0,75."),
        ("de-CH", "Porto made $ 5'314.21, or 12.25% of all; 8,000 Miles lost 0.75."),
        ("tr-TR", "Porto made $5.314,21, or %12,25 of all; 8,000 Miles lost 0,75."),
    ],
)
def test_figures_in_words_are_written_as_those_below_and_names_stay(locale, words):
    card = render_card(result_of(ANSWER), run_id="r1", reader=Reader(locale))
    assert " ".join(card.text.split()) == words


@pytest.mark.parametrize(
    ("words", "german"),
    [
        ("Store 3 $5,314.21.", "Store 3 $5.314,21."),
        ("About $5.3k, or US$5,314.21.", "About $5,3k, or US$5.314,21."),
        ("$5.3 million to $5,314.21", "$5,3 million to 5.314,21 $"),
        ("From $10.5-5,314.21, at 18:00", "From $10,5-5.314,21, at 18:00"),
        ("`5,314.21` of https://a.example/5,314.21 is 5,314.21", None),
        ("On 31.12.2026 it was -$5,314.21.", "On 31.12.2026 it was -5.314,21 $."),
    ],
)
def test_only_marks_of_figures_change(words, german):
    shown = in_notation(result_of(words), Reader("de-DE"))[0].answer
    german = german or "`5,314.21` of https://a.example/5,314.21 is 5.314,21"
    assert shown.replace("\u00a0", " ") == german


def test_german_words_of_a_model_are_written_as_their_reader_writes():
    german = result_of("Porto hat 5.314,21 $ eingenommen, das sind 12,25 % von allem.")
    assert german.evidence.holds
    american = render_card(german, run_id="r1", reader=Reader("en-US")).text
    assert "$5,314.21" in american
    assert "12.25%" in american
    at_home = render_card(german, run_id="r1", reader=Reader("de-DE")).text
    assert " ".join(at_home.split()) == german.answer


def test_marks_that_may_mean_two_numbers_mean_the_one_in_the_rows():
    for value, words in ((Decimal("5.314"), "5,314"), (5314, "5.314")):
        rows = (("Porto", value),)
        shown = QueryResult("SELECT 1", (Column("city", "text"), Column("x", "numeric")), rows)
        card = render_card(result_of("It is 5.314.", shown), run_id="r", reader=Reader("de-DE"))
        assert card.text == f"It is {words}."


def test_words_that_nobody_can_be_sure_of_stay_and_a_note_says_how_to_read_them():
    unsure = result_of("Porto made 7.314 and Bremen 5,314.21.")
    card = render_card(unsure, run_id="r1", reader=Reader("de-DE"))
    assert card.text == unsure.answer
    assert AS_WRITTEN in str(card.blocks)
    assert AS_WRITTEN not in str(render_card(unsure, run_id="r1").blocks)


def test_a_warning_names_a_figure_as_the_answer_does():
    false = result_of(
        "Porto made $9,314.21.", warnings=("No row of a query supports “$9,314.21”.",)
    )
    card = render_card(false, run_id="r1", reader=Reader("de-DE"))
    assert str(card.blocks).count("9.314,21") == 2
    assert "9,314.21" not in str(card.blocks)


def test_counts_costs_and_notes_of_the_card_are_written_so_too():
    notes = ("Only the first 1,000 rows are here; there are more.",)
    many = replace(SALES, rows=SALES.rows * 400, notes=notes, truncated=True)
    result = result_of(ANSWER, many, cost_usd=Decimal("1234.5"), caveats=("It has 2,000 of ‘x’.",))
    text = str(render_card(result, run_id="r1", reader=Reader("de-DE")).blocks)
    for words in ("1.200 rows", "1.000 rows", "2.000 of", "1,5 s", "1.234,50\\xa0$"):
        assert words in text
    assert not re.search(r"\d,\d{3}(?! Miles)", text)


def test_the_file_is_the_same_for_everybody():
    before = render_csv(SALES)
    render_card(result_of(ANSWER), run_id="r1", reader=Reader("de-DE"))
    assert render_csv(SALES) == before
    assert b"5314.21" in before


LOCALES = ("de-DE", "fr-FR", "de-CH", "hi-IN", "sv-SE", "es-ES", "tr-TR", "ja-JP", "pt-BR")


@given(
    st.decimals(-(10**12), 10**12, places=2),
    st.sampled_from(LOCALES),
    st.sampled_from(["It is {}.", "Porto: ${} – much", "**{}** of all", "{} %, says who"]),
)
def test_no_digit_changes_and_each_figure_can_be_read_back(value, locale, frame):
    written = frame.format(f"{value.copy_abs():,.2f}")
    rows = (("Porto", value.copy_abs()),)
    shown = QueryResult("SELECT 1", (Column("city", "text"), Column("x", "numeric")), rows)
    reader = Reader(locale)
    text = render_card(result_of(written, shown), run_id="r1", reader=reader).text
    assert re.sub(r"\D", "", text) == re.sub(r"\D", "", written)
    marks = reader.notation
    (read,) = re.findall(rf"\d(?:[\d{re.escape(marks.group + marks.point)}]*\d)?", text)
    whole, _, decimals = read.partition(marks.point)
    assert Decimal(f"{whole.replace(marks.group, '')}.{decimals}") == value.copy_abs()
