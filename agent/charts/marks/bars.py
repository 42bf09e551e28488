"""Bars: upright while their labels fit below them, lying down where they do not."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from agent.charts import axes
from agent.charts.axes import Json
from agent.charts.marks import time_bars
from agent.charts.marks.stacks import placed_rows, side_by_side, stacking
from agent.charts.plot import Plot
from agent.charts.theme import BLUE, HEIGHT, INK, LINE_HEIGHT, OTHER, in_lines

MAX_LABELLED = 25
MAX_UPRIGHT = 12
MAX_BINS = 30
_BAR = 25
_BAR_OF_LINES = 3 * LINE_HEIGHT + 8
"""Pixels of a lying chart's height for each bar, and for each with a label of three lines."""
MAX_IN_LINES = 10
"""Bars whose labels may have lines: more would make a picture that is too high."""
_ZERO: Final[dict[str, Json]] = {
    "x": {"x": {"datum": 0}, "y": None},
    "y": {"y": {"datum": 0}, "x": None},
}
_ENDS = 120
"""Pixels of a lying chart's height that are no bars: title, axis, padding."""


def draw(plot: Plot) -> Json:
    """Return the bars of `plot`."""
    if not plot.fields[plot.roles.main].is_discrete:
        return time_bars.draw(plot)
    if _must_lie(plot):
        plot = _laid_down(plot)
    main, (measure,) = plot.roles.main, plot.roles.measures
    lying = main == "y"
    if lying:
        plot = _in_lines(plot)
    height = _height(plot) if lying else HEIGHT
    length = {"x": axes.plot_width(plot), "y": height - 120}
    encoding: Json = {
        main: axes.band(plot, main, length[main]),
        measure: axes.measured(plot, measure, length[measure]),
        **axes.facets(plot),
    }
    if lying and any("\n" in label for label in plot.labels(main)):
        encoding[main]["axis"] |= {"labelLineHeight": LINE_HEIGHT, "labelOffset": -LINE_HEIGHT}
    encoding[main]["scale"] |= _padding(len(plot.labels(main)))
    if plot.roles.series:
        return {**_in_series(plot, encoding), **axes.frame(plot, height)}
    if axes.facets(plot) or not _has_room_for_values(plot, measure):
        return {**_plain(plot, encoding), **axes.frame(plot, height)}
    return {**_with_labels(plot, encoding), **axes.frame(plot, height)}


def _must_lie(plot: Plot) -> bool:
    field = plot.fields[plot.roles.main]
    if plot.roles.main == "y" or "column" in plot.fields:
        return False
    labels = plot.labels("x")
    room = axes.plot_width(plot) / len(labels) - 6
    if field.spec.bin:
        return len(labels) > MAX_BINS
    if field.grain or (field.kind == "ordinal" and len(labels) > MAX_UPRIGHT):
        return False  # an order reads from left to right; overlapping labels are thinned out
    return len(labels) > MAX_UPRIGHT or axes.widest(labels) > room


def _laid_down(plot: Plot) -> Plot:
    turn = {"x": "y", "y": "x", "column": "row", "row": "column"}
    fields = {turn.get(name, name): field for name, field in plot.fields.items()}
    return replace(
        plot,
        fields=fields,
        points=tuple({turn.get(k, k): v for k, v in point.items()} for point in plot.points),
        roles=replace(plot.roles, main="y", measures=("x",)),
        styles={turn.get(name, name): style for name, style in plot.styles.items()},
    )


def _has_room_for_values(plot: Plot, measure: str) -> bool:
    """Whether each bar can bear its value without touching that of the next."""
    if measure == "x":
        return len(plot.points) <= MAX_LABELLED
    style = plot.styles[measure]
    texts = tuple(style.label(number) for number in plot.numbers(measure))
    room = axes.plot_width(plot) / len(plot.labels("x"))
    return len(plot.points) <= MAX_UPRIGHT and axes.widest(texts) <= room + 4


