"""What a query asks of its rows, in words: nothing is said wrongly, nothing left out silently."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from sqlglot import exp

from agent.database.guard.second_reader import read_with_sqlglot
from agent.found import Found, found

A_DATE = re.compile(r"\d{4}-\d\d?-\d\d?.*|[12]\d{3}|\d+ \w+|\d+")


def where(condition: str) -> Found:
    return found(f"SELECT sum(amount) FROM payment WHERE {condition}")


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("rating = 'PG'", "rating is PG"),
        ("rating <> 'PG'", "rating is not PG"),
        ("rating IN ('PG', 'G')", "rating is PG or G"),
        ("rating NOT IN ('PG', 'G')", "rating is not PG or G"),
        ("rating = ANY(ARRAY['PG', 'G'])", "rating is PG or G"),
        ("id IN (1, 2, 3, 4, 5, 6)", "id is 1, 2, 3 or 3 other values"),
        ("last_name ILIKE '%son%'", "last name contains son"),
        ("last_name NOT LIKE 'son%'", "last name does not begin with son"),
        ("last_name LIKE '%son'", "last name ends with son"),
        ("lower(rating) = 'p g <x>'", "rating is “p g <x>”"),
        ("rating = ''", "rating is “”"),
        ("amount > 5.5", "amount over 5.5"),
        ("5 <= amount", "amount at least 5"),
        ("amount BETWEEN 1 AND 2", "amount from 1 to 2"),
        ("amount NOT BETWEEN 1 AND 2", "amount is not from 1 to 2"),
        ("amount = -5", "amount is -5"),
        ("return_date IS NULL", "return date is empty"),
        ("return_date IS NOT NULL", "return date is not empty"),
        ("active", "active"),
        ("NOT active", "not active"),
        ("active IS NOT TRUE", "active is not true"),
        ("(rating = 'PG' OR amount > 5)", "either rating is PG or amount over 5"),
        ("extract(month FROM payment_date) = 5", "month of payment date is 5"),
    ],
)
def test_condition_is_told_in_words(condition, words):
    assert where(condition) == Found(filters=(words,), is_about_time="extract" in condition)


@pytest.mark.parametrize(
    "condition",
    [
        "rating ~ 'P.*'",
        "NOT (rating = 'PG')",
        "rating IS DISTINCT FROM 'PG'",
        "rating = NULL",
        "rating LIKE 'P_%'",
        "customer_id IN (SELECT customer_id FROM customer)",
        "EXISTS (SELECT FROM customer)",
        "amount > (SELECT avg(amount) FROM payment)",
        "amount * 2 > 5",
        "first_name = last_name",
        "rating = 'a' OR rating ~ 'b' OR amount = 3",
        f"rating = '{'x' * 200}'",
    ],
)
def test_condition_without_short_words_is_counted(condition):
    read = where(condition)
    assert read.filters == read.windows == ()
    assert read.left_out >= 1


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("d >= '2024-01-01' AND d < '2025-01-01'", "d 2024"),
        ("d >= DATE '2024-03-01' AND d < DATE '2024-04-01'", "d Mar 2024"),
        ("d >= '2024-01-01' AND d < '2026-01-01'", "d 1 Jan 2024 – 31 Dec 2025"),
        ("d < '2025-01-01' AND '2024-12-31' <= d", "d 31 Dec 2024"),
        ("d::date BETWEEN '2024-01-01' AND '2024-12-31'", "d 2024"),
        ("extract(year FROM d) = 2024", "d 2024"),
        ("date_trunc('month', d) = '2024-12-01'", "d Dec 2024"),
        ("date_trunc('quarter', d) = '2024-10-01'", "d 1 Oct 2024 – 31 Dec 2024"),
        ("d >= '2024-01-01'", "d from 1 Jan 2024"),
        ("d > '2024-01-01'", "d after 1 Jan 2024"),
        ("d <= '2024-01-01 13:30'", "d up to 1 Jan 2024, 13:30"),
        ("d >= current_date - 7", "d from 7 days before today"),
        ("d >= now() - interval '1 month'", "d from 1 month before now"),
    ],
)
def test_limits_in_time_are_one_window(condition, words):
    read = where(condition)
    assert (read.filters, read.windows, read.left_out) == ((), (words,), 0)
    assert read.is_about_time


def test_last_day_of_a_window_is_not_called_whole_where_its_hours_may_be_missing():
    assert where("d BETWEEN '2024-01-01' AND '2024-12-31'").windows == (
        "d from 1 Jan 2024 up to 31 Dec 2024",
    )


def test_zone_that_a_query_names_is_told():
    read = where("(d AT TIME ZONE 'Asia/Tokyo') >= '2024-01-01'")
    assert (read.windows, read.zones) == (("d from 1 Jan 2024",), ("Asia/Tokyo",))


def test_columns_name_their_table_where_several_are_read():
    read = found(
        "SELECT sum(p.amount) FROM payment p JOIN film f ON f.film_id = p.film_id"
        " AND f.length > 60 WHERE f.rating = 'PG' AND p.payment_id > 3"
    )
    assert read.filters == ("film rating is PG", "payment id over 3", "film length over 60")
    assert read.left_out == 0


def test_condition_on_one_of_two_readings_of_a_table_is_counted():
    read = found(
        "SELECT 1 FROM hero JOIN colour a ON a.id = hero.eye JOIN colour b ON b.id = hero.hair"
        " WHERE a.name = 'blue' AND b.name = 'brown'"
    )
    assert (read.filters, read.left_out) == ((), 2)


@pytest.mark.parametrize(
    ("sql", "filters", "left_out"),
    [
        ("WITH x AS (SELECT * FROM film WHERE a = 1) SELECT * FROM x WHERE b = 2", 2, 0),
        ("SELECT * FROM (SELECT * FROM film WHERE a = 1) x JOIN y USING (id)", 1, 0),
        ("SELECT * FROM y LEFT JOIN (SELECT * FROM film WHERE a = 1) x USING (id)", 0, 1),
        ("SELECT (SELECT 1 FROM film WHERE a = 1) FROM y", 0, 1),
        ("SELECT 1 FROM film WHERE a = 1 UNION SELECT 1 FROM film WHERE b = 2", 0, 2),
        ("SELECT count(*) FILTER (WHERE a = 1) FROM film", 0, 1),
        ("SELECT sum(CASE WHEN a = 1 THEN 1 END) FROM film", 0, 1),
        ("SELECT CASE WHEN a = 1 THEN 'x' END FROM film", 0, 0),
        ("SELECT a FROM film EXCEPT SELECT a FROM y", 0, 1),
        ("SELECT DISTINCT ON (a) a FROM film OFFSET 5", 0, 2),
        ("SELECT 1 FROM a, b WHERE a.id = b.id", 0, 0),
        ("SELECT 1 FROM a JOIN b USING (id) WHERE a.x = b.x", 0, 1),
        ("SELECT a FROM film GROUP BY a HAVING count(*) > 3", 1, 0),
    ],
)
def test_only_what_holds_for_all_rows_is_told_and_the_rest_counted(sql, filters, left_out):
    read = found(sql)
    assert (len(read.filters), read.left_out) == (filters, left_out)


@pytest.mark.parametrize("sql", ["", "SELECT FROM WHERE", "SELECT 1; SELECT 2", "DROP TABLE film"])
def test_what_cannot_be_read_is_said_to_be_unread(sql):
    assert not found(sql).is_read


def test_limit_is_told_where_it_is_known():
    assert found("SELECT a FROM film LIMIT 5").limit == 5
    assert found("SELECT a FROM film FETCH FIRST 5 ROWS ONLY").limit == 5
    assert found("SELECT a FROM film LIMIT 2 + 3").limit is None


def _databases() -> ModuleType:
    path = Path(__file__).parents[1] / "database" / "loaded_databases.py"
    spec = importlib.util.spec_from_file_location("found_databases", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_each_constant_of_a_condition_is_told_or_its_condition_counted():
    databases = _databases()
    silent = [
        query.text
        for query in [*databases.honest_queries(), *databases.gold_queries()]
        if (read := found(query.text)).is_read and not read.left_out
        for literal in _constants(query.text)
        if literal not in " ".join((*read.filters, *read.windows))
        and "other values" not in str(read.filters)
        and not (read.windows and A_DATE.fullmatch(literal))
    ]
    assert silent == []


def _constants(sql: str) -> list[str]:
    (tree,) = read_with_sqlglot(sql)
    clauses = tree.find_all(exp.Where, exp.Having)
    named = (each.name.strip("%") for clause in clauses for each in clause.find_all(exp.Literal))
    return [" ".join(name.split()) for name in named]
