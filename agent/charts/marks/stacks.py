"""Whether series are stacked or stand side by side, and how a stack is ordered."""

from __future__ import annotations

from agent.charts import axes
from agent.charts.axes import Json
from agent.charts.cells import Value
from agent.charts.plot import Plot
from agent.charts.wording import NO_TOTAL_WORDS, words_of


def side_by_side(plot: Plot) -> bool:
    """Whether series stand next to each other: as told, or because averages do not add up."""
    measured = plot.fields[plot.roles.measures[0]]
    if "stack" in measured.spec.model_fields_set:
        return measured.spec.unstacked
    if measured.aggregate:
        return measured.aggregate not in ("sum", "count")
    return bool(NO_TOTAL_WORDS.intersection(words_of(measured.column)))


def stacking(plot: Plot, measure: str) -> Json:
    """Return how a measured axis stacks its series."""
    stack = plot.fields[measure].spec.stack
    if stack == "normalize":
        return {
            "stack": "normalize",
            "axis": {"format": ".0%", "tickCount": 5},
            "title": f"Share of {plot.title_of(measure)[:1].lower()}{plot.title_of(measure)[1:]}",
        }
    return {"stack": "center" if stack == "center" else "zero"}


def placed_rows(plot: Plot) -> list[Json]:
    """Rows with their series' place, so that a stack has the order of the legend."""
    places: dict[Value, int] = {label: n for n, label in enumerate(plot.labels("color"))}
    return [
        {**row, "place": places[point["color"]]}
        for row, point in zip(axes.rows(plot), plot.points, strict=True)
    ]
