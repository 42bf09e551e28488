"""Lists of rows as SQL."""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.offline.frame import Spot
from agent.models.offline.sql_pieces import Pieces, bare, name

_OPAQUE = ("bytea", "tsvector", "json", "jsonb", "xml", "ntext", "oid")

_UNTOLD = ("update", "password", "descript", "note", "picture", "photo")


class Lists(Pieces):
    """The part of a writer that lists rows."""

    def _list(self) -> str:
        frame = self.frame
        self._join_shown()
        columns = self._listed()
        order = self._order_by() or self._list_order(columns)
        if frame.exact and frame.order and not frame.distinct:
            # The names decide at a tie, so that the same question has the same answer.
            order = [order[0] + self._list_order(columns)[0].replace("ORDER BY", ",", 1)]
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
        return (
            f"SELECT *\nFROM (\n{sub}\n) AS ranked\nWHERE place <= {frame.limit}\nORDER "
            f"BY {first}, place"
        )

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
        for test in frame.group_tests:
            if not test.path and test.figure.label not in found:
                found[test.figure.label] = self._measured(test)
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
