"""Order and readability: how many categories, series, panels and points a picture can bear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from agent.charts.fields import Field
from agent.charts.points import AGGREGATES, points_of
from agent.charts.roles import Roles
from agent.charts.spec import MarkType
from agent.charts.wording import plain_name, sounds_additive
from agent.errors import ChartRejected

MAX_CATEGORIES: Final = 25
MAX_ORDERED: Final = 60
"""Categories with an order of their own: hours, days of a month, bins."""
MAX_SLICES: Final = 10
MAX_SERIES: Final = 12
MAX_PANELS: Final = 6
MAX_POINTS: Final = 5_000

Fields = dict[str, Field]


def keep_readable(mark: MarkType, fields: Fields, roles: Roles) -> tuple[Fields, tuple[str, ...]]:
    """Put labels in drawing order and cut what a reader could not tell apart.

    Returns the fields and, in plain words, what was left out or put together. Raises
    `ChartRejected` where no cut would be honest.
    """
    if not roles.grouped:
        return _sample(fields)
    if roles.series or roles.main == "color" or fields[roles.main].is_discrete:
        points_of(fields, roles.measures)  # refuses rows on top of each other before any are merged
    notes: list[str] = []
    for name in list(fields):
        if name in roles.measures or not fields[name].is_discrete:
            continue
        fields = {**fields, name: _ordered(mark, fields, roles, name)}
        fields, note = _cut(mark, fields, roles, name)
        notes += note
    return fields, tuple(notes)


def _ordered(mark: MarkType, fields: Fields, roles: Roles, name: str) -> Field:
    """Return a discrete field with all its labels in drawing order."""
    field, spec = fields[name], fields[name].spec
    rows = list(dict.fromkeys(str(value) for value in field.values))
    natural = list(field.order) or sorted(rows, key=str.casefold)
    by_size = _by_size(fields, roles, name, rows)
    sort: Any = spec.sort if spec.says_sort else _sort_of_measure(fields, roles, name)
    if isinstance(sort, list):
        wanted = [str(label) for label in sort]
        order = [*(w for w in wanted if w in rows), *(r for r in natural if r not in wanted)]
    elif sort in ("ascending", "descending") or (sort or "").lstrip("-") == name:
        order = natural if sort in ("ascending", name) else natural[::-1]
    elif sort:
        order = by_size if sort.startswith("-") else by_size[::-1]
    elif spec.says_sort or (
        not field.order and mark in ("line", "area", "rect") and name != "color"
    ):
        order = rows
    else:
        order = natural if field.order else by_size
    return replace(field, order=tuple(order))


def _sort_of_measure(fields: Fields, roles: Roles, name: str) -> str:
    """Read "descending" on the measured axis as what is meant by it: the largest first."""
    measured = fields[roles.measures[0]]
    word = measured.spec.sort if name == roles.main and measured.spec.says_sort else None
    return {"ascending": "y", "descending": "-y"}.get(word, "") if isinstance(word, str) else ""


def _by_size(fields: Fields, roles: Roles, name: str, labels: Sequence[str]) -> list[str]:
    """Return `labels` from the largest measured value to the smallest."""
    measured = fields[roles.measures[0]]
    values_of: dict[str, list[Any]] = {label: [] for label in labels}
    for label, value in zip(fields[name].values, measured.values, strict=True):
        if value is not None:
            values_of[str(label)].append(value)
    combine = AGGREGATES[measured.aggregate or "sum"]
    size = {label: float(combine(values)) if values else 0.0 for label, values in values_of.items()}
    return sorted(labels, key=lambda label: -size[label])


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
    field, measured = fields[name], fields[roles.measures[0]]
    labels = [label for label in field.order if label in set(field.values)]
    adds_up = mark == "arc" or bool(measured.aggregate) or sounds_additive(measured.column)
    together = mark != "rect" and adds_up
    kept = _most_important(fields, roles, name, labels, most - together)
    rest = len(labels) - len(kept)
    title = plain_name(field.column)
    what = f"{len(kept)} of {len(labels)} values of {title} shown"
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
        name: replace(field, values=values, order=order),
        roles.measures[0]: replace(measured, adds_up=True),
    }
    return merged, [f"{what}, the other {rest} together as “{other}”"]


def _most_important(
    fields: Fields, roles: Roles, name: str, labels: Sequence[str], most: int
) -> frozenset[str]:
    sort = fields[name].spec.sort
    asks_for_first = isinstance(sort, list) or (sort or "").lstrip("-") in ("x", "y", "color")
    by_size = labels if asks_for_first and sort != name else _by_size(fields, roles, name, labels)
    return frozenset(by_size[:most])


def _only_rows(field: Field, rows: Sequence[int]) -> Field:
    return replace(field, values=tuple(field.values[row] for row in rows))


def _sample(fields: Fields) -> tuple[Fields, tuple[str, ...]]:
    """Of too many points keep every n-th: the cloud keeps its shape, and the note says so."""
    for name, field in fields.items():
        if field.is_discrete and not field.order:
            order = tuple(dict.fromkeys(str(value) for value in field.values))
            fields = {**fields, name: replace(field, order=order)}
    total = len(next(iter(fields.values())).values)
    if total <= MAX_POINTS:
        return fields, ()
    step = -(-total // MAX_POINTS)
    rows = range(0, total, step)
    return {name: _only_rows(field, rows) for name, field in fields.items()}, (
        f"every {step}th of {total:,} points shown",
    )


def refuse_crowds(points: Sequence[Mapping[str, object]]) -> None:
    """Raise `ChartRejected` for more marks than a picture can hold."""
    if len(points) > MAX_POINTS:
        raise ChartRejected(
            f"That would be {len(points):,} marks; at most {MAX_POINTS:,} can be drawn. "
            "Use a coarser timeUnit or an aggregate, or keep fewer rows in SQL."
        )
