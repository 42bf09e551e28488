"""A frame as one SELECT."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.atlas import Atlas
from agent.models.offline.frame import Figure, Frame
from agent.models.offline.sql_lists import Lists
from agent.models.offline.sql_pieces import _aggregate, bare, name


def write_sql(frame: Frame, atlas: Atlas) -> str:
    """Return the SELECT that a frame asks for."""
    return Writer(frame, atlas).write()


class Writer(Lists):
    """Writes one frame; every column that is asked for joins its table in."""

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
        average = _aggregate(replace(figure, agg=figure.outer), label)
        what = {"avg": "average", "sum": "total", "min": "lowest", "max": "highest"}.get(
            figure.outer, figure.outer
        )
        return (
            f"SELECT {average} AS {name(f'{what}_{figure.label}')}\nFROM "
            f"(\n{inner.write()}\n) AS groups"
        )

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
                f"SELECT {part} AS part,\n       {whole} AS whole,\n       round(100.0 * "
                f"{part} / nullif({whole}, 0), 8) AS percent",
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
            "SELECT *\nFROM (\nSELECT grouped.*, rank() OVER (PARTITION BY "
            f"{', '.join(outer)} ORDER BY {figure} {way}) AS place\n"
            f"FROM (\n{sub}\n) AS grouped\n) AS ranked\nWHERE place <= {frame.limit}\nORDER "
            f"BY {', '.join(outer)}, place"
        )

    # --- pieces ---------------------------------------------------------------

    def _resorted(self, sql: str) -> str:
        """Put the rows that the limit left into another order."""
        order = self.frame.resort
        if order is None:
            return sql
        label = name(self.frame.dimensions[order.index].label)
        return f"SELECT *\nFROM (\n{sql}\n) AS top\nORDER BY {label}{' DESC' if order.desc else ''}"
