"""Heat maps: a cell for each pair of labels, darker where the value is larger."""

from __future__ import annotations

from agent.charts import axes
from agent.charts.axes import Json
from agent.charts.plot import Plot
from agent.charts.theme import HEAT, PADDING, WIDTH

_CELL = 26
_NO_CELL = "#f3efe6"
"""Where a pair has no row: no shade of blue, since it is no small value."""


def draw(plot: Plot) -> Json:
    """Return the cells of `plot`."""
    style = plot.styles["color"]
    down = len(plot.labels("y"))
    height = min(1100, max(260, down * _CELL + 190))
    title = axes.with_unit(plot.title_of("color"), style.unit)
    encoding: Json = {
        "x": axes.band(plot, "x", WIDTH - 2 * PADDING - 90),
        "y": axes.band(plot, "y", height - 150),
        "color": {
            "field": "color",
            "type": "quantitative",
            "title": title,
            "scale": {"range": list(HEAT), "interpolate": "lab"},
            "legend": {
                "format": style.axis_format,
                "gradientLength": 240,
                "gradientThickness": 12,
                "direction": "horizontal",
                "tickCount": 4,
            },
        },
    }
    return {
        "data": {"values": axes.rows(plot)},
        "mark": {"type": "rect"},
        "encoding": encoding,
        "view": {"fill": _NO_CELL, "stroke": None},
        **axes.frame(plot, height),
    }