def _in_lines(plot: Plot) -> Plot:
    """Break long labels into lines; where two of them would become one, they are cut instead."""
    field = plot.fields["y"]
    broken = {label: in_lines(label) for label in field.order}
    is_needed = any("\n" in lines[1:] for lines in broken.values())
    if not is_needed or len(broken) > MAX_IN_LINES or len(set(broken.values())) < len(broken):
        return plot
    order, merged = tuple(broken.values()), broken.get(field.merged, "")
    points = tuple({**point, "y": broken[str(point["y"])]} for point in plot.points)
    field = replace(field, order=order, merged=merged)
    return replace(plot, fields={**plot.fields, "y": field}, points=points)


def _height(plot: Plot) -> int:
    has_lines = any("\n" in label for label in plot.labels("y"))
    bars = len(plot.labels("y"))
    if plot.roles.series and side_by_side(plot):
        return min(1100, bars * (len(plot.labels("color")) * 14 + 12) + _ENDS)
    return max(220, bars * (_BAR_OF_LINES if has_lines else _BAR) + _ENDS)


def _padding(bars: int) -> Json:
    """A few bars alone would be walls."""
    if bars <= 3:
        return {"paddingInner": 0.5, "paddingOuter": 1.2 / bars}
    return {"paddingInner": 0.25}


def _in_series(plot: Plot, encoding: Json) -> Json:
    main, (measure,) = plot.roles.main, plot.roles.measures
    encoding["color"] = axes.series(plot)
    if side_by_side(plot):
        labels = list(plot.labels("color"))
        encoding[f"{main}Offset"] = {"field": "color", "sort": None, "scale": {"domain": labels}}
        encoding[measure]["stack"] = None
    else:
        encoding[measure] |= stacking(plot, measure)
        encoding["order"] = {"field": "place", "type": "quantitative"}
    return {
        "data": {"values": placed_rows(plot)},
        "mark": {"type": "bar"},
        "encoding": encoding,
    }


def _plain(plot: Plot, encoding: Json) -> Json:
    return {"data": {"values": axes.rows(plot)}, "mark": {"type": "bar"}, "encoding": encoding}


def _with_labels(plot: Plot, encoding: Json) -> Json:
    """Bars with their values beside them; the axis is stretched so that these have room."""
    main, (measure,) = plot.roles.main, plot.roles.measures
    style = plot.styles[measure]
    values = [
        {
            **row,
            "label": style.label(number),
            "fill": OTHER if point[main] == (plot.fields[main].merged or None) else BLUE,
        }
        for row, point, number in zip(
            axes.rows(plot), plot.points, plot.numbers(measure), strict=True
        )
    ]
    drawn = [float(row[measure]) for row in values]
    low, high = min(0.0, *drawn), max(0.0, *drawn) if any(drawn) else 1.0
    widest = axes.widest(tuple(row["label"] for row in values))
    share = (widest + 12) / axes.plot_width(plot) if measure == "x" else 0.07
    sides = (low < 0) + (high > 0)
    room = (high - low or 1.0) * min(0.4, share / (1 - min(0.35, share) * sides))
    encoding[measure]["scale"] = {
        "domain": [low - room * (low < 0), high + room * (high > 0 or low == 0)],
        "nice": False,
    }
    up = [row for row in values if row[measure] >= 0]
    down = [row for row in values if row[measure] < 0]
    fill = {"field": "fill", "type": "nominal", "scale": None, "legend": None}
    layers: list[Json] = [{"mark": {"type": "bar"}, "encoding": {"color": fill}}]
    if down:
        layers.append({"mark": {"type": "rule", "color": INK}, "encoding": _ZERO[measure]})
    for part, sign in ((up, 1), (down, -1)):
        if part:
            layers.append(_labels(part, measure, sign))
    return {"data": {"values": values}, "encoding": encoding, "layer": layers}


def _labels(values: list[Json], measure: str, sign: int) -> Json:
    if measure == "x":
        place = {"align": "left" if sign > 0 else "right", "baseline": "middle", "dx": 5 * sign}
    else:
        place = {"baseline": "bottom" if sign > 0 else "top", "dy": -4 * sign}
    return {
        "data": {"values": values},
        "mark": {"type": "text", **place},
        "encoding": {"text": {"field": "label", "type": "nominal"}},
    }
