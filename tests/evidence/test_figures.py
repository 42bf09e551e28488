"""How figures are written, and which of the writings are true of a cell."""

from __future__ import annotations

from decimal import Decimal

import pytest

from agent.evidence import Sources, check_evidence
from agent.messages import Calculation, Cell, Column, QueryResult


def one_cell(
    value: Cell, name: str = "revenue", sql: str = "SELECT sum(amount) AS revenue FROM payment"
) -> QueryResult:
    kind = "bigint" if isinstance(value, int) else "numeric"
    return QueryResult(sql, (Column(name, kind),), ((value,),))


REVENUE = one_cell(Decimal("5314.21"))
FILMS = one_cell(1234, "films", "SELECT count(*) AS films FROM film")
LENGTH = one_cell(Decimal("115.3"), "avg_minutes", "SELECT avg(length) AS avg_minutes FROM film")
SHARE = one_cell(Decimal("7.9"), "share_pct", "SELECT 100.0 * a / b AS share_pct FROM t")
PART = one_cell(Decimal("0.079"), "share", "SELECT a / b AS share FROM t")
CHANGE = one_cell(Decimal("-604.07"), "change", "SELECT a - b AS change FROM t")


def holds(draft: str, *results: QueryResult, question: str = "") -> bool:
    return check_evidence(draft, Sources(question, results)).holds


@pytest.mark.parametrize(
    "written",
    [
        "$5,314.21", "5,314.21 USD", "USD 5,314.21", "5314.21 dollars", "US$5,314.21", "$5,314",
        "5.314,21 $", "5 314,21 $", "5'314.21 USD", "$5.3k", "5.31k dollars", "about $5,300",
        "roughly 5.3 thousand dollars", "~$5,300", "over $5,300", "more than 5,000 dollars",
        "just over $5,300", "nearly $5,400", "almost 5,400 dollars", "just under $5,320",
        "at least $5,300", "**$5,314.21**", "`5,314.21`", "$5,314.2",
    ],
)  # fmt: skip
def test_a_true_writing_of_an_amount_passes(written: str) -> None:
    assert holds(f"The total is {written}.", REVENUE)


@pytest.mark.parametrize(
    "written",
    [
        "$5,315", "$5,314.22", "$5,314.3", "$5.4k", "$5.2k", "about $5,200", "about $5,400",
        "over $5,400", "more than $5,314.21", "nearly $5,300", "almost 5,300 dollars",
        "just under $5,300", "at least $5,400", "$53,142.10", "$531.42", "5.3 million dollars",
        "5,314.21 %", "5,314.21 films", "-$5,314.21",
    ],
)  # fmt: skip
def test_a_false_writing_of_an_amount_is_found(written: str) -> None:
    assert not holds(f"The total is {written}.", REVENUE)


@pytest.mark.parametrize(
    "written",
    ["1,234 films", "1234 films", "1.2k films", "about 1,200 films", "over a thousand films",
     "more than twelve hundred films", "1,234 movies", "a total of 1,234 titles"],
)  # fmt: skip
def test_a_true_count_passes(written: str) -> None:
    assert holds(f"There are {written}.", FILMS)


@pytest.mark.parametrize(
    "written",
    ["$1,234", "1,234 %", "1,234 customers", "1,234 minutes", "1,235 films", "12,340 films",
     "two thousand films"],
)  # fmt: skip
def test_a_false_count_is_found(written: str) -> None:
    assert not holds(f"There are {written}.", FILMS)


@pytest.mark.parametrize(
    ("written", "is_true"),
    [("115.3 minutes", True), ("115 min", True), ("about two hours", True),
     ("just under two hours", True), ("1 hour 55 minutes", True), ("1h 55min", True),
     ("115 hours", False), ("116 minutes", False), ("two and a half hours", False),
     ("$115.30", False)],
)  # fmt: skip
def test_lengths_of_time_are_read_in_any_unit(written: str, is_true: bool) -> None:
    assert holds(f"Films run for {written} on average.", LENGTH) is is_true


@pytest.mark.parametrize("result", [SHARE, PART])
@pytest.mark.parametrize(
    ("written", "is_true"),
    [("7.9 %", True), ("7.9%", True), ("8 percent", True), ("about 8 per cent", True),
     ("79 %", False), ("0.079 %", False), ("7.8 %", False), ("$7.90", False)],
)  # fmt: skip
def test_a_percentage_is_that_of_its_column(
    result: QueryResult, written: str, is_true: bool
) -> None:
    assert holds(f"Its share is {written}.", result) is is_true


@pytest.mark.parametrize(
    ("draft", "is_true"),
    [("Revenue fell by $604.07.", True), ("The change was -$604.07.", True),
     ("The change was −604.07 dollars.", True), ("The change was ($604.07).", True),
     ("Revenue rose by $604.07.", False), ("The change was +$604.07.", False)],
)  # fmt: skip
def test_the_sign_of_a_change_is_kept(draft: str, is_true: bool) -> None:
    assert holds(draft, CHANGE) is is_true


def test_a_calculation_is_a_source() -> None:
    grown = Calculation("r1.revenue / 4700 - 1", Decimal("0.13068"))
    sources = Sources("", (REVENUE,), (grown,))

    assert check_evidence("Revenue is up 13.1 %.", sources).holds
    assert not check_evidence("Revenue is up 14.1 %.", sources).holds


def test_a_limit_of_the_question_may_be_repeated_but_proves_nothing() -> None:
    counted = one_cell(169, "films", "SELECT count(*) AS films FROM film WHERE length > 120")
    question = "How many films are longer than 120 minutes?"

    assert holds("169 films are longer than 120 minutes.", counted, question=question)
    assert not holds("There are 120 films.", counted, question=question)


@pytest.mark.parametrize(
    "draft",
    ["On PostgreSQL 16, query 1 gave the answer.", "There are two caveats.", "I ran 1 query."],
)
def test_what_is_no_claim_about_the_data_passes(draft: str) -> None:
    assert holds(draft, REVENUE)


def test_figures_are_listed_as_they_are_written_in_their_order() -> None:
    evidence = check_evidence("First $5.3k, then 7 films, at last **$9**.", Sources("", (REVENUE,)))

    assert [figure.text for figure in evidence.figures] == ["$5.3k", "7", "$9"]
    assert evidence.untraced == ("7", "$9")
    assert evidence.figures[0].source == "result 1, row 1, revenue"
