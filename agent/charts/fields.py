"""From a channel of a specification to the values of a column, converted for drawing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from agent.charts.bins import put_in_bins
from agent.charts.cells import (
    NO_VALUE,
    Value,
    countable,
    is_undrawable,
    kind_of,
    label_of,
    labels_of,
    moment_of,
    number_of,
)
from agent.charts.periods import (
    GRAIN_OF_UNIT,
    Grain,
    calendar_order,
    cycle_names,
    grain_of,
    name_period,
    periods_between,
    place_in_cycle,
    start_of,
)
from agent.charts.spec import Channel, Kind
from agent.charts.wording import Number, words_of
from agent.errors import ChartRejected
from agent.messages import Cell, Column, QueryResult

_CALENDAR_NUMBERS = frozenset({"year", "month", "hour", "day", "week", "quarter", "dow", "weekday"})
_NUMBER_FORMAT = re.compile(r"[-+( ]?\$?0?\d{0,2},?(\.\d{1,2})?~?[defgrs%]?\Z")
_IDENTIFIERS = frozenset({"id", "code", "zip", "postcode", "sku"})


@dataclass(frozen=True)
class Field:
    """A channel bound to a column: its values, one a row, in the order of the rows."""

    channel: str
    spec: Channel
    column: str
    """The column's own name; "" where rows are counted."""
    kind: Kind
    values: tuple[Value, ...]
    grain: Grain | None = None
    """Of times, and of labels made from times: the period that each value begins."""
    order: tuple[str, ...] = ()
    """Of an ordinal field: every label in its natural order."""
    merged: str = ""
    """The label under which several categories were put together, "" for none."""
    adds_up: bool = False
    """Whether several rows of one mark may be added up: set where categories were merged."""

    @property
    def aggregate(self) -> str:
        """The aggregate asked for, "" for none."""
        return self.spec.aggregate or ""

    @property
    def is_discrete(self) -> bool:
        """Whether the values are labels."""
        return self.kind in ("nominal", "ordinal")

    @property
    def is_identifier(self) -> bool:
        """Whether the column's numbers are names of things, without order or thousands."""
        return bool(_IDENTIFIERS.intersection(words_of(self.column)))

    @property
    def is_calendar_number(self) -> bool:
        """Whether the column's numbers are years, months, hours and the like."""
        return bool(_CALENDAR_NUMBERS.intersection(words_of(self.column)))


def bind(name: str, channel: Channel, result: QueryResult) -> Field:
    """Find the column of `channel` and convert its values.

    Raises `ChartRejected` if there is no such column or its values cannot be what is asked.
    """
    field = _bind(name, channel, result)
    if channel.format and field.kind == "quantitative" and not _NUMBER_FORMAT.match(channel.format):
        raise ChartRejected(
            f"The format {channel.format!r} of {name} is none for numbers; use one such as ,.2f, "
            "$,.0f or .1%, or leave it out."
        )
    return field


def _bind(name: str, channel: Channel, result: QueryResult) -> Field:
    if channel.field is None:
        return Field(name, channel, "", "quantitative", (1,) * len(result.rows))
    index = _find_column(channel.field, result.columns)
    column = result.columns[index]
    cells = [row[index] for row in result.rows]
    if channel.aggregate in ("count", "distinct"):
        return Field(name, channel, column.name, "quantitative", tuple(map(countable, cells)))
    kind = kind_of(cells, column)
    if channel.aggregate is not None:
        return _quantitative(name, channel, column, cells)
    if channel.time_unit is not None:
        return _in_time_units(name, channel, column, cells)
    if channel.bin:
        return _in_bins(name, channel, column, cells)
    return _CONVERT[channel.type or kind](name, channel, column, cells)


def as_labels(field: Field, most: int) -> Field:
    """Return `field` with labels for values, in natural order where they have one.

    Periods without rows get their place too, unless more than `most` would be needed; a count of
    labels over `most` is the caller's business.
    """
    if field.is_discrete:
        return field
    if field.kind == "temporal":
        return _periods_as_labels(field, most)
    present = sorted({value for value in field.values if isinstance(value, Number)})
    names = {value: label_of(value) for value in present}
    whole = range(int(present[0]), int(present[-1]) + 1) if present else range(0)
    are_whole = all(value == int(value) for value in present)
    if field.is_calendar_number and are_whole and len(whole) <= most:
        order = tuple(str(number) for number in whole)
    else:
        order = tuple(dict.fromkeys(names.values()))
    labels = tuple(
        names[value] if isinstance(value, Number) else NO_VALUE for value in field.values
    )
    if NO_VALUE in labels:
        order = (*order, NO_VALUE)
    if field.is_identifier:
        return replace(field, kind="nominal", values=labels)
    return replace(field, kind="ordinal", values=labels, order=order)


