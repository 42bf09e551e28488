"""WHERE clauses: tests on columns, rows that must or must not exist, figures per row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.models.offline.atlas import Atlas
from agent.models.offline.frame import Figure, Frame, GroupTest, Path, Presence, Test
from agent.models.offline.joins import From, Names, join_condition


class Conditions:
    """The part of a writer that says which rows count."""

    def __init__(self, frame: Frame, atlas: Atlas) -> None:
        self.frame = frame
        self.atlas = atlas
        self.names = Names()
        # A share is of all rows, also of those that have nothing at the far end of a join.
        self.source = From(frame.root, self.names, outer=frame.share == "part")

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

    def _measured(self, test: GroupTest) -> str:
        """Return the figure that rows were chosen by, for one row of the list."""
        inner = From(test.figure.table, self.names)
        entity, outer = inner.alias(test.back), self.source.alias(test.path)
        same = [f"{entity}.{c} = {outer}.{c}" for c in self.atlas.identity(test.table)]
        operand = self._inner_figure(test.figure, inner)
        tests = [condition(t, inner.column(t.spot)) for t in test.tests]
        body = f"SELECT {operand} {inner.text()} WHERE {' AND '.join([*same, *tests])}"
        return f"({body})".replace("\n", " ")

    def _inner_figure(self, figure: Figure, source: From) -> str:
        if figure.spot is None and not figure.factors:
            return "count(*)"
        if figure.factors:
            return f"sum({' * '.join(source.column(s) for s in figure.factors)})"
        assert figure.spot is not None
        column = source.column(figure.spot)
        return f"count(DISTINCT {column})" if figure.agg == "count" else f"{figure.agg}({column})"


def condition(test: Test, column: str) -> str:
    """Return a test as SQL."""
    first = test.values[0] if test.values else ""
    no = "NOT " if test.negated else ""
    match test.op:
        case "=" | "array":
            return _one_of(test, column)
        case "between":
            return f"{column} BETWEEN {first} AND {test.values[1]}"
        case "null":
            return f"{column} IS {no}NULL"
        case "flag":
            return f"{column} IS {first.upper()}"
        case "like":
            return f"{column}::text {no}ILIKE {first}"
        case "range" | "months" | "weekdays":
            return _dated(test, column)
        case _:
            return f"{column} {'<>' if test.op == '!=' else test.op} {first}"


def _one_of(test: Test, column: str) -> str:
    values = ", ".join(test.values)
    if test.op == "array":
        shared = f"{column} && ARRAY[{values}]"
        return f"NOT coalesce({shared}, false)" if test.negated else shared
    if len(test.values) == 1:
        return f"{column} {'IS DISTINCT FROM' if test.negated else '='} {values}"
    return f"{column} {'NOT IN' if test.negated else 'IN'} ({values})"


def _dated(test: Test, column: str) -> str:
    if test.op == "range":
        low, high = test.values
        parts = [f"{column} >= {low}"] * bool(low) + [f"{column} < {high}"] * bool(high)
        return " AND ".join(parts) if not test.either else f"({' AND '.join(parts)})"
    field = "month" if test.op == "months" else "isodow"
    return f"extract({field} FROM {column}) IN ({', '.join(test.values)})"


def _comparison(op: str, operand: str, low: float, high: float | None) -> str:
    if op == "between":
        return f"{operand} BETWEEN {low:g} AND {high:g}"
    return f"{operand} {'<>' if op == '!=' else op} {low:g}"


def _holds_for_zero(op: str, number: float) -> bool:
    return {
        "<": number > 0,
        "<=": number >= 0,
        "=": number == 0,
        "!=": number != 0,
        ">=": number <= 0,
    }.get(op, False)
