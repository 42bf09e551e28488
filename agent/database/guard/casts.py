"""Casts that call a function of somebody's own, from a type of the database to another type.

Nothing in the text says what type a value has; but a query can only have one of a type that it
names, or that a column of one of its tables has.
"""

from __future__ import annotations

from collections.abc import Collection

from agent.database.guard.policy import GuardPolicy, RelationName
from agent.database.guard.rejection import rejection


def check_casts(
    tables: Collection[RelationName], types: Collection[RelationName], policy: GuardPolicy
) -> None:
    """Raise `SqlRejected` ("type") where a value from `tables`, or of one of `types`, could be
    cast by such a function to one of `types`.
    """
    for source in (*tables, *types):
        for target in sorted(policy.calling_casts.get(source, ())):
            if target in types:
                raise rejection(
                    "type", target[1],
                    f"A cast to {target[1]} would call a function of this database"
                    f" for some values of {source[1]}.",
                    f"Do it without {target[1]}, for example with CASE.",
                )  # fmt: skip
