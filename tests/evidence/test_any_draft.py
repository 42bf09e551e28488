"""Whatever a draft says of whatever rows, the evidence check comes to an end, and soon."""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.evidence import Sources, check_evidence
from agent.messages import Calculation, Cell, Column, QueryResult

WORDS = (
    "Sports", "Animation", "The Porto store", "revenue", "films", "rentals", "customers", "days",
    "highest", "lowest", "first", "third", "second to last", "more than", "less than", "between",
    "and", "to", "from", "of", "the other", "rest", "together", "in total", "on average", "share",
    "percentage points", "percent", "%", "$", "€", "USD", "k", "M", "bn", "million", "a third",
    "half", "twice", "three times as many", "one in", "every", "rose", "fell", "by", "up", "down",
    "compared with", "per", "week", "month", "year", "Q3", "H1", "2024", "2025", "March",
    "14 March", "2025-03-14", "3/14/25", "14.03.2025", "Monday", "6 pm", "18:00", "last year", "no",
    "none", "nothing", "only", "about", "nearly", "over", "at least", "~", "±", "–", "-", "(", ")",
    "*", "**", "|", "\n", "\n- ", "\n1. ", "\n| a | b |\n|---|---|\n| ", ":", ";", ",", ".", "/",
    "'", "“", "”", "no. 3", "5th", "1,234.50", "1.234,56", "1'234", "1 234", "12", "0", "-7", "−7",
    "007", "1e9", "99999999999999999999", "½", "²", "٣", "五", "\u200b", "\ufeff", "\ud800", "²³",
    "1,2,3", "10–20", "0.079", "7.9", "100", "2 h 25 min", "an hour and twenty minutes",
    "two and a half", "respectively", "versus", "i.e.", "week 12", "the 1990s", "'97", "Mid-March",
)  # fmt: skip
drafts = st.lists(
    st.sampled_from(WORDS)
    | st.integers(-(10**6), 10**6).map(lambda n: f"{n:,}")
    | st.floats(allow_nan=False, allow_infinity=False).map(lambda n: f"{n:.2f}")
    | st.text(max_size=8),
    max_size=40,
).map(" ".join)
cells: st.SearchStrategy[Cell] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.integers(0, 40),
    st.decimals(-(10**6), 10**6, allow_nan=False, allow_infinity=False, places=2),
    st.floats(),
    st.sampled_from(
        ["Sports", "Animation", "Porto", "2025-03-14", "2025-03-01 00:00:00+00", "infinity",
         "60-119 min", "NaN", "0001-01-01 BC", "18:00:00", "1 day", "", " ", "{1,2}", "March"]
    ),
    st.text(max_size=6),
)  # fmt: skip
columns = st.sampled_from(
    [("category", "text"), ("revenue", "numeric"), ("films", "bigint"), ("share_pct", "numeric"),
     ("month", "date"), ("day", "timestamp with time zone"), ("year", "integer"),
     ("active", "bool"), ("hour", "integer"), ("length_minutes", "smallint"),
     ("change_usd", "double precision"),
     ("?column?", "text"), ("", "text"), ("x y\nz", "jsonb"), ("span", "interval")]
)  # fmt: skip
SQL = (
    "SELECT c.name AS category, sum(p.amount) AS revenue FROM payment p JOIN rental r USING "
    "(rental_id) WHERE p.payment_date >= '2025-01-01' AND amount > 5 GROUP BY 1 ORDER BY 2 LIMIT 5",
    "SELECT count(*) FILTER (WHERE active) AS films, 1.0 * count(*) / 7 FROM film",
    "not a query at all (",
    "",
)


@st.composite
def results(draw: st.DrawFn) -> QueryResult:
    heads = draw(st.lists(columns, min_size=1, max_size=4))
    row = st.tuples(*[cells] * len(heads))
    rows = draw(st.lists(row, max_size=8))
    made = tuple(Column(name, kind) for name, kind in heads)
    return QueryResult(draw(st.sampled_from(SQL)), made, tuple(rows), truncated=draw(st.booleans()))


@settings(max_examples=300, deadline=None)
@given(
    draft=drafts,
    found=st.lists(results(), max_size=3),
    question=st.sampled_from(["how many?", "films over 120 minutes in March 2025?", "share?", ""]),
    today=st.none() | st.dates(),
)
def test_any_draft_over_any_rows_is_checked(
    draft: str, found: list[QueryResult], question: str, today: date | None
) -> None:
    worked = (Calculation("r1.revenue[1] / sum(r1.revenue)", Decimal("0.0792")),)
    started = time.perf_counter()
    evidence = check_evidence(draft, Sources(question, tuple(found), worked, today))
    assert time.perf_counter() - started < 5
    assert evidence.holds is (not evidence.untraced and not evidence.faults)
    assert all(figure.text.strip() for figure in evidence.figures)
    assert all(fault.strip() == fault != "" for fault in evidence.faults)


HOSTILE = (
    "1,", "12 ", "( ", "Sports ", "a third of ", "5 % ", "1 to 2 ", "half of half ", "2025-03-14 ",
    "- x\n", "| 1 ", "Sports rose by 5 % to 12. ",
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_draft_is_checked_in_time(piece: str) -> None:
    heads = ("category", "month", "year", "customer_id", "revenue", "films")
    kinds = ("text", "date", "integer", "integer", "numeric", "bigint")
    rows = tuple(
        (f"Sports {n}", f"2025-{n % 12 + 1:02}-01", 2000 + n % 26, n, Decimal(n * 37) / 7, n % 99)
        for n in range(1000)
    )
    result = QueryResult(SQL[0], tuple(map(Column, heads, kinds)), rows)
    started = time.process_time()
    check_evidence((piece * 2000)[:4000], Sources("top five?", (result,), (), date(2026, 1, 5)))
    assert time.process_time() - started < 4  # well below a second where nothing else runs


def test_figures_beyond_those_that_are_checked_are_said() -> None:
    evidence = check_evidence("It was 12. " * 300, Sources("how many?"))
    assert not evidence.holds
    assert any("not checked" in fault for fault in evidence.faults)


def test_dates_and_numbers_that_are_none_break_nothing() -> None:
    columns = (Column("month", "date"), Column("n", "numeric"), Column("to", "date"))
    rows = tuple((cell, float("inf"), cell) for cell in ("0000-01-01", "infinity", "2025-13-01"))
    worked = (Calculation("r1.n[1] / 2", Decimal("NaN")),)
    sources = Sources("how many?", (QueryResult("", columns, rows),), worked)
    evidence = check_evidence("It took 55 days, 12 percent, in January.", sources)
    assert evidence.untraced == ("55", "12 percent")
