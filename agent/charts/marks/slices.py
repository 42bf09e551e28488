"""Slices of a ring: parts of a whole, the largest first, clockwise from the top."""

from __future__ import annotations

from agent.charts.axes import Json, rows
from agent.charts.plot import Plot
from agent.charts.theme import WIDTH, series_colors
from agent.errors import ChartRejected

HEIGHT = 380
RADIUS = 130
MIN_LABELLED = 0.04
"""Share of the whole below which a slice has no room for its percentage."""


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
    labels = plot.labels("color")
    places = {label: place for place, label in enumerate(labels)}
    values = [
        {
            **row,
            "label": f"{row['color']}  {number / total:.1%}",
            "place": places[row["color"]],
            "share": f"{number / total:.0%}" if number / total >= MIN_LABELLED else "",
        }
        for row, number in zip(rows(plot), numbers, strict=True)
    ]
    names = {row["color"]: row["label"] for row in values}
    return {
        "data": {"values": values},
        "encoding": {
            "theta": {"field": "theta", "type": "quantitative", "stack": True},
            "order": {"field": "place", "type": "quantitative"},
            "color": {
                "field": "label",
                "type": "nominal",
                "title": plot.title_of("color"),
                "sort": None,
                "scale": {
                    "domain": [names[label] for label in labels if label in names],
                    "range": series_colors(labels, plot.fields["color"].merged),
                },
                "legend": {"orient": "right", "labelLimit": 240, "rowPadding": 6},
            },
        },
        "layer": [
            {
                "mark": {
                    "type": "arc",
                    "innerRadius": RADIUS * 0.55,
                    "outerRadius": RADIUS,
                    "stroke": "#ffffff",
                    "strokeWidth": 2,
                }
            },
            {
                "mark": {"type": "text", "radius": RADIUS * 0.78, "fill": "#ffffff"},
                "encoding": {"text": {"field": "share", "type": "nominal"}},
            },
        ],
        "width": WIDTH,
        "height": HEIGHT,
        "autosize": {"type": "fit", "contains": "padding"},
        "view": {"stroke": None},
    }
