"""Counts under a condition, sums and shares of some rows: what the rows hold, and a slip away."""

from __future__ import annotations

from decimal import Decimal

import pytest

from agent.evidence import Sources, check_evidence
from agent.messages import Cell, Column, QueryResult


def _result(sql: str, columns: str, *rows: tuple[Cell, ...]) -> QueryResult:
    """Make a result; `columns` are "name type" pairs, apart by commas."""
    pairs = [pair.split() for pair in columns.split(",")]
    return QueryResult(sql, tuple(Column(name, kind) for name, kind in pairs), rows)


def _money(*amounts: str) -> tuple[Decimal, ...]:
    return tuple(Decimal(amount) for amount in amounts)


STOCK = _result(
    "SELECT warehouse, sum(quantity) AS units, count(DISTINCT sku) AS skus FROM stock GROUP BY 1",
    "warehouse text, units bigint, skus bigint",
    ("Hamburg", 48210, 812),
    ("Lyon", 31875, 640),
    ("Milan", 22490, 655),
    ("Gdansk", 9120, 210),
    ("Porto", 8860, 198),
)
MONTHS = _result(
    "SELECT to_char(paid_at, 'YYYY-MM') AS month, sum(amount) AS revenue FROM payment "
    "WHERE paid_at >= '2025-01-01' GROUP BY 1 ORDER BY 1",
    "month text, revenue numeric",
    *(
        (f"2025-{month:02}", amount)
        for month, amount in enumerate(
            _money(
                "3434.93", "2830.86", "2816.98", "2733.25", "2571.60", "2441.17", "2691.60",
                "2717.25", "2796.04", "3203.09", "3365.57", "4193.89",
            ),
            start=1,
        )
    ),
)  # fmt: skip
WEEKDAYS = _result(
    "SELECT trim(to_char(rented, 'Day')) AS weekday, count(*) AS rentals FROM rental GROUP BY 1",
    "weekday text, rentals bigint",
    ("Monday", 1712),
    ("Tuesday", 1540),
    ("Wednesday", 1627),
    ("Thursday", 1904),
    ("Friday", 3097),
    ("Saturday", 3795),
    ("Sunday", 2748),
)
BUDGETS = _result(
    "SELECT dept, budget, spent, spent - budget AS variance FROM budgets ORDER BY dept",
    "dept text, budget numeric, spent numeric, variance numeric",
    *(
        (name, *_money(*amounts.split()))
        for name, amounts in (
            ("Finance", "120000 118200 -1800"),
            ("HR", "80000 86500 6500"),
            ("IT", "300000 342750 42750"),
            ("Legal", "95000 70100 -24900"),
            ("Marketing", "210000 209400 -600"),
            ("Sales", "260000 275300 15300"),
        )
    ),
)
NAMES = _result(
    "SELECT first_name, last_name FROM member ORDER BY 2",
    "first_name text, last_name text",
    ("Nurul", "Abdullah"),
    ("Kadri", "Berzins"),
    ("Ella", "Hartley"),
    ("Ieva", "Ozols"),
    ("Ziad", "Nasser"),
    ("Tea", "Dimitrov"),
)
TOP = _result(
    "SELECT title, count(*) AS loans FROM loan JOIN book USING (book_id) GROUP BY 1 "
    "ORDER BY 2 DESC LIMIT 5",
    "title text, loans bigint",
    ("Dune", 88),
    ("Emma", 71),
    ("Ulysses", 64),
    ("Beloved", 64),
    ("Walden", 33),
)
ALL = _result("SELECT count(*) AS loans FROM loan", "loans bigint", (2150,))

HOURS = _result(
    "SELECT extract(hour FROM at)::int AS hour, count(*) AS visits FROM visit GROUP BY 1",
    "hour integer, visits bigint",
    *zip(range(10, 21), (854, 905, 814, 893, 802, 925, 1703, 2513, 3519, 2613, 882), strict=True),
)
ENERGY = _result(
    "SELECT date_trunc('month', read_at)::date AS month, sum(kwh) AS kwh FROM reading "
    "WHERE read_at >= '2024-10-01' AND read_at < '2025-10-01' GROUP BY 1 ORDER BY 1",
    "month date, kwh bigint",
    *(
        (f"{2024 + (month > 12)}-{(month - 1) % 12 + 1:02}-01", kwh)
        for month, kwh in enumerate(
            (22310, 26120, 29875, 31240, 28410, 25760, 21890, 19620, 18105, 18250, 17980, 19040),
            start=10,
        )
    ),
)

