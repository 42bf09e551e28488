"""Whether charts can be drawn here, and in which scripts their labels."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any, Final

from agent.charts.renderer import ProcessRenderer
from agent.charts.theme import CONFIG
from agent.errors import ChartRejected
from bot.doctor.finding import Finding, note, ok, wrong

SLOW_S: Final = 3.0
_BARS: Final[dict[str, Any]] = {
    "config": CONFIG,
    "width": 640,
    "height": 400,
    "data": {"values": [{"month": f"2026-{n:02}", "sales": n * n} for n in range(1, 13)]},
    "mark": "bar",
    "encoding": {
        "x": {"field": "month", "type": "nominal"},
        "y": {"field": "sales", "type": "quantitative"},
    },
}
SAMPLES: Final = {
    "Latin": "Łß",
    "Greek": "ΩΨ",
    "Cyrillic": "ЖЩ",
    "Arabic": "عب",
    "Hebrew": "אב",
    "Chinese": "你好",
    "Japanese": "かメ",
    "Korean": "한글",
    "Devanagari": "कख",
    "Bengali": "কখ",
    "Tamil": "கங",
    "Thai": "กข",
    "emoji": "😀🚀",
}
"""Two characters of each script that look different wherever there is a font for them."""
_CJK: Final = "noto-cjk-sans-jp-regular"
_PACKAGES: Final = {
    "Arabic": "fontpkg-noto-sans-arabic",
    "Devanagari": "fontpkg-noto-sans-devanagari",
    "Chinese": _CJK,
    "Japanese": _CJK,
    "Korean": _CJK,
}
_OTHER_PACKAGE: Final = "manimgx-fonts"


def chart_findings() -> Iterator[Finding]:
    """Yield whether a chart is drawn, how fast, and which scripts it could not show."""
    with ProcessRenderer() as renderer:
        try:
            renderer.start()
            started = time.monotonic()
            renderer.render(_BARS)
            took_s = time.monotonic() - started
            lacking = [script for script, two in SAMPLES.items() if not _can_show(renderer, two)]
        except ChartRejected:
            yield wrong(
                "no chart can be drawn here, so answers come without",
                "see that vl-convert-python is installed for this machine (make setup), and that"
                " a process may use 1 GB of memory; --verbose says more",
            )
            return
    if took_s > SLOW_S:
        yield note(f"a chart takes {took_s:.1f} s", "give this machine more processor time")
    else:
        yield ok(f"a chart is drawn in {took_s:.2f} s")
    yield _fonts(lacking)


def _can_show(renderer: ProcessRenderer, two: str) -> bool:
    """Say whether there is a font: without one, any two characters come out as the same box."""
    first, second = (renderer.render(_text(character)) for character in two)
    return first != second


def _text(text: str) -> dict[str, Any]:
    return {
        "config": CONFIG,
        "width": 40,
        "height": 40,
        "data": {"values": [{"text": text}]},
        "mark": {"type": "text", "fontSize": 20},
        "encoding": {"text": {"field": "text", "type": "nominal"}},
    }


def _fonts(lacking: list[str]) -> Finding:
    if not lacking:
        return ok(f"fonts for labels in {len(SAMPLES)} scripts are there, emoji included")
    packages = sorted({_PACKAGES.get(script, _OTHER_PACKAGE) for script in lacking})
    return note(
        f"charts show boxes for labels in {', '.join(lacking)}",
        "where your data has such text, install fonts, and start the bot anew",
        f"{sys.executable} -m pip install {' '.join(packages)}",
    )
