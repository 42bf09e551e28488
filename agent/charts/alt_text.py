"""What a chart shows, in words taken from its data, for those who do not see the picture."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from agent.charts.cells import Value
from agent.charts.periods import name_period
from agent.charts.plot import Plot, build_plot
from agent.charts.points import Point
from agent.charts.spec import ChartSpec
from agent.charts.wording import Number
from agent.messages import QueryResult

MAX_LENGTH: Final = 1_000
"""Slack refuses a longer alt text on an upload."""
_NAMES: Final = {
    "bar": ("Bar chart", "bars"),
    "line": ("Line chart", "points"),
    "area": ("Area chart", "points"),
    "point": ("Scatter plot", "points"),
    "arc": ("Ring chart", "slices"),
    "rect": ("Heat map", "cells"),
}
_MAX_SERIES_NAMED = 6


def alt_text(spec: ChartSpec, result: QueryResult) -> str:
    """Describe the chart that `spec` makes of `result`, in at most 1,000 characters.

    Raises `ChartRejected` if there is no such chart.
    """
    return describe(build_plot(spec, result))


def describe(plot: Plot) -> str:
    """Describe `plot`: kind and title, extremes, range, series, size, and what was left out."""
    kind, marks = _NAMES[plot.mark]
    parts = [
        *_extent(plot),
        *_extremes(plot),
        *_series(plot),
        f"{len(plot.points):,} {marks if len(plot.points) != 1 else marks[:-1]}",
        *plot.notes,
    ]
    text = f"{kind}: {plot.title}; {'; '.join(parts)}"
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 1]}…"


def _extent(plot: Plot) -> list[str]:
    """From when to when, or from what number to what number, a continuous axis runs."""
    parts = []
    for name in ("x", "y"):
        field = plot.fields.get(name)
        if field is None or field.is_discrete or name in plot.roles.measures:
            continue
        values = [value for point in plot.points if (value := point[name]) is not None]
        low, high = min(values), max(values)
        ends = f"{_say(plot, name, low)} to {_say(plot, name, high)}"
        parts.append(ends if field.kind == "temporal" else f"{plot.title_of(name)} {ends}")
    return parts


def _extremes(plot: Plot) -> list[str]:
    if not plot.roles.measures:
        return []
    measure = plot.roles.measures[0]
    points = [p for p in plot.points if p[measure] is not None and not _is_merged(plot, p)]
    if len(points) == 1:
        return [f"{_where(plot, points[0])} {_say(plot, measure, points[0][measure])}"]
    highest = max(points, key=lambda point: _number(point[measure]))
    lowest = min(points, key=lambda point: _number(point[measure]))
    if highest[measure] == lowest[measure]:
        return [f"all {_say(plot, measure, highest[measure])}"]
    share = ""
    if plot.mark == "arc":
        total = sum(map(float, plot.numbers(measure)))
        share = f" ({_number(highest[measure]) / total:.1%} of all)" if total else ""
    least = "lowest of those shown" if any(" shown" in note for note in plot.notes) else "lowest"
    return [
        f"{_where(plot, highest)} {_say(plot, measure, highest[measure])} highest{share}, "
        f"{_where(plot, lowest)} {_say(plot, measure, lowest[measure])} {least}"
    ]


def _is_merged(plot: Plot, point: Point) -> bool:
    """Whether a point stands for many: it is neither the highest nor the lowest of anything."""
    return any(field.merged and point[name] == field.merged for name, field in plot.fields.items())


def _where(plot: Plot, point: Point) -> str:
    """Name a point by what it stands for: "Sports", or "Jul 2024, Store 1"."""
    names = [name for name in point if name not in plot.roles.measures]
    return ", ".join(_say(plot, name, point[name]) for name in names)


def _series(plot: Plot) -> list[str]:
    if not plot.roles.series:
        return []
    labels = plot.labels(plot.roles.series)
    named = ", ".join(labels[:_MAX_SERIES_NAMED])
    more = len(labels) - _MAX_SERIES_NAMED
    return [f"{len(labels)} series: {named}" + (f" and {more} more" if more > 0 else "")]


def _say(plot: Plot, name: str, value: Value) -> str:
    if isinstance(value, datetime):
        return name_period(value, plot.fields[name].grain)
    if not isinstance(value, Number):
        return str(value)
    field = plot.fields[name]
    if field.is_calendar_number or field.is_identifier:
        return str(value)
    return plot.styles[name].text(value)


def _number(value: Value) -> float:
    return float(value) if isinstance(value, Number) else 0.0
