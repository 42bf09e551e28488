"""Whose figure it is: honest answers pass, and the same with two labels swapped do not."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from agent.evidence import Sources, check_evidence
from agent.messages import Cell, Column, QueryResult

TODAY = date(2026, 1, 5)


def _result(sql: str, columns: str, *rows: tuple[Cell, ...]) -> QueryResult:
    """Make a result; `columns` are "name:type" pairs; texts such as "9.50d" become decimals."""
    made = tuple(tuple(_cell(cell) for cell in row) for row in rows)
    pairs = [pair.split(":") for pair in columns.split()]
    return QueryResult(sql, tuple(Column(name, kind) for name, kind in pairs), made)


def _cell(cell: Cell) -> Cell:
    is_decimal = isinstance(cell, str) and cell[:-1].replace(".", "").isdigit() and cell[-1] == "d"
    return Decimal(str(cell)[:-1]) if is_decimal else cell


STORES = _result(
    "SELECT store, manager, sum(amount) AS sales FROM sale GROUP BY 1, 2 ORDER BY 3 DESC",
    "store:text manager:text sales:numeric",
    ("Porto, Portugal", "Leonor Lima", "30821.91d"),
    ("Bremen, Germany", "Antje Wolf", "27097.76d"),
    ("Leeds, United Kingdom", "Grace Hale", "7673.70d"),
)
YEARS = _result(
    "SELECT city AS store, sum(a) FILTER (WHERE d < '2025-01-01') AS revenue_2024, "
    "sum(a) FILTER (WHERE d >= '2025-01-01') AS revenue_2025 FROM sale GROUP BY 1",
    "store:text revenue_2024:numeric revenue_2025:numeric",
    ("Porto", "14902.16d", "15919.75d"),
    ("Bremen", "13264.74d", "13833.02d"),
    ("Leeds", "1815.24d", "5858.46d"),
)
LONG = _result(
    "SELECT city AS store, extract(year FROM d)::int AS year, sum(a) AS revenue FROM sale "
    "GROUP BY 1, 2 ORDER BY 1, 2",
    "store:text year:int4 revenue:numeric",
    ("Bremen", 2024, "13264.74d"),
    ("Bremen", 2025, "13833.02d"),
    ("Porto", 2024, "14902.16d"),
    ("Porto", 2025, "15919.75d"),
)
STAFF = _result(
    "SELECT e.id, e.name, d.name AS department, e.salary, e.hired, e.is_manager, e.active "
    "FROM employee e JOIN department d USING (department_id)",
    "id:int4 name:text department:text salary:numeric hired:date is_manager:bool active:bool",
    (11, "Laura Nguyen", "Engineering", "128500d", "2016-03-14", True, True),
    (42, "Omar Haddad", "Sales", "97250d", "2019-09-02", True, True),
    (7, "Petra Novak", "Engineering", "93400d", "2018-01-22", False, True),
    (23, "Ben Carter", "Support", "61200d", "2021-06-07", False, False),
)
FILM = _result(
    "SELECT title, rental_rate, length, replacement_cost FROM film WHERE title = 'Late Dentist'",
    "title:text rental_rate:numeric length:int2 replacement_cost:numeric",
    ("Late Dentist", "4.99d", 80, "27.99d"),
)
GROWTH = _result(
    "SELECT genre, a AS revenue_2024, b AS revenue_2025, round(100 * (b - a) / a, 1) AS growth_pct "
    "FROM genre_year",
    "genre:text revenue_2024:numeric revenue_2025:numeric growth_pct:numeric",
    ("Foreign", "2257.52d", "3290.68d", "45.8d"),
    ("New", "3178.48d", "4589.83d", "44.4d"),
    ("Comedy", "2094.27d", "2666.00d", "27.3d"),
)
RATES = _result(
    "SELECT rental_rate, count(*) AS films FROM film GROUP BY 1 ORDER BY 2 DESC",
    "rental_rate:numeric films:int8",
    ("2.99d", 457),
    ("4.99d", 321),
    ("0.99d", 222),
)
RATINGS = _result(
    "SELECT rating, count(*) AS films, round(avg(length), 1) AS avg_length FROM film GROUP BY 1",
    "rating:text films:int8 avg_length:numeric",
    ("G", 223, "92.8d"),
    ("NC-17", 36, "112.7d"),
    ("R", 153, "107.1d"),
    (None, 9, "104.7d"),
)
LENGTHS = _result(
    "SELECT bucket, count(*) AS films FROM film_length GROUP BY 1 ORDER BY 2 DESC",
    "bucket:text films:int8",
    ("60-119 min", 799),
    ("120 min and more", 184),
    ("under 60 min", 12),
)
COUNTRIES = _result(
    "SELECT country, count(*) AS customers FROM customer GROUP BY 1 ORDER BY 2 DESC",
    "country:text customers:int8",
    ("Germany", 46),
    ("United Kingdom", 42),
    ("United States", 36),
)
SIGNUPS = _result(
    "SELECT extract(year FROM created)::int AS year, count(*) AS new_customers FROM customer "
    "GROUP BY 1 ORDER BY 1",
    "year:int4 new_customers:int8",
    (2023, 390),
    (2024, 106),
    (2025, 104),
)
DISCS = _result(
    "SELECT city AS store, count(*) AS discs, count(DISTINCT film_id) AS titles FROM inventory "
    "GROUP BY 1",
    "store:text discs:int8 titles:int8",
    ("Bremen", 1536, 960),
    ("Porto", 1301, 828),
    ("Leeds", 973, 632),
)
TRACKS = _result(
    "SELECT name, milliseconds FROM track ORDER BY 2 DESC LIMIT 3",
    "name:text milliseconds:int4",
    ("Occupation", 5286953),
    ("Greetings, Pt. 1", 2960293),
    ("East 12th St. Blues", 2956998),
)

PAIRS = [
    # What is compared: the first figure is of the first name.
    (
        STORES,
        "Porto leads Bremen by $3,724.15: $30,821.91 versus $27,097.76.",
        "Porto leads Bremen by $3,724.15: $27,097.76 versus $30,821.91.",
    ),
    (
        STORES,
        "Porto by a nose: $30.8k vs $27.1k for Bremen.",
        "Porto by a nose: $27.1k vs $30.8k for Bremen.",
    ),
    (
        STORES,
        "Bremen is close behind with $27,097.76.",
        "Bremen is close behind with $30,821.91.",
    ),
    (
        STORES,
        "Leeds made $7,673.70, a quarter of Porto's figure.",
        "Leeds made $7,673.70, a third of Porto's figure.",
    ),
    # Derived percentages and differences are of the row that they stand beside.
    (
        GROWTH,
        "Ahead are Foreign (+45.8%) and New (+44.4%).",
        "Ahead are Foreign (+44.4%) and New (+45.8%).",
    ),
    (
        GROWTH,
        "New and Comedy grew by 44.4% and 27.3% respectively.",
        "New and Comedy grew by 27.3% and 44.4% respectively.",
    ),
    (YEARS, "Porto gained $1,017.59.", "Porto gained $568.28."),
    (LONG, "Bremen grew 4.3%, Porto 6.8%.", "Bremen grew 6.8%, Porto 4.3%."),
    (
        YEARS,
        "All three grew in 2025:\n- Leeds, from $1,815.24 to $5,858.46\n- Porto, to $15,919.75",
        "All three grew in 2025:\n- Leeds, from $1,815.24 to $15,919.75\n- Porto, to $5,858.46",
    ),
    # Names, ids, dates and flags beside a name.
    (
        STORES,
        "Porto (Leonor Lima) made $30,821.91.",
        "Porto (Antje Wolf) made $30,821.91.",
    ),
    (STAFF, "Laura Nguyen (ID 11) earns $128,500.", "Laura Nguyen (ID 42) earns $128,500."),
    (
        STAFF,
        "Laura Nguyen has ID 11, Omar Haddad 42.",
        "Laura Nguyen has ID 42, Omar Haddad 11.",
    ),
    (STAFF, "Omar Haddad works in Sales.", "Omar Haddad works in Support."),
    (STAFF, "Petra was hired on 22 January 2018.", "Petra was hired on 2 September 2019."),
    (STAFF, "No longer active: Ben Carter.", "No longer active: Omar Haddad."),
    (STAFF, "Everyone except Ben Carter is active.", "Ben Carter is still active."),
    (
        STAFF,
        "Laura Nguyen and Omar Haddad are managers.",
        "Laura Nguyen and Petra Novak are managers.",
    ),
    # The column that the words name.
    (FILM, "Replacement cost: $27.99", "Replacement cost: $4.99"),
    (
        FILM,
        "It rents for $4.99, and replacing it costs $27.99.",
        "It rents for $27.99, and replacing it costs $4.99.",
    ),
    (
        FILM,
        "| Film | Rental rate | Replacement cost |\n|---|---|---|\n| Late Dentist | 4.99 | 27.99 |",
        "| Film | Rental rate | Replacement cost |\n|---|---|---|\n| Late Dentist | 27.99 | 4.99 |",
    ),
    # Short, other and missing names.
    (
        COUNTRIES,
        "Germany has 46 customers, the UK 42 and the US 36.",
        "Germany has 46 customers, the UK 36 and the US 42.",
    ),
    (
        RATINGS,
        "NC17 films run 112.7 minutes, R films 107.1.",
        "NC17 films run 107.1 minutes, R films 112.7.",
    ),
    (
        RATINGS,
        "G 223, NC-17 36, R 153, not set 9.",
        "G 223, NC-17 153, R 36, not set 9.",
    ),
    (
        SIGNUPS,
        "390 in '23, 106 in '24 and 104 last year.",
        "390 in '23, 104 in '24 and 106 last year.",
    ),
    (
        LENGTHS,
        "Most films (799) last 60-119 minutes, 184 run for 120 minutes or more.",
        "Most films (184) last 60-119 minutes, 799 run for 120 minutes or more.",
    ),
    # Labels that are figures, or hold some.
    (
        RATES,
        "Films by rental rate: 2.99 (457), 4.99 (321), 0.99 (222).",
        "Films by rental rate: 2.99 (321), 4.99 (457), 0.99 (222).",
    ),
    (
        TRACKS,
        "Greetings, Pt. 1 (2960293), East 12th St. Blues (2956998)",
        "Greetings, Pt. 1 (2956998), East 12th St. Blues (2960293)",
    ),
    (
        SIGNUPS,
        "By year: 2023 390, 2024 106, 2025 104.",
        "By year: 2023 390, 2024 104, 2025 106.",
    ),
    # Respectively.
    (
        DISCS,
        "We stock 1,536 discs in Bremen and 1,301 in Porto, covering 960 and 828 titles "
        "respectively.",
        "We stock 1,536 discs in Bremen and 1,301 in Porto, covering 828 and 960 titles "
        "respectively.",
    ),
    (
        DISCS,
        "Bremen (1,536 discs; 960 titles) is ahead of Porto (1,301; 828).",
        "Bremen (1,536 discs; 828 titles) is ahead of Porto (1,301; 960).",
    ),
]

HONEST = [
    (STORES, "Porto's store made $30.8k; the Leeds store trails with $7.7k."),
    (STORES, "Porto $30,821.91, the UK shop $7,673.70."),
    (STAFF, "Two of the four are managers: Laura and Omar. Ben is no longer with us."),
    (STAFF, "Engineering has Laura ($128,500) and Petra (hired January 2018, $93,400)."),
    (STAFF, "Omar earns $3,850 more than Petra ($97,250 vs. $93,400)."),
    (RATINGS, "R films average 107.1 minutes. Nine films have no rating; they average 104.7."),
    (SIGNUPS, "Signups: 104 in 2025, after 106 the year before."),
    (YEARS, "Porto and Leeds made $15,919.75 and $5,858.46, up from $14,902.16 and $1,815.24."),
    (COUNTRIES, "Germans lead (46), then come the British (42) and the Americans (36)."),
    (DISCS, "Bremen: 1,536 discs (Porto: 1,301) and 960 titles (Porto: 828)."),
]


@pytest.mark.parametrize(("result", "honest", "lie"), PAIRS)
def test_a_figure_belongs_to_the_name_beside_it(result: QueryResult, honest: str, lie: str) -> None:
    sources = Sources("?", (result,), (), TODAY)

    told = check_evidence(honest, sources)

    assert told.holds, (told.untraced, told.faults)
    assert not check_evidence(lie, sources).holds


@pytest.mark.parametrize(("result", "honest"), HONEST)
def test_names_that_stand_near_a_figure_are_not_always_its_own(
    result: QueryResult, honest: str
) -> None:
    told = check_evidence(honest, Sources("?", (result,), (), TODAY))

    assert told.holds, (told.untraced, told.faults)


def test_the_value_of_a_filter_may_follow_the_name_of_its_column() -> None:
    result = _result(
        "SELECT count(*) AS films FROM film WHERE rental_rate = 4.99", "films:int8", (321,)
    )
    sources = Sources("How many films cost that?", (result,), (), TODAY)

    assert check_evidence("There are 321 films where rental rate exactly 4.99.", sources).holds
    assert not check_evidence("There are 321 films where rental rate exactly 3.99.", sources).holds
