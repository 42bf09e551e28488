"""How our charts look: made for the width of a Slack message, on white in light and dark mode."""

from __future__ import annotations

import re
import textwrap
from typing import Any, Final
from unicodedata import east_asian_width

WIDTH: Final = 520
"""Pixels before the scale of 2. Slack shows a picture 360 to 500 wide: 13 stays readable there."""
HEIGHT: Final = 340
PADDING: Final = 14
INK: Final = "#1f2933"
MUTED: Final = "#52606d"
GRID: Final = "#e4e7eb"
BLUE: Final = "#2f6db5"
OTHER: Final = "#8e98a4"
CHARACTER: Final = 7.2
"""Width of an average character of a label, in pixels."""
WIDE: Final = 1.8
"""How many of those a Chinese, Japanese or Korean character takes."""
LABEL_LINE: Final = 26
"""Characters of a label beside a bar that fit into one line."""
LINE_HEIGHT: Final = 15

# Told apart by people with any colour vision, and seen on white: a test measures both.
SERIES_COLORS: Final = (
    *("#2f6db5", "#d9662b", "#1d4d4f", "#a0508c", "#5b2a6e", "#30a0c0"),
    *("#7a3b2e", "#8080f0", "#6010d0", "#908070", "#a03010", "#302080"),
)
HEAT: Final = ("#eef4fb", "#bfd7ee", "#7fb0dc", "#3f84c2", "#1d5596", "#0b2f5f")

FONT: Final = "Liberation Sans, Helvetica, Arial, sans-serif"
_FONTS_OF_SCRIPTS: Final = (
    # Where the first font lacks a character, the renderer takes the next best that has it, of any
    # weight. So charts with such labels are set in fonts that have the whole label, where they are.
    (
        re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]"),
        "Noto Sans Arabic, DejaVu Sans",
    ),
    (re.compile("[\u0590-\u05ff]"), "DejaVu Sans"),
)

CONFIG: Final[dict[str, Any]] = {
    "font": FONT,
    "lineBreak": "\n",
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "frame": "bounds",
        "fontSize": 17,
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
        "labelLimit": 180,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "titleColor": MUTED,
        "titlePadding": 10,
        "titleLimit": 600,
        "gridColor": GRID,
        "domainColor": OTHER,
        "tickColor": OTHER,
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
    lines = textwrap.wrap(title, 52, max_lines=3, placeholder="…")
    small = textwrap.wrap("; ".join(notes), 76, max_lines=3, placeholder="…")
    if small:
        small[0] = small[0][:1].upper() + small[0][1:]
    return {"text": lines or "", **({"subtitle": small} if small else {})}


def axis_title(title: str, length: int) -> str | list[str]:
    """Return an axis title, broken into lines that fit an axis of `length` pixels."""
    lines = textwrap.wrap(title, max(12, int(length / CHARACTER)))[:3]
    return lines if len(lines) > 1 else title


def text_width(label: str) -> float:
    """Return about how wide a label is, in pixels."""
    wide = sum(east_asian_width(character) in "WF" for character in label)
    return (len(label) + (WIDE - 1) * wide) * CHARACTER


def in_lines(label: str) -> str:
    """Return a label on the middle one of three lines, or on all three.

    The renderer puts the first line of a label where a label of one line would be, so labels are
    in the middle of their bars only if all have as many lines.
    """
    per_line = int(LABEL_LINE * len(label) * CHARACTER / max(text_width(label), 1.0))
    if len(label) <= per_line:
        return f"\n{label}"
    tries = (
        textwrap.wrap(label, width, max_lines=3, placeholder="…")
        for width in range(per_line, per_line // 2, -1)
    )
    two_or_three = list(tries)
    return "\n".join(next((t for t in two_or_three if len(t) == 3), two_or_three[0]))


def font_for(text: str) -> str:
    """Return the fonts for a chart in which `text` stands, in the order of preference."""
    named = [font for script, font in _FONTS_OF_SCRIPTS if script.search(text)]
    return ", ".join([*named[:1], FONT])


def ink_on(color: str) -> str:
    """Return white or our dark ink, whichever is read better on `color` ("#rrggbb")."""
    on_white, on_ink = 1.05 / (_luminance(color) + 0.05), (_luminance(color) + 0.05) / 0.072
    return "#ffffff" if on_white >= on_ink else INK


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def legend_columns(labels: tuple[str, ...]) -> int:
    """Return how many columns of such labels fit above a chart."""
    widest = min(180.0, max(map(text_width, labels))) + 34
    return max(1, min(len(labels), int((WIDTH - 2 * PADDING) / widest)))


def series_colors(labels: tuple[str, ...], merged: str = "") -> list[str]:
    """Return a colour for each label; what was put together is grey."""
    plain = iter(SERIES_COLORS)
    return [OTHER if label == merged else next(plain, OTHER) for label in labels]
