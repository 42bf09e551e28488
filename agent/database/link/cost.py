"""A ceiling on what the planner expects a query to cost, before any of it is run."""

from __future__ import annotations

import json
from typing import Any, Final

from agent.errors import SqlRejected

EXPLAIN: Final = b"EXPLAIN (FORMAT JSON)\n"
MAX_PLAN_BYTES: Final = 50_000_000


def total_cost(plan: bytes) -> float:
    """Return the total cost, in PostgreSQL's own unit, of a plan that EXPLAIN gave as JSON."""
    found: list[dict[str, Any]] = json.loads(plan)
    return float(found[0]["Plan"]["Total Cost"])


def check_cost(plan: bytes, ceiling: float) -> None:
    """Raise `SqlRejected` ("too_costly") for a plan above `ceiling`."""
    cost = total_cost(plan)
    if cost > ceiling:
        raise SqlRejected(
            "too_costly", "",
            f"PostgreSQL expects this query to cost {cost:,.0f}, and at most {ceiling:,.0f} is"
            " allowed here.",
            "Make it smaller: filter by a date or a key, join on keys, or ask for less at a time.",
        )  # fmt: skip
