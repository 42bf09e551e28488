"""What figures and names are said to be beside each other: what holds, and what does not."""

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
    if type_name in ("bigint", "integer"):
        return int(text)
    return Decimal(text) if type_name == "numeric" else text


RESULTS: Final = {
    "genres": _result(
        "SELECT genre, sum(amount) AS revenue FROM sale GROUP BY 1 ORDER BY 2 DESC",
        "genre:text revenue:numeric",
        "Opera | 9045.91", "Jazz | 7768.31", "Folk | 7103.04", "Soul | 6168.94",
    ),
    "halves": _result(
        "SELECT to_char(sold_at, 'YYYY-MM') AS month, sum(amount) AS revenue FROM sale "
        "WHERE sold_at >= '2025-01-01' GROUP BY 1 ORDER BY 1",
        "month:text revenue:numeric",
        *(f"2025-{month:02} | {1000 + 37 * month}.25" for month in range(1, 13)),
    ),
    "hours": _result(
        "SELECT extract(hour FROM sold_at)::int AS hour, count(*) AS sales FROM sale "
        "GROUP BY 1 ORDER BY 1",
        "hour:integer sales:bigint",
        "10 | 854", "11 | 905", "12 | 814", "13 | 893", "14 | 802",
    ),
    "teams": _result(
        "SELECT team, count(*) FILTER (WHERE opened < '2025-01-01') AS tickets_2024, "
        "count(*) FILTER (WHERE opened >= '2025-01-01') AS tickets_2025 FROM ticket "
        "GROUP BY 1 ORDER BY 3 DESC",
        "team:text tickets_2024:bigint tickets_2025:bigint",
        "Support | 380 | 520", "Billing | 410 | 455", "Sales | 290 | 240",
    ),
    "ratings": _result(
        "SELECT rating, count(*) AS films, round(avg(length), 1) AS avg_length FROM film "
        "GROUP BY 1",
        "rating:text films:bigint avg_length:numeric",
        "G | 223 | 92.8", "PG | 326 | 101.1", "R | 36 | 112.7",
    ),
    "countries": _result(
        "SELECT country, count(*) AS customers FROM customer GROUP BY 1 ORDER BY 2 DESC",
        "country:text customers:bigint",
        "USA | 13", "Canada | 12", "France | 11", "Germany | 11", "Italy | 4",
    ),
    "buckets": _result(
        "SELECT rentals, count(*) AS customers FROM per_customer GROUP BY 1",
        "rentals:text customers:bigint",
        "none | 15", "1-9 | 79", "10-24 | 241", "25-49 | 200",
    ),
    "lengths": _result(
        "SELECT bucket, count(*) AS films FROM film GROUP BY 1",
        "bucket:text films:bigint",
        "over 120 min | 457", "60-120 min | 447", "under 60 min | 96",
    ),
    "stock": _result(
        "SELECT product, units_in_stock, units_on_order, reorder_level FROM stock",
        "product:text units_in_stock:integer units_on_order:integer reorder_level:integer",
        "Gorgonzola | 0 | 70 | 20", "Tofu | 4 | 30 | 5",
    ),
    "composers": _result(
        "SELECT composer, count(*) AS tracks FROM track GROUP BY 1",
        "composer:text tracks:bigint",
        "known | 2526", "missing | 977",
    ),
    "weeks": _result(
        "SELECT date_trunc('week', sold_at)::date::text AS week_start, count(*) AS sales FROM sale "
        "GROUP BY 1 ORDER BY 1",
        "week_start:text sales:bigint",
        "2025-12-01 | 244", "2025-12-08 | 247", "2025-12-15 | 235",
    ),
    "shares": _result(
        "SELECT kind, round(100.0 * count(*) / 3503, 1) AS pct FROM track GROUP BY 1",
        "kind:text pct:numeric",
        "MPEG | 86.6", "AAC | 13.4",
    ),
    "spenders": _result(
        "SELECT name, sum(amount) AS spent, count(*) AS payments FROM payment "
        "JOIN customer USING (customer_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
        "name:text spent:numeric payments:bigint",
        "Frieda Kern | 715.20 | 180", "Ines Besson | 634.39 | 161", "Sanjay Mehta | 615.56 | 144",
    ),
    "quarters": _result(
        "SELECT date_trunc('quarter', paid)::date AS quarter, sum(amount) AS revenue "
        "FROM payment GROUP BY 1 ORDER BY 1",
        "quarter:date revenue:numeric",
        "2024-10-01 | 9336.90", "2025-01-01 | 9082.77", "2025-04-01 | 7746.02",
        "2025-07-01 | 8204.89", "2025-10-01 | 10762.55",
    ),
    "languages": _result(
        "SELECT l.name AS language, count(*) AS films FROM film JOIN language l "
        "USING (language_id) GROUP BY 1 ORDER BY 2 DESC",
        "language:text films:bigint",
        "English | 447", "German | 172", "Spanish | 85", "Italian | 67",
    ),
    "active": _result(
        "SELECT count(*) AS customers, count(*) FILTER (WHERE active) AS active FROM customer",
        "customers:bigint active:bigint",
        "600 | 580",
    ),
}  # fmt: skip
PAIRS: Final = (
    ("genres", "Opera leads; the second is Jazz with $7,768.31.",
     "Opera leads; the second is Folk with $7,103.04."),
    ("genres", "Third place goes to Folk.", "Third place goes to Soul."),
    ("genres", "Folk, the smallest of the top three, has $7,103.04.",
     "Jazz, the smallest of the top three, has $7,768.31."),
    ("halves", "The second half was stronger: $8,110.50 against $6,778.50 in the first.",
     "The first half was stronger: $6,778.50 against $8,110.50 in the second."),
    ("halves", "H2 beat H1: $8,110.50 versus $6,778.50.",
     "H1 beat H2: $6,778.50 versus $8,110.50."),
    ("halves", "Revenue increased from July ($1,259.25) to August ($1,296.25).",
     "Revenue fell from July ($1,259.25) to August ($1,296.25)."),
    ("hours", "14:00 (UTC) is the slowest hour.", "12:00 (UTC) is the slowest hour."),
    ("hours", "The hour from 12:00 has 814 sales.", "The hour from 12:00 has 893 sales."),
    ("teams", "Support added the most tickets: 140 more than in 2024 (380 → 520).",
     "Billing added the most tickets: 45 more than in 2024 (410 → 455)."),
    ("teams", "Billing rose from 410 in 2024 to 455.", "Billing fell from 410 in 2024 to 455."),
    ("ratings", "R films are longer than G films.", "G films are longer than R films."),
    ("ratings", "PG films are longer than G films: 101.1 against 92.8 minutes.",
     "PG films are longer than G films: 92.8 against 101.1 minutes."),
    ("countries", "USA 13, CA 12, FR & DE 11 each.", "USA 13, FR 12, CA & DE 11 each."),
    ("countries", "It is the USA that leads with 13.", "It is IT that leads with 13."),
    ("buckets", "241 have 10-24, 200 have 25-49, 79 have 1-9 and 15 have none.",
     "241 have 25-49, 200 have 10-24, 79 have 1-9 and 15 have none."),
    ("lengths", "Over 2h: 457. Under an hour: 96.", "Over 2h: 96. Under an hour: 457."),
    ("stock", "Gorgonzola: 70 on order, reorder level 20.",
     "Gorgonzola: 20 on order, reorder level 70."),
    ("composers", "977 tracks have no composer.", "2,526 tracks have no composer."),
    ("weeks", "Week of 1.12.2025: 244. Week of 8.12.: 247.",
     "Week of 1.12.2025: 247. Week of 8.12.: 244."),
    ("shares", "MPEG makes up 86.6% of all tracks.",
     "MPEG makes up 86.6 percentage points more than last year."),
    ("active", "580 customers are active, out of 600 registered.",
     "600 customers are active, out of 580 registered."),
    ("active", "We have 600 customers, of which 580 are active.",
     "We have 580 customers, of which 600 are active."),
    ("spenders", "Frieda Kern has spent $715.20 across 180 payments.",
     "Frieda Kern has spent $715.20 across 161 payments."),
    ("spenders", "Ines Besson spent $634.39, spread across 161 payments.",
     "Ines Besson spent $634.39, spread across 144 payments."),
    ("genres", "Opera is our top-earning genre.", "Folk is our top-earning genre."),
    ("genres", "Opera is the best-selling genre; Folk is a top-earning genre too.",
     "Folk is the best-selling genre; Opera is a top-earning genre too."),
    ("genres", "Jazz is the second-best-selling genre at $7,768.31.",
     "Jazz is the second-best-selling genre at $7,103.04."),
    ("quarters", "Q4 2025 came in at $10,762.55, up 15.3% from $9,336.90 in Q4 2024.",
     "Q4 2025 came in at $10,762.55, up 31.2% from $9,336.90 in Q4 2024."),
    ("quarters", "Revenue fell 17.0% from $9,336.90 to $7,746.02.",
     "Revenue fell 14.7% from $9,336.90 to $7,746.02."),
    ("quarters", "Q2 2025 was the weakest at $7,746.02. From there, revenue rose every quarter.",
     "Q4 2024 started at $9,336.90. From there, revenue rose every quarter."),
    ("languages", "324 films are in a language other than English. German is the biggest of those.",
     "324 films are in a language other than English. Spanish is the biggest of those."),
    ("languages", "English leads with 447. Among the rest, German is the largest with 172.",
     "English leads with 447. Among the rest, Spanish is the largest with 85."),
    ("languages", "Two languages have fewer than 100 films. Spanish is the biggest of those.",
     "Two languages have fewer than 100 films. Italian is the biggest of those."),
    ("languages", "German is the largest of the non-English languages.",
     "Spanish is the largest of the non-English languages."),
    ("genres", "Jazz trails the top-earning genre, Opera.", "Jazz is the top-earning genre."),
    ("quarters", "Revenue fell each quarter until Q2 2025; since then it has risen every quarter.",
     "Revenue fell each quarter until Q4 2025; it has not recovered since then."),
)  # fmt: skip


def _holds(name: str, draft: str) -> bool:
    sources = Sources("What do the rows say?", (RESULTS[name],), (), date(2026, 1, 5))
    return check_evidence(draft, sources).holds


@pytest.mark.parametrize(("name", "honest", "lie"), PAIRS)
def test_what_the_rows_say_holds_and_its_reverse_does_not(name: str, honest: str, lie: str) -> None:
    assert _holds(name, honest)
    assert not _holds(name, lie)


def test_the_lowest_of_them_is_among_those_just_named() -> None:
    listed = "Opera, Jazz and Folk earned over $7,000 each."
    assert _holds("genres", f"{listed} Folk is the lowest of them at $7,103.04.")
    assert not _holds("genres", f"{listed} Jazz is the lowest of them at $7,768.31.")


def test_an_hour_rests_on_its_own_row() -> None:
    sources = Sources("When?", (RESULTS["hours"],), (), None)
    figures = check_evidence("At 12:00 there were 814 sales.", sources).figures
    assert figures[0].source == "result 1, row 3, hour"
