"""From rows to the points of a chart: grouping, aggregating, and what is left out."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from agent.charts.cells import Value
from agent.charts.fields import Field
from agent.charts.wording import Number
from agent.errors import ChartRejected

Point = dict[str, Value]
"""Channel -> value of one mark."""


def _sum(values: Sequence[Any]) -> Number:
    if any(isinstance(value, float) for value in values):
        return sum(float(value) for value in values)
    return sum(values, start=Decimal(0) if isinstance(values[0], Decimal) else 0)


def _mean(values: Sequence[Any]) -> Number:
    total = _sum(values)
    return total / len(values)


def _median(values: Sequence[Any]) -> Number:
    if any(isinstance(value, float) for value in values):
        return statistics.median(float(value) for value in values)
    middle: Number = statistics.median(values)
    return middle


AGGREGATES: Final[Mapping[str, Callable[[Sequence[Any]], Number]]] = {
    "count": len,
    "distinct": lambda values: len(set(values)),
    "sum": _sum,
    "mean": _mean,
    "average": _mean,
    "median": _median,
    "min": min,
    "max": max,
}


def points_of(fields: Mapping[str, Field], measures: Sequence[str]) -> list[Point]:
    """Return one point for each combination of the fields that are not measures.

    Each measure is aggregated as its specification says; one without an aggregate must have a
    single row for each point. A point whose measures are all NULL keeps None for them.
    Raises `ChartRejected` where several rows would lie on top of each other.
    """
    dimensions = [name for name in fields if name not in measures]
    columns = [fields[name].values for name in dimensions]
    rows_of: dict[tuple[Value, ...], list[int]] = {}
    for row, key in enumerate(zip(*columns, strict=True)):
        rows_of.setdefault(key, []).append(row)
    points = []
    for key, rows in rows_of.items():
        point: Point = dict(zip(dimensions, key, strict=True))
        for name in measures:
            present = [value for row in rows if (value := fields[name].values[row]) is not None]
            point[name] = _measure(fields, name, present, len(rows), point)
        points.append(point)
    return points


def _measure(
    fields: Mapping[str, Field], name: str, present: Sequence[Value], n_rows: int, point: Point
) -> Value:
    field = fields[name]
    how = field.aggregate or ("sum" if field.adds_up else "")
    if how == "count":
        return len(present)
    if not how and n_rows > 1:
        raise _several_rows(fields, name, n_rows, point)
    if not present:
        return None
    return AGGREGATES[how](present) if how else present[0]


def _several_rows(
    fields: Mapping[str, Field], name: str, n_rows: int, point: Point
) -> ChartRejected:
    where = ", ".join(
        f"{fields[channel].column} = {str(value)[:40]}"
        for channel, value in point.items()
        if channel in fields and channel != name
    )
    return ChartRejected(
        f"{n_rows} rows of the result have {where}, so {name} ({fields[name].column}) has no "
        f"single value there. Give {name} an aggregate (such as sum or mean), add color for the "
        "column that tells these rows apart, or group in SQL."
    )


def without_gaps(points: list[Point], needed: Sequence[str]) -> list[Point]:
    """Return the points that have a value for each channel in `needed`."""
    return [point for point in points if all(point[name] is not None for name in needed)]
