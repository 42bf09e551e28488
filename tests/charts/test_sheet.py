"""The sheet of `make charts`: each of its charts is one that the demo database gives."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from agent.database.postgres import PostgresDatabase

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "chart_sheet.py"


class NoPicture:
    """A renderer for a test of what would be drawn: the drawing itself is tested elsewhere."""

    def render(self, spec: dict[str, object]) -> bytes:
        return b""


@pytest.fixture(scope="module")
def sheet() -> ModuleType:
    spec = importlib.util.spec_from_file_location("chart_sheet", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["chart_sheet"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_chart_of_the_sheet_can_be_drawn(sheet: ModuleType, demo_database_url: str) -> None:
    database = PostgresDatabase(demo_database_url)
    try:
        charts = {each.name: sheet.drawn(each, database, NoPicture()) for each in sheet.CHARTS}
    finally:
        database.close()
    assert len(charts) >= 10
    told = {name: chart.alt_text for name, chart in charts.items()}
    assert "19 of 97 shown, the other 78 together 266" in told["many categories"]
    assert "Sports $9,045.91 highest" in told["currency, sorted"]
    assert "Classics -51.97 lowest" in told["negative values"]
    assert "Jan 2024 to Dec 2025" in told["line over two years"]
    assert "2 series: 2024, 2025" in told["side by side"]
    assert "東京と大阪 512 highest, Reykjavík IS 🎬 64 lowest" in told["scripts"]
