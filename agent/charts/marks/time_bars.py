"""Bars for more periods than there is room for labels: a continuous time axis."""

from __future__ import annotations

from datetime import datetime

from agent.charts import axes
from agent.charts.axes import Json
from agent.charts.marks.stacks import placed_rows, stacking
from agent.charts.periods import next_start
from agent.charts.plot import Plot
from agent.charts.theme import BLUE, HEIGHT

_FILLED = 0.9
"""The share of its period that a bar fills."""


def draw(plot: Plot) -> Json:
    """Return bars that run from the start of their period to nearly its end."""
    main, (measure,) = plot.roles.main, plot.roles.measures
    length = {"x": axes.plot_width(plot), "y": HEIGHT - 120}
    encoding: Json = {
        main: axes.time(plot, main, length[main]),
        measure: axes.measured(plot, measure, length[measure]),
        **axes.facets(plot),
    }
    values = placed_rows(plot) if plot.roles.series else axes.rows(plot)
    if plot.fields[main].grain:
        encoding[f"{main}2"] = {"field": "end"}
        values = [
            {**row, "end": _end(plot, point[main])}
            for row, point in zip(values, plot.points, strict=True)
        ]
    if plot.roles.series:
        encoding["color"] = axes.series(plot)
        encoding[measure] |= stacking(plot, measure)
        encoding["order"] = {"field": "place", "type": "quantitative"}
    return {
        "data": {"values": values},
        "mark": {
            "type": "bar",
            "color": BLUE,
            "orient": "vertical" if main == "x" else "horizontal",
        },
        "encoding": encoding,
        **axes.frame(plot),
    }


def _end(plot: Plot, start: object) -> str:
    grain = plot.fields[plot.roles.main].grain
    if not isinstance(start, datetime) or grain is None:
        raise TypeError("a bar along time begins at a time")
    return (start + (next_start(start, grain) - start) * _FILLED).isoformat()
