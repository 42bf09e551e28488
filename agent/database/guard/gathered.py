"""What an aggregate gathers into one value out of a long series, as far as the text says."""

from __future__ import annotations

from typing import Final

from agent.database.guard.rejection import rejection
from agent.database.guard.series import steps
from agent.database.guard.tree import Node
from agent.database.guard.widths import MULTIPLYING, PADDING, Widths

MAX_GATHERED: Final = 200_000_000
"""Bytes; the server keeps several times as much while it gathers them."""

_GATHERING: Final = frozenset(
    f"{kind}{more}"
    for kind in ("string_agg", "array_agg", "json_agg", "json_object_agg")
    for more in ("", "_strict", "_unique", "_unique_strict")
) | {"jsonb_agg", "jsonb_agg_strict", "jsonb_object_agg", "range_agg"}


def check_gathered(calls: list[tuple[str, Node]], widths: Widths) -> None:
    """Raise `SqlRejected` ("size") where the longest series of a query times its widest value is
    too much for one value.
    """
    aggregate, rows, width = "", 0.0, 8.0
    for name, call in calls:
        if name in _GATHERING:
            aggregate = name
        elif name == "generate_series":
            rows = max(rows, steps(call.get("args", [])))
        elif name in PADDING | MULTIPLYING:
            width = max(width, widths.of_call(name, call.get("args", [])))
    if aggregate and rows * width > MAX_GATHERED:
        raise rejection(
            "size", aggregate,
            f"{aggregate} over this series would make one value of more than"
            f" {MAX_GATHERED:,} bytes.", "Use a shorter series.",
        )  # fmt: skip