def _periods_as_labels(field: Field, most: int) -> Field:
    moments = sorted({value for value in field.values if isinstance(value, datetime)})
    if moments and field.grain:
        every = periods_between(moments[0], moments[-1], field.grain, most)
        moments = every if len(every) <= most else moments
    order = tuple(dict.fromkeys(name_period(moment, field.grain) for moment in moments))
    labels = tuple(
        name_period(value, field.grain) if isinstance(value, datetime) else NO_VALUE
        for value in field.values
    )
    if NO_VALUE in labels:
        order = (*order, NO_VALUE)
    return replace(field, kind="ordinal", values=labels, order=order)


def _find_column(name: str, columns: Sequence[Column]) -> int:
    for fold in (str, str.casefold):
        found = [i for i, column in enumerate(columns) if fold(column.name) == fold(name)]
        if len(found) == 1:
            return found[0]
    known = ", ".join(column.name for column in columns[:40])
    raise ChartRejected(f"The result has no column {name[:80]!r}. Its columns are: {known}.")


def _quantitative(name: str, channel: Channel, column: Column, cells: Sequence[Cell]) -> Field:
    values = [number_of(cell) for cell in cells]
    for cell, value in zip(cells, values, strict=True):
        if cell is not None and value is None and not is_undrawable(cell):
            raise ChartRejected(
                f"Column {column.name} ({column.type_name}) holds {str(cell)[:40]!r}, which is no "
                f"number, so {name} cannot be quantitative. Use a numeric column, "
                '"aggregate": "count", or make a number of it in SQL '
                "(for an interval: extract(epoch from …) / 3600)."
            )
    return Field(name, channel, column.name, "quantitative", tuple(values))


def _temporal(name: str, channel: Channel, column: Column, cells: Sequence[Cell]) -> Field:
    moments = _moments(name, column, cells)
    grain = grain_of(moment for moment in moments if moment is not None)
    if any(isinstance(cell, int) for cell in cells):
        grain = "year"
    return Field(name, channel, column.name, "temporal", tuple(moments), grain=grain)


def _nominal(name: str, channel: Channel, column: Column, cells: Sequence[Cell]) -> Field:
    kind = kind_of(cells, column)
    if kind == "temporal":
        return as_labels(_temporal(name, channel, column, cells), most=60)
    if kind == "quantitative":
        ordinal = as_labels(_quantitative(name, channel, column, cells), most=60)
        return ordinal if channel.type != "nominal" else replace(ordinal, kind="nominal", order=())
    labels = labels_of(cells)
    order = calendar_order([label for label in dict.fromkeys(labels) if label != NO_VALUE])
    if not order and channel.type == "ordinal":
        # An ordinal text column has an order that only its query knows: that of its rows.
        order = tuple(dict.fromkeys(labels))
    elif order and NO_VALUE in labels:
        order = (*order, NO_VALUE)
    return Field(name, channel, column.name, "ordinal" if order else "nominal", labels, order=order)


_CONVERT = {
    "quantitative": _quantitative,
    "temporal": _temporal,
    "nominal": _nominal,
    "ordinal": _nominal,
}


def _in_time_units(name: str, channel: Channel, column: Column, cells: Sequence[Cell]) -> Field:
    unit = channel.time_unit or ""
    moments = _moments(name, column, cells)
    grain = GRAIN_OF_UNIT.get(unit)
    if grain is None:
        labels = tuple(
            NO_VALUE if moment is None else place_in_cycle(moment, unit) for moment in moments
        )
        return Field(name, channel, column.name, "ordinal", labels, order=cycle_names(unit))
    starts = tuple(None if moment is None else start_of(moment, grain) for moment in moments)
    field = Field(name, channel, column.name, "temporal", starts, grain=grain)
    return as_labels(field, most=60) if channel.type in ("ordinal", "nominal") else field


def _in_bins(name: str, channel: Channel, column: Column, cells: Sequence[Cell]) -> Field:
    numbers = _quantitative(name, channel, column, cells).values
    most = 10 if isinstance(channel.bin, bool) or channel.bin is None else channel.bin.maxbins
    labels, order = put_in_bins(column.name, numbers, most)
    return Field(name, channel, column.name, "ordinal", labels, order=order)


def _moments(name: str, column: Column, cells: Sequence[Cell]) -> list[datetime | None]:
    moments = [moment_of(cell) for cell in cells]
    for cell, moment in zip(cells, moments, strict=True):
        if cell is not None and moment is None and "infinity" not in str(cell):
            raise ChartRejected(
                f"Column {column.name} ({column.type_name}) holds {str(cell)[:40]!r}, which is no "
                f"date, so {name} cannot be temporal or have a timeUnit. Use a date or timestamp "
                "column, or leave out type and timeUnit."
            )
    return moments
