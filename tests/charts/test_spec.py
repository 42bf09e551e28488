"""What a model may say of a chart, and what it is told when it says something else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from agent.charts.spec import ChartSpec
from agent.tools.argument_schema import what_models_read
from agent.tools.chart import GenerateChart

BAR = {"x": {"field": "category"}, "y": {"field": "revenue"}}


def problem(spec: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as caught:
        ChartSpec.model_validate(spec)
    return str(caught.value)


@pytest.mark.parametrize(
    "extra",
    [
        {"data": {"url": "http://10.0.0.1/"}},
        {"data": {"values": [{"a": 1}]}},
        {"datasets": {}},
        {"transform": [{"calculate": "1", "as": "x"}]},
        {"params": [{"name": "p", "expr": "1"}]},
        {"layer": []},
        {"config": {}},
        {"width": 20_000},
    ],
)
def test_there_is_no_place_for_data_expressions_or_sizes(extra: dict[str, Any]) -> None:
    told = problem({"mark": "bar", "encoding": BAR, **extra})
    assert f"unknown key {next(iter(extra))}" in told
    assert "allowed here: result, title, mark, encoding" in told


def test_an_unknown_key_of_a_channel_is_named_with_what_to_do_instead() -> None:
    told = problem(
        {"mark": "bar", "encoding": {**BAR, "x": {"field": "a", "axis": {"title": "A"}}}}
    )
    assert "unknown key axis" in told
    assert "field, type, aggregate, timeUnit, bin, sort, stack, title, format" in told
    assert "put title and format straight into the channel" in told


@pytest.mark.parametrize(
    ("mark", "channels", "told"),
    [
        ("bar", ["x"], "missing: y"),
        ("arc", ["x", "y"], "missing: theta, color"),
        ("rect", ["x", "y"], "missing: color"),
        ("line", ["x", "y", "size"], "not used by it: size"),
        ("arc", ["theta", "color", "row"], "not used by it: row"),
    ],
)
def test_each_mark_says_which_channels_it_needs(mark: str, channels: list[str], told: str) -> None:
    encoding = {name: {"field": "a"} for name in channels}
    assert told in problem({"mark": mark, "encoding": encoding})


@pytest.mark.parametrize(
    ("channel", "told"),
    [
        ({}, "field"),
        ({"aggregate": "sum"}, "field"),
        ({"field": "a", "aggregate": "sum", "timeUnit": "year"}, "one of aggregate, timeUnit"),
        ({"field": "a", "format": "{{constructor}}"}, "pattern"),
        ({"field": "a", "bin": {"maxbins": 10_000}}, "less than or equal to 40"),
        ({"field": "a", "sort": ["x"] * 101}, "at most 100"),
        ({"field": "x" * 201}, "at most 200"),
        ({"field": "a", "title": "x" * 121}, "at most 120"),
    ],
)
def test_channels_are_bounded(channel: dict[str, Any], told: str) -> None:
    assert told in problem({"mark": "bar", "encoding": {**BAR, "y": channel}})


def test_counting_needs_no_field(chart: Callable[..., ChartSpec]) -> None:
    assert chart("bar", x="category", y={"aggregate": "count"}).encoding.y is not None


def test_a_mark_may_be_a_word_or_an_object(chart: Callable[..., ChartSpec]) -> None:
    assert chart("line", x="a", y="b").mark_type == "line"
    assert chart({"type": "line", "point": True}, x="a", y="b").mark_type == "line"


def test_what_a_model_reads_of_the_tool_is_small_and_offers_no_door() -> None:
    schema = json.dumps(what_models_read(GenerateChart.model_json_schema()))
    assert len(schema) < 4_000
    assert not any(f'"{word}":' in schema for word in ("url", "data", "expr", "transform"))
