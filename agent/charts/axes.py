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
    HEIGHT,
    PADDING,
    WIDTH,
    axis_title,
    legend_columns,
    series_colors,
    text_width,
)
from agent.charts.wording import Number

Json = dict[str, Any]
ENOUGH_TICKS = 8
_MONTHS = {"year": "%b\n%Y", "quarter": "%b", "month": "%b"}


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
    beside = widest(plot.labels("y")) if plot.fields["y"].is_discrete else 40
    return int(inner - 2 * PADDING - 30 - min(beside, 180))


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
    title = with_unit(plot.title_of(name), style.unit)
    zero = _zero_belongs(numbers, near_zero)
    axis: Json = {"format": style.axis_format, "tickCount": 5}
    if style.decimals == 0 and not style.unit and not style.percent:
        axis |= _whole_ticks([*numbers, 0] if zero else numbers)
    if plot.fields[name].is_calendar_number or plot.fields[name].is_identifier:
        axis["format"] = "d"
    return {
        "field": name,
        "type": "quantitative",
        "title": axis_title(title, length),
        "axis": axis,
        "scale": {"zero": zero, "nice": True} if any(numbers) else {"domain": [0, 1]},
    }


def _whole_ticks(numbers: list[Number]) -> Json:
    """Return ticks at whole numbers, for an axis of things that are counted."""
    span = int(float(max(numbers)) - float(min(numbers)))
    # Vega's tickMinStep still makes halves where only one or two steps fit.
    return {"tickCount": max(1, min(5, span)), "tickMinStep": 1}


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
        # Only Januaries say their year, below: a short label leaves room for more of them.
        by_month = _MONTHS if months >= 12 else "%b\n%Y"
        return {
            "format": "%Y" if step == 12 else by_month,
            "tickCount": {"interval": "month", "step": step},
        }
    if span.days >= 2 or grain == "day":
        return {"format": "%-d %b\n%Y", "tickCount": _day_ticks(span.days)}
    return {"format": "%-d %b %H:%M", "tickCount": 5}


def _day_ticks(days: int) -> Json:
    steps = (("day", 1), ("day", 2), ("week", 1), ("week", 2), ("month", 1))
    lengths = {"day": 1, "week": 7, "month": 30}
    fits = ((unit, n) for unit, n in steps if days / (lengths[unit] * n) <= ENOUGH_TICKS)
    unit, step = next(fits, ("month", 1))
    return {"interval": unit, "step": step}


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


def widest(labels: tuple[str, ...]) -> float:
    """Return about how wide the widest of some labels is, in pixels."""
    return max(map(text_width, labels), default=0.0)


def with_unit(title: str, unit: str) -> str:
    """Return an axis title with its unit: "Sales (billions)", "Sales (EUR, billions)"."""
    if not unit:
        return title
    return f"{title[:-1]}, {unit})" if title.endswith(")") else f"{title} ({unit})"
