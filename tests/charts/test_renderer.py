"""Real pictures, drawn by Vega-Lite."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.charts.spec import ChartSpec
from agent.charts.theme import BLUE, SERIES_COLORS
from agent.charts.vega import build_vega_lite
from agent.errors import ChartRejected
from agent.messages import Column, QueryResult

BARS: dict[str, Any] = {
    "data": {"values": [{"x": "a", "y": 1}, {"x": "b", "y": 3}]},
    "mark": {"type": "bar", "color": "#ff0000"},
    "encoding": {
        "x": {"field": "x", "type": "nominal"},
        "y": {"field": "y", "type": "quantitative"},
    },
    "width": 60,
    "height": 40,
}


def test_a_chart_is_a_png_at_twice_its_size(renderer: ProcessRenderer, decode: Any) -> None:
    picture = decode(renderer.render({**BARS, "autosize": {"type": "fit", "contains": "padding"}}))
    assert (picture.width, picture.height) == (120, 80)


def test_the_picture_shows_the_numbers(renderer: ProcessRenderer, decode: Any) -> None:
    picture = decode(renderer.render({**BARS, "height": 90}))
    heights = picture.columns_of("#ff0000")
    tall, low = max(heights.values()), min(n for n in heights.values() if n > 10)
    assert tall / low == pytest.approx(3, rel=0.05)


def test_a_chart_of_ours_has_our_colours_on_white(
    renderer: ProcessRenderer,
    decode: Any,
    result: Callable[..., QueryResult],
    chart: Callable[..., ChartSpec],
) -> None:
    data = result("k:text s:text n:integer", [("a", "u", 1), ("a", "v", 2), ("b", "u", 3)])
    spec = build_vega_lite(chart("bar", x="k", y="n", color="s"), data)
    picture = decode(renderer.render(spec))
    assert (picture.width, picture.height) == (1040, 680)
    colors = picture.colors()
    assert colors["#ffffff"] > 0.4 * len(picture.pixels)
    assert min(colors[BLUE], colors[SERIES_COLORS[1]]) > 0.02 * len(picture.pixels)
    assert set(picture.pixels[: picture.width]) == {(255, 255, 255)}, "nothing is cut at the top"


@pytest.mark.parametrize(
    ("mark", "channels"),
    [
        ("bar", {"x": "k", "y": {"field": "n", "aggregate": "sum"}}),
        ("bar", {"x": "m", "y": {"field": "n", "aggregate": "sum"}, "color": "k"}),
        ("bar", {"x": "m", "y": {"field": "n", "aggregate": "mean"}, "row": "k"}),
        ("bar", {"x": {"field": "n", "bin": True}, "y": {"aggregate": "count"}}),
        ("line", {"x": "m", "y": "n", "color": "k"}),
        ("line", {"x": "m", "y": "n", "column": "k"}),
        ("area", {"x": "m", "y": "n", "color": "k"}),
        ("area", {"x": "m", "y": {"field": "n", "stack": "normalize"}, "color": "k"}),
        ("point", {"x": "n", "y": "p", "color": "k", "size": "n"}),
        ("arc", {"theta": {"field": "n", "aggregate": "sum"}, "color": "k"}),
        ("rect", {"x": "m", "y": "k", "color": "n"}),
    ],
)
def test_vega_lite_draws_what_we_build(
    renderer: ProcessRenderer,
    result: Callable[..., QueryResult],
    chart: Callable[..., ChartSpec],
    mark: str,
    channels: Any,
) -> None:
    rows = [
        (f"2024-{month:02d}-01", kind, month * 7 % 5 + 1.5, month)
        for month in range(1, 13)
        for kind in ("a", "b & <c>", "日本 🎬")
    ]
    data = result("m:date k:text n:float8 p:integer", rows)
    png = renderer.render(build_vega_lite(chart(mark, **channels), data))
    assert len(png) > 10_000


def test_the_parent_never_imports_the_renderer() -> None:
    code = (
        "import sys\n"
        "from agent.charts.renderer import ProcessRenderer\n"
        f"with ProcessRenderer() as renderer: renderer.render({BARS!r})\n"
        "sys.exit('vl_convert' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_vega_lite_cannot_draw_is_refused_and_the_next_chart_works(
    renderer: ProcessRenderer,
) -> None:
    number = {"field": "y", "type": "quantitative", "axis": {"format": "no such format"}}
    with pytest.raises(ChartRejected, match="could not be drawn"):
        renderer.render({**BARS, "encoding": {"y": number}})
    assert renderer.render(BARS)


@pytest.mark.parametrize("odd", ["\x00", "a\x00b", "\x1b[31m", "\uffff"])
def test_titles_with_letters_that_cannot_be_drawn_are_drawn_without_them(
    renderer: ProcessRenderer, odd: str
) -> None:
    wild = QueryResult("", (Column(f"n{odd}", "text"), Column(odd, "int4")), (("a", 1), ("b", 2)))
    channels = {"x": {"field": f"n{odd}", "title": odd}, "y": {"field": odd}}
    spec = ChartSpec.model_validate({"mark": "bar", "title": odd, "encoding": channels})
    assert renderer.render(build_vega_lite(spec, wild)).startswith(b"\x89PNG")
