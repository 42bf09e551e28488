"""Results as databases have them: empty, endless, tiny, ancient. A chart or a reason, no lie."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from agent.charts.alt_text import describe
from agent.charts.plot import build_plot
from agent.charts.renderer import ProcessRenderer
from agent.charts.spec import ChartSpec
from agent.charts.vega import draw
from agent.errors import ChartRejected
from agent.messages import QueryResult

Result = Callable[..., QueryResult]
Chart = Callable[..., ChartSpec]

TEXT, DATES = "k:text n:numeric", "d:date n:integer"
DRAWN: dict[str, tuple[str, str, list[tuple[Any, ...]], str]] = {
    # name: mark, columns, rows, and what the alternative text says
    "one row": ("bar", TEXT, [("a", 1)], "a 1; 1 bar"),
    "all zero": ("bar", TEXT, [("a", 0), ("b", 0)], "all 0; 2 bars"),
    "no numbers beside numbers": (
        *("bar", "k:text n:float8"),
        [("a", float("nan")), ("b", float("inf")), ("c", 3.0)],
        "c 3; 1 bar; 2 without a value left out",
    ),
    "a quadrillion": ("bar", TEXT, [("a", 10**15), ("b", 7)], "a 1,000,000,000,000,000 highest"),
    "tiny": (
        *("bar", TEXT),
        [("a", Decimal("0.0001")), ("b", Decimal("0.00035"))],
        "b 0.00035 highest, a 0.00010 lowest",
    ),
    "negative": ("bar", TEXT, [("a", -1), ("b", -3)], "a -1 highest, b -3 lowest"),
    "before 1900": ("line", DATES, [("1789-07-14", 1), ("1848-03-01", 3)], "14 Jul 1789 to 1 Mar"),
    "one day": ("line", DATES, [("2025-01-01", 5)], "1 Jan 2025 5; 1 point"),
    "no end of time": (
        *("line", DATES),
        [("infinity", 1), ("2025-01-01", 5), ("2025-01-02", 6)],
        "1 Jan 2025 to 2 Jan 2025",
    ),
    "a zone": (
        *("line", "t:timestamptz n:integer"),
        [("2025-10-26 01:30:00+02", 1), ("2025-10-26 03:30:00+01", 5)],
        "26 Oct 2025 01:30 to 26 Oct 2025 03:30",
    ),
    "booleans": ("bar", "ok:bool n:integer", [(True, 3), (False, 5), (None, 1)], "no 5 highest"),
    "no category": ("bar", TEXT, [(None, 5), ("", 3), (" ", 2)], "(none) 5 highest, (empty) (2) 2"),
    "long names": ("bar", TEXT, [("x" * 500, 3), ("x" * 499 + "y", 5)], "… (2) 5 highest"),
    "zeros in a stack": (
        *("bar", "k:text n:integer s:text"),
        [("a", 0, "u"), ("b", 0, "v")],
        "all 0; 2 series: u, v",
    ),
}
REFUSED: dict[str, tuple[str, list[tuple[Any, ...]], str]] = {
    "all null": (TEXT, [("a", None), ("b", None)], "NULL in every row"),
    "no row": (TEXT, [], "no rows"),
    "only infinities": ("k:text n:float8", [("a", float("inf"))], "not a finite number"),
    "a category twice": (TEXT, [("a", 3), ("a", 5)], "2 rows of the result have k = a"),
    "words for numbers": (TEXT.replace("numeric", "text"), [("a", "many")], "needs a number"),
}


def encoded(chart: Chart, mark: str, columns: str) -> ChartSpec:
    names = [column.split(":")[0] for column in columns.split()]
    return chart(mark, **dict(zip(("x", "y", "color"), names, strict=False)))


@pytest.mark.parametrize("name", DRAWN)
def test_what_can_be_drawn_is_drawn_and_described(
    renderer: ProcessRenderer, result: Result, chart: Chart, name: str
) -> None:
    mark, columns, rows, said = DRAWN[name]
    plot = build_plot(encoded(chart, mark, columns), result(columns, rows))
    assert said in describe(plot)
    assert renderer.render(draw(plot)).startswith(b"\x89PNG")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_drawn_is_refused_with_its_reason(
    result: Result, chart: Chart, name: str
) -> None:
    columns, rows, reason = REFUSED[name]
    with pytest.raises(ChartRejected, match=reason):
        build_plot(encoded(chart, "bar", columns), result(columns, rows))
