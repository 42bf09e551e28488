"""Superlatives, places, courses, units, dates and emptiness: what holds, and what does not."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Final

import pytest

from agent.evidence import Sources, check_evidence
from agent.messages import Cell, Column, QueryResult


def _result(sql: str, columns: str, *rows: str) -> QueryResult:
    """Return a result from "name:type …" and rows such as "Porto | 12"."""
    heads = tuple(Column(*one.split(":")) for one in columns.split())
    cells = (zip(row.split(" | "), heads, strict=True) for row in rows)
    made = (tuple(_cell(text, head.type_name) for text, head in row) for row in cells)
    return QueryResult(sql=sql, columns=heads, rows=tuple(made))


def _cell(text: str, type_name: str) -> Cell:
    if text == "NULL":
        return None
    if type_name in ("bigint", "integer"):
        return int(text)
    return Decimal(text) if type_name == "numeric" else text


RESULTS: Final = {
    "months": _result(
        "SELECT to_char(paid_at, 'YYYY-MM') AS month, sum(amount) AS revenue FROM payment "
        "WHERE paid_at >= '2025-01-01' AND paid_at < '2025-08-01' GROUP BY 1 ORDER BY 1",
        "month:text revenue:numeric",
        "2025-01 | 3434.93", "2025-02 | 2830.86", "2025-03 | 2733.25", "2025-04 | 2571.60",
        "2025-05 | 2441.17", "2025-06 | 2691.60", "2025-07 | 4193.89",
    ),
    "days": _result(
        "SELECT rented_on AS day, count(*) AS rentals FROM rental GROUP BY 1 "
        "ORDER BY 2 DESC LIMIT 5",
        "day:date rentals:bigint",
        "2025-12-27 | 63", "2025-12-06 | 58", "2025-12-13 | 55", "2025-12-20 | 55",
        "2024-12-21 | 52",
    ),
    "hotels": _result(
        "SELECT name AS hotel, count(*) AS bookings, round(avg(nights), 1) AS avg_nights, "
        "sum(total) AS revenue_eur FROM booking GROUP BY 1 ORDER BY 4 DESC",
        "hotel:text bookings:bigint avg_nights:numeric revenue_eur:numeric",
        "Seeblick | 412 | 3.4 | 187520.50", "Alpenhof | 388 | 2.9 | 164310.00",
        "Stadtpark | 521 | 1.8 | 158990.25", "Rosengarten | 167 | 4.1 | 71204.80",
    ),
    "flights": _result(
        "SELECT airline, count(*) AS flights, round(100.0 * avg(late), 1) AS delayed_pct "
        "FROM flight GROUP BY 1 ORDER BY 3",
        "airline:text flights:bigint delayed_pct:numeric",
        "Nordair | 1820 | 12.4", "SkyWest | 2410 | 17.9", "Aerolux | 960 | 21.3",
        "Budgetjet | 3105 | 28.7",
    ),
    "growth": _result(
        "SELECT genre, round(100.0 * (b - a) / a, 1) AS growth_pct FROM genres ORDER BY 2 DESC",
        "genre:text growth_pct:numeric",
        "Documentary | 56.0", "Foreign | 45.8", "Sports | 6.1", "Classics | -10.2",
    ),
    "loans": _result(
        "SELECT max(return_date::date - rental_date::date) AS longest FROM rental",
        "longest:integer", "19",
    ),
    "period": _result(
        "SELECT min(created_at) AS first_order, max(created_at) AS last_order FROM orders",
        "first_order:timestamp last_order:timestamp",
        "2023-03-14 09:05:00 | 2025-09-30 17:42:00",
    ),
    "film": _result(
        "SELECT title, length FROM film WHERE title = 'Tender Window'",
        "title:text length:integer", "Tender Window | 149",
    ),
    "signups": _result(
        "SELECT extract(year FROM created)::int AS year, count(*) AS customers FROM customer "
        "GROUP BY 1 ORDER BY 1",
        "year:integer customers:bigint", "2023 | 390", "2024 | 106", "2025 | 104",
    ),
    "rain": _result(
        "SELECT month, sum(mm) AS rain_mm FROM weather GROUP BY 1 ORDER BY 1",
        "month:text rain_mm:numeric", "2024-07 | 54.0", "2024-08 | 49.3", "2024-09 | 97.6",
    ),
    "nothing": _result(
        "SELECT order_id FROM orders WHERE status = 'refunded' AND placed_at >= '2025-03-01' "
        "AND placed_at < '2025-04-01'",
        "order_id:integer",
    ),
    "null": _result(
        "SELECT sum(amount) AS revenue FROM payment WHERE paid_at >= '2026-06-01'",
        "revenue:numeric", "NULL",
    ),
}  # fmt: skip

HONEST: Final = (
    # superlatives of a figure, of a scope, of something else
    ("months", "Revenue hit a low of $2,441.17 in May and peaked at $4,193.89 in July."),
    ("months", "July was the best month, 72% above the weakest one (May, $2,441.17)."),
    ("months", "The steepest drop came in February, the biggest jump in July."),
    ("days", "The best day of 2024 was December 21, with 52 rentals."),
    ("days", "December 27, 2025 holds the record at 63 rentals; the runner-up is December 6."),
    ("hotels", "Seeblick leads with €187,520.50, although Stadtpark has the most bookings (521)."),
    ("hotels", "Rosengarten brings up the rear but has the longest stays, 4.1 nights on average."),
    ("flights", "Nordair is the most punctual airline: only 12.4% of its flights were late."),
    ("flights", "Budgetjet comes last in punctuality with 28.7%, the worst rate of all."),
    ("growth", "Documentary is the fastest-growing genre; the smallest gain was Sports' 6.1%."),
    ("growth", "By growth, highest first: Documentary (56.0%), Foreign (45.8%), Sports (6.1%)."),
    ("flights", "Aerolux has the fewest flights but is not the worst: Budgetjet is (28.7%)."),
    ("months", "January was second best with $3,434.93, the second-best month of all."),
    # places
    ("days", "December 13 and 20, 2025 share third place with 55 rentals each."),
    ("hotels", "Alpenhof is a close second, Stadtpark no. 3 with €158,990.25."),
    ("hotels", "Number two is Alpenhof. Seeblick makes more than no. 2 (Alpenhof, €164,310.00)."),
    # courses
    ("months", "Revenue fell every month from January to May, four months in a row."),
    ("months", "It fell for four straight months and then rose two months in a row."),
    ("months", "It declined steadily until May and has risen every month since June."),
    ("signups", "390 signed up in 2023, 106 in 2024 and 104 last year: fewer every year."),
    ("months", "June is still below the average, July well above the average."),
    ("months", "No other month gets past $3,500 except July. No month fell below $2,400."),
    # units, lengths of time, dates
    ("loans", "The record is 19 days, i.e. almost three weeks."),
    ("film", "It runs for just under two and a half hours, or 2 hours and 29 minutes."),
    ("period", "The first order is from mid-March 2023, the last was placed on 30.09.2025 at "
     "5:42 pm: roughly two and a half years."),
    ("signups", "That makes 600 customers over three years."),
    ("rain", "September was the wettest month with 97.6 mm, August the driest (49.3 mm)."),
    ("rain", "Rain is lowest in August; all three months of Q3 2024 are in."),
    # nothing
    ("nothing", "March 2025 has zero refunded orders."),
    ("nothing", "Not a single order was refunded. The status may be spelled differently."),
    ("nothing", "There weren't any refunded orders; shall I look at April 2025 instead?"),
    ("null", "We don't have any payments from June 2026 on, so there is nothing to add up."),
)  # fmt: skip

LIES: Final = (
    ("months", "Revenue drifted down to a low of $2,571.60 in April."),
    ("months", "Revenue peaked in January at $3,434.93."),
    ("months", "The steepest drop came in May."),
    ("days", "December 6, 2025 holds the record at 58 rentals."),
    ("days", "December 13 is the runner-up with 55 rentals."),
    ("days", "December 13 and 20, 2025 share second place with 55 rentals each."),
    ("hotels", "Stadtpark comes last with €158,990.25."),
    ("hotels", "Seeblick has the longest stays, 3.4 nights on average."),
    ("flights", "Aerolux was late with 21.3% of its flights, the highest rate."),
    ("flights", "SkyWest comes last in punctuality with 17.9%."),
    ("growth", "Foreign is the fastest-growing genre at 45.8%."),
    ("hotels", "Stadtpark is a distant second with €158,990.25."),
    ("hotels", "Number two is Stadtpark (€158,990.25)."),
    ("months", "Revenue rose every month in 2025."),
    ("months", "Revenue has risen four months in a row."),
    ("flights", "No other airline flies more than Aerolux."),
    ("months", "Revenue declined steadily throughout the year."),
    ("months", "Revenue rose every month from January to May."),
    ("signups", "Signups have climbed from year to year: 390, 106 and 104."),
    ("months", "June ($2,691.60) was above the average."),
    ("months", "No month fell below $2,600."),
    ("hotels", "Seeblick leads with $187,520.50."),
    ("loans", "The longest loan ran 19 weeks."),
    ("film", "It runs for about an hour and 49 minutes."),
    ("period", "The orders cover nearly four years."),
    ("period", "The first order is from mid-May 2023."),
    ("period", "The last order was placed on 30.09.2025 at 7:42 pm."),
    ("rain", "July was the wettest month with 54.0 mm."),
    ("rain", "Rain is lowest in July (54.0 mm)."),
    ("nothing", "Refunds in March 2025 were higher than usual, which is nothing unusual."),
    ("nothing", "Refunds keep coming in, with no sign of slowing down."),
    ("null", "Revenue from June 2026 on is in line with the years before."),
)


def _holds(name: str, draft: str, question: str = "What do the rows say?") -> bool:
    return check_evidence(
        draft, Sources(question, (RESULTS[name],), (), date(2026, 1, 5))
    ).holds  # fmt: skip


@pytest.mark.parametrize(("name", "draft"), HONEST)
def test_what_the_rows_say_holds(name: str, draft: str) -> None:
    assert _holds(name, draft)


@pytest.mark.parametrize(("name", "draft"), LIES)
def test_what_the_rows_refute_is_caught(name: str, draft: str) -> None:
    assert not _holds(name, draft)


def test_the_currency_is_that_of_the_question() -> None:
    question = "What was revenue in January, in dollars?"
    assert _holds("months", "It was $3,434.93.", question)
    assert not _holds("months", "It was €3,434.93.", question)


def test_two_currencies_for_one_query_contradict_each_other() -> None:
    assert not _holds("months", "January made €3,434.93, February only $2,830.86.")
