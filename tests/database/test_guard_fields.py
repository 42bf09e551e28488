"""A name behind a dot, where nobody knows the functions of the database: a column, or refused."""

from __future__ import annotations

import contextlib
import time

import pytest

from agent.database import guard
from agent.database.guard import GuardPolicy
from agent.errors import SqlRejected

COLUMNS = {
    "film": "film_id title description length rating language_id",
    "customer": "customer_id first_name last_name store_id",
    "category": "category_id name",
}
WITH_COLUMNS = GuardPolicy(
    relations={("public", name): frozenset(text.split()) for name, text in COLUMNS.items()}
)
NAMES_ONLY = GuardPolicy(relations={("public", name): frozenset() for name in COLUMNS})

CALLS = [
    "SELECT (title).cost FROM film",
    "SELECT film.title.cost FROM film",
    "SELECT (film.title).cost FROM film",
    "SELECT (f.title || '').cost FROM film f",
    "SELECT (x.v).cost FROM (SELECT title AS v FROM film) x",
    "SELECT (lower(title)).cost FROM film",
    "SELECT (title).upper FROM film",
    "SELECT (f).title.cost FROM film f",
    "SELECT (n).cost FROM generate_series(1,2) n",
    "SELECT n.cost FROM generate_series(1,2) n",
    "SELECT (ARRAY(SELECT f FROM film f)).cost",
    "SELECT (array_agg(f)).cost FROM film f",
    "SELECT ((SELECT title FROM film LIMIT 1)).cost",
    "SELECT (CASE WHEN true THEN title END).cost FROM film",
    "SELECT x.cost FROM (SELECT 1 AS a) x",
    "SELECT x.cost FROM (SELECT 1 AS a) x WHERE EXISTS (SELECT 1 FROM (SELECT 2 AS cost) x)",
    "SELECT x.cost FROM (VALUES (1)) x(a)",
    "SELECT t.cost FROM (SELECT 1 AS a) s CROSS JOIN LATERAL (SELECT s.cost) t",
    "SELECT (e).cost FROM json_each('{}') e",
    "SELECT e.cost FROM json_each('{}') e",
    "SELECT (json_each('{}')).cost",
    "SELECT (NULL::film[]).cost",
    "WITH w AS (SELECT 1 AS n) SELECT w.cost FROM w",
    "SELECT x.cost FROM JSON_TABLE('1', '$' COLUMNS (a int PATH '$')) x",
    "SELECT a.cost FROM unnest(ARRAY[1]) a",
    "SELECT a.cost FROM json_to_record('{}') AS a(x int)",
    "SELECT (a).cost FROM json_to_record('{}') AS a(x int)",
    "SELECT (ROW(1,2)).cost",
    "SELECT (max(title)).cost FROM film",
    "SELECT (coalesce(title,'')).cost FROM film",
    "SELECT ('x'::text).cost",
    "SELECT (title::name).cost FROM film",
    "SELECT u.cost FROM film f JOIN category c USING (film_id) AS u",
    "SELECT q.cost FROM (SELECT * FROM (SELECT 1 AS a) z) q",
    "SELECT (s).cost FROM (SELECT title AS s FROM film) x",
    "SELECT max(c.cost) OVER (ORDER BY (c.name).cost) FROM category c",
    "WITH w AS (SELECT 1 AS n) SELECT 1 FROM category c WINDOW w AS (ORDER BY (c.name).cost)",
    "SELECT 1 FROM film TABLESAMPLE SYSTEM ((1).cost)",
    "SELECT 1 FROM generate_series(1, ('x'::text).cost) g",
    "SELECT (SELECT (title).cost FROM film LIMIT 1) FROM (SELECT s AS title FROM (SELECT 1"
    " AS cost) s) d",
    "SELECT (title).cost FROM film, (SELECT 1 AS cost) title",
    "SELECT x.cost FROM (WITH x AS (SELECT 1 AS cost) SELECT 1) y, (SELECT 2 AS a) x",
    "SELECT x.cost FROM LATERAL (SELECT 1) x, (SELECT 1 AS cost) y",
    "SELECT (a).cost FROM generate_series(1, 2) a(cost)",
    "SELECT (CASE WHEN true THEN a END).cost FROM (SELECT 1 AS cost) a",
    "SELECT (array_agg(a))[1].cost FROM (SELECT 1 AS cost) a",
    "SELECT ((SELECT a FROM (SELECT 1 AS cost) a)).cost",
    "SELECT 1 FROM ROWS FROM (generate_series(1, (1+1).cost)) g",
]
"""What may call a function `cost`, whether or not the columns of the tables are known."""
CALLS_OF_KNOWN_ROWS = [
    "SELECT j.cost FROM (category a JOIN film b ON true) AS j(x)",
    "SELECT f.cost FROM film f",
    "SELECT film.cost FROM film",
    "SELECT public.film.cost FROM film",
    "SELECT (f).cost FROM film f",
    "SELECT (NULL::film).cost",
    "SELECT q.cost FROM (SELECT c.* FROM category c) q",
    "SELECT (name).name FROM category name",
    "SELECT c.cost FROM category AS c TABLESAMPLE SYSTEM (10)",
    "SELECT 1 FROM category c JOIN film f ON f.cost = 1",
    "SELECT 1 FROM category c, LATERAL (SELECT c.cost) x",
    "SELECT 1 FROM category c GROUP BY c.cost",
    "SELECT 1 FROM category c ORDER BY c.cost LIMIT 1",
    "SELECT 1 FROM category c WHERE EXISTS (SELECT 1 FROM film WHERE c.cost = 1)",
    "SELECT 1 UNION SELECT c.cost FROM category c",
    "SELECT 1 FROM category x WHERE EXISTS (SELECT 1 FROM LATERAL (SELECT x.cost) x)",
    "SELECT 1 FROM category x WHERE EXISTS (SELECT 1 FROM LATERAL (SELECT x.*) x WHERE x.cost = 1)",
    "SELECT 1 FROM (category a CROSS JOIN LATERAL (SELECT a.cost) b) AS j",
    "SELECT 1 FROM (category a JOIN film b ON a.cost = 1) AS j",
    "SELECT 1 FROM category a WHERE EXISTS (SELECT 1 FROM ((SELECT 1 AS cost) a CROSS JOIN"
    " film) AS j WHERE a.cost = 1)",
    "SELECT 1 FROM category x WHERE EXISTS (SELECT 1 FROM film a JOIN film b ON x.cost ="
    " 1, (SELECT 1 AS cost) x)",
    "SELECT 1 FROM category x WHERE EXISTS (SELECT 1 FROM film AS a TABLESAMPLE SYSTEM"
    " (x.cost), (SELECT 1 AS cost) x)",
    "SELECT (array_agg(a))[1].cost FROM category a(cost)",
]
"""What only the columns of the tables tell: that there is no column `cost`."""
HONEST = [
    "SELECT (f).title FROM film AS f",
    "SELECT f.title FROM film f",
    "SELECT public.film.title FROM film",
    "SELECT (f).title FROM public.film f",
    "SELECT (x.r).title FROM (SELECT f AS r FROM film f) x",
    "SELECT (NULL::film).title",
    "SELECT (jsonb_populate_record(NULL::category, '{}')).name",
    "SELECT (array_agg(c ORDER BY 1))[1].name FROM category c",
    "SELECT ((SELECT c FROM category c LIMIT 1)).name",
    "SELECT max((f).length) FROM film f",
    "SELECT u.name FROM unnest(ARRAY(SELECT c FROM category c)) u",
    "SELECT (u).name FROM unnest(ARRAY(SELECT c FROM category c)) u",
    "SELECT r.name FROM jsonb_populate_recordset(NULL::category, '[]') r",
    "SELECT q.name FROM (SELECT c.* FROM category c) q",
    "SELECT q.name FROM (SELECT (c).* FROM category c) q",
    "SELECT f.ctid FROM film f",
    "WITH w AS (SELECT 1 AS n) SELECT w.n FROM w",
    "SELECT w.seq FROM (WITH RECURSIVE w AS (SELECT 1 AS n UNION ALL SELECT n+1 FROM w"
    " WHERE n < 3) SEARCH DEPTH FIRST BY n SET seq SELECT * FROM w) w",
    "SELECT j.name FROM (category a JOIN film b ON true) AS j",
    "SELECT x.text FROM (SELECT 1::text) x",
    "SELECT x.count FROM (SELECT count(*) FROM film) x",
    "SELECT x.array FROM (SELECT ARRAY[1]) x",
    "SELECT x.upper FROM (SELECT CASE WHEN true THEN 'a' ELSE upper('x') END) x",
    "SELECT x.case FROM (SELECT CASE WHEN true THEN 'a' END) x",
    "SELECT x.coalesce FROM (SELECT coalesce(1,2)) x",
    "SELECT x.column1 FROM (VALUES (1)) x",
    "SELECT x.exists FROM (SELECT EXISTS (SELECT 1)) x",
    "SELECT x.current_date FROM (SELECT current_date) x",
    'SELECT x."?column?" FROM (SELECT 1+1) x',
    "SELECT x.b FROM (SELECT (SELECT 1 AS b)) x",
    "SELECT e.value FROM jsonb_array_elements('[]') e",
    "SELECT s.x FROM (film f JOIN LATERAL (SELECT f.length AS x) s ON f.length = s.x)",
    "SELECT j.x FROM (film f JOIN LATERAL (SELECT f.length AS x) s ON f.length = s.x) AS j",
    "SELECT c.name FROM film f JOIN category c ON c.category_id = f.film_id LEFT JOIN"
    " customer u ON u.customer_id = c.category_id AND u.store_id = f.length",
    "SELECT l.k FROM category c, LATERAL jsonb_each_text(to_jsonb(c)) AS l(k, v)",
    "SELECT l.v FROM category c CROSS JOIN LATERAL (VALUES (c.name), ('b')) AS l(v)",
    "SELECT (SELECT f.title FROM film f WHERE f.film_id = c.category_id) FROM category c",
    "SELECT k.k FROM json_object_keys('{}') k",
    "SELECT o.ordinality FROM unnest(ARRAY[1]) WITH ORDINALITY o",
    "SELECT o.i FROM unnest(ARRAY[1]) WITH ORDINALITY o(v, i)",
    "SELECT r.b FROM ROWS FROM (generate_series(1,2), generate_series(1,3)) r(a, b)",
    "SELECT s.x FROM film f CROSS JOIN LATERAL (SELECT f.length AS x) s",
    "SELECT u.film_id FROM film f JOIN customer c USING (film_id) AS u",
    "SELECT d.d FROM generate_series('2020-01-01'::date, '2020-02-01', '1 day') d",
    "SELECT d.date FROM current_date AS d(date)",
    "SELECT x.date_trunc FROM (SELECT date_trunc('day', now())) x",
    "SELECT x.extract FROM (SELECT extract(year FROM now())) x",
    "SELECT x.greatest FROM (SELECT greatest(1,2)) x",
    "SELECT x.row FROM (SELECT row(1,2)) x",
    "SELECT x.m FROM (SELECT regexp_match('a','b') AS m) x",
    "SELECT m.m FROM regexp_matches('a','b') m",
    "WITH w AS (SELECT 1 AS n) SELECT t.word FROM ts_parse('default','a') AS t(id, word)",
    "SELECT c.c FROM unnest(string_to_array('a,b', ',')) AS c",
    "SELECT g.day FROM generate_series(now(), now(), '1 day') AS g(day)",
]


