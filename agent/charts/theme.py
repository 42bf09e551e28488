"""How our charts look: made for the width of a Slack message, on white in light and dark mode."""

from __future__ import annotations

import textwrap
from typing import Any, Final

WIDTH: Final = 640
"""Pixels before the scale of 2; Slack shows about this width on a desktop."""
HEIGHT: Final = 400
PADDING: Final = 16
INK: Final = "#1f2933"
MUTED: Final = "#52606d"
GRID: Final = "#e4e7eb"
BLUE: Final = "#2f6db5"
OTHER: Final = "#9aa5b1"
CHARACTER: Final = 7.2
"""Width of an average character of a label, in pixels."""

# Told apart by people with any colour vision as far as twelve can be; strongest first.
SERIES_COLORS: Final = (
    *("#2f6db5", "#e07b39", "#3a9d78", "#b8477e", "#8a6bbf", "#c9a227"),
    *("#4fb3d1", "#8c564b", "#6b8e23", "#d1495b", "#1f3a5f", "#7f8c8d"),
)
HEAT: Final = ("#eef4fb", "#bfd7ee", "#7fb0dc", "#3f84c2", "#1d5596", "#0b2f5f")

CONFIG: Final[dict[str, Any]] = {
    "font": "Liberation Sans, Helvetica, Arial, sans-serif",
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "frame": "bounds",
        "fontSize": 18,
        "fontWeight": "bold",
        "color": INK,
        "subtitleFontSize": 13,
        "subtitleColor": MUTED,
        "subtitlePadding": 6,
        "offset": 14,
    },
    "axis": {
        "labelFontSize": 13,
        "labelColor": INK,
        "labelLimit": 190,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "titleColor": MUTED,
        "titlePadding": 10,
        "titleLimit": 600,
        "gridColor": GRID,
        "domainColor": "#9aa5b1",
        "tickColor": "#9aa5b1",
        "labelOverlap": "greedy",
        "labelSeparation": 8,
    },
    "axisBand": {"ticks": False, "labelPadding": 6, "grid": False},
    "legend": {
        "orient": "top",
        "labelFontSize": 13,
        "labelColor": INK,
        "labelLimit": 180,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "titleColor": MUTED,
        "symbolType": "square",
        "symbolSize": 120,
        "symbolStrokeWidth": 0,
        "offset": 8,
    },
    "header": {
        "labelFontSize": 14,
        "labelFontWeight": "bold",
        "labelColor": INK,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "titleColor": MUTED,
    },
    "text": {"fontSize": 12, "color": INK},
    "line": {"strokeWidth": 2.5, "strokeJoin": "round"},
    "bar": {"color": BLUE},
    "rect": {"stroke": "#ffffff", "strokeWidth": 1},
    "range": {"category": list(SERIES_COLORS), "heatmap": list(HEAT), "ramp": list(HEAT)},
}


def title_block(title: str, notes: tuple[str, ...]) -> dict[str, Any]:
    """Return the title of a chart, broken into lines that fit; the notes stand below it."""
    lines = textwrap.wrap(title, 62)[:3]
    small = textwrap.wrap("; ".join(notes), 88)[:3]
    if small:
        small[0] = small[0][:1].upper() + small[0][1:]
    return {"text": lines or "", **({"subtitle": small} if small else {})}


def axis_title(title: str, length: int) -> str | list[str]:
    """Return an axis title, broken into lines that fit an axis of `length` pixels."""
    lines = textwrap.wrap(title, max(12, int(length / CHARACTER)))[:3]
    return lines if len(lines) > 1 else title


def legend_columns(labels: tuple[str, ...]) -> int:
    """Return how many columns of such labels fit above a chart."""
    widest = min(180.0, max(len(label) for label in labels) * CHARACTER) + 34
    return max(1, min(len(labels), int((WIDTH - 2 * PADDING) / widest)))


def series_colors(labels: tuple[str, ...], merged: str = "") -> list[str]:
    """Return a colour for each label; what was put together is grey."""
    plain = iter(SERIES_COLORS)
    return [OTHER if label == merged else next(plain, OTHER) for label in labels]
