"""Which channel is measured, which one spreads the marks out, and which one makes series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agent.charts.fields import Field, as_labels
from agent.charts.spec import MarkType
from agent.errors import ChartRejected

MAX_BANDS = 40
"""Periods that get a band of their own; beyond that a time axis is continuous."""
MAX_CELLS = 60
"""Rows or columns of a heat map that have an order of their own."""


@dataclass(frozen=True)
class Roles:
    """What the channels of one chart are for."""

    main: str
    """The channel along which marks stand: the x of upright bars, the color of an arc's slices."""
    measures: tuple[str, ...]
    """Channels with one number for each mark."""
    grouped: bool
    """Whether rows are grouped to marks; a plain scatter plot shows each row."""
    series: str = ""
    """The channel that tells series apart, if there are series."""

    @property
    def positions(self) -> tuple[str, ...]:
        """Channels without which a mark has no place."""
        return () if self.main == "color" else tuple(c for c in "xy" if c not in self.measures)


def find_roles(mark: MarkType, bound: Mapping[str, Field]) -> tuple[dict[str, Field], Roles]:
    """Return the fields as this mark draws them, and what they are for.

    Raises `ChartRejected` if the mark cannot show such columns.
    """
    fields = {name: _facet(field) for name, field in bound.items()}
    if mark == "arc":
        return _arc(fields)
    if mark == "rect":
        return _rect(fields)
    if mark == "point":
        return _point(fields)
    return _along_an_axis(mark, fields)


def _arc(fields: dict[str, Field]) -> tuple[dict[str, Field], Roles]:
    _must_be_number("arc", fields["theta"])
    if fields["color"].aggregate:
        raise ChartRejected("The color of an arc chart names its slices; do not aggregate it.")
    fields["color"] = as_labels(fields["color"], MAX_BANDS)
    return fields, Roles(main="color", measures=("theta",), grouped=True)


def _rect(fields: dict[str, Field]) -> tuple[dict[str, Field], Roles]:
    _must_be_number("rect", fields["color"])
    for name in ("x", "y"):
        if fields[name].aggregate:
            raise ChartRejected(f"A rect is measured by its color; {name} cannot be aggregated.")
        fields[name] = as_labels(fields[name], MAX_CELLS)
    return fields, Roles(main="x", measures=("color",), grouped=True)


def _point(fields: dict[str, Field]) -> tuple[dict[str, Field], Roles]:
    if "size" in fields:
        _must_be_number("point", fields["size"])
    if "color" in fields and fields["color"].kind == "temporal":
        fields["color"] = as_labels(fields["color"], MAX_BANDS)
    measures = tuple(name for name, field in fields.items() if field.aggregate)
    # A size without an aggregate has one value for each point, as the measures of a group have.
    if measures and "size" in fields and "size" not in measures:
        measures = (*measures, "size")
    series = "color" if "color" in fields and fields["color"].is_discrete else ""
    main = "y" if "y" not in measures and "x" in measures else "x"
    return fields, Roles(main, measures, grouped=bool(measures), series=series)


def _along_an_axis(mark: MarkType, fields: dict[str, Field]) -> tuple[dict[str, Field], Roles]:
    measure = _measured_axis(mark, fields)
    main = "x" if measure == "y" else "y"
    if mark == "bar" and not _is_long_time_axis(fields[main]):
        fields[main] = as_labels(fields[main], MAX_BANDS)
    series = _series(mark, fields, main, measure)
    if not series:
        fields.pop("color", None)
    return fields, Roles(main, (measure,), grouped=True, series=series)


def _measured_axis(mark: MarkType, fields: Mapping[str, Field]) -> str:
    aggregated = [name for name in ("x", "y") if fields[name].aggregate]
    if len(aggregated) == 2:
        raise ChartRejected(f"A {mark} chart measures one thing: aggregate x or y, not both.")
    numbers = [name for name in ("y", "x") if fields[name].kind == "quantitative"]
    if not numbers:
        names = " and ".join(f"{fields[name].column} ({fields[name].kind})" for name in ("x", "y"))
        raise ChartRejected(
            f"A {mark} chart needs a number on x or y, but has {names}. "
            'Use a numeric column, or {"aggregate": "count"}.'
        )
    measure = (aggregated or numbers)[0]
    _must_be_number(mark, fields[measure])
    return measure


def _is_long_time_axis(field: Field) -> bool:
    return field.kind == "temporal" and len(set(as_labels(field, MAX_BANDS).order)) > MAX_BANDS


def _series(mark: MarkType, fields: dict[str, Field], main: str, measure: str) -> str:
    if "color" not in fields:
        return ""
    color = fields["color"]
    if color.aggregate:
        raise ChartRejected(f"The color of a {mark} chart tells series apart; do not aggregate it.")
    if color.column in (fields[main].column, fields[measure].column) and not color.spec.time_unit:
        return ""  # colour would only repeat what the axes show
    fields["color"] = as_labels(color, MAX_BANDS)
    return "color"


def _facet(field: Field) -> Field:
    if field.channel not in ("row", "column"):
        return field
    if field.aggregate:
        raise ChartRejected(
            f"The {field.channel} of a chart tells panels apart; do not aggregate it."
        )
    return as_labels(field, MAX_BANDS)


def _must_be_number(mark: MarkType, field: Field) -> None:
    if field.kind != "quantitative":
        raise ChartRejected(
            f"The {field.channel} of a {mark} chart must be a number, but {field.column} is "
            f'{field.kind}. Use a numeric column, or {{"aggregate": "count"}}.'
        )
