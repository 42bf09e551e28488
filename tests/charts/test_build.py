"""From a result to Vega-Lite: the rows, their order, their formats, and honest refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agent.charts.alt_text import alt_text
from agent.charts.screen import refuse_unsafe
from agent.charts.spec import ChartSpec
from agent.charts.theme import OTHER
from agent.charts.vega import build_vega_lite
from agent.errors import ChartRejected
from agent.messages import Column, QueryResult

Result = Callable[..., QueryResult]
Chart = Callable[..., ChartSpec]


def values(spec: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = spec["data"]["values"]
    return rows


def domain(spec: dict[str, Any], channel: str) -> list[str]:
    labels: list[str] = spec["encoding"][channel]["scale"]["domain"]
    return labels


def rejection(spec: ChartSpec, result: QueryResult) -> str:
    with pytest.raises(ChartRejected) as caught:
        build_vega_lite(spec, result)
    return str(caught.value)


@pytest.fixture
def revenue(result: Result) -> QueryResult:
    return result(
        "category:text revenue:numeric",
        [
            ("Music", Decimal("3417.72")),
            ("Sports", Decimal("5314.21")),
            ("New", Decimal("4351.62")),
        ],
    )


def test_the_rows_are_those_of_the_result(revenue: QueryResult, chart: Chart) -> None:
    spec = build_vega_lite(chart("bar", x="category", y="revenue"), revenue)
    assert {row["x"]: row["y"] for row in values(spec)} == {
        "Music": 3417.72,
        "Sports": 5314.21,
        "New": 4351.62,
    }


def test_columns_are_found_whatever_their_case(revenue: QueryResult, chart: Chart) -> None:
    spec = build_vega_lite(chart("bar", x="Category", y="REVENUE"), revenue)
    assert spec["encoding"]["x"]["title"] == "Category"


def test_an_unknown_column_names_those_there_are(revenue: QueryResult, chart: Chart) -> None:
    told = rejection(chart("bar", x="category", y="amount"), revenue)
    assert "no column 'amount'" in told
    assert "category, revenue" in told


def test_two_columns_that_differ_in_case_must_be_named_exactly(
    result: Result, chart: Chart
) -> None:
    both = result("a:text N:integer n:integer", [("x", 1, 2)])
    assert "no column 'nn'" in rejection(chart("bar", x="a", y="nn"), both)
    assert values(build_vega_lite(chart("bar", x="a", y="n"), both))[0]["y"] == 2


def test_bars_are_sorted_by_size_when_nothing_is_said(revenue: QueryResult, chart: Chart) -> None:
    spec = build_vega_lite(chart("bar", x="category", y="revenue"), revenue)
    assert domain(spec, "x") == ["Sports", "New", "Music"]


@pytest.mark.parametrize(
    ("channel", "sort", "order"),
    [
        ("x", None, ["Music", "Sports", "New"]),
        ("x", "ascending", ["Music", "New", "Sports"]),
        ("x", "descending", ["Sports", "New", "Music"]),
        ("x", "-x", ["Sports", "New", "Music"]),
        ("x", "y", ["Music", "New", "Sports"]),
        ("x", "-y", ["Sports", "New", "Music"]),
        ("x", ["New", "Nowhere"], ["New", "Music", "Sports"]),
        ("y", "ascending", ["Music", "New", "Sports"]),
    ],
)
def test_an_order_that_is_asked_for_is_kept(
    revenue: QueryResult, chart: Chart, channel: str, sort: Any, order: list[str]
) -> None:
    channels = {"x": {"field": "category"}, "y": {"field": "revenue"}}
    channels[channel]["sort"] = sort
    assert domain(build_vega_lite(chart("bar", **channels), revenue), "x") == order


def test_long_labels_and_many_bars_lie_down(result: Result, chart: Chart) -> None:
    long = result("film:text n:integer", [(f"A film with a long name {i}", i) for i in range(6)])
    spec = build_vega_lite(chart("bar", x="film", y="n"), long)
    assert spec["encoding"]["x"]["field"] == "x"
    assert spec["encoding"]["y"]["type"] == "ordinal"
    assert spec["encoding"]["x"]["type"] == "quantitative"


def test_the_rest_becomes_one_bar_and_the_chart_says_so(result: Result, chart: Chart) -> None:
    rows = [(f"c{i:02d}", Decimal(100 - i if i < 19 else 10)) for i in range(25)]
    spec = build_vega_lite(
        chart("bar", y="category", x="revenue"), result("category:text revenue:numeric", rows)
    )
    labels = domain(spec, "y")
    assert labels == [*(f"c{i:02d}" for i in range(19)), "Other (6)"]
    rest = next(row["x"] for row in values(spec) if row["y"] == "Other (6)")
    assert rest == 60
    assert spec["title"]["subtitle"] == ["Category: 19 of 25 shown, the other 6 as “Other (6)”"]


def test_a_rest_that_would_dwarf_all_bars_is_said_and_not_drawn(
    result: Result, chart: Chart
) -> None:
    rows = [(f"c{i:03d}", Decimal(10)) for i in range(200)]
    spec = build_vega_lite(
        chart("bar", x="customer", y="total"), result("customer:text total:numeric", rows)
    )
    assert len(values(spec)) == 19
    assert spec["title"]["subtitle"] == ["Customer: 19 of 200 shown, the other 181 together 1,810"]


def test_averages_of_the_rest_are_not_added_up(result: Result, chart: Chart) -> None:
    rows = [(f"c{i:02d}", Decimal(i)) for i in range(40)]
    spec = build_vega_lite(
        chart("bar", x="customer", y="avg_days"), result("customer:text avg_days:numeric", rows)
    )
    assert sorted(row["y"] for row in values(spec)) == [f"c{i:02d}" for i in range(20, 40)]
    assert spec["title"]["subtitle"] == ["Customer: 20 of 40 shown"]


def test_an_average_over_the_rest_is_an_average_of_its_rows(result: Result, chart: Chart) -> None:
    rows = [(f"c{i:02d}", 100 - i) for i in range(25) for _ in range(2)] + [("c24", 0)]
    spec = build_vega_lite(
        chart("bar", x="customer", y={"field": "days", "aggregate": "mean"}),
        result("customer:text days:integer", rows),
    )
    rest = next(row for row in values(spec) if str(row["y"]).startswith("Other"))
    assert rest["x"] == pytest.approx((2 * sum(100 - i for i in range(19, 25))) / 13)


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        *(("count", 3), ("distinct", 3), ("sum", 12.6), ("mean", 4.2), ("average", 4.2)),
        *(("median", 3.1), ("min", 1.1), ("max", 8.4)),
    ],
)
def test_aggregates_are_what_their_names_say(
    result: Result, chart: Chart, aggregate: str, expected: float
) -> None:
    rows = [("a", Decimal("1.1")), ("a", Decimal("3.1")), ("a", Decimal("8.4")), ("a", None)]
    spec = build_vega_lite(
        chart("bar", x="k", y={"field": "v", "aggregate": aggregate}),
        result("k:text v:numeric", rows),
    )
    assert values(spec)[0]["y"] == pytest.approx(expected)


def test_rows_on_top_of_each_other_are_refused_with_a_way_out(result: Result, chart: Chart) -> None:
    rows = [("Sports", 1, 10), ("Sports", 2, 20)]
    told = rejection(
        chart("bar", x="category", y="revenue"),
        result("category:text store:integer revenue:numeric", rows),
    )
    assert "category = Sports" in told
    assert "aggregate" in told
    assert "color" in told


def test_dates_lie_on_a_time_axis_by_the_clock_of_the_session(result: Result, chart: Chart) -> None:
    rows = [("2024-01-31 23:30:00.5+05:30", 1), ("2024-02-29 00:00:00+01", 2)]
    spec = build_vega_lite(chart("line", x="at", y="n"), result("at:timestamptz n:integer", rows))
    assert spec["encoding"]["x"]["type"] == "temporal"
    assert [row["x"][:19] for row in values(spec)] == ["2024-01-31T23:30:00", "2024-02-29T00:00:00"]


def test_months_as_text_are_months(result: Result, chart: Chart) -> None:
    rows = [("2024-11", 1), ("2024-12", 2), ("2025-02", 3)]
    spec = build_vega_lite(chart("bar", x="month", y="n"), result("month:text n:integer", rows))
    assert domain(spec, "x") == ["Nov 2024", "Dec 2024", "Jan 2025", "Feb 2025"]


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("year", {"2024": 3, "2025": 4}),
        ("yearquarter", {"Q1 2024": 3, "Q1 2025": 4}),
        ("yearmonth", {"Jan 2024": 1, "Mar 2024": 2, "Jan 2025": 4}),
        ("quarter", {"Q1": 7}),
        ("month", {"Jan": 5, "Mar": 2}),
        ("day", {"Mon": 1, "Thu": 2, "Wed": 4}),
        ("hours", {"0": 5, "17": 2}),
        ("date", {"1": 5, "14": 2}),
    ],
)
def test_time_units_put_dates_together(
    result: Result, chart: Chart, unit: str, expected: dict[str, int]
) -> None:
    rows = [("2024-01-01 00:00:00", 1), ("2024-03-14 17:40:00", 2), ("2025-01-01 00:10:00", 4)]
    spec = build_vega_lite(
        chart("bar", x={"field": "at", "timeUnit": unit}, y={"field": "n", "aggregate": "sum"}),
        result("at:timestamp n:integer", rows),
    )
    assert {row["x"]: row["y"] for row in values(spec)} == expected


def test_weeks_begin_on_monday(result: Result, chart: Chart) -> None:
    spec = build_vega_lite(
        chart("line", x={"field": "d", "timeUnit": "yearweek"}, y={"aggregate": "count"}),
        result("d:date", [("2024-06-09",), ("2024-06-10",), ("2024-06-16",)]),
    )
    assert [(row["x"][:10], row["y"]) for row in values(spec)] == [
        ("2024-06-03", 1),
        ("2024-06-10", 2),
    ]


def test_days_and_months_by_name_stand_in_calendar_order(result: Result, chart: Chart) -> None:
    rows = [("Friday   ", 5), ("Monday   ", 1), ("Sunday   ", 7)]
    spec = build_vega_lite(chart("bar", x="day", y="n"), result("day:text n:integer", rows))
    assert domain(spec, "x") == ["Monday", "Friday", "Sunday"]


def test_years_are_labels_without_thousands_and_a_missing_one_has_its_place(
    result: Result, chart: Chart
) -> None:
    rows = [(2021, 5), (2022, 7), (2024, 9)]
    data = result("year:integer n:integer", rows)
    assert domain(build_vega_lite(chart("bar", x="year", y="n"), data), "x") == [
        "2021",
        "2022",
        "2023",
        "2024",
    ]
    line = build_vega_lite(chart("line", x="year", y="n"), data)
    assert line["encoding"]["x"]["axis"]["format"] == "d"


def test_a_long_daily_series_of_bars_runs_along_time(result: Result, chart: Chart) -> None:
    rows = [(f"2024-{1 + i // 28:02d}-{1 + i % 28:02d}", i) for i in range(100)]
    spec = build_vega_lite(chart("bar", x="d", y="n"), result("d:date n:integer", rows))
    assert spec["encoding"]["x"]["type"] == "temporal"
    assert values(spec)[0]["end"] == "2024-01-01T21:36:00"


def test_null_is_a_category_of_its_own_and_no_value(result: Result, chart: Chart) -> None:
    rows = [("a", 3), (None, 2), ("b", None)]
    spec = build_vega_lite(chart("bar", x="k", y="n"), result("k:text n:integer", rows))
    assert {row["x"]: row["y"] for row in values(spec)} == {"a": 3, "(none)": 2}
    assert spec["title"]["subtitle"] == ["1 without a value left out"]


def test_a_line_keeps_its_gaps(result: Result, chart: Chart) -> None:
    rows = [("2024-01-01", 1), ("2024-02-01", None), ("2024-03-01", 3)]
    spec = build_vega_lite(chart("line", x="m", y="n"), result("m:date n:integer", rows))
    assert [row["y"] for row in values(spec)] == [1, None, 3]
    assert spec["mark"]["point"]


def test_infinite_numbers_and_dates_are_left_out(result: Result, chart: Chart) -> None:
    rows = [("a", float("nan")), ("b", Decimal("Infinity")), ("c", 1.5), ("d", Decimal("1E400"))]
    spec = build_vega_lite(chart("bar", x="k", y="n"), result("k:text n:numeric", rows))
    assert [row["y"] for row in values(spec)] == [1.5]
    dates = result("d:date n:integer", [("infinity", 1), ("2024-01-01", 2), ("0044-03-15 BC", 3)])
    assert "no date" in rejection(chart("line", x="d", y="n"), dates)


def test_two_labels_that_look_alike_after_cleaning_stay_two(result: Result, chart: Chart) -> None:
    rows = [("a", 1), (" a\x00", 2), ("x" * 300, 3), ("x" * 400, 4)]
    spec = build_vega_lite(chart("bar", x="k", y="n"), result("k:text n:integer", rows))
    labels = [row["y"] for row in values(spec)]
    assert len(set(labels)) == 4
    assert max(map(len, labels)) < 70


def test_names_of_columns_cannot_reach_into_the_specification(result: Result, chart: Chart) -> None:
    odd = QueryResult("q", (Column("a.b[0]", "text"), Column("url", "integer")), (("x", 1),))
    spec = build_vega_lite(chart("bar", x="a.b[0]", y="url"), odd)
    assert set(values(spec)[0]) == {"x", "y", "label", "fill"}


@pytest.mark.parametrize(
    ("name", "numbers", "axis_format", "label"),
    [
        ("revenue", [5314.21, 12.5], ",f", "5,314"),
        ("price", [4.99, 2.99], ",f", "4.99"),
        ("film_count", [1000, 12], ",f", "1,000"),
        ("amount", [2_500_000, 1_000_000], "~s", "2.50M"),
        ("population", [1_428_000_000, 339_000_000], ",f", "1.43"),
        ("percent_late", [7.9, 5.0], ".0%", "7.9%"),
        ("share", [7.9, 5.0], ".0%", "7.9%"),
        ("share", [0.6, 0.4], ".0%", "60.0%"),
        ("share", [0.3, 0.2], ",f", "0.30"),
    ],
)
def test_numbers_are_written_as_people_write_them(
    result: Result, chart: Chart, name: str, numbers: list[float], axis_format: str, label: str
) -> None:
    data = result(f"k:text {name}:float8", [("a", numbers[0]), ("b", numbers[1])])
    spec = build_vega_lite(chart("bar", x="k", y=name), data)
    assert spec["encoding"]["y"]["axis"]["format"] == axis_format
    assert values(spec)[0]["label"] == label


def test_a_format_of_the_specification_is_used(revenue: QueryResult, chart: Chart) -> None:
    spec = build_vega_lite(
        chart("bar", x="category", y={"field": "revenue", "format": "$,.2f"}), revenue
    )
    assert spec["encoding"]["y"]["axis"]["format"] == "$,.2~f"
    told = rejection(chart("bar", x="category", y={"field": "revenue", "format": "%b"}), revenue)
    assert "none for numbers" in told


def test_titles_are_plain_words(result: Result, chart: Chart) -> None:
    data = result("film_category:text total_usd:numeric", [("a", 1)])
    spec = build_vega_lite(chart("bar", x="film_category", y="total_usd"), data)
    assert spec["title"]["text"] == ["Total (USD) by film category"]
    assert spec["encoding"]["x"]["title"] == "Film category"


def test_long_titles_are_broken_and_not_cut(result: Result, chart: Chart) -> None:
    title = "The seven films that were rented most often in both stores over two years"
    data = result("a_column_with_quite_a_long_name_for_an_axis_to_carry:text n:integer", [("a", 1)])
    column = data.columns[0].name
    spec = build_vega_lite(chart("bar", x="n", y=column, title=title), data)
    assert " ".join(spec["title"]["text"]) == title
    assert len(spec["encoding"]["y"]["title"]) > 1


def test_series_have_at_most_twelve_colours_and_say_what_is_missing(
    result: Result, chart: Chart
) -> None:
    rows = [(f"2024-{m:02d}-01", f"s{s:02d}", 100 - s) for m in (1, 2, 3) for s in range(20)]
    spec = build_vega_lite(
        chart("line", x="m", y={"field": "n", "aggregate": "sum"}, color="s"),
        result("m:date s:text n:integer", rows),
    )
    assert domain(spec, "color") == [*(f"s{s:02d}" for s in range(11)), "Other (9)"]
    assert spec["encoding"]["color"]["scale"]["range"][-1] == OTHER
    january = [row for row in values(spec) if row["x"].startswith("2024-01")]
    assert sum(row["y"] for row in january) == sum(100 - s for s in range(20))


def test_averages_stand_side_by_side_and_totals_are_stacked(result: Result, chart: Chart) -> None:
    data = result("k:text s:text n:integer", [("a", "u", 1), ("a", "v", 2), ("b", "u", 3)])
    total = build_vega_lite(
        chart("bar", x="k", y={"field": "n", "aggregate": "sum"}, color="s"), data
    )
    mean = build_vega_lite(
        chart("bar", x="k", y={"field": "n", "aggregate": "mean"}, color="s"), data
    )
    asked = build_vega_lite(chart("bar", x="k", y={"field": "n", "stack": False}, color="s"), data)
    assert total["encoding"]["y"]["stack"] == "zero"
    for spec in (mean, asked):
        assert spec["encoding"]["y"]["stack"] is None
        assert spec["encoding"]["xOffset"]["field"] == "color"


def test_a_colour_that_repeats_the_axis_is_left_out(revenue: QueryResult, chart: Chart) -> None:
    spec = build_vega_lite(chart("bar", x="category", y="revenue", color="category"), revenue)
    assert "legend" not in json.dumps(spec["encoding"])


def test_bins_hold_what_lies_in_them(result: Result, chart: Chart) -> None:
    data = result("length:integer", [(n,) for n in (46, 59, 60, 61, 119, 185)])
    spec = build_vega_lite(
        chart("bar", x={"field": "length", "bin": True}, y={"aggregate": "count"}), data
    )
    assert {row["x"]: row["y"] for row in values(spec)} == {
        "40–60": 2,
        "60–80": 2,
        "100–120": 1,
        "180–200": 1,
    }
    assert "80–100" in domain(spec, "x")


def test_a_heat_map_has_a_cell_for_each_pair(result: Result, chart: Chart) -> None:
    rows = [(d, h, h) for d in ("Mon", "Sun") for h in (0, 12, 23)]
    spec = build_vega_lite(
        chart("rect", x="hour", y="dow", color="n"),
        result("dow:text hour:integer n:integer", rows),
    )
    assert domain(spec, "x") == [str(hour) for hour in range(24)]
    assert domain(spec, "y") == ["Mon", "Sun"]
    assert len(values(spec)) == 6


def test_a_cloud_of_points_is_thinned_and_says_so(result: Result, chart: Chart) -> None:
    data = result("a:integer b:integer", [(i, i % 7) for i in range(12_000)])
    spec = build_vega_lite(chart("point", x="a", y="b"), data)
    assert len(values(spec)) == 4_000
    assert spec["title"]["subtitle"] == ["One in 3 of 12,000 points shown"]


def test_a_cut_result_is_called_one_and_its_rows_are_not_added_up(
    result: Result, chart: Chart
) -> None:
    note = "Only the first 2 rows are here; there are more."
    data = result("k:text n:integer", [("a", 1), ("b", 1)], truncated=True, notes=(note,))
    spec = build_vega_lite(chart("bar", x="k", y="n"), data)
    assert spec["title"]["subtitle"] == [note.rstrip(".")]
    told = rejection(chart("bar", x="k", y={"field": "n", "aggregate": "sum"}), data)
    assert "Only the first 2 rows are here" in told
    assert "aggregate in SQL" in told


@pytest.mark.parametrize(
    ("mark", "channels", "columns", "rows", "told"),
    [
        ("bar", {"x": "k", "y": "n"}, "k:text n:integer", [], "no rows"),
        ("bar", {"x": "k", "y": "n"}, "k:text n:integer", [("a", None)], "NULL in every row"),
        ("bar", {"x": "k", "y": "n"}, "k:text n:text", [("a", "b")], "needs a number"),
        ("arc", {"color": "k", "theta": "n"}, "k:text n:integer", [("a", -1)], "use a bar"),
        ("arc", {"color": "k", "theta": "n"}, "k:text n:integer", [("a", 0)], "no slices"),
        ("arc", {"color": "k", "theta": "n"}, "k:text n:text", [("a", "b")], "must be a number"),
        (
            "bar",
            {"x": "k", "y": {"field": "n", "type": "quantitative"}},
            "k:text n:interval",
            [("a", "1 day")],
            "extract(epoch",
        ),
        (
            "bar",
            {"x": {"field": "k", "timeUnit": "year"}, "y": "n"},
            "k:text n:integer",
            [("a", 1)],
            "is no date",
        ),
        (
            "area",
            {"x": "m", "y": "n", "color": "k"},
            "m:date k:text n:integer",
            [("2024-01-01", "a", 1), ("2024-01-01", "b", -1)],
            'use mark "line"',
        ),
        (
            "bar",
            {"x": "k", "y": "n", "column": "n"},
            "k:text n:integer",
            [(f"k{i}", i) for i in range(9)],
            "9 panels",
        ),
        (
            "bar",
            {"x": "n", "y": {"aggregate": "count"}},
            "n:integer",
            [(i * 3,) for i in range(70)],
            '"bin": true',
        ),
        (
            "line",
            {"x": "n", "y": "m"},
            "n:integer m:integer",
            [(i, i) for i in range(5_001)],
            "at most 5,000",
        ),
        (
            "bar",
            {"x": {"aggregate": "count"}, "y": {"aggregate": "count"}},
            "n:integer",
            [(1,)],
            "not both",
        ),
    ],
)
def test_what_makes_no_good_picture_is_refused_with_what_to_do(
    result: Result, chart: Chart, mark: str, channels: Any, columns: str, rows: Any, told: str
) -> None:
    assert told in rejection(chart(mark, **channels), result(columns, rows))


def test_labels_of_negative_bars_stand_on_their_own_side_of_zero(
    result: Result, chart: Chart
) -> None:
    data = result("k:text n:integer", [("a", 5), ("b", -20)])
    spec = build_vega_lite(chart("bar", x="n", y="k"), data)
    places = [
        (row["label"], layer["mark"]["align"])
        for layer in spec["layer"]
        if layer["mark"]["type"] == "text"
        for row in layer["data"]["values"]
    ]
    assert places == [("5", "left"), ("−20", "right")]
    low, high = spec["encoding"]["x"]["scale"]["domain"]
    assert low < -20
    assert high > 5


def test_one_row_is_a_good_picture_with_every_mark(result: Result, chart: Chart) -> None:
    data = result("m:date k:text n:integer", [("2024-01-01", "a", 5)])
    for mark, channels in (
        ("bar", {"x": "k", "y": "n"}),
        ("line", {"x": "m", "y": "n"}),
        ("area", {"x": "m", "y": "n"}),
        ("point", {"x": "m", "y": "n"}),
        ("rect", {"x": "m", "y": "k", "color": "n"}),
        ("arc", {"color": "k", "theta": "n"}),
    ):
        assert len(values(build_vega_lite(chart(mark, **channels), data))) == 1


_CELLS = {
    "bigint": st.none() | st.integers(-(2**63), 2**63),
    "numeric": st.none() | st.decimals(allow_nan=True, places=2) | st.just(Decimal("1E+200")),
    "float8": st.none() | st.floats(),
    "date": st.none() | st.dates().map(str) | st.just("infinity"),
    "timestamptz": st.datetimes().map(lambda moment: f"{moment} +02"),
    "text": st.none() | st.text(max_size=80) | st.sampled_from(["Monday", "2024-02", "Other (2)"]),
    "bool": st.none() | st.booleans(),
}
_CHANNEL = st.fixed_dictionaries(
    {"field": st.sampled_from(["c0", "c1", "c2"])},
    optional={
        "aggregate": st.sampled_from(["count", "sum", "mean", "median", "max", "distinct"]),
        "timeUnit": st.sampled_from(["year", "yearweek", "day", "yearmonthdatehours"]),
        "bin": st.booleans(),
        "type": st.sampled_from(["quantitative", "temporal", "ordinal", "nominal"]),
        "sort": st.sampled_from(["ascending", "-y", "x", None, ["a", 3]]),
        "stack": st.sampled_from([False, "normalize", None]),
    },
)


@settings(max_examples=300, deadline=None)
@given(data=st.data(), mark=st.sampled_from(["bar", "line", "area", "point", "arc", "rect"]))
def test_any_result_becomes_a_safe_specification_or_a_reason(data: Any, mark: str) -> None:
    types = data.draw(st.lists(st.sampled_from(sorted(_CELLS)), min_size=3, max_size=3))
    rows = data.draw(st.lists(st.tuples(*(_CELLS[kind] for kind in types)), max_size=30))
    result = QueryResult(
        "q", tuple(Column(f"c{i}", kind) for i, kind in enumerate(types)), tuple(rows)
    )
    names = {"arc": ("theta", "color"), "rect": ("x", "y", "color")}.get(mark, ("x", "y"))
    more = {"bar": ("color", "row"), "point": ("color", "size")}.get(mark, ())
    encoding = {name: data.draw(_CHANNEL, label=name) for name in (*names, *more)}
    try:
        spec = ChartSpec.model_validate({"mark": mark, "encoding": encoding})
        drawn = build_vega_lite(spec, result)
    except (ValidationError, ChartRejected):
        return
    refuse_unsafe(drawn)
    json.dumps(drawn, allow_nan=False)
    assert 0 < len(alt_text(spec, result)) <= 1_000
