"""How the values of a result read in the card's table."""

from __future__ import annotations

from decimal import Decimal

import pytest

from agent.messages import Column, QueryResult
from bot.render import render_card


@pytest.fixture
def column(make_result, read):
    """Return a reader: a column's name, type and values -> its heading and cells on the card."""

    def read_column(name: str, type_name: str, *values: object) -> list[str]:
        # So many columns are a table, however few the rows.
        columns = (*(Column("x", "text"),) * 4, Column(name, type_name))
        result = QueryResult("SELECT", columns, tuple((*"····", value) for value in values))
        lines = read(render_card(make_result(results=(result,)), run_id="r1"))
        return [line.split(" | ", 4)[4] for line in lines if line.startswith(("· | ", "X | "))]

    return read_column


@pytest.mark.parametrize(
    ("name", "type_name", "values", "shown"),
    [
        ("n", "int8", [1234567, 5, None], ["1,234,567", "5", "–"]),
        ("n", "int4", [-1500], ["-1,500"]),
        ("amount", "numeric", [Decimal("1234.50"), Decimal("5")], ["1,234.50", "5.00"]),
        ("avg", "numeric", [Decimal("4.2006673312979002")], ["4.201"]),
        ("avg", "numeric", [Decimal("4.5000000000000000")], ["4.5"]),
        ("share", "float8", [0.0791234567, 0.35], ["0.0791", "0.3500"]),
        # A small value beside a large one still reads as something.
        ("v", "float8", [5314.2123456, 0.00012345678], ["5,314.21", "0.00012"]),
        ("v", "float8", [3.0, 4.0], ["3", "4"]),
        ("v", "float8", [float("nan"), float("inf"), float("-inf")], ["not a number", "∞", "-∞"]),
        ("v", "float8", [1e300], ["1.000e+300"]),
        ("v", "numeric", [Decimal("1e-30")], ["1.000e-30"]),
        ("v", "numeric", [Decimal(12345678901234567890)], ["12,345,678,901,234,567,890"]),
        # Names made of digits are no amounts.
        ("film_id", "int4", [1000, 20000], ["1000", "20000"]),
        ("TrackId", "int4", [3503], ["3503"]),
        ("zip", "int4", [10115], ["10115"]),
        ("release_year", "int4", [2006], ["2006"]),
        ("extract", "numeric", [Decimal(2024)], ["2024"]),
        ("revenue_by_year", "numeric", [Decimal("123456.00")], ["123,456.00"]),
        ("active", "bool", [True, False, None], ["yes", "no", "–"]),
        ("note", "text", ["", None, "two\nlines"], ["(empty)", "–", "two lines"]),
        ("day", "date", ["2024-01-31", None], ["31 Jan 2024", "–"]),
        ("day", "date", ["infinity"], ["infinity"]),
        ("month", "timestamptz", ["2024-01-01 00:00:00+00"], ["Jan 2024"]),
        ("month", "timestamptz", ["2024-01-15 00:00:00+00"], ["15 Jan 2024"]),
        ("year", "timestamp", ["2024-01-01 00:00:00", "2025-01-01 00:00:00"], ["2024", "2025"]),
        ("at", "timestamp", ["2024-03-09 14:05:00"], ["9 Mar 2024, 14:05"]),
        (
            "at",
            "timestamptz",
            ["2024-03-09 14:05:07.25+01", "2024-03-09 00:00:00+00"],
            ["9 Mar 2024, 14:05:07 +01", "9 Mar 2024, 00:00:00 UTC"],
        ),
        ("at", "timestamp", ["2024-13-45 00:00:00"], ["2024-13-45 00:00:00"]),
        ("note", "text", ["2024-01-31"], ["2024-01-31"]),
    ],
)
def test_values_read_as_a_person_writes_them(column, name, type_name, values, shown):
    assert column(name, type_name, *values)[1:] == shown


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("total_revenue", "Total revenue"),
        ("film_id", "Film ID"),
        ("Revenue (USD)", "Revenue (USD)"),
        ("?column?", "?column?"),
        ("größe", "größe"),
        ("\u200b", "(empty)"),
    ],
)
def test_headings_are_words(column, name, heading):
    assert column(name, "text", "a")[0] == heading


def test_rounded_figures_and_cut_texts_are_said_to_be_so(make_result, read):
    columns = (Column("avg", "numeric"), Column("note", "text"))
    row = (Decimal("4.2006673312979002"), "long " * 100)
    lines = read(render_card(make_result(results=(QueryResult("S", columns, (row,)),)), run_id="r"))
    assert (
        "(Some figures are rounded and long texts are cut here; the CSV has them in full.)" in lines
    )


def test_exact_figures_are_not_said_to_be_rounded(make_result):
    assert "rounded" not in str(render_card(make_result(), run_id="r1").blocks)


def test_numbers_stand_to_the_right_and_words_to_the_left(make_result):
    (table,) = [b for b in render_card(make_result(), run_id="r").blocks if b["type"] == "table"]
    assert [each["align"] for each in table["column_settings"]] == ["left", "right"]


def test_a_figure_is_never_cut_where_texts_are(make_result, read):
    columns = (*(Column(f"c{n}", "text") for n in range(10)), Column("v", "int8"))
    row = (*["word " * 200] * 10, 123_456_789_012_345)
    wide = QueryResult("SELECT", columns, (row,) * 40)
    lines = read(render_card(make_result(results=(wide,)), run_id="r1"))
    rows = [line for line in lines if line.count(" | ") == 10]
    assert len(rows) == 41
    assert all(line.endswith("| 123,456,789,012,345") for line in rows[1:])


def test_columns_past_the_twentieth_are_left_to_the_csv(make_result, read):
    columns = tuple(Column(f"c{n}", "int4") for n in range(34))
    wide = QueryResult("SELECT", columns, (tuple(range(34)),))
    lines = read(render_card(make_result(results=(wide,)), run_id="r1"))
    assert "(First 20 of 34 columns; the CSV has all.)" in lines
