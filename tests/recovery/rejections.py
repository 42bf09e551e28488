"""For each code of the guard a query that it refuses, and the query that its line leads to.

Each is what the offline model writes, spoiled by hand; `select` in small letters is the mark of the
hand, so a query that bears it is the refused one put right, and none that was written afresh.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LONGEST = "the 3 longest films"
LONGEST_TRUTH = "SELECT title, length FROM film ORDER BY length DESC NULLS LAST, title LIMIT 3"
RATED_R = "how many films are rated R"
RATED_R_TRUTH = "SELECT count(*) FROM film WHERE rating = 'R'"
TRUTHS = {LONGEST: LONGEST_TRUTH, RATED_R: RATED_R_TRUTH}

Change = Callable[[str], str]


@dataclass(frozen=True)
class Rejection:
    """One refused query: `spoil` and `cure` make it, and what comes of it, from an honest one."""

    code: str
    question: str
    spoil: Change
    cure: Change | None = str
    """None where the line cannot be followed word by word: the query is then written afresh."""

    kind = "guard refusal"
    nth = 1
    world: Any = None
    says = ""
    has_error = True

    @property
    def truth(self) -> str:
        return TRUTHS[self.question]

    def spoils(self, sql: str) -> str:
        return self.spoil(marked(sql))


def marked(sql: str) -> str:
    assert sql.startswith("SELECT"), sql
    return sql.replace("SELECT", "select", 1)


def put(old: str, new: str) -> Change:
    def change(sql: str) -> str:
        assert old in sql, f"{old!r} is not in {sql}"
        return sql.replace(old, new, 1)

    return change


def behind(text: str) -> Change:
    return lambda sql: sql + text


def before(text: str) -> Change:
    return lambda sql: text + sql


def where(condition: str) -> Change:
    return put("WHERE ", f"WHERE {condition} AND ")


FOLLOWED = (
    Rejection("into", LONGEST, put("FROM film", "INTO TEMP TABLE longest FROM film")),
    Rejection("row_lock", LONGEST, behind("\nFOR NO KEY UPDATE OF film SKIP LOCKED")),
    Rejection("row_lock", LONGEST, behind("\nFOR SHARE")),
    Rejection("several_statements", LONGEST, behind(";\nDROP TABLE film")),
    Rejection("several_statements", LONGEST, before("SET statement_timeout = 0; ")),
    Rejection("not_a_query", LONGEST, before("EXPLAIN (ANALYZE, COSTS OFF) ")),
    Rejection("not_a_query", LONGEST, before("CREATE TEMP TABLE longest AS ")),
    Rejection("relation", LONGEST, put("FROM film", "FROM films AS film"),
              put("FROM film", "FROM film AS film")),
    Rejection("relation", LONGEST, put("FROM film", "FROM crm.film")),
    Rejection("other_database", LONGEST, put("FROM film", "FROM sales.public.film"),
              put("FROM film", "FROM public.film")),
    Rejection("other_database", LONGEST, put("FROM film", "FROM sales.private.film")),
    Rejection("function", RATED_R, put("count(*)", "counts(*)")),
    Rejection("function", LONGEST, put("film.title", "pg_sleep(1) AS nap, film.title")),
    Rejection("function", LONGEST, put("film.film_id AS film_id",
              "upper(coalesce(current_setting('role'), '')) AS role, film.film_id AS film_id")),
    Rejection("user_function", RATED_R, put("count(*)", "public.count(*)")),
    Rejection("session_value", LONGEST, put("film.title", "CURRENT_USER AS who, film.title")),
    Rejection("operator", RATED_R, put(" = 'R'", " OPERATOR(public.=) 'R'")),
    Rejection("type", RATED_R, where("film.title::xml <> ''"), where("film.title::text <> ''")),
    Rejection("type", RATED_R, where("CAST(film.title AS regclass) <> ''"),
              where("CAST(film.title AS text) <> ''")),
    Rejection("type", RATED_R, put("'R'", "'R'::mpaa_ratings"), put("'R'", "'R'::mpaa_rating")),
    Rejection("size", RATED_R, where("repeat(lower('X'), 20000) <> ''"),
              where("repeat(lower('X'), 10000) <> ''")),
    Rejection("size", RATED_R, where("lpad('x', film.film_id) <> ''"),
              where("lpad('x', least(film.film_id, 10000)) <> ''")),
    Rejection("size", RATED_R, where("film.title::char(20000) <> ''"),
              where("film.title::char(10000) <> ''")),
    Rejection("size", RATED_R, where("format('%20000s', film.title) <> ''"),
              where("format('%10000s', film.title) <> ''")),
    Rejection("sample_method", RATED_R, put("FROM film", "FROM film TABLESAMPLE system_rows (100)"),
              put("FROM film", "FROM film TABLESAMPLE SYSTEM (100)")),
    Rejection("cte_name", LONGEST,
              lambda sql: "WITH pg_long AS (SELECT * FROM film)\n"
              + sql.replace("FROM film", "FROM pg_long AS film"),
              lambda sql: "WITH long AS (SELECT * FROM film)\n"
              + sql.replace("FROM film", "FROM long AS film")),
    Rejection("invisible_character", LONGEST, put("FROM film", "FROM\u00a0film")),
    Rejection("invisible_character", RATED_R, where("film.title <> 'a\\b\u200bc'"),
              where("film.title <> U&'a\\\\b\\200Bc'")),
    Rejection("invisible_character", RATED_R, where("film.title <> 'tag\U000e0001'"),
              where("film.title <> U&'tag\\+0E0001'")),
    Rejection("control_character", LONGEST, put("FROM film", "FROM\x07 film"),
              put("FROM film", "FROM film")),
    Rejection("control_character", LONGEST, put("FROM film", "FROM\x85film")),
    Rejection("invisible_character", LONGEST, put("FROM film", "FROM\ufefffilm")),
    Rejection("too_long", LONGEST, behind(f"\n/* {'thinking ' * 2_400} */")),
)  # fmt: skip
"""Their lines name the cure, and the model makes it in the text that was refused."""

AFRESH = (
    Rejection("empty", LONGEST, lambda sql: f"-- {sql.splitlines()[0]}", None),
    Rejection("syntax", LONGEST, put("FROM film", "FROM WHERE film"), None),
    Rejection("too_deep", RATED_R, where(f"{'abs(' * 600}1{')' * 600} = 1"), None),
    Rejection("not_a_query", LONGEST, lambda sql: "DELETE FROM film", None),
    Rejection("system_catalog", RATED_R, lambda sql: sql.split("\n")[0] + " FROM pg_roles", None),
    Rejection("write_in_cte", LONGEST,
              before("WITH gone AS (DELETE FROM film RETURNING film_id) "), None),
    Rejection("parameter", RATED_R, put("'R'", "$1"), None),
    Rejection("attribute_call", LONGEST, put("film.title", "(film.title).pg_sleep"), None),
    Rejection("construct", LONGEST, put("film.title", "xmlforest(film.title)"), None),
    Rejection("size", RATED_R, where("repeat(repeat('x', 9000), 9000) <> ''"), None),
    Rejection("relation", LONGEST, put("FROM film", "FROM film_actors AS film"), None),
    Rejection("function", RATED_R, where("pg_sleep(1) IS NOT NULL"), None),
)  # fmt: skip
"""What is meant can only be said anew: no line can put these texts right word by word."""

OUT_OF_REACH = frozenset({"second_opinion", "guard_fault"})
"""Codes that no text is known to bring about: of the second reader, and of faults of our own."""
