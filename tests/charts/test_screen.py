"""The last look before the renderer: our builder makes none of this, and none gets through."""

from __future__ import annotations

from typing import Any

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.charts.screen import refuse_unsafe
from agent.errors import ChartRejected

ROWS = {"values": [{"x": 1, "y": 2}]}
GOOD: dict[str, Any] = {"data": ROWS, "mark": "bar", "encoding": {"x": {"field": "x"}}}


def nested(depth: int) -> dict[str, Any]:
    spec: dict[str, Any] = dict(GOOD)
    for _ in range(depth):
        spec = {"layer": [spec]}
    return spec


@pytest.mark.parametrize(
    "change",
    [
        {"data": {"url": "http://169.254.169.254/"}},
        {"data": {"url": "file:///etc/passwd"}},
        {"data": {"sequence": {"start": 0, "stop": 1e9}}},
        {"data": {"values": "x" * 10}},
        {"data": {**ROWS, "format": {"type": "csv"}}},
        {"datasets": {"a": []}},
        {"mark": "image"},
        {"mark": {"type": "image", "url": "file:///etc/hostname"}},
        {"mark": {"type": "geoshape"}},
        {"layer": [{"mark": {"type": "bar", "href": "http://x"}}]},
        {"transform": [{"calculate": "/^(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaa!')", "as": "x"}]},
        {"transform": [{"lookup": "x", "from": {"data": ROWS}}]},
        {"params": [{"name": "p", "expr": "1"}]},
        {"encoding": {"x": {"field": "x", "axis": {"labelExpr": "datum.label"}}}},
        {"width": 20_000},
        {"height": {"step": 1e300}, "width": -1},
        {"data": {"values": [{"x": 1}] * 5_001}},
        {"data": {"values": [{"x": float("nan")}]}},
        {"data": {"values": [{"x": b"bytes"}]}},
        {"title": "x" * 501},
        {"usermeta": {"embedOptions": {}}},
        nested(3_000),
    ],
)
def test_a_specification_that_reaches_out_or_takes_too_much_is_refused(
    renderer: ProcessRenderer, change: dict[str, Any]
) -> None:
    with pytest.raises(ChartRejected):
        renderer.render({**GOOD, **change})


def test_a_harmless_specification_passes() -> None:
    refuse_unsafe(GOOD)
    refuse_unsafe(nested(5))
