"""Lines and areas: one or several series along time, numbers or an order."""

from __future__ import annotations

from collections import Counter

from agent.charts import axes
from agent.charts.axes import Json
from agent.charts.marks.stacks import placed_rows, side_by_side, stacking
from agent.charts.plot import Plot
from agent.charts.theme import BLUE, HEIGHT
from agent.errors import ChartRejected

FEW_POINTS = 31
"""Up to here the points of a line are drawn too, so that one can see what is measured."""


def draw(plot: Plot) -> Json:
    """Return the lines or areas of `plot`."""
    main, (measure,) = plot.roles.main, plot.roles.measures
    length = {"x": axes.plot_width(plot), "y": HEIGHT - 120}
    is_area = plot.mark == "area"
    encoding: Json = {
        main: axes.position(plot, main, length[main], near_zero=0.6),
        measure: axes.measured(plot, measure, length[measure], near_zero=1.0 if is_area else 0.6),
        **axes.facets(plot),
    }
    if main == "y":
        encoding["order"] = {"field": "y", "type": "quantitative"}
    if plot.roles.series:
        encoding["color"] = axes.series(plot, "square" if is_area else "stroke")
    mark = _area(plot, encoding) if is_area else _line(plot)
    return {
        "data": {"values": _in_order(plot)},
        "mark": mark,
        "encoding": encoding,
        **axes.frame(plot),
    }


def _in_order(plot: Plot) -> list[Json]:
    """A line joins points in the order of their labels, whatever the order of the rows."""
    main = plot.roles.main
    rows = placed_rows(plot) if plot.roles.series else axes.rows(plot)
    if not plot.fields[main].is_discrete:
        return rows
    places = {label: place for place, label in enumerate(plot.labels(main))}
    return sorted(rows, key=lambda row: places[row[main]])


def _line(plot: Plot) -> Json:
    per_series = Counter(
        tuple(point.get(n) for n in ("color", "row", "column")) for point in plot.points
    )
    gaps = any(point[plot.roles.measures[0]] is None for point in plot.points)
    few = max(per_series.values()) <= FEW_POINTS
    lonely = min(per_series.values()) == 1
    mark: Json = {"type": "line", "invalid": "break-paths-show-path-domains"}
    if plot.with_points or few or gaps or lonely:
        mark["point"] = {"size": 36 if few else 16, "filled": True}
    return mark if plot.roles.series else {**mark, "color": BLUE}


def _area(plot: Plot, encoding: Json) -> Json:
    (measure,) = plot.roles.measures
    if not plot.roles.series:
        return {"type": "area", "color": BLUE, "opacity": 0.25, "line": {"color": BLUE}}
    if side_by_side(plot):
        encoding[measure]["stack"] = None
        return {"type": "area", "opacity": 0.35, "line": True}
    if any(float(number) < 0 for number in plot.numbers(measure)):
        raise ChartRejected(
            f"{plot.title_of(measure)} has negative values, and areas of several series are "
            'stacked; use mark "line".'
        )
    encoding[measure] |= stacking(plot, measure)
    encoding["order"] = {"field": "place", "type": "quantitative"}
    return {"type": "area", "opacity": 0.9}