def judge(sql: str, policy: GuardPolicy) -> None:
    with pytest.raises(SqlRejected) as caught:
        guard.check(sql, policy)
    assert caught.value.code == "attribute_call"
    assert caught.value.hint


@pytest.mark.parametrize("sql", CALLS)
def test_name_that_may_be_a_function_is_refused(sql: str) -> None:
    judge(sql, WITH_COLUMNS)
    judge(sql, NAMES_ONLY)


@pytest.mark.parametrize("sql", CALLS_OF_KNOWN_ROWS)
def test_name_that_a_known_table_has_not_is_refused(sql: str) -> None:
    judge(sql, WITH_COLUMNS)


@pytest.mark.parametrize("sql", HONEST)
@pytest.mark.parametrize("policy", [WITH_COLUMNS, NAMES_ONLY], ids=["columns", "names"])
def test_name_that_is_a_column_is_accepted(sql: str, policy: GuardPolicy) -> None:
    assert guard.check(sql, policy).text == sql


def test_table_of_unknown_columns_may_have_any() -> None:
    for sql in ("SELECT f.cost FROM film f", "SELECT (f).cost FROM public.film AS f"):
        assert guard.check(sql, NAMES_ONLY).text == sql


def test_refusal_names_the_nearest_columns() -> None:
    with pytest.raises(SqlRejected, match=r"The nearest columns are: f\.title"):
        guard.check("SELECT f.titel FROM film f", WITH_COLUMNS)


def test_deep_chain_of_queries_gets_a_verdict() -> None:
    named = starred = "SELECT title FROM film"
    for level in range(90):
        named = f"SELECT x{level}.title FROM ({named}) AS x{level}"
        starred = f"SELECT * FROM ({starred}) AS x{level}"
    assert guard.check(named, WITH_COLUMNS).text == named
    judge(f"SELECT x.cost FROM ({starred}) AS x", WITH_COLUMNS)


def test_worst_texts_take_little_time() -> None:
    for sql in (
        "SELECT 1 FROM category" + ", abs(1)" * 2_400,
        "SELECT 1 FROM film f0" + "".join(f" JOIN film f{n} ON true" for n in range(700)),
        "SELECT " + "(f).title, " * 1_700 + "1 FROM film f",
        "WITH a0 AS (SELECT 1 AS n)"
        + "".join(f", a{n} AS (SELECT * FROM a{n - 1})" for n in range(1, 500))
        + " SELECT a499.n FROM a499",
    ):
        started = time.process_time()
        with contextlib.suppress(SqlRejected):  # either verdict will do
            guard.check(sql, WITH_COLUMNS)
        assert time.process_time() - started < 2, sql[:40]
