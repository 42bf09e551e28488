"""The tool that draws: a query result becomes a picture."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from agent.charts.alt_text import describe
from agent.charts.plot import Plot, build_plot, in_notation
from agent.charts.spec import ChartSpec
from agent.charts.vega import draw
from agent.errors import ChartRejected
from agent.messages import Chart, Observation, QueryResult
from agent.notation import ENGLISH_NOTATION, Notation
from agent.protocols import ChartRenderer
from agent.untrusted import one_line


class GenerateChart(BaseModel):
    """Draw a query result, when a chart was asked for or the answer is a series over time.

    The specification is a small part of Vega-Lite without data: name a result and its columns, the
    rows are filled in. Number formats, colours, sizes and labels have good defaults. Example:
    {"result": 1, "title": "Revenue by category", "mark": "bar", "encoding":
    {"x": {"field": "category"}, "y": {"field": "revenue"}}}
    """

    model_config = ConfigDict(extra="forbid")

    spec: ChartSpec = Field(description="what to draw")


def generate_chart(
    arguments: GenerateChart,
    results: Sequence[QueryResult],
    renderer: ChartRenderer,
    notation: Notation = ENGLISH_NOTATION,
) -> Observation:
    """Draw what `arguments` ask for; `results` are the run's query results, in order.

    `notation` has the marks in the figures of the picture; the model is told in English ones.

    Raises `ChartRejected`, with what to do instead, if there is no such result or no good picture.
    """
    spec = arguments.spec
    number = spec.result if spec.result is not None else len(results)
    if not 1 <= number <= len(results):
        raise ChartRejected(
            f"There is no result {number}: "
            + (
                f"queries gave the results 1 to {len(results)}."
                if results
                else "run a query first."
            )
        )
    plot = build_plot(spec, results[number - 1])
    shown, vega_lite = plot, draw(plot)
    if notation != ENGLISH_NOTATION:
        shown = in_notation(plot, notation)
        vega_lite = draw(shown)
        vega_lite["config"] |= {"locale": notation.for_vega}
    chart = Chart(
        title=plot.title,
        result_number=number,
        spec=vega_lite,
        png=renderer.render(dict(vega_lite)),
        alt_text=describe(shown),
    )
    return Observation(content=one_line(_report(plot, number)), chart=chart)


def _report(plot: Plot, number: int) -> str:
    shown = ", ".join(f"{name} = {plot.title_of(name)}" for name in plot.fields)
    notes = f" Said on it: {'; '.join(plot.notes)}." if plot.notes else ""
    return (
        f"Drew result {number} as a {plot.mark} chart titled {plot.title!r} ({shown}; "
        f"{len(plot.points):,} marks).{notes} The person sees the picture with the answer."
    )
