"""From a plot to Vega-Lite: the only place that writes a specification to be drawn."""

from __future__ import annotations

import json
from typing import Any, Final

from agent.charts.marks import bars, heat_map, lines, scatter, slices
from agent.charts.plot import Plot, build_plot
from agent.charts.spec import ChartSpec
from agent.charts.theme import CONFIG, PADDING, font_for, title_block
from agent.messages import QueryResult

_DRAW: Final = {
    "bar": bars.draw,
    "line": lines.draw,
    "area": lines.draw,
    "point": scatter.draw,
    "arc": slices.draw,
    "rect": heat_map.draw,
}


def build_vega_lite(spec: ChartSpec, result: QueryResult) -> dict[str, Any]:
    """Return a whole Vega-Lite specification with the rows of `result` in it.

    Raises `ChartRejected` if the result cannot be drawn so.
    """
    return draw(build_plot(spec, result))


def draw(plot: Plot) -> dict[str, Any]:
    """Return the Vega-Lite specification of `plot`, about 520 x 340 pixels before scaling."""
    parts = {"title": title_block(plot.title, plot.notes), **_DRAW[plot.mark](plot)}
    font = font_for(json.dumps(parts, ensure_ascii=False))
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": "#ffffff",
        "padding": PADDING,
        **parts,
        "config": {**CONFIG, "font": font},
    }
