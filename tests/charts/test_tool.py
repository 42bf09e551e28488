"""The chart tool, as the loop calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.errors import ChartRejected
from agent.messages import QueryResult
from agent.tools.chart import GenerateChart, generate_chart

BAR = {"mark": "bar", "encoding": {"x": {"field": "k"}, "y": {"field": "n"}}}


@pytest.fixture
def results(result: Callable[..., QueryResult]) -> list[QueryResult]:
    return [
        result("k:text n:integer", [("first", 1)]),
        result("k:text n:integer", [("second", 2), ("third", 3)]),
    ]


def arguments(**more: Any) -> GenerateChart:
    return GenerateChart.model_validate({"spec": {**BAR, **more}})


def test_a_chart_shows_the_last_result_when_none_is_named(
    results: list[QueryResult], renderer: ProcessRenderer
) -> None:
    observation = generate_chart(arguments(title="Second"), results, renderer)
    chart = observation.chart
    assert chart is not None
    assert (chart.title, chart.result_number) == ("Second", 2)
    assert {row["x"] for row in chart.spec["data"]["values"]} == {"second", "third"}
    assert chart.png.startswith(b"\x89PNG")
    assert chart.alt_text == "Bar chart: Second; third 3 highest, second 2 lowest; 2 bars"


def test_a_named_result_is_drawn_and_the_model_is_told_what(
    results: list[QueryResult], renderer: ProcessRenderer
) -> None:
    observation = generate_chart(arguments(result=1), results, renderer)
    assert observation.chart is not None
    assert observation.chart.result_number == 1
    assert "result 1 as a bar chart" in observation.content
    assert "x = K, y = N; 1 marks" in observation.content


@pytest.mark.parametrize(("number", "told"), [(3, "the results 1 to 2"), (None, "run a query")])
def test_a_result_that_does_not_exist_is_refused(
    results: list[QueryResult], renderer: ProcessRenderer, number: int | None, told: str
) -> None:
    given = results if number else []
    named = {} if number is None else {"result": number}
    with pytest.raises(ChartRejected, match=told):
        generate_chart(arguments(**named), given, renderer)


def test_what_was_left_out_is_told_to_the_model(
    result: Callable[..., QueryResult], renderer: ProcessRenderer
) -> None:
    many = result("k:text n:integer", [(f"k{i:02d}", i) for i in range(40)])
    observation = generate_chart(arguments(), [many], renderer)
    assert "19 of 40 shown" in observation.content
