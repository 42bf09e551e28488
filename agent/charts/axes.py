"""The channel definitions that all marks share: rows, bands, measured axes, time axes, series.

Rows are named after channels, never after columns, so that a column's name cannot be read as a
path ("a.b", "a[0]") or hide a word of Vega-Lite.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from agent.charts.cells import Value
from agent.charts.periods import Grain
from agent.charts.plot import Plot
from agent.charts.theme import (
    CHARACTER,
    HEIGHT,
    PADDING,
    WIDTH,
    axis_title,
    legend_columns,
    series_colors,
)
from agent.charts.wording import Number

Json = dict[str, Any]
ENOUGH_TICKS = 8


def rows(plot: Plot) -> list[Json]:
    """Return the points as Vega-Lite reads them: numbers, labels, and times without a zone."""
    factors = {name: style.factor for name, style in plot.styles.items()}
    return [
        {name: _cell(value, factors.get(name, 1.0)) for name, value in point.items()}
        for point in plot.points
    ]


def _cell(value: Value, factor: float) -> float | str | int | None:
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, int):
        return value if factor == 1.0 and abs(value) < 2**53 else value * factor
    return float(value) * factor if isinstance(value, Number) else value


def frame(plot: Plot, height: int = HEIGHT) -> Json:
    """Return the size of the picture, or of each panel of several."""
    across = len(plot.labels("column")) if "column" in plot.fields else 1
    down = len(plot.labels("row")) if "row" in plot.fields else 1
    if across == down == 1 and not {"row", "column"} & set(plot.fields):
        return {
            "width": WIDTH,
            "height": height,
            "autosize": {"type": "fit", "contains": "padding"},
        }
    beside = 2 * PADDING + (120 if "row" in plot.fields else 70)
    return {
        "width": (WIDTH - beside - 20 * (across - 1)) // across,
        "height": 120 if down > 1 else 240,
    }


def plot_width(plot: Plot) -> int:
    """Return about how many pixels lie between the ends of the x axis."""
    inner: int = frame(plot)["width"]
    if inner != WIDTH:
        return inner
    beside = text_width(plot.labels("y")) if plot.fields["y"].is_discrete else 40
    return int(inner - 2 * PADDING - 30 - min(beside, 190))


def facets(plot: Plot) -> Json:
    """Return the channels that make small multiples."""
    return {
        name: {
            "field": name,
            "type": "ordinal",
            "title": plot.title_of(name),
            "sort": list(plot.labels(name)),
        }
        for name in ("column", "row")
        if name in plot.fields
    }


def band(plot: Plot, name: str, length: int) -> Json:
    """Return an axis of labels in drawing order; every period has its place, rows or not."""
    labels = plot.labels(name)
    axis: Json = {"labelAngle": 0} if name == "x" else {}
    return {
        "field": name,
        "type": "ordinal",
        "title": axis_title(plot.title_of(name), length),
        "sort": None,
        "scale": {"domain": list(labels)},
        "axis": axis,
    }


def measured(plot: Plot, name: str, length: int, *, near_zero: float = 1.0) -> Json:
    """Return an axis of numbers.

    Zero is on it if the smallest value is at most `near_zero` times the largest: always, for bars.
    """
    style, numbers = plot.styles[name], plot.numbers(name)
    title = plot.title_of(name) + (f" ({style.unit})" if style.unit else "")
    axis: Json = {"format": style.axis_format, "tickCount": 5}
    if style.decimals == 0 and not style.unit and not style.percent:
        axis["tickMinStep"] = 1
    if plot.fields[name].is_calendar_number or plot.fields[name].is_identifier:
        axis["format"] = "d"
    return {
        "field": name,
        "type": "quantitative",
        "title": axis_title(title, length),
        "axis": axis,
        "scale": {"zero": _zero_belongs(numbers, near_zero), "nice": True},
    }


def _zero_belongs(numbers: list[Number], near: float) -> bool:
    low, high = sorted((abs(float(min(numbers))), abs(float(max(numbers)))))
    return low == high or low <= near * high or min(numbers) <= 0 <= max(numbers)


def time(plot: Plot, name: str, length: int) -> Json:
    """Return a continuous axis of times."""
    field = plot.fields[name]
    moments = [value for point in plot.points if isinstance(value := point[name], datetime)]
    span = max(moments) - min(moments)
    axis = _time_ticks(field.grain, span)
    if field.spec.format and "%" in field.spec.format:
        axis["format"] = field.spec.format
    return {
        "field": name,
        "type": "temporal",
        "title": axis_title(plot.title_of(name), length),
        "axis": {**axis, "labelAngle": 0, "labelFlush": False, "grid": False},
        "scale": {"nice": False, "padding": 6},
    }


def _time_ticks(grain: Grain | None, span: timedelta) -> Json:
    """Return ticks at the starts of periods, few enough to be read."""
    months = span.days / 30.4
    if months > 12 * ENOUGH_TICKS:
        return {"format": "%Y", "tickCount": {"interval": "year", "step": _step(months / 12)}}
    if grain in ("year", "quarter", "month") or months > 4:
        steps = (1, 2, 3, 6, 12)
        step = next((n for n in steps if months / n <= ENOUGH_TICKS), 12)
        if grain == "year":
            step = 12
        return {
            "format": "%Y" if step == 12 else "%b %Y",
            "tickCount": {"interval": "month", "step": step},
        }
    if span.days >= 2 or grain == "day":
        return {"format": "%-d %b %Y", "tickCount": 5}
    return {"format": "%-d %b %H:%M", "tickCount": 5}


def _step(years: float) -> int:
    return next((n for n in (1, 2, 5, 10, 20, 50) if years / n <= ENOUGH_TICKS), 100)


def position(plot: Plot, name: str, length: int, *, near_zero: float = 1.0) -> Json:
    """Return the axis that fits what a channel holds."""
    field = plot.fields[name]
    if field.is_discrete:
        return band(plot, name, length)
    if field.kind == "temporal":
        return time(plot, name, length)
    return measured(plot, name, length, near_zero=near_zero)


def series(plot: Plot, symbol: str = "square") -> Json:
    """Return the colour channel of a chart with series, with a legend that fits above it."""
    labels = plot.labels("color")
    return {
        "field": "color",
        "type": "nominal",
        "title": plot.title_of("color"),
        "sort": None,
        "scale": {
            "domain": list(labels),
            "range": series_colors(labels, plot.fields["color"].merged),
        },
        "legend": {"columns": legend_columns(labels), "symbolType": symbol},
    }


def text_width(labels: tuple[str, ...]) -> float:
    """Return about how wide the widest of some labels is, in pixels."""
    return max((len(label) for label in labels), default=0) * CHARACTER
