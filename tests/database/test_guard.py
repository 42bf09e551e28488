"""The guard as a table of cases: what is refused, by which code, and what must never be refused."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.database import guard
from agent.database.guard import GuardPolicy
from agent.errors import SqlRejected

sys.path.insert(0, str(Path(__file__).parent))

from guard_table import ACCEPTED, POLICY, REFUSED, read_cases


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: f"{case['class']}: {case['what']}")
def test_honest_query_is_accepted_as_it_was_written(case: dict[str, str]) -> None:
    assert guard.check(case["sql"], POLICY).text == case["sql"]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case['code']}: {case['sql']!r:.300}")
def test_query_is_refused_with_code_name_and_help(case: dict[str, str]) -> None:
    with pytest.raises(SqlRejected) as caught:
        guard.check(case["sql"], POLICY)
    assert (caught.value.code, caught.value.name) == (case["code"], case["name"])
    assert caught.value.hint
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_long_query_is_accepted_up_to_twenty_thousand_bytes() -> None:
    many_columns = "SELECT " + ", ".join(f"{n} AS c{n}" for n in range(900))
    assert guard.check(many_columns, POLICY).text == many_columns
    with pytest.raises(SqlRejected, match="too_long"):
        guard.check("SELECT '" + "ä" * 10_000 + "'", POLICY)


def test_accepted_query_names_its_tables_and_functions() -> None:
    accepted = guard.check(
        "WITH c AS (SELECT sum(amount) AS a FROM payment) SELECT a, lower('A') FROM c, public.film",
        POLICY,
    )
    assert accepted.tables == (("public", "film"), ("public", "payment"))
    assert accepted.functions == ("lower", "sum")


def test_relation_is_found_along_the_search_path() -> None:
    policy = GuardPolicy(
        relations={("a", "t"): frozenset(), ("b", "t"): frozenset()}, search_path=("none", "b", "a")
    )
    assert guard.check("SELECT * FROM t", policy).tables == (("b", "t"),)
    assert guard.check("SELECT * FROM a.t", policy).tables == (("a", "t"),)


def test_table_of_unknown_columns_may_have_one_that_is_named_like_a_type() -> None:
    policy = GuardPolicy(relations={("public", "docs"): frozenset()})
    honest = "SELECT d.oid, q.xml FROM docs AS d, (SELECT * FROM docs) AS q"
    assert guard.check(honest, policy).text == honest
    for call in (
        "SELECT d.pg_sleep FROM docs d", "SELECT d.lo_creat FROM docs d",
        "SELECT g.oid FROM unnest('{pg_authid}'::text[]) g", "SELECT d.regclass FROM docs d",
    ):  # fmt: skip
        with pytest.raises(SqlRejected, match="attribute_call"):
            guard.check(call, policy)


def test_refusal_of_an_unknown_table_names_the_nearest() -> None:
    with pytest.raises(SqlRejected, match=r"are: film_category, category") as caught:
        guard.check("SELECT * FROM film_categories", POLICY)
    assert caught.value.code == "relation"


def test_syntax_error_shows_how_far_it_was_read() -> None:
    with pytest.raises(SqlRejected, match=r"WHERE length > 3 GROUP$"):
        guard.check("SELECT title FROM film WHERE length > 3 GROUP", POLICY)


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("SELECT title FROM film LIMIT 10, 5", "LIMIT b OFFSET a"),
        ("SELECT TOP 3 title FROM film", "LIMIT n at the end"),
        ("SELECT `title` FROM film", "without backticks"),
        ("SELECT title FROM `film`", "without backticks"),
        ("SELECT [title] FROM film", "double quotes"),
        ("SELECT title FROM film WHERE film_id = ?", "write the value itself"),
        ("SELECT title FROM film WHERE film_id IN (?, 2)", "write the value itself"),
        ("SELECT title FROM film WHERE film_id = %s", "write the value itself"),
        ("SELECT title FROM film WHERE film_id = %(id)s", "write the value itself"),
        ("SELECT title FROM film WHERE film_id = :id", "write the value itself"),
        ("SELECT title FROM film WHERE film_id = {{ id }}", "Fill in the template"),
        ("SELECT title FROM film WHERE film_id = <id>", "Fill in the template"),
        ("SELECT title FROM film WHERE film_id = ${id}", "Fill in the template"),
        ("SELECT title FROM film WHERE [[film_id = 1 AND]] true", "Fill in the template"),
        ("SELECT [[1, 2], [3, 4]]", "ARRAY[…]"),
        ("```sql\nSELECT title FROM film\n```", "without the code fence"),
        ("SELECT title FROM film\n```", "without the code fence"),
        ("Here is the query: SELECT title FROM film", "Send the query alone"),
        ("SELECT 'a'\n'b' -- and\n'c'", "Join the pieces of a string with ||"),
        ("SELECT title FROM film WHERE title = 'it's'", "written twice"),
        ("SELECT title FROM film WHERE title = 'a", "Close the string"),
        ("SELECT now() - INTERVAL 1 DAY", "INTERVAL '1 day'"),
        ("SELECT * EXCEPT (title) FROM film", "Name the columns"),
        ("SELECT title, FROM film", "comma"),
        ("SELECT title FROM film WHERE title REGEXP 'A'", "x ~ 'pattern'"),
        ("SELECT film_id FROM film QUALIFY row_number() OVER () = 1", "subquery"),
    ],
)
def test_syntax_of_another_database_is_said_in_that_of_postgresql(sql: str, says: str) -> None:
    with pytest.raises(SqlRejected) as caught:
        guard.check(sql, POLICY)
    assert caught.value.code == "syntax"
    assert says in caught.value.hint
    assert caught.value.hint.endswith("Write one SELECT.") or "It reads as far as: …" in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ('SELECT * FROM "film "', 'no table "film " that'),
        ("SELECT ('a'::text).pg_sleep", "such a function may not be called"),
        ("SELECT ('a'::text).lower", r"Write lower\(…\)"),
        ("SELECT public.last_day(now())", "built-in functions"),
        ("\ufeffSELECT 1", "Remove it"),
        ("SELECT 'a\u00adb'", "Remove it"),
        ("SELECT\ufefftitle FROM film", "Use a plain blank"),
        ("SELECT\u0085title FROM film", "Use a plain blank"),
        ("SELECT '👩\u200d💻'", r"Leave the picture out, or .* U&'\\200D'"),
        ("SELECT * FROM pagila.public.film", r"Write public\.film"),
        ("SELECT * FROM pagila.private.film", r"Write film\."),
        ("SELECT * FROM pagila.private.films", "The nearest names are: film"),
        ("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a", "b is defined later"),
        ("WITH a AS (SELECT * FROM a) SELECT * FROM a", "Write WITH RECURSIVE"),
        ("SELECT * FROM (WITH a AS (SELECT 1) TABLE a) AS x, a", "WITH query of another SELECT"),
        ('WITH "Big" AS (SELECT 1) SELECT * FROM big', 'WITH names it "Big"'),
        ("SELECT uuid_generate_v4()", r"gen_random_uuid\(\)"),
        ("SELECT similarity('a', 'b')", "the extension pg_trgm"),
        ("SELECT * FROM crosstab('SELECT 1') AS c(a int)", "the extension tablefunc"),
        ("SELECT st_distance(1, 2)", "the extension postgis"),
        ("SELECT repeat('█', 20000)", "Write a smaller number"),
        ("SELECT rpad(E'\\'', film_id) FROM film", r"Bound it: least\(…, 100\)"),
        ("SELECT to_tsvector('english'::regconfig, title) FROM film", "without a cast"),
        ("SELECT TOP(3) title FROM film", "LIMIT … at the end"),
    ],
)
def test_refusal_says_what_to_do(sql: str, says: str) -> None:
    with pytest.raises(SqlRejected, match=says):
        guard.check(sql, POLICY)


@pytest.mark.parametrize(
    "call",
    [
        "repeat('█', (count(*) / 10)::int)",
        "repeat( 'it''s (so', CASE WHEN max(film_id) > 1 THEN max(film_id) ELSE 2 END )",
        "lpad(max(title), max(length) , ',')",
        "pg_catalog.rpad(max(title), greatest(2, (ARRAY[1, 2])[1]))",
    ],
)
def test_length_without_a_limit_is_refused_with_a_call_that_passes(call: str) -> None:
    with pytest.raises(SqlRejected, match="has no limit that the text shows") as caught:
        guard.check(f"SELECT 'ä', {call} FROM film", POLICY)
    instead = caught.value.hint.removeprefix("Write ").removesuffix(".")
    assert "least(" in instead
    guard.check(f"SELECT 'ä', {instead} FROM film", POLICY)


@pytest.mark.parametrize("depth", [12, 20, 60, 200, 2_000])
@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("ARRAY[", "]"), ("DATE (", ")"), ("struct(", ")"), ("(", ")"), ("abs(", ")"), ("- ", ""),
        ("(SELECT ", ")"), ("CASE WHEN true THEN ", " END"), ("CAST(", " AS int)"),
    ],
)  # fmt: skip
def test_deep_nesting_does_not_stall_the_guard(opening: str, closing: str, depth: int) -> None:
    started = time.process_time()
    with contextlib.suppress(SqlRejected):  # either verdict will do, so long as there is one
        guard.check("SELECT " + opening * depth + "1" + closing * depth, POLICY)
    assert time.process_time() - started < 2


def test_guard_works_in_a_thread_with_deep_queries() -> None:
    verdicts: list[str] = []

    def judge() -> None:
        for depth in (40, 400, 4_000):
            try:
                guard.check("SELECT " + "(" * depth + "1" + ")" * depth, POLICY)
                verdicts.append("accepted")
            except SqlRejected as rejection:
                verdicts.append(rejection.code)

    thread = threading.Thread(target=judge)
    thread.start()
    thread.join(20)
    assert len(verdicts) == 3


SHARED_CASES = Path(__file__).parents[3] / "shared" / "cases" / "sql_guard.jsonl"
SHARED_RELATIONS = (
    "actor film customer rental payment inventory store staff category film_category film_actor"
    " language address city country film_list"
)


@pytest.mark.skipif(not SHARED_CASES.exists(), reason="../shared/cases is not there")
@pytest.mark.parametrize("case", read_cases(SHARED_CASES), ids=lambda case: case["id"])
def test_shared_case_gets_its_verdict(case: dict[str, str]) -> None:
    policy = GuardPolicy(
        relations={("public", name): frozenset() for name in SHARED_RELATIONS.split()}
    )
    try:
        guard.check(case["sql"], policy)
        verdict = "accept"
    except SqlRejected:
        verdict = "reject"
    assert case["expect"] in (verdict, "either"), case["why"]


WORDS = (
    "pg_sleep(1) SELECT FROM film ( ) , ; ' \" $$ -- /* */ . :: regclass WITH DELETE INTO E'\\' U&'"
    " [ ] \n"
)
PIECES = [*(case["sql"] for case in ACCEPTED), *WORDS.split(" ")]


@contextlib.contextmanager
def no_fault() -> Iterator[None]:
    """A refusal of a query that the guard failed on is no verdict."""
    try:
        yield
    except SqlRejected as refusal:
        if refusal.code == "guard_fault":
            raise AssertionError(refusal.name) from refusal
        raise


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map(" ".join) | st.text())
def test_any_text_gets_a_verdict_and_no_other_error(text: str) -> None:
    with contextlib.suppress(SqlRejected), no_fault():
        assert guard.check(text, POLICY).text == text
