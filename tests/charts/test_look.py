"""What makes a chart one that people would show: colours, sizes, words and orders."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from agent.charts.cells import label_of
from agent.charts.spec import ChartSpec
from agent.charts.theme import FONT, OTHER, SERIES_COLORS, WIDTH, font_for, in_lines, ink_on
from agent.charts.vega import build_vega_lite
from agent.messages import QueryResult

Result = Callable[..., QueryResult]
Chart = Callable[..., ChartSpec]

# How colours are seen by people who lack one kind of cones, on linear red, green, blue:
# Machado, Oliveira and Fernandes, 2009, severity 1.0.
SEEN_BY = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "without red": (
        *((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216)),
        (-0.003882, -0.048116, 1.051998),
    ),
    "without green": (
        *((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413)),
        (-0.011820, 0.042940, 0.968881),
    ),
    "without blue": (
        *((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602)),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(color: str) -> list[float]:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast of two colours."""
    light = [sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) + 0.05
             for c in (one, other)]  # fmt: skip
    return max(light) / min(light)


def lab(color: str, matrix: Any) -> list[float]:
    """The place of a colour in CIELAB, where distances are what people see."""
    seen = [sum(m * p for m, p in zip(row, linear(color), strict=True)) for row in matrix]
    r, g, b = (min(1.0, max(0.0, part)) for part in seen)
    xyz = (
        *((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047, 0.2126 * r + 0.7152 * g + 0.0722 * b),
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


@pytest.mark.parametrize("who", SEEN_BY)
def test_twelve_series_are_told_apart_by_everybody(who: str) -> None:
    places = [lab(color, SEEN_BY[who]) for color in SERIES_COLORS]
    assert min(math.dist(*pair) for pair in itertools.combinations(places, 2)) > 15


def test_marks_are_seen_on_white_and_words_on_marks() -> None:
    assert all(contrast(color, "#ffffff") >= 3 for color in SERIES_COLORS)
    assert all(contrast(color, ink_on(color)) >= 3.8 for color in (*SERIES_COLORS, OTHER))


def test_letters_are_readable_at_the_width_that_slack_shows(result: Result, chart: Chart) -> None:
    rows = [(f"c{i}", i) for i in range(5)]
    config = build_vega_lite(chart("bar", x="k", y="n"), result("k:text n:integer", rows))["config"]
    shown = 360 / WIDTH
    assert config["axis"]["labelFontSize"] * shown >= 9
    assert config["title"]["fontSize"] * shown >= 11


def domain(spec: dict[str, Any], name: str) -> list[str]:
    labels: list[str] = spec["encoding"][name]["scale"]["domain"]
    return labels


@pytest.mark.parametrize(
    "labels",
    [
        ["2023", "2024", "2025"],
        ["Q1", "Q2", "Q3", "Q4"],
        ["Q4 2024", "Q1 2025", "Q2 2025"],
        ["2024-Q4", "2025-Q1"],
        ["2024-W50", "2025-W02"],
        ["Mon", "Tue", "Sun"],
    ],
)
@pytest.mark.parametrize("channel", ["x", "color"])
def test_years_quarters_and_weeks_in_text_keep_their_order(
    result: Result, chart: Chart, channel: str, labels: list[str]
) -> None:
    rows = [(label, "all", n) for n, label in enumerate(labels)][::-1]
    other = "color" if channel == "x" else "x"
    spec = chart("bar", y="n", **{channel: "when", other: "k"})
    drawn = build_vega_lite(spec, result("when:text k:text n:integer", rows))
    assert domain(drawn, channel) == labels


def test_a_histogram_stands_upright(result: Result, chart: Chart) -> None:
    rows = [(length,) for length in range(40, 190, 3)]
    spec = chart("bar", x={"field": "length", "bin": True}, y={"aggregate": "count"})
    drawn = build_vega_lite(spec, result("length:integer", rows))
    assert domain(drawn, "x")[0] == "40–60"


def test_values_that_would_touch_each_other_are_left_to_the_axis(
    result: Result, chart: Chart
) -> None:
    def texts(factor: int) -> list[str]:
        rows = [(f"2025-{month:02}-01", month * factor) for month in range(1, 13)]
        drawn = build_vega_lite(chart("bar", x="m", y="n"), result("m:date n:int8", rows))
        return [row["label"] for row in drawn["data"]["values"] if "label" in row]

    assert texts(11)[-1] == "132"
    assert texts(14_333_000)[-1] == "172M"
    assert texts(7_333) == []


@pytest.mark.parametrize(
    ("given", "label", "axis"),
    [("$,.2f", "$9,046", "$,.2~f"), ("$,.0f", "$9,046", "$,.0~f"), (",.1f", "9,046", ",.1~f")],
)
def test_a_currency_stands_before_each_figure(
    result: Result, chart: Chart, given: str, label: str, axis: str
) -> None:
    spec = chart("bar", x="k", y={"field": "revenue_usd", "format": given})
    rows = result("k:text revenue_usd:numeric", [("a", Decimal("9045.91")), ("b", Decimal(-52))])
    drawn = build_vega_lite(spec, rows)
    assert next(row["label"] for row in drawn["data"]["values"]) == label
    assert drawn["encoding"]["y"]["axis"]["format"] == axis
    assert drawn["encoding"]["y"]["title"] == "Revenue (USD)"


def test_a_loss_has_its_minus_before_the_currency(result: Result, chart: Chart) -> None:
    spec = chart("bar", x="k", y={"field": "n", "format": "$,.0f"})
    drawn = build_vega_lite(spec, result("k:text n:integer", [("a", 100), ("b", -52)]))
    assert [row["label"] for row in drawn["data"]["values"]] == ["$100", "−$52"]


def test_billions_of_a_currency_are_said_in_one_bracket(result: Result, chart: Chart) -> None:
    rows = result("k:text sales_eur:numeric", [("a", Decimal("5e9")), ("b", Decimal("7.25e9"))])
    drawn = build_vega_lite(chart("bar", x="k", y="sales_eur"), rows)
    assert drawn["encoding"]["y"]["title"] == "Sales (EUR, billions)"


def test_long_labels_beside_bars_are_broken_into_lines(result: Result, chart: Chart) -> None:
    films = ["Up", "The long and winding way to the lighthouse of the keeper"]
    rows = [(film, n) for n, film in enumerate(films, 1)]
    drawn = build_vega_lite(chart("bar", x="film", y="n"), result("film:text n:integer", rows))
    long, short = domain(drawn, "y")
    assert short == "\nUp", "in the middle of three lines"
    assert long.replace("\n", " ") == films[1]
    assert long.count("\n") == 2
    assert {row["y"] for row in drawn["data"]["values"]} == {long, short}


def test_lines_are_shorter_where_characters_are_wider() -> None:
    assert max(map(len, in_lines("東" * 40).split("\n"))) <= 15
    assert max(map(len, in_lines("a" * 60).split("\n"))) <= 26


@pytest.mark.parametrize(
    ("cell", "label"),
    [
        ("🇮🇸", "🇮🇸"),
        ("Iceland 🇮🇸", "Iceland IS"),
        ("👩‍🚀 Ann", "👩🚀 Ann"),
        ("👍🏽 ok", "👍 ok"),
        ("कक्ष‍ा a", "कक्ष‍ा a"),
    ],
)
def test_emoji_of_several_characters_are_taken_apart_beside_words(cell: str, label: str) -> None:
    assert label_of(cell) == label


def test_charts_with_arabic_labels_ask_for_a_font_that_has_them() -> None:
    assert font_for("القاهرة 12").startswith("Noto Sans Arabic")
    assert font_for("Łódź 東京 12") == FONT


def test_ticks_of_counted_things_are_whole(result: Result, chart: Chart) -> None:
    drawn = build_vega_lite(chart("bar", x="k", y="n"), result("k:text n:integer", [("a", 1)]))
    assert drawn["encoding"]["y"]["axis"]["tickCount"] == 1
