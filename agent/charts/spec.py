"""What a model may say of a chart: a small part of Vega-Lite, in Vega-Lite's own words.

There is no place here for data, addresses, expressions or transforms: the rows come from a query
result that the specification names, and from nowhere else.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from agent.charts.wording import drawable

MarkType = Literal["bar", "line", "area", "point", "arc", "rect"]
Kind = Literal["quantitative", "temporal", "ordinal", "nominal"]
Aggregate = Literal["count", "sum", "mean", "average", "median", "min", "max", "distinct"]
TimeUnit = Literal[
    "year",
    "yearquarter",
    "yearmonth",
    "yearweek",
    "yearmonthdate",
    "yearmonthdatehours",
    "quarter",
    "month",
    "date",
    "day",
    "hours",
]
SortWord = Literal["ascending", "descending", "x", "-x", "y", "-y", "color", "-color"]
SortList = Annotated[list[str | int | float], Field(max_length=100)]
Title = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=120), AfterValidator(drawable)
]
Format = Annotated[str, StringConstraints(max_length=24, pattern=r"^[-+($ ,.~%:/\w)]*$")]

_NO_DATA = "the rows are filled in from the query result; leave it out"
_WHY_NOT = {
    "data": _NO_DATA,
    "datasets": _NO_DATA,
    "values": _NO_DATA,
    "url": _NO_DATA,
    "transform": "shape the rows in SQL, or with aggregate, timeUnit and bin",
    "layer": "one mark in one chart; draw a second chart for the rest",
    "axis": "put title and format straight into the channel",
    "legend": "put title straight into the channel",
    "xOffset": 'for bars side by side give color and "stack": false',
    "tooltip": "a picture has none",
}


_CHANNELS = {
    # In words: as a schema of its own it would be half of all that a model is told of its tools,
    # in every turn.
    "type": "object",
    "description": (
        "Channels: x, y, color (series; of a rect the value), theta (of an arc), size (of a point),"
        ' column, row. Each such as {"field": "revenue"}, a column of the result; where needed with'
        " aggregate (count, sum, mean, median, min, max, distinct), timeUnit (year, yearquarter,"
        " yearmonth, yearweek, yearmonthdate, month, day, hours), bin (true), sort (ascending,"
        " descending, y, -y, a list, or null for the order of the rows), stack (false: bars side by"
        " side; normalize: shares), title, format (d3, such as $,.2f or .1%)."
    ),
}


class _Strict(BaseModel):
    """Refuses unknown keys and says which ones there are."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _name_unknown_keys(cls, raw: Any) -> Any:
        if not isinstance(raw, dict):
            return raw
        allowed = [info.alias or name for name, info in cls.model_fields.items()]
        unknown = [str(key)[:40] for key in raw if key not in allowed]
        if unknown:
            reasons = [f" ({key}: {_WHY_NOT[key]}.)" for key in unknown if key in _WHY_NOT]
            raise ValueError(
                f"unknown key{'s' * (len(unknown) > 1)} {', '.join(unknown[:8])}; "
                f"allowed here: {', '.join(allowed)}.{''.join(reasons)}"
            )
        return raw


class Mark(_Strict):
    """With points on a line."""

    type: MarkType
    point: bool = False


class Bin(_Strict):
    """Numbers in bins."""

    maxbins: int = Field(10, ge=2, le=40)


class Channel(_Strict):
    """What one visual property shows."""

    field: str | None = Field(None, max_length=200, description="a column of the result")
    type: SkipJsonSchema[Kind | None] = None  # taken from the column when absent
    aggregate: Aggregate | None = Field(None, description="count needs no field")
    time_unit: TimeUnit | None = Field(None, alias="timeUnit")
    bin: bool | SkipJsonSchema[Bin] | None = None
    sort: SortWord | SortList | None = Field(None, description="null keeps the order of the rows")
    stack: bool | Literal["zero", "normalize", "center"] | None = Field(
        None, description="false: bars side by side; normalize: shares"
    )
    title: Title | None = None
    format: Format | None = Field(None, description="d3 format, such as $,.2f or .1% or %b %Y")

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if self.field is None and self.aggregate != "count":
            raise ValueError('give "field" (a column of the result), or "aggregate": "count"')
        if sum(map(bool, (self.aggregate, self.time_unit, self.bin))) > 1:
            raise ValueError("a channel has one of aggregate, timeUnit and bin")
        return self

    @property
    def says_sort(self) -> bool:
        """Whether an order is asked for; `null` asks for the order of the rows."""
        return "sort" in self.model_fields_set

    @property
    def unstacked(self) -> bool:
        """Whether the specification says not to stack."""
        return "stack" in self.model_fields_set and not self.stack


class Encoding(_Strict):
    """Which column goes where."""

    x: Channel | None = None
    y: Channel | None = None
    color: Channel | None = Field(None, description="series; of a rect the value")
    theta: Channel | None = Field(None, description="only arc: the size of a slice")
    size: Channel | None = Field(None, description="only point")
    column: Channel | None = Field(None, description="small multiples, side by side")
    row: Channel | None = Field(None, description="small multiples, one above the other")

    def channels(self) -> dict[str, Channel]:
        """Return the channels that are given, by name, in a fixed order."""
        named = ((name, getattr(self, name)) for name in type(self).model_fields)
        return {name: channel for name, channel in named if channel is not None}


class ChartSpec(_Strict):
    """A chart of one query result."""

    result: int | None = Field(
        None, ge=1, description="number of the query, counted from 1; default: the last one"
    )
    title: Title | None = None
    mark: MarkType | SkipJsonSchema[Mark]
    encoding: Annotated[Encoding, WithJsonSchema(_CHANNELS)]

    _NEEDS: ClassVar[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
        # mark -> (channels it must have, channels it may have)
        "bar": (("x", "y"), ("color", "column", "row")),
        "line": (("x", "y"), ("color", "column", "row")),
        "area": (("x", "y"), ("color", "column", "row")),
        "point": (("x", "y"), ("color", "size", "column", "row")),
        "arc": (("theta", "color"), ()),
        "rect": (("x", "y", "color"), ()),
    }

    @model_validator(mode="after")
    def _fits_its_mark(self) -> Self:
        needed, optional = self._NEEDS[self.mark_type]
        given = self.encoding.channels()
        missing = [name for name in needed if name not in given]
        extra = [name for name in given if name not in (*needed, *optional)]
        if missing or extra:
            raise ValueError(
                f"mark {self.mark_type} needs the channels {', '.join(needed)}"
                + (f" and may have {', '.join(optional)}" if optional else " and no others")
                + "; "
                + " and ".join(
                    f"{word} {', '.join(names)}"
                    for word, names in (("missing:", missing), ("not used by it:", extra))
                    if names
                )
            )
        return self

    @property
    def mark_type(self) -> MarkType:
        """The mark's name, however it was written."""
        return self.mark.type if isinstance(self.mark, Mark) else self.mark
