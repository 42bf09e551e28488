"""The line "how": what a card rests on, and how those rows were chosen."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from agent.messages import Column, Evidence, Figure, Outcome, QueryResult
from bot.render import render_card

PG = QueryResult(
    "SELECT title FROM film WHERE rating = 'PG' AND d >= '2024-01-01' AND d < '2025-01-01'",
    (Column("title", "text"),),
    (("A",), ("B",)),
)


@pytest.fixture
def how(make_result, read):
    """Return the line of a card of these results."""

    def line(*results, outcome=Outcome.ANSWERED, **changes):
        made = make_result(outcome, results=results, tables=("film",), **changes)
        (found,) = [
            line for line in read(render_card(made, run_id="r1")) if line.startswith("(How: ")
        ]
        return found.removeprefix("(How: ").removesuffix(")").split(" · ")

    return line


def having(sql):
    return replace(PG, sql=sql)


def test_filters_time_window_and_zone_are_named(how):
    assert how(PG, time_zone="Europe/Berlin") == [
        *("film", "rating is PG", "d 2024, Europe/Berlin", "1 query", "2 rows")
    ]


def test_all_rows_and_all_dates_are_called_so(how):
    assert how(having("SELECT title FROM film"), time_zone="UTC")[1:3] == [
        *("no filters", "all dates")
    ]


def test_zone_is_named_where_rows_are_only_put_together_by_time(how):
    by_month = having("SELECT date_trunc('month', d), count(*) FROM film GROUP BY 1")
    assert how(by_month, time_zone="Asia/Tokyo")[1:3] == ["no filters", "all dates, Asia/Tokyo"]


def test_zone_that_the_query_names_goes_before_the_one_of_the_run(how):
    told = how(
        having("SELECT 1 FROM film WHERE d AT TIME ZONE 'Asia/Tokyo' >= '2024-01-01'"),
        time_zone="UTC",
    )
    assert "d from 1 Jan 2024, Asia/Tokyo" in told


def test_conditions_without_words_are_counted(how):
    assert "rating is PG and 2 more conditions, see SQL" in how(
        having("SELECT 1 FROM film WHERE rating = 'PG' AND title ~ 'x' AND length * 2 > 3")
    )
    assert "1 condition, see SQL" in how(having("SELECT 1 FROM film WHERE title ~ 'x'"))
    assert "filters: see SQL" in how(having("no query at all"))


def test_conditions_that_find_no_room_are_counted_and_none_is_halved(how):
    many = " AND ".join(f"column_{n} = 'a rather long value of {n}'" for n in range(40))
    told = how(having(f"SELECT 1 FROM film WHERE {many}"))[1]
    named = re.findall(r"column \d+ is a rather long value of \d+", told)
    assert len(named) >= 5
    assert f"and {40 - len(named)} more conditions, see SQL" in told


def test_rows_that_a_query_cut_off_are_called_the_first(how):
    assert "first 2 rows" in how(having("SELECT title FROM film ORDER BY 1 LIMIT 2"))
    assert "2 rows" in how(having("SELECT title FROM film LIMIT 5"))


def test_queries_that_figures_come_from_are_told_one_by_one(how):
    behind = Evidence((Figure("7", "result 1, row 1, title"),))
    other = having("SELECT title FROM film WHERE rating = 'G'")
    looked = having("SELECT title FROM film WHERE rating = 'R'")
    told = how(other, looked, PG, evidence=behind)
    assert told[1:3] == ["query 1: rating is G, all dates", "query 3: rating is PG, d 2024"]


def test_what_was_asked_of_rows_that_do_not_exist_is_told(how):
    nothing = replace(PG, rows=())
    assert how(nothing, outcome=Outcome.NO_DATA)[1:3] == ["rating is PG", "d 2024"]


def test_number_alone_says_where_it_comes_from(how):
    one = replace(PG, rows=((7,),))
    assert how(one)[1:] == ["rating is PG", "d 2024", "1 query", "1 row"]


def test_values_in_conditions_ping_nobody(make_result):
    sql = "SELECT 1 FROM film WHERE a = '<!channel> *x* https://x.example/?q=1'"
    text = str(render_card(make_result(results=(having(sql),)), run_id="r1").blocks)
    assert "<!channel>" not in text
    assert "*x*" not in text
    assert "`https://x.example/?q=1" in text
