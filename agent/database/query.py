"""The steps of one query in its transaction: declared as a cursor, described, fetched once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from agent.database.link import wire
from agent.database.link.cost import EXPLAIN, MAX_PLAN_BYTES, check_cost
from agent.database.link.limits import Limits, QueryClock
from agent.database.link.pool import Connection
from agent.database.results.result import ResultBuilder

TypeNames = dict[tuple[int, int], str]
"""The name of each of the system's own types by OID and modifier, as far as they have been met."""

_CURSOR: Final = b"agent_query"
_DECLARE: Final = b"DECLARE %s NO SCROLL CURSOR WITHOUT HOLD FOR\n"
_FIRST_USER_TYPE: Final = 16_384
"""From here on a type may be renamed, or dropped and its OID given to another one."""
_TYPE_NAMES: Final = (
    b"SELECT pg_catalog.format_type(oid, mod) FROM unnest($1::pg_catalog.oid[], $2::int[])"
    b" WITH ORDINALITY AS kind(oid, mod, place) ORDER BY place"
)


class Query:
    """One query on a connection that is in its transaction already."""

    def __init__(self, connection: Connection, limits: Limits) -> None:
        self._connection = connection
        self._limits = limits
        self._clock = QueryClock(limits)
        self._bounds = wire.Bounds(self._clock.deadline, limits.max_row_bytes)

    def run(self, text: str, type_names: TypeNames) -> ResultBuilder:
        """Return the first rows; names of the system's types, once met, are kept in `type_names`.

        Raises psycopg's errors, `SqlRejected` for a query above the cost ceiling, and those of
        `agent.database.link.wire`.
        """
        if self._limits.max_cost is not None:
            check_cost(self._explain(text), self._limits.max_cost)
            self._leave_the_rest_of_the_time()
        wire.run(self._connection, _DECLARE % _CURSOR + text.encode(), self._bounds)
        description = wire.describe_portal(self._connection, _CURSOR, self._bounds)
        builder = ResultBuilder(self._limits, description)
        builder.type_names = self._names_of(builder.kinds, type_names)
        self._leave_the_rest_of_the_time()
        self._fetch_into(builder)
        return builder

    def _fetch_into(self, builder: ResultBuilder) -> None:
        # One FETCH only: statement_timeout begins anew with each.
        fetch = b"FETCH FORWARD %d FROM %s" % (self._limits.max_rows + 1, _CURSOR)
        try:
            with contextlib.closing(wire.rows(self._connection, fetch, self._bounds)) as rows:
                for row in rows:
                    builder.add(row)
                    if builder.is_full:
                        break
        except wire.RowTooLarge:
            self._connection.close()
            raise
        if builder.is_full:
            self._connection.close()  # more may be on its way than anyone wants to read

    def _leave_the_rest_of_the_time(self) -> None:
        """Make one of the server's time limits, which begin anew with each statement."""
        if self._clock.counts:
            lower = b"SET LOCAL statement_timeout = %d" % self._clock.left_ms
            wire.run(self._connection, lower, self._bounds)

    def _explain(self, text: str) -> bytes:
        bounds = replace(self._bounds, max_bytes=MAX_PLAN_BYTES)
        rows = wire.rows(self._connection, EXPLAIN + text.encode(), bounds)
        return b"".join(row.get_value(0, 0) or b"" for row in rows)

    def _names_of(self, kinds: Sequence[tuple[int, int]], known: TypeNames) -> list[str]:
        missing = sorted({kind for kind in kinds if kind not in known})
        names = dict(known)
        if missing:
            oids, modifiers = zip(*missing, strict=True)
            values = [_array(oids), _array(None if each == -1 else each for each in modifiers)]
            rows = wire.rows(self._connection, _TYPE_NAMES, self._bounds, values)
            found = [(row.get_value(0, 0) or b"").decode() for row in rows]
            names.update(zip(missing, found, strict=True))
            known.update({kind: names[kind] for kind in missing if kind[0] < _FIRST_USER_TYPE})
        return [names[kind] for kind in kinds]


def _array(numbers: Iterable[int | None]) -> bytes:
    written = (b"NULL" if number is None else b"%d" % number for number in numbers)
    return b"{%s}" % b",".join(written)