CASES = [
    # question; results; what the rows hold; what is replaced; by what slip
    ("", [MONTHS], "Four months beat the average of about $2,983.", "Four", "Five"),
    ("", [MONTHS], "Six of the twelve months grew, while five fell.", "Six", "Seven"),
    ("", [MONTHS], "Six of the twelve months grew, while five fell.", "five", "four"),
    ("Which months had over 3k?", [MONTHS], "Four of twelve.", "Four", "Five"),
    (
        "Which months had over 3k?",
        [MONTHS],
        "Four: January, October, November and December. The other eight stayed below.",
        "eight",
        "seven",
    ),
    ("", [MONTHS], "Four months: January, October, November, December.", "Four", "Three"),
    ("", [MONTHS], "The last three months brought in $10,762.55.", "$10,762.55", "$10,726.55"),
    ("", [MONTHS], "H1 came to 16.8k, H2 to 19.0k.", "19.0k", "19.3k"),
    ("", [MONTHS], "The second half made 53% of the year.", "53%", "57%"),
    ("", [WEEKDAYS], "Mon–Thu: 6,783 rentals, Fri–Sun: 9,640.", "6,783", "6,873"),
    ("How much is Friday to Sunday?", [WEEKDAYS], "9,640 rentals, or 59%.", "59%", "56%"),
    (
        "",
        [WEEKDAYS],
        "Three days exceed 2,500 rentals: Friday, Saturday and Sunday. They add up to 9,640.",
        "9,640",
        "9,460",
    ),
    ("", [STOCK], "Hamburg and Lyon hold 80,085 of our 120,555 units.", "80,085", "80,805"),
    ("", [STOCK], "Hamburg has 48,210 units; the rest add up to 72,345.", "72,345", "73,245"),
    ("", [STOCK], "Porto holds 7%, Gdansk 8%, the rest the remaining 85%.", "85%", "75%"),
    ("", [STOCK], "Only three warehouses have over 600 SKUs.", "three", "four"),
    (
        "Which hold under 10,000?",
        [STOCK],
        "Gdansk and Porto – just two of the five.",
        "two",
        "three",
    ),
    (
        "",
        [STOCK],
        "1. Hamburg: 48,210\n2. Lyon: 31,875\n3. Milan: 22,490\n\nTogether they hold 102,575.",
        "102,575",
        "105,275",
    ),
    ("", [BUDGETS], "Half of the six departments are over budget.", "Half", "A third"),
    ("", [BUDGETS], "Three departments overspent, by $64,550 in all.", "$64,550", "$65,450"),
    ("", [BUDGETS], "IT is $42,750 of the $64,550 overrun, or 66%.", "66%", "60%"),
    ("", [NAMES], "6 members: Nurul Abdullah, Kadri Berzins and 4 more.", "4 more", "3 more"),
    (
        "",
        [NAMES],
        "6 members: Nurul Abdullah, Kadri Berzins, …; 6 rows in all.",
        "6 rows",
        "7 rows",
    ),
    ("", [HOURS], "Between 4 pm and 8 pm we had 10,348 visits.", "10,348", "10,438"),
    ("", [HOURS], "From 16:00 to 19:59 we had 63% of all visits.", "63%", "66%"),
    ("", [ENERGY], "We used 54,335 kWh from June to August.", "54,335", "53,435"),
    ("", [ENERGY], "August to November took 85,450 kWh.", "85,450", "84,550"),
    ("Which used over 25k?", [ENERGY], "In five out of twelve months.", "five", "six"),
    ("Which used over 28k?", [ENERGY], "December to February: three of twelve.", "three", "four"),
    ("", [BUDGETS], "HR, IT and Sales – three of six – overspent.", "three", "four"),
    ("", [BUDGETS], "Two departments lost over $1,000 each.", "Two", "Four"),
    ("", [TOP], "Dune has 88 loans, Emma 71, and two got 64 each.", "two", "three"),
    ("", [TOP], "Dune leads with 88; the other four range from 33 to 71.", "four", "three"),
    ("", [TOP, ALL], "The top five make up 320 of 2,150 loans, or 14.9%.", "14.9%", "19.4%"),
    ("", [TOP], "Four titles have over 60 loans: Dune, Emma, Ulysses, Beloved.", "Four", "Five"),
]


@pytest.mark.parametrize(("question", "results", "draft", "true", "slip"), CASES)
def test_a_count_or_a_sum_of_some_rows_holds_and_a_slip_does_not(
    question: str, results: list[QueryResult], draft: str, true: str, slip: str
) -> None:
    sources = Sources(question, tuple(results))
    assert true in draft
    honest = check_evidence(draft, sources)
    assert honest.holds, (honest.untraced, honest.faults)
    assert not check_evidence(draft.replace(true, slip, 1), sources).holds


@pytest.mark.parametrize(
    "draft",
    [
        "Four of them are new to the list.",  # no rows can tell
        "The top two together have 159 loans.",
        "One of the five titles, Walden, has fewer than 40 loans.",
        "All five have more than 30 loans.",
        "Four titles have more than 45 loans.",
    ],
)
def test_a_count_that_could_be_true_is_let_pass(draft: str) -> None:
    assert check_evidence(draft, Sources("", (TOP,))).holds


def test_no_count_is_higher_than_the_rows_are_many() -> None:
    assert not check_evidence("Nine of them are new.", Sources("", (TOP,))).holds


def test_a_wrong_count_is_told_with_the_right_one() -> None:
    evidence = check_evidence("Five months beat the average.", Sources("", (MONTHS,)))
    assert evidence.faults == ("“Five”: 4 of the 12 rows of result 1.",)
