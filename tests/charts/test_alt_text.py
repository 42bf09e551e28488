"""What a chart says to those who do not see it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from agent.charts.alt_text import alt_text
from agent.charts.spec import ChartSpec
from agent.messages import QueryResult

Result = Callable[..., QueryResult]
Chart = Callable[..., ChartSpec]
MONTHS = [(f"2024-{month:02d}-01", Decimal(100 + month)) for month in range(1, 13)]


@pytest.mark.parametrize(
    ("mark", "channels", "columns", "rows", "expected"),
    [
        (
            "bar",
            {"x": "category", "y": "revenue"},
            "category:text revenue:numeric",
            [("Music", Decimal("3417.72")), ("Sports", Decimal("5314.21"))],
            "Bar chart: Revenue by category; Sports 5,314.21 highest, Music 3,417.72 lowest; "
            "2 bars",
        ),
        (
            "line",
            {"x": "month", "y": "revenue"},
            "month:date revenue:numeric",
            MONTHS,
            "Line chart: Revenue by month; Jan 2024 to Dec 2024; Dec 2024 112 highest, "
            "Jan 2024 101 lowest; 12 points",
        ),
        (
            "arc",
            {"color": "store", "theta": "customers"},
            "store:text customers:bigint",
            [("Lethbridge", 300), ("Woodridge", 100)],
            "Ring chart: Customers by store; Lethbridge 300 highest (75.0% of all), "
            "Woodridge 100 lowest; 2 slices",
        ),
        (
            "rect",
            {"x": "hour", "y": "day", "color": "n"},
            "hour:integer day:text n:integer",
            [(9, "Mon", 5), (10, "Mon", 8), (9, "Tue", 1)],
            "Heat map: N by hour and day; 10, Mon 8 highest, 9, Tue 1 lowest; 3 cells",
        ),
        (
            "point",
            {"x": "length", "y": "rentals"},
            "length:integer rentals:integer",
            [(46, 10), (185, 3)],
            "Scatter plot: Rentals by length; Length 46 to 185; Rentals 3 to 10; 2 points",
        ),
        (
            "bar",
            {"x": "kind", "y": "films"},
            "kind:text films:integer",
            [("a", 1)],
            "Bar chart: Films by kind; a 1; 1 bar",
        ),
        (
            "bar",
            {"x": "kind", "y": "films"},
            "kind:text films:integer",
            [("a", 1), ("b", 1)],
            "Bar chart: Films by kind; all 1; 2 bars",
        ),
    ],
)
def test_alt_text_says_what_the_chart_shows(
    result: Result, chart: Chart, mark: str, channels: Any, columns: str, rows: Any, expected: str
) -> None:
    assert alt_text(chart(mark, **channels), result(columns, rows)) == expected


def test_alt_text_names_series_and_what_was_left_out(result: Result, chart: Chart) -> None:
    rows = [(month, f"s{s}", 10 - s) for month, _ in MONTHS for s in range(8)]
    text = alt_text(
        chart("line", x="m", y="n", color="s"),
        result("m:date s:text n:integer", rows, truncated=True),
    )
    assert "8 series: s0, s1, s2, s3, s4, s5 and 2 more" in text
    assert "The result was cut" in text


def test_what_was_put_together_is_no_highest(result: Result, chart: Chart) -> None:
    rows = [(f"k{i:02d}", 30 - i) for i in range(20)]
    text = alt_text(chart("arc", color="kind", theta="n"), result("kind:text n:integer", rows))
    assert "k00 30 highest (7.3% of all), k08 22 lowest of those shown; 10 slices" in text
    assert "9 of 20 shown, the other 11 as “Other (11)”" in text


def test_alt_text_fits_what_slack_takes(result: Result, chart: Chart) -> None:
    rows = [(f"{i} {'long ' * 80}", f"{i} {'name ' * 80}", i) for i in range(12)]
    text = alt_text(
        chart("bar", x="a", y="n", color="b", title="T" * 120),
        result("a:text b:text n:integer", rows),
    )
    assert len(text) <= 1_000
