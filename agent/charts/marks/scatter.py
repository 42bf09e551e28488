"""Points: one mark for each row, or for each group."""

from __future__ import annotations

from agent.charts import axes
from agent.charts.axes import Json
from agent.charts.plot import Plot
from agent.charts.theme import BLUE, HEAT, HEIGHT

MANY = 400


def draw(plot: Plot) -> Json:
    """Return the points of `plot`."""
    length = {"x": axes.plot_width(plot), "y": HEIGHT - 120}
    encoding: Json = {
        "x": axes.position(plot, "x", length["x"], near_zero=0.2),
        "y": axes.position(plot, "y", length["y"], near_zero=0.2),
        **axes.facets(plot),
    }
    if "size" in plot.fields:
        style = plot.styles["size"]
        encoding["size"] = {
            "field": "size",
            "type": "quantitative",
            "title": plot.title_of("size"),
            "scale": {"range": [20, 500]},
            "legend": {"format": style.axis_format, "symbolType": "circle"},
        }
    if plot.roles.series:
        encoding["color"] = axes.series(plot, "circle")
    elif "color" in plot.fields:
        encoding["color"] = {
            "field": "color",
            "type": "quantitative",
            "title": plot.title_of("color"),
            "scale": {"range": list(HEAT[2:])},
            "legend": {"format": plot.styles["color"].axis_format, "gradientLength": 200},
        }
    many = len(plot.points) > MANY
    mark: Json = {"type": "point", "filled": True, "opacity": 0.45 if many else 0.75}
    if "size" not in plot.fields:
        mark["size"] = 25 if many else 60
    if "color" not in encoding:
        mark["color"] = BLUE
    return {
        "data": {"values": axes.rows(plot)},
        "mark": mark,
        "encoding": encoding,
        **axes.frame(plot),
    }
