"""Labels in the world's scripts: letters, not boxes. A box is the same for every character."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from agent.charts.fonts import PACKAGES, font_folders
from agent.charts.renderer import ProcessRenderer
from agent.charts.vega import build_vega_lite

ARABIC, DEVANAGARI, OTHERS, CJK = PACKAGES
# Two words of the same length, alike in all but one character, and the package that can draw them.
WORDS = {
    "Arabic": (ARABIC, "كتاب", "كتان"),
    "Arabic beside Latin": (ARABIC, "Film 12 كتاب", "Film 12 كتان"),
    "Devanagari": (DEVANAGARI, "कमल", "कमर"),
    "Devanagari beside Latin": (DEVANAGARI, "क्षत्रिय films", "क्षत्रिम films"),
    "Hebrew": (OTHERS, "שלום", "שלוש"),
    "Bengali": (OTHERS, "কমল", "কমর"),
    "Tamil": (OTHERS, "கடல்", "கடன்"),
    "Thai": (OTHERS, "มาก", "มาล"),
    "emoji": (OTHERS, "🚀", "🚗"),
    "emoji beside Latin": (OTHERS, "🚀 Fun", "🚗 Fun"),
    "Chinese": (CJK, "北京", "北方"),
    "Japanese": (CJK, "メモ", "メカ"),
    "Korean": (CJK, "서울", "서산"),
    "Chinese beside Latin": (CJK, "北京 Sports", "北方 Sports"),
}


@pytest.fixture
def draw(renderer: ProcessRenderer, result: Callable[..., Any], chart: Callable[..., Any]):
    """Draws a bar chart with one label, as an answer would."""

    def drawn(label: str) -> bytes:
        rows = result("category:text revenue:int4", [(label, 3), ("Total", 4)])
        return renderer.render(build_vega_lite(chart("bar", x="category", y="revenue"), rows))

    return drawn


@pytest.mark.parametrize("script", WORDS)
def test_different_words_look_different(script, draw):
    package, one, other = WORDS[script]
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    assert draw(one) != draw(other)


def test_folders_are_those_of_the_packages_that_are_installed():
    installed = [package for package in PACKAGES if find_spec(package) is not None]
    assert [folder.name for folder in font_folders()] == installed
    for folder in font_folders():
        assert [*folder.rglob("*.ttf"), *folder.rglob("*.otf")], folder


def test_a_font_package_that_is_not_there_is_left_out(monkeypatch):
    monkeypatch.setattr("agent.charts.fonts.PACKAGES", ("no_such_font_package", OTHERS))
    assert [folder.name for folder in font_folders()] == [OTHERS]


def test_words_without_a_font_are_boxes_and_cost_no_answer(result, chart):
    """A character that no font has, in a chart that is drawn all the same."""
    rows = result("category:text revenue:int4", [("\U000e0fff", 3), ("Total", 4)])
    with ProcessRenderer(fonts=()) as bare:
        png = bare.render(build_vega_lite(chart("bar", x="category", y="revenue"), rows))
    assert png.startswith(b"\x89PNG")
