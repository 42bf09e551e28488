"""Order and readability: how many categories, series, panels and points a picture can bear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from agent.charts.fields import Field
from agent.charts.order import by_size, in_order
from agent.charts.points import Point, points_of
from agent.charts.roles import Roles
from agent.charts.spec import MarkType
from agent.charts.wording import Number, plain_name, sounds_additive, style_of
from agent.errors import ChartRejected

MAX_CATEGORIES: Final = 20
MAX_ORDERED: Final = 60
"""Categories with an order of their own: hours, days of a month, bins."""
MAX_SLICES: Final = 10
MAX_SERIES: Final = 12
MAX_PANELS: Final = 6
MAX_POINTS: Final = 5_000

Fields = dict[str, Field]
_MERGING: Final = ("bar", "line", "area", "arc")
"""Marks on which what is left out can become one more mark."""
DWARFS: Final = 2.0
"""How much longer than all others the bar of the rest may be."""


def keep_readable(mark: MarkType, fields: Fields, roles: Roles) -> tuple[Fields, tuple[str, ...]]:
    """Put labels in drawing order and cut what a reader could not tell apart.

    Returns the fields and, in plain words, what was left out or put together. Raises
    `ChartRejected` where no cut would be honest.
    """
    if roles.grouped:
        points_of(fields, roles.measures)  # refuses rows on top of each other before any are merged
    notes: list[str] = []
    for name in list(fields):
        if name in roles.measures or not fields[name].is_discrete:
            continue
        fields = {**fields, name: in_order(mark, fields, roles, name)}
        fields, note = _cut(mark, fields, roles, name)
        notes += note
    if not roles.grouped:
        fields, note = _sample(fields)
        notes += note
    return fields, tuple(notes)


def _cut(mark: MarkType, fields: Fields, roles: Roles, name: str) -> tuple[Fields, list[str]]:
    field = fields[name]
    present = dict.fromkeys(field.values)
    title = plain_name(field.column)
    if name in ("row", "column"):
        if len(present) > MAX_PANELS:
            raise ChartRejected(
                f"{title} would make {len(present)} panels; at most {MAX_PANELS} can be read. "
                "Use color for it, or keep fewer values in SQL."
            )
        return fields, []
    is_series = name == roles.series
    most = _most(mark, field, is_series)
    if len(present) <= most:
        return fields, []
    if field.kind == "ordinal" and not is_series and mark != "arc":
        raise ChartRejected(
            f"{title} has {len(present)} different values in order; at most {most} can be read. "
            f'Give it "bin": true or a coarser timeUnit, or keep fewer rows in SQL.'
        )
    return _merge(mark, fields, roles, name, most)


def _most(mark: MarkType, field: Field, is_series: bool) -> int:
    if is_series:
        return MAX_SERIES
    if mark == "arc":
        return MAX_SLICES
    return MAX_ORDERED if field.kind == "ordinal" else MAX_CATEGORIES


def _merge(
    mark: MarkType, fields: Fields, roles: Roles, name: str, most: int
) -> tuple[Fields, list[str]]:
    """Keep the most important labels; the rest becomes one, or is left out if it has no sum."""
    field = fields[name]
    present = set(field.values)
    labels = [label for label in field.order if label in present]
    together = mark in _MERGING and _adds_up(mark, fields[roles.measures[0]])
    kept = _most_important(fields, roles, name, labels, most - together)
    rest = len(labels) - len(kept)
    title = plain_name(field.column)
    what = f"{title}: {len(kept)} of {len(labels)} shown"
    if not together:
        rows = [row for row, value in enumerate(field.values) if value in kept]
        fields = {key: _only_rows(each, rows) for key, each in fields.items()}
        order = tuple(label for label in labels if label in kept)
        return {**fields, name: replace(fields[name], order=order)}, [what]
    other = f"Other ({rest})"
    values = tuple(value if value in kept else other for value in field.values)
    order = (*(label for label in labels if label in kept), other)
    merged = {
        **fields,
        name: replace(field, values=values, order=order, merged=other),
        roles.measures[0]: replace(fields[roles.measures[0]], adds_up=True),
    }
    return merged, [f"{what}, the other {rest} as “{other}”"]


def _adds_up(mark: MarkType, measured: Field) -> bool:
    return mark == "arc" or bool(measured.aggregate) or sounds_additive(measured.column)


def _most_important(
    fields: Fields, roles: Roles, name: str, labels: Sequence[str], most: int
) -> frozenset[str]:
    sort = fields[name].spec.sort
    asks_for_first = isinstance(sort, list) or (sort or "").lstrip("-") in ("x", "y", "color")
    ranked = labels if asks_for_first and sort != name else by_size(fields, roles, name, labels)
    return frozenset(ranked[:most])


def _only_rows(field: Field, rows: Sequence[int]) -> Field:
    return replace(field, values=tuple(field.values[row] for row in rows))


def _sample(fields: Fields) -> tuple[Fields, list[str]]:
    """Of too many points keep every n-th: the cloud keeps its shape, and the note says so."""
    total = len(next(iter(fields.values())).values)
    if total <= MAX_POINTS:
        return fields, []
    step = -(-total // MAX_POINTS)
    rows = range(0, total, step)
    kept = {name: _only_rows(field, rows) for name, field in fields.items()}
    return kept, [f"one in {step} of {total:,} points shown"]


def refuse_crowds(points: Sequence[Mapping[str, object]]) -> None:
    """Raise `ChartRejected` for more marks than a picture can hold."""
    if len(points) > MAX_POINTS:
        raise ChartRejected(
            f"That would be {len(points):,} marks; at most {MAX_POINTS:,} can be drawn. "
            "Use a coarser timeUnit or an aggregate, or keep fewer rows in SQL."
        )


def without_giant(
    fields: Fields, roles: Roles, points: list[Point], notes: tuple[str, ...]
) -> tuple[Fields, list[Point], tuple[str, ...]]:
    """Take the bar of the rest out of the picture where it would flatten all others.

    Its value goes into the note, so that nothing is hidden.
    """
    main, measure = roles.main, roles.measures[0]
    field = fields[main]
    sizes = {
        point[main]: float(value)
        for point in points
        if isinstance(value := point[measure], Number) and not roles.series
    }
    rest = sizes.pop(field.merged, None)
    if rest is None or abs(rest) <= DWARFS * max((abs(s) for s in sizes.values()), default=0):
        return fields, points, notes
    value = style_of(fields[measure].column, [*sizes.values(), rest]).text(rest)
    order = tuple(label for label in field.order if label != field.merged)
    said = tuple(note.replace(f"as “{field.merged}”", f"together {value}") for note in notes)
    kept = [point for point in points if point[main] != field.merged]
    return {**fields, main: replace(field, order=order, merged="")}, kept, said
