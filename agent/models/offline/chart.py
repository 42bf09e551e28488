"""Which chart an answer gets, as the chart tool wants it."""

from __future__ import annotations

from typing import Any

from agent.models.offline.frame import Frame
from agent.models.offline.saying import plural
from agent.models.offline.tool_texts import Ran

MIN_SERIES = 4
"""Points from which a series over time is drawn without being asked for."""


def chart_spec(frame: Frame, ran: Ran) -> dict[str, Any] | None:
    """Return the arguments of the chart tool, or None where no chart is asked for or due."""
    if not ran.rows or frame.no_chart or (not frame.chart and not _is_due(frame, ran)):
        return None
    figure = _figure_label(frame, ran)
    keys = _keys(frame, ran)
    if figure is None or not keys:
        return None
    mark = _mark(frame)
    if mark in ("line", "area") and _is_category(frame, keys[0]):
        mark = "bar"
    title = _title(frame)
    encoding: dict[str, Any]
    if mark == "arc":
        encoding = {"theta": {"field": figure}, "color": _channel(frame, keys[0])}
    elif mark == "rect" and len(keys) > 1:
        encoding = {"x": {"field": keys[0]}, "y": {"field": keys[1]}, "color": {"field": figure}}
    else:
        mark = "bar" if mark == "rect" else mark
        x = _channel(frame, keys[0])
        if mark == "bar" and not _is_time(frame):
            x["sort"] = None
        encoding = {"x": x, "y": {"field": figure}}
        if len(keys) > 1:
            encoding["color"] = _channel(frame, keys[1])
    return {"spec": {"result": ran.number, "title": title, "mark": mark, "encoding": encoding}}


def drawn_instead(frame: Frame) -> str:
    """Say that bars were drawn where a line was asked for; "" where nothing was changed."""
    timeless = bool(frame.dimensions) and not any(d.grain for d in frame.dimensions)
    first = frame.dimensions[0].label if timeless else ""
    if frame.chart not in ("line", "area") or not first or not _is_category(frame, first):
        return ""
    return (
        f" Drawn as bars: {plural(frame.dimensions[0].words)} have no order for a line to follow."
    )


def _channel(frame: Frame, key: str) -> dict[str, Any]:
    """Return the encoding of what the figures are split by; a number of a row is only its name."""
    return {"field": key, "type": "nominal"} if _is_category(frame, key) else {"field": key}


def _is_category(frame: Frame, key: str) -> bool:
    """Whether a column tells rows of a table apart, so that its numbers have no distances."""
    return any(d.label == key and not d.grain and bool(d.identity) for d in frame.dimensions)


def _is_due(frame: Frame, ran: Ran) -> bool:
    return (
        _is_time(frame)
        and len(ran.rows) >= MIN_SERIES
        and len(frame.dimensions) <= 2
        and not frame.superlative
    )


def _is_time(frame: Frame) -> bool:
    return bool(frame.dimensions) and frame.dimensions[0].grain not in ("",)


def _mark(frame: Frame) -> str:
    if frame.chart not in ("", "auto"):
        return frame.chart
    if _is_time(frame) and frame.dimensions[0].grain in ("day", "week", "month", "quarter", "year"):
        return "line"
    return "bar"


def _figure_label(frame: Frame, ran: Ran) -> str | None:
    if frame.share == "groups" and "percent" in ran.columns:
        return "percent"
    if frame.figures and frame.figures[0].label in ran.columns:
        return frame.figures[0].label
    if frame.order and frame.order[0].spot is not None:
        column = frame.order[0].spot.column.strip('"')
        return column if column in ran.columns else None
    return None


def _keys(frame: Frame, ran: Ran) -> list[str]:
    if frame.dimensions:
        timed = [d.label for d in frame.dimensions if d.grain]
        rest = [d.label for d in frame.dimensions if not d.grain]
        return [label for label in (*timed, *rest) if label in ran.columns][:2]
    texts = [
        c
        for c, t in zip(ran.columns, ran.types, strict=False)
        if t in ("text", "character varying") or t.startswith("char")
    ]
    return texts[:1]


def _title(frame: Frame) -> str:
    what = (
        frame.figures[0].words
        if frame.figures
        else (
            frame.order[0].spot.column
            if frame.order and frame.order[0].spot
            else frame.subject_words
        )
    )
    if frame.figures and frame.figures[0].agg == "count":
        what = f"number of {plural(what)}"
    by = " and ".join(d.words for d in frame.dimensions)
    period = f", {frame.period}" if frame.period else ""
    return (
        f"{what.capitalize()} by {by}{period}"[:118] if by else f"{what.capitalize()}{period}"[:118]
    )
