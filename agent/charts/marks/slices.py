"""Slices of a ring: parts of a whole, the largest first, clockwise from the top."""

from __future__ import annotations

from typing import Final

from agent.charts.axes import Json, rows
from agent.charts.plot import Plot
from agent.charts.theme import WIDTH, ink_on, series_colors
from agent.errors import ChartRejected

HEIGHT = 300
RADIUS = 108
MIN_LABELLED = 0.04
"""Share of the whole below which a slice has no room for its percentage."""
_SLICE: Final = {
    "type": "arc",
    "innerRadius": RADIUS * 0.55,
    "outerRadius": RADIUS,
    "stroke": "#ffffff",
    "strokeWidth": 2,
}
_PERCENTAGES: Final = {
    "mark": {"type": "text", "radius": RADIUS * 0.78},
    "encoding": {
        "text": {"field": "share", "type": "nominal"},
        "color": {"field": "ink", "type": "nominal", "scale": None, "legend": None},
    },
}


def draw(plot: Plot) -> Json:
    """Return the slices of `plot`.

    Raises `ChartRejected` for parts that make no whole: negative ones, or a sum of zero.
    """
    numbers = [float(number) for number in plot.numbers("theta")]
    total = sum(numbers)
    if min(numbers) < 0:
        raise ChartRejected(
            f"{plot.title_of('theta')} has negative values, which no slice can show; use a bar."
        )
    if total <= 0:
        raise ChartRejected(f"{plot.title_of('theta')} is 0 in all; there are no slices to draw.")
    values = _with_shares(plot, numbers, total)
    colors = series_colors(plot.labels("color"), plot.fields["color"].merged)
    for row in values:
        row["ink"] = ink_on(colors[row["place"]])
    return {
        "data": {"values": values},
        "encoding": {
            "theta": {"field": "theta", "type": "quantitative", "stack": True},
            "order": {"field": "place", "type": "quantitative"},
        },
        "layer": [{"mark": _SLICE, "encoding": {"color": _named(plot, values)}}, _PERCENTAGES],
        "width": WIDTH,
        "height": HEIGHT,
        "autosize": {"type": "fit", "contains": "padding"},
    }


def _with_shares(plot: Plot, numbers: list[float], total: float) -> list[Json]:
    places = {label: place for place, label in enumerate(plot.labels("color"))}
    return [
        {
            **row,
            "label": f"{row['color']}  {number / total:.1%}",
            "place": places[row["color"]],
            "share": f"{number / total:.0%}" if number / total >= MIN_LABELLED else "",
        }
        for row, number in zip(rows(plot), numbers, strict=True)
    ]


def _named(plot: Plot, values: list[Json]) -> Json:
    """Return the colours, with a legend that says each slice's share exactly."""
    in_order = sorted(values, key=lambda row: row["place"])
    colors = series_colors(tuple(row["color"] for row in in_order), plot.fields["color"].merged)
    return {
        "field": "label",
        "type": "nominal",
        "title": plot.title_of("color"),
        "sort": None,
        "scale": {"domain": [row["label"] for row in in_order], "range": colors},
        "legend": {"orient": "right", "labelLimit": 190, "rowPadding": 6},
    }
