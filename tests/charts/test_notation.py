"""A chart's figures have the marks of who asked: on axes, beside bars, in the description."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.messages import Chart, Column, QueryResult
from agent.notation import Notation, notation_of
from agent.tools.chart import GenerateChart, generate_chart

SALES = QueryResult(
    "SELECT city, revenue FROM sale",
    (Column("city", "text"), Column("revenue", "numeric")),
    (("Bremen", Decimal("5314.21")), ("Porto", Decimal("1234.50")), ("8,000 Miles", Decimal("99"))),
)
SPEC = {
    "result": 1,
    "mark": "bar",
    "encoding": {"x": {"field": "city"}, "y": {"field": "revenue"}},
}


class Paper:
    """Keeps what it is to draw."""

    def render(self, spec: dict[str, object]) -> bytes:
        self.spec = spec
        return b"png"


def chart_for(locale: str, renderer: object) -> Chart:
    notation = notation_of(locale)
    arguments = GenerateChart.model_validate({"spec": SPEC})
    chart = generate_chart(arguments, [SALES], renderer, notation).chart  # type: ignore[arg-type]
    assert chart is not None
    return chart


def test_labels_axes_and_description_have_the_marks_of_the_locale() -> None:
    english, german = chart_for("", Paper()), chart_for("de-DE", Paper())
    for chart, here, elsewhere in ((english, "5,314", "5.314,"), (german, "5.314", "5,314")):
        assert here in str(chart.spec)
        assert here in chart.alt_text
        assert elsewhere not in str(chart.spec["layer"]) + chart.alt_text
    assert "8,000 Miles" in json.dumps(german.spec)
    locale = german.spec["config"]["locale"]["number"]
    assert (locale["decimal"], locale["thousands"], locale["grouping"]) == (",", ".", [3])
    assert "locale" not in english.spec["config"]


def test_bins_have_them_too() -> None:
    rows = tuple((Decimal(n * 500),) for n in range(20))
    result = QueryResult("SELECT n FROM t", (Column("n", "numeric"),), rows)
    x = {"field": "n", "bin": True}
    spec = {"mark": "bar", "encoding": {"x": x, "y": {"aggregate": "count"}}}
    arguments = GenerateChart.model_validate({"spec": spec})
    paper: Any = Paper()
    german = generate_chart(arguments, [result], paper, notation_of("de-DE")).chart
    assert german is not None
    drawn = json.dumps(german.spec, ensure_ascii=False)
    assert drawn.count("1.000–2.000") >= 2
    assert "1,000" not in drawn + german.alt_text


def test_the_picture_is_drawn_with_them(renderer: ProcessRenderer) -> None:
    assert chart_for("hi-IN", renderer).png[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("de-DE", "12.345.678,5 of “1,024” in 2026, 0,75 of v1.5 at 10.0.0.1"),
        ("hi-IN", "1,23,45,678.5 of “1,024” in 2026, 0.75 of v1.5 at 10.0.0.1"),
        ("", "12,345,678.5 of “1,024” in 2026, 0.75 of v1.5 at 10.0.0.1"),
    ],
)
def test_figures_of_our_own_words_change_and_nothing_else(locale: str, words: str) -> None:
    ours = "12,345,678.5 of “1,024” in 2026, 0.75 of v1.5 at 10.0.0.1"
    assert notation_of(locale).rewritten(ours) == words


def test_a_locale_that_nobody_knows_is_english() -> None:
    assert notation_of("xx-YY") == notation_of("") == notation_of("en-US") == Notation()
