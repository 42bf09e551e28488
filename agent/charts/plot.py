"""What is drawn, decided: the channels, their points, order and title, before any Vega-Lite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agent.charts.fields import Field, bind
from agent.charts.limits import keep_readable, refuse_crowds, without_giant
from agent.charts.periods import UNIT_WORDS
from agent.charts.points import Point, points_of, without_gaps
from agent.charts.roles import Roles, find_roles
from agent.charts.spec import ChartSpec, MarkType
from agent.charts.wording import Number, NumberStyle, measure_name, plain_name, style_of
from agent.errors import ChartRejected
from agent.messages import QueryResult
from agent.notation import Notation


@dataclass(frozen=True)
class Plot:
    """A chart as data: everything that the picture and its description have in common."""

    mark: MarkType
    title: str
    fields: Mapping[str, Field]
    """The drawn channels; an ordered one holds its labels in drawing order."""
    points: tuple[Point, ...]
    roles: Roles
    styles: Mapping[str, NumberStyle]
    """How the numbers of a quantitative channel are written."""
    notes: tuple[str, ...]
    """What was left out or put together, in plain words."""
    with_points: bool

    def title_of(self, channel: str) -> str:
        """Return the plain name of what a channel shows."""
        field = self.fields[channel]
        if field.spec.title is not None:
            return field.spec.title
        if channel in self.roles.measures or field.aggregate:
            return measure_name(field.column, field.aggregate)
        if field.spec.time_unit is not None:
            unit = UNIT_WORDS[field.spec.time_unit]
            plain = unit.capitalize() if field.is_calendar_number else plain_name(field.column)
            return plain if field.is_calendar_number else f"{plain} ({unit})"
        return plain_name(field.column)

    def labels(self, channel: str) -> tuple[str, ...]:
        """Return the labels of a discrete channel in drawing order, those without rows included."""
        return self.fields[channel].order

    def numbers(self, channel: str) -> list[Number]:
        """Return the drawn values of a quantitative channel."""
        values = (point[channel] for point in self.points)
        return [value for value in values if isinstance(value, Number)]


def build_plot(spec: ChartSpec, result: QueryResult) -> Plot:
    """Decide what is drawn of `result`.

    Raises `ChartRejected`, with what to do instead, if that cannot become a good picture.
    """
    if not result.rows:
        raise ChartRejected(
            "This result has no rows, so there is nothing to draw. Say so in the answer, "
            "or run a query that returns rows."
        )
    cut = _what_was_cut(spec, result)
    bound = {
        name: bind(name, channel, result) for name, channel in spec.encoding.channels().items()
    }
    fields, roles = find_roles(spec.mark_type, bound)
    fields, notes = keep_readable(spec.mark_type, fields, roles)
    points = points_of(fields, roles.measures) if roles.grouped else _row_points(fields)
    refuse_crowds(points)
    if spec.mark_type == "bar":
        fields, points, notes = without_giant(fields, roles, points, notes)
    points, gaps = _drawable(spec.mark_type, points, roles)
    plot = Plot(
        mark=spec.mark_type,
        title="",
        fields=fields,
        points=tuple(points),
        roles=roles,
        styles={},
        notes=(*cut, *notes, *gaps),
        with_points=not isinstance(spec.mark, str) and spec.mark.point,
    )
    plot = replace(plot, styles=_styles(plot))
    return replace(plot, title=spec.title or _default_title(plot))


def in_notation(plot: Plot, notation: Notation) -> Plot:
    """Return the plot with other marks in its figures and in what is said of what was left out."""
    styles = {name: replace(style, notation=notation) for name, style in plot.styles.items()}
    notes = tuple(map(notation.rewritten, plot.notes))
    plot = replace(plot, styles=styles, notes=notes)
    for name, field in plot.fields.items():
        if field.spec.bin:  # "1,000–2,000", which nobody else has written
            order = tuple(map(notation.rewritten, field.order))
            said = dict(zip(field.order, order, strict=True))
            points = tuple(
                {**point, name: said.get(str(point[name]), point[name])} for point in plot.points
            )
            fields = {**plot.fields, name: replace(field, order=order)}
            plot = replace(plot, fields=fields, points=points)
    return plot


def _what_was_cut(spec: ChartSpec, result: QueryResult) -> tuple[str, ...]:
    """Return what the chart must say of a result that is not whole; no sums are made of such."""
    if not result.truncated:
        return ()
    said = tuple(note.rstrip(".") for note in result.notes) or ("The result was cut",)
    if any(channel.aggregate for channel in spec.encoding.channels().values()):
        raise ChartRejected(
            f"This result is not whole ({'; '.join(said)}), so a chart that aggregates its rows "
            "would show wrong figures. Group and aggregate in SQL, and draw that result."
        )
    return said


def _row_points(fields: Mapping[str, Field]) -> list[Point]:
    columns = [field.values for field in fields.values()]
    return [dict(zip(fields, values, strict=True)) for values in zip(*columns, strict=True)]


def _drawable(
    mark: MarkType, points: list[Point], roles: Roles
) -> tuple[list[Point], tuple[str, ...]]:
    """Leave out what has no place or no value; a line keeps its gaps."""
    needed = [*roles.positions, *(() if mark == "line" else roles.measures)]
    kept = without_gaps(points, needed)
    if not any(point[name] is not None for point in kept for name in roles.measures or needed):
        raise ChartRejected(
            "No row has a value for everything that is to be drawn (the rest is NULL or not a "
            "finite number). Look at the query, or answer without a chart."
        )
    lost = len(points) - len(kept)
    return kept, (f"{lost:,} without a value left out",) if lost else ()


def _styles(plot: Plot) -> dict[str, NumberStyle]:
    return {
        name: style_of(
            field.column if field.aggregate not in ("count", "distinct") else "",
            plot.numbers(name),
            field.spec.format or "",
        )
        for name, field in plot.fields.items()
        if field.kind == "quantitative"
    }


def _default_title(plot: Plot) -> str:
    measured = plot.roles.measures[0] if plot.roles.measures else "y"
    by = [
        plot.title_of(name)
        for name in plot.fields
        if name != measured and name not in plot.roles.measures
    ]
    lowered = [f"{name[:1].lower()}{name[1:]}" if name[1:2].islower() else name for name in by]
    return (
        f"{plot.title_of(measured)} by {' and '.join(lowered)}" if by else plot.title_of(measured)
    )
