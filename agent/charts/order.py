"""In which order labels are drawn: as asked, by calendar, by size, or as the rows came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.charts.fields import Field
from agent.charts.points import AGGREGATES
from agent.charts.roles import Roles
from agent.charts.spec import MarkType

Fields = Mapping[str, Field]


def in_order(mark: MarkType, fields: Fields, roles: Roles, name: str) -> Field:
    """Return a discrete field with all its labels in drawing order."""
    field, spec = fields[name], fields[name].spec
    rows = list(dict.fromkeys(str(value) for value in field.values))
    natural = [*field.order, *(row for row in rows if row not in field.order)]
    if not field.order:
        natural = sorted(rows, key=str.casefold)
    ranked = by_size(fields, roles, name, rows)
    sort: Any = spec.sort if spec.says_sort else _sort_of_measure(fields, roles, name)
    if isinstance(sort, list):
        wanted = [str(label) for label in sort]
        order = [*(w for w in wanted if w in rows), *(r for r in natural if r not in wanted)]
    elif sort in ("ascending", "descending") or (sort or "").lstrip("-") == name:
        order = natural if sort in ("ascending", name) else natural[::-1]
    elif sort:
        order = ranked if sort.startswith("-") else ranked[::-1]
    elif spec.says_sort or (
        not field.order and mark in ("line", "area", "rect") and name != "color"
    ):
        order = rows
    else:
        order = natural if field.order else ranked
    return replace(field, order=tuple(order))


def _sort_of_measure(fields: Fields, roles: Roles, name: str) -> str:
    """Read "descending" on the measured axis as what is meant by it: the largest first."""
    if not roles.measures:
        return ""
    measured = fields[roles.measures[0]]
    word = measured.spec.sort if name == roles.main and measured.spec.says_sort else None
    return {"ascending": "y", "descending": "-y"}.get(word, "") if isinstance(word, str) else ""


def by_size(fields: Fields, roles: Roles, name: str, labels: Sequence[str]) -> list[str]:
    """Return `labels` from the largest measured value to the smallest, or the most rows."""
    if not roles.measures:
        rows = Counter(fields[name].values)
        return sorted(labels, key=lambda label: -rows[label])
    measured = fields[roles.measures[0]]
    values_of: dict[str, list[Any]] = {label: [] for label in labels}
    for label, value in zip(fields[name].values, measured.values, strict=True):
        if value is not None:
            values_of[str(label)].append(value)
    combine = AGGREGATES[measured.aggregate or "sum"]
    size = {label: float(combine(values)) if values else 0.0 for label, values in values_of.items()}
    return sorted(labels, key=lambda label: -size[label])
