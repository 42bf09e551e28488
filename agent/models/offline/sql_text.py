"""A frame as one SELECT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.models.offline.atlas import Atlas
from agent.models.offline.frame import (
    Dimension,
    Figure,
    Frame,
    GroupTest,
    Order,
    Path,
    Presence,
    Spot,
    Test,
)
from agent.models.offline.joins import From, Names, join_condition

_OPAQUE = ("bytea", "tsvector", "json", "jsonb", "xml", "ntext", "oid")
_UNTOLD = ("update", "password", "descript", "note", "picture", "photo")
_GRAINS = {
    "year": "extract(year FROM {0})::int",
    "quarter": "date_trunc('quarter', {0})::date",
    "month": "date_trunc('month', {0})::date",
    "week": "date_trunc('week', {0})::date",
    "day": "{0}::date",
    "hour": "extract(hour FROM {0})::int",
    "monthofyear": "extract(month FROM {0})::int",
}


def write_sql(frame: Frame, atlas: Atlas) -> str:
    """Return the SELECT that a frame asks for."""
    return Writer(frame, atlas).write()


class Writer:
    """Writes one frame; every column that is asked for joins its table in."""

    def __init__(self, frame: Frame, atlas: Atlas) -> None:
        self.frame = frame
        self.atlas = atlas
        self.names = Names()
        # A share is of all rows, also of those that have nothing at the far end of a join.
        self.source = From(frame.root, self.names, outer=frame.share == "part")

    def write(self) -> str:
        """Return the query."""
        frame = self.frame
        if frame.exists and not frame.figures:
            return self._list()
        if frame.share == "part":
            return self._share_of_part()
        if frame.partition and frame.figures:
            return self._ranked_within()
        if frame.figures and frame.figures[0].outer and frame.dimensions:
            return self._outer()
        if frame.figures:
            return self._resorted(self._grouped())
        return self._list()

    # --- shapes ---------------------------------------------------------------

    def _grouped(self) -> str:
        frame = self.frame
        keys, extras = self._keys()
        order = self._order_by()
        figures = [(self._figure(figure), figure.label) for figure in frame.figures]
        where = self._where()
        if self._multiplies():
            return self._deduplicated(keys, extras, where, order)
        columns = [*keys, *figures, *self._share_column(figures), *extras]
        lines = ["SELECT " + ",\n       ".join(f"{sql} AS {name(label)}" for sql, label in columns)]
        lines += [self.source.text(), *where]
        if keys:
            lines.append("GROUP BY " + ", ".join(dict.fromkeys(sql for sql, _ in (*keys, *extras))))
        lines += self._having(figures)
        return "\n".join([*lines, *order, *self._limit()])

    def _keys(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Return the columns to group by: those that name a group, and those that only tell it apart."""
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
        return keys, [(sql, label) for sql, label in dict.fromkeys(extras) if label not in taken]

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

    def _multiplies(self) -> bool:
        """Whether a join to many rows would count or add the root's rows more than once."""
        risky = [path for path in self.source.downs if not self.atlas.is_link(path[-1].target)]
        adds = any(f.agg in ("sum", "avg", "median") for f in self.frame.figures)
        return bool(risky) and adds and bool(self.atlas.identity(self.frame.root))

    def _deduplicated(
        self,
        keys: list[tuple[str, str]],
        extras: list[tuple[str, str]],
        where: list[str],
        order: list[str],
    ) -> str:
        root = self.source.alias(())
        identity = [f"{root}.{c}" for c in self.atlas.identity(self.frame.root)]
        named = [*keys, *extras]
        operands = [(self._operand(f), f"value_{n}") for n, f in enumerate(self.frame.figures, 1)]
        inner = [
            *(f"{sql} AS {name(label)}" for sql, label in named),
            *(f"{sql} AS {label}" for sql, label in operands),
        ]
        inner += [f"{sql} AS row_{n}" for n, sql in enumerate(identity, 1)]
        sub = "\n".join(["SELECT DISTINCT " + ", ".join(inner), self.source.text(), *where])
        figures = [
            (_aggregate(f, f"value_{n}") if f.agg != "count" else "count(*)", f.label)
            for n, f in enumerate(self.frame.figures, 1)
        ]
        columns = [
            *((name(label), label) for _, label in keys),
            *figures,
            *((name(label), label) for _, label in extras),
        ]
        select = "SELECT " + ", ".join(f"{sql} AS {name(label)}" for sql, label in columns)
        group = ["GROUP BY " + ", ".join(name(label) for _, label in named)] if named else []
        return "\n".join(
            [
                select,
                f"FROM (\n{sub}\n) AS once",
                *group,
                *self._having(figures),
                *order,
                *self._limit(),
            ]
        )

    def _outer(self) -> str:
        """An aggregate over the groups' figures."""
        figure = self.frame.figures[0]
        inner = Writer(
            replace(self.frame, figures=(replace(figure, outer=""),), order=(), limit=None),
            self.atlas,
        )
        label = name(figure.label)
        average = _rounded(f"{figure.outer}({label})", figure.outer)
        what = {"avg": "average", "sum": "total", "min": "lowest", "max": "highest"}.get(
            figure.outer, figure.outer
        )
        return f"SELECT {average} AS {name(f'{what}_{figure.label}')}\nFROM (\n{inner.write()}\n) AS groups"

    def _share_of_part(self) -> str:
        frame = self.frame
        figure = (
            frame.figures[0]
            if frame.figures
            else Figure("count", frame.root, label=f"{bare(frame.root)}_count")
        )
        whole = self._figure(figure)
        conditions = self._conditions(frame.part, frame.part_presences, self.source)
        part = f"{whole} FILTER (WHERE {' AND '.join(conditions)})"
        where = self._where()
        return "\n".join(
            [
                f"SELECT {part} AS part,\n       {whole} AS whole,\n       round(100.0 * {part} / nullif({whole}, 0), 8) AS percent",
                self.source.text(),
                *where,
            ]
        )

    def _ranked_within(self) -> str:
        """The top rows within each group."""
        frame = self.frame
        inner = Writer(replace(frame, partition=0, limit=None, order=()), self.atlas)
        keys, _ = inner._keys()
        outer = [name(label) for _, label in keys[: frame.partition]]
        order = frame.order[0]
        figure = name(frame.figures[order.index].label)
        way = "DESC" if order.desc else "ASC"
        sub = inner.write()
        return (
            f"SELECT *\nFROM (\nSELECT grouped.*, rank() OVER (PARTITION BY {', '.join(outer)} ORDER BY {figure} {way}) AS place\n"
            f"FROM (\n{sub}\n) AS grouped\n) AS ranked\nWHERE place <= {frame.limit}\nORDER BY {', '.join(outer)}, place"
        )

    def _list(self) -> str:
        frame = self.frame
        self._join_shown()
        columns = self._listed()
        order = self._order_by() or self._list_order(columns)
        where = self._where()
        if frame.partition:
            return self._listed_within(columns, where)
        select = "SELECT DISTINCT " if frame.distinct else "SELECT "
        lines = [select + ",\n       ".join(f"{sql} AS {name(label)}" for sql, label in columns)]
        return "\n".join([*lines, self.source.text(), *where, *order, *self._limit()])

    def _listed_within(self, columns: list[tuple[str, str]], where: list[str]) -> str:
        """The first rows of each group, by a column of their own."""
        frame = self.frame
        keys = ", ".join(self._key(d) for d in frame.dimensions)
        order = self._order_part(frame.order[0])
        place = f"rank() OVER (PARTITION BY {keys} ORDER BY {order}) AS place"
        selected = ", ".join(f"{sql} AS {name(label)}" for sql, label in columns)
        sub = "\n".join([f"SELECT {selected}, {place}", self.source.text(), *where])
        first = name(self._dimension_label(columns))
        return f"SELECT *\nFROM (\n{sub}\n) AS ranked\nWHERE place <= {frame.limit}\nORDER BY {first}, place"

    def _dimension_label(self, columns: Sequence[tuple[str, str]]) -> str:
        key = self._key(self.frame.dimensions[0])
        return next((label for sql, label in columns if sql == key), columns[0][1])

    def _join_shown(self) -> None:
        """Join what is only shown so that rows without it stay in the list."""
        for spot in self.frame.shown:
            self.source.alias(spot.path, outer=True)

    def _listed(self) -> list[tuple[str, str]]:
        frame, atlas = self.frame, self.atlas
        if frame.distinct and frame.shown:
            return [(self.source.column(s), bare(s.column)) for s in frame.shown]
        root = frame.root
        first = [*frame.shown] if frame.shown else []
        names = [Spot((), root, c) for c in (*atlas.identity(root), *atlas.label(root))]
        described = (
            [Spot((), root, c) for c in self._telling_columns()]
            if not atlas.label(root) or not frame.shown
            else []
        )
        ordered = [o.spot for o in frame.order if o.spot is not None]
        dims = [Spot(d.path, d.table, c) for d in frame.dimensions for c in d.columns]
        tested = [
            t.spot
            for t in frame.tests
            if "+" not in t.spot.column and not any(not s.up for s in t.spot.path)
        ]
        found: dict[str, str] = {}
        spots = (
            [*names, *first, *dims, *ordered, *tested]
            if frame.shown
            else [*names, *dims, *ordered, *tested, *described]
        )
        for spot in spots:
            label = spot.label or bare(spot.column)
            sql = self.source.column(spot)
            if sql not in found.values():
                found[label if label not in found else f"{bare(spot.table)}_{label}"] = sql
        return [(sql, label) for label, sql in found.items()]

    def _telling_columns(self) -> list[str]:
        """Return a few more columns that tell a person something of a listed row."""
        root, atlas = self.frame.root, self.atlas
        plain = []
        for column in atlas.tables[root].columns:
            kind = atlas.column(root, column).type
            if atlas.is_key(root, column) and atlas.label(root):
                continue
            if kind in _OPAQUE or "[]" in kind or any(w in column.lower() for w in _UNTOLD):
                continue
            plain.append(column)
        return plain[: 4 if atlas.label(root) else 12]

    def _list_order(self, columns: Sequence[tuple[str, str]]) -> list[str]:
        label = self.atlas.label(self.frame.root)
        if self.frame.distinct:
            return ["ORDER BY 1"]
        wanted = label[::-1] or self.atlas.identity(self.frame.root)
        alias = self.source.alias(())
        return [f"ORDER BY {', '.join(f'{alias}.{c}' for c in wanted)}"] if wanted else []

    # --- pieces ---------------------------------------------------------------

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

    def _where(self) -> list[str]:
        conditions = self._conditions(self.frame.tests, self.frame.presences, self.source)
        conditions += [self._group_test(test) for test in self.frame.group_tests]
        return ["WHERE " + "\n  AND ".join(conditions)] if conditions else []

    def _conditions(
        self, tests: Sequence[Test], presences: Sequence[Presence], source: From
    ) -> list[str]:
        direct: list[str] = []
        far: dict[Path, list[Test]] = {}
        either: list[str] = []
        for test in tests:
            cut = self._first_down(test.spot.path, source)
            if cut is not None:
                far.setdefault(
                    test.spot.path[: cut + 1] if not test.negated else test.spot.path, []
                ).append(test)
            elif test.either:
                either.append(condition(test, source.column(test.spot)))
            else:
                direct.append(condition(test, source.column(test.spot)))
        if either:
            direct.append(f"({' OR '.join(either)})" if len(either) > 1 else either[0])
        for path, held in far.items():
            negated = all(t.negated for t in held)
            cut = self._first_down(path, source)
            assert cut is not None
            direct.append(
                self._exists(
                    path[: cut + 1],
                    [replace(t, negated=False) if negated else t for t in held],
                    negated,
                    source,
                )
            )
        for presence in presences:
            direct.append(self._presence(presence, source))
        return direct

    def _first_down(self, path: Path, source: From) -> int | None:
        """Return where a path first leads to many rows, unless that way is joined in already."""
        dims = {d.path[: n + 1] for d in self.frame.dimensions for n in range(len(d.path))}
        for index, step in enumerate(path):
            if not step.up and not (path[: index + 1] in dims and source is self.source):
                return index
        return None

    def _presence(self, presence: Presence, source: From) -> str:
        cut = self._first_down(presence.path, source)
        if cut is None:
            step_at = next((n for n, s in enumerate(presence.path) if s.up), 0)
            step = presence.path[step_at]
            alias = source.alias(presence.path[:step_at])
            word = "IS NULL" if presence.negated else "IS NOT NULL"
            return " AND ".join(f"{alias}.{c} {word}" for c in step.key.columns)
        return self._exists(
            presence.path[: cut + 1], presence.tests, presence.negated, source, presence.path
        )

    def _exists(
        self,
        head: Path,
        tests: Sequence[Test],
        negated: bool,
        source: From,
        through: Path | None = None,
    ) -> str:
        outer = source.alias(head[:-1])
        step = head[-1]
        inner = From(step.target, self.names)
        alias = inner.alias(())
        conditions = [join_condition(step, outer, alias)]
        if through is not None:
            inner.alias(through[len(head) :])
        either: list[str] = []
        for test in tests:
            spot = replace(test.spot, path=test.spot.path[len(head) :])
            text = condition(test, inner.column(spot))
            (either if test.either else conditions).append(text)
        if either:
            conditions.append(f"({' OR '.join(either)})")
        body = f"SELECT 1 {inner.text()} WHERE {' AND '.join(conditions)}".replace("\n", " ")
        return f"{'NOT ' if negated else ''}EXISTS ({body})"

    def _group_test(self, test: GroupTest) -> str:
        """Compare a figure of each row's entity, counting those without any row as 0."""
        inner = From(test.figure.table, self.names)
        entity = inner.alias(test.back)
        identity = self.atlas.identity(test.table)
        operand = self._inner_figure(test.figure, inner)
        allows_none = _holds_for_zero(test.op, test.number)
        compared = _comparison(test.op, operand, test.number, test.upper)
        having = f"NOT ({compared})" if allows_none else compared
        columns = ", ".join(f"{entity}.{c}" for c in identity)
        inner_where = [condition(t, inner.column(t.spot)) for t in test.tests]
        where = f" WHERE {' AND '.join(inner_where)}" if inner_where else ""
        body = f"SELECT {columns} {inner.text()}{where} GROUP BY {columns} HAVING {having}".replace(
            "\n", " "
        )
        outer = self.source.alias(test.path)
        own = ", ".join(f"{outer}.{c}" for c in identity)
        own = own if len(identity) == 1 else f"({own})"
        return f"{own} {'NOT IN' if allows_none else 'IN'} ({body})"

    def _inner_figure(self, figure: Figure, source: From) -> str:
        if figure.spot is None and not figure.factors:
            return "count(*)"
        if figure.factors:
            return f"sum({' * '.join(source.column(s) for s in figure.factors)})"
        assert figure.spot is not None
        column = source.column(figure.spot)
        return f"count(DISTINCT {column})" if figure.agg == "count" else f"{figure.agg}({column})"

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
        if frame.limit is None:
            parts += [
                name(d.label)
                for n, d in enumerate(frame.dimensions)
                if not d.grain
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

    def _resorted(self, sql: str) -> str:
        """Put the rows that the limit left into another order."""
        order = self.frame.resort
        if order is None:
            return sql
        label = name(self.frame.dimensions[order.index].label)
        return f"SELECT *\nFROM (\n{sql}\n) AS top\nORDER BY {label}{' DESC' if order.desc else ''}"

    def _limit(self) -> list[str]:
        frame = self.frame
        if frame.limit is None:
            return []
        if frame.order:
            # A tie at the last place is shown, not decided by chance.
            return [f"FETCH FIRST {frame.limit} ROWS WITH TIES"]
        return [f"LIMIT {frame.limit}"]


def condition(test: Test, column: str) -> str:
    """Return a test as SQL."""
    first = test.values[0] if test.values else ""
    match test.op:
        case "=":
            if len(test.values) == 1:
                return (
                    f"{column} IS DISTINCT FROM {first}" if test.negated else f"{column} = {first}"
                )
            return f"{column} {'NOT IN' if test.negated else 'IN'} ({', '.join(test.values)})"
        case "array":
            listed = f"{column} && ARRAY[{', '.join(test.values)}]"
            return f"NOT coalesce({listed}, false)" if test.negated else listed
        case "between":
            return f"{column} BETWEEN {first} AND {test.values[1]}"
        case "null":
            return f"{column} IS {'NOT ' if test.negated else ''}NULL"
        case "flag":
            return f"{column} IS {first.upper()}"
        case "like":
            return f"{column}::text {'NOT ' if test.negated else ''}ILIKE {first}"
        case "range":
            low, high = test.values
            parts = [f"{column} >= {low}"] * bool(low) + [f"{column} < {high}"] * bool(high)
            return " AND ".join(parts) if not test.either else f"({' AND '.join(parts)})"
        case "months":
            return f"extract(month FROM {column}) IN ({', '.join(test.values)})"
        case "weekdays":
            return f"extract(isodow FROM {column}) IN ({', '.join(test.values)})"
        case _:
            op = "<>" if test.op == "!=" else test.op
            return f"{column} {op} {first}"


def _comparison(op: str, operand: str, low: float, high: float | None) -> str:
    if op == "between":
        return f"{operand} BETWEEN {low:g} AND {high:g}"
    return f"{operand} {'<>' if op == '!=' else op} {low:g}"


def _holds_for_zero(op: str, number: float) -> bool:
    return {
        "<": 0 < number,
        "<=": 0 <= number,
        "=": number == 0,
        "!=": number != 0,
        ">=": number <= 0,
    }.get(op, False)


def _aggregate(figure: Figure, operand: str) -> str:
    if figure.agg == "median":
        return f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {operand})"
    return _rounded(f"{figure.agg}({operand})", figure.agg)


def _rounded(sql: str, agg: str) -> str:
    """Keep an average to eight places: enough for any reader, and no tail of digits."""
    return f"round({sql}::numeric, 8)" if agg == "avg" else sql


_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")


def name(label: str) -> str:
    """Return a label as SQL writes it."""
    return label if _PLAIN.fullmatch(label) else '"' + label.replace('"', '""') + '"'


def bare(column: str) -> str:
    """Return a column's or table's name without quotes and schema."""
    return column.rsplit(".", 1)[-1].strip('"')
