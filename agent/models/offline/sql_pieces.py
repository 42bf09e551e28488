"""Columns, aggregates, orders and limits as SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.models.offline.frame import Dimension, Figure, Order, Path, Spot
from agent.models.offline.sql_conditions import Conditions, _comparison

_GRAINS = {
    "year": "extract(year FROM {0})::int",
    "quarter": "date_trunc('quarter', {0})::date",
    "month": "date_trunc('month', {0})::date",
    "week": "date_trunc('week', {0})::date",
    "day": "{0}::date",
    "hour": "extract(hour FROM {0})::int",
    "monthofyear": "extract(month FROM {0})::int",
}

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")


class Pieces(Conditions):
    """The part of a writer that writes single columns and clauses."""

    def _keys(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Return the columns to group by: names of groups, and what only tells them apart."""
        keys: list[tuple[str, str]] = []
        extras: list[tuple[str, str]] = []
        labels: set[str] = set()
        for dimension in self.frame.dimensions:
            label = (
                dimension.label
                if dimension.label not in labels
                else f"{dimension.label}_{len(labels)}"
            )
            labels.add(label)
            keys.append((self._key(dimension), label))
            extras += self._extras(dimension)
        taken = {label for _, label in keys} | {f.label for f in self.frame.figures}
        shown = {sql for sql, _ in keys}
        return keys, [
            (sql, label)
            for sql, label in dict.fromkeys(extras)
            if label not in taken and sql not in shown
        ]

    def _key(self, dimension: Dimension) -> str:
        columns = [
            self.source.column(Spot(dimension.path, dimension.table, c)) for c in dimension.columns
        ]
        if dimension.grain == "weekday":
            return f"to_char({columns[0]}, 'FMDay')"
        if dimension.grain:
            return _GRAINS[dimension.grain].format(columns[0])
        return " || ' ' || ".join(columns)

    def _extras(self, dimension: Dimension) -> list[tuple[str, str]]:
        if dimension.grain == "weekday":
            column = self.source.column(Spot(dimension.path, dimension.table, dimension.columns[0]))
            return [(f"extract(isodow FROM {column})::int", "weekday_number")]
        parts = dimension.columns if len(dimension.columns) == 2 else ()
        spots = [*dimension.identity, *parts]
        return [
            (self.source.column(Spot(dimension.path, dimension.table, c)), bare(c)) for c in spots
        ]

    def _figure(self, figure: Figure) -> str:
        if figure.agg == "count" and figure.spot is None:
            return self._count()
        operand = self._operand(figure)
        if figure.agg == "count":
            return f"count(DISTINCT {operand})"
        return _aggregate(figure, operand)

    def _count(self) -> str:
        risky = [p for p in self._dimension_downs() if not self.atlas.is_link(p[-1].target)]
        identity = self.atlas.identity(self.frame.root)
        if not risky or not identity:
            return "count(*)"
        alias = self.source.alias(())
        columns = ", ".join(f"{alias}.{c}" for c in identity)
        return (
            f"count(DISTINCT {columns})" if len(identity) == 1 else f"count(DISTINCT ({columns}))"
        )

    def _dimension_downs(self) -> list[Path]:
        paths = [d.path for d in self.frame.dimensions]
        return [path[: n + 1] for path in paths for n, step in enumerate(path) if not step.up]

    def _operand(self, figure: Figure) -> str:
        if figure.factors:
            product = " * ".join(self.source.column(s) for s in figure.factors)
            if figure.discount is not None:
                product += f" * (1 - {self.source.column(figure.discount)})"
            return product
        if figure.spot is not None:
            return self.source.column(figure.spot)
        return "1"

    def _share_column(self, figures: list[tuple[str, str]]) -> list[tuple[str, str]]:
        if self.frame.share != "groups":
            return []
        sql, _ = figures[0]
        return [(f"round((100.0 * {sql} / nullif(sum({sql}) OVER (), 0))::numeric, 8)", "percent")]

    def _having(self, figures: Sequence[tuple[str, str]]) -> list[str]:
        tests = [
            _comparison(op, figures[n][0], low, high) for n, op, low, high in self.frame.having
        ]
        return ["HAVING " + " AND ".join(tests)] if tests else []

    def _order_by(self) -> list[str]:
        frame = self.frame
        if not frame.order or (frame.figures and not frame.dimensions):
            return []
        parts = [self._order_part(order) for order in frame.order]
        if frame.limit is None or frame.exact:
            parts += [
                name(d.label)
                for n, d in enumerate(frame.dimensions)
                if (frame.exact or not d.grain)
                and not any(o.kind == "dimension" and o.index == n for o in frame.order)
            ]
        return ["ORDER BY " + ", ".join(dict.fromkeys(parts))]

    def _order_part(self, order: Order) -> str:
        frame = self.frame
        if order.kind == "figure":
            label = name(frame.figures[order.index].label)
            return f"{label} DESC NULLS LAST" if order.desc else f"{label} ASC"
        if order.kind == "dimension":
            dimension = frame.dimensions[order.index]
            label = "weekday_number" if dimension.grain == "weekday" else name(dimension.label)
            return f"{label}{' DESC' if order.desc else ''}"
        assert order.spot is not None
        column = self.source.column(order.spot)
        return f"{column} DESC NULLS LAST" if order.desc else f"{column} ASC"

    def _limit(self) -> list[str]:
        frame = self.frame
        if frame.limit is None:
            return []
        if frame.order and not frame.exact:
            # A tie at the last place is shown, not decided by chance.
            return [f"FETCH FIRST {frame.limit} ROWS WITH TIES"]
        return [f"LIMIT {frame.limit}"]


def _aggregate(figure: Figure, operand: str) -> str:
    if figure.agg == "median":
        return f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {operand})"
    return _rounded(f"{figure.agg}({operand})", figure.agg)


def _rounded(sql: str, agg: str) -> str:
    """Keep an average to eight places: enough for any reader, and no tail of digits."""
    return f"round({sql}::numeric, 8)" if agg == "avg" else sql


def name(label: str) -> str:
    """Return a label as SQL writes it."""
    return label if _PLAIN.fullmatch(label) else '"' + label.replace('"', '""') + '"'


def bare(column: str) -> str:
    """Return a column's or table's name without quotes and schema."""
    return column.rsplit(".", 1)[-1].strip('"')
