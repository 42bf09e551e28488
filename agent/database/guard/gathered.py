"""What an aggregate gathers into one value out of a long series, as far as the text says."""

from __future__ import annotations

from typing import Final

from agent.database.guard.numbers import Expression
from agent.database.guard.rejection import rejection
from agent.database.guard.series import steps
from agent.database.guard.sizes import Widths, width_of_call

MAX_GATHERED: Final = 200_000_000
"""Bytes; the server keeps several times as much while it gathers them."""

_GATHERING: Final = frozenset(
    f"{kind}{more}"
    for kind in ("string_agg", "array_agg", "json_agg", "json_object_agg")
    for more in ("", "_strict", "_unique", "_unique_strict")
) | {"jsonb_agg", "jsonb_agg_strict", "jsonb_object_agg", "range_agg"}


class Gathered:
    """Collects, from the calls of one query, the longest series and the widest value."""

    def __init__(self) -> None:
        self._aggregate = ""
        self._rows = 0.0
        self._width = 0.0

    def visit(self, name: str, arguments: list[Expression], widths: Widths) -> None:
        """Look at one call."""
        if name in _GATHERING:
            self._aggregate = name
        elif name == "generate_series":
            self._rows = max(self._rows, steps(arguments))
        else:
            self._width = max(self._width, width_of_call(name, arguments, widths))

    def finish(self) -> None:
        """Raise `SqlRejected` ("size") where the one times the other is too much for a value."""
        if self._aggregate and self._rows * max(self._width, 8) > MAX_GATHERED:
            raise rejection(
                "size", self._aggregate,
                f"{self._aggregate} over this series would make one value of more than"
                f" {MAX_GATHERED:,} bytes.", "Use a shorter series.",
            )  # fmt: skip
