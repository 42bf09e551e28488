"""Casts that call a function of somebody's own, from a type of the database to another type.

Nothing in the text says what type a value has; but a query can only have one of a type that it
names, or that a column of one of its tables has.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from agent.database.guard.policy import GuardPolicy, RelationName
from agent.database.guard.rejection import rejection
from agent.database.guard.tree import Node, strings

JSON: Final[RelationName] = ("pg_catalog", "json")
_WITH_A_NAME: Final = {
    "FuncCall": "funcname",
    "ColumnRef": "fields",
    "A_Indirection": "indirection",
}


def makes_json(kind: str, node: Node) -> bool:
    """Say whether a node may turn values into JSON, which casts those that have a cast to json."""
    if kind.startswith("Json"):
        return True
    names = strings(node[_WITH_A_NAME[kind]]) if kind in _WITH_A_NAME else []
    return any("json" in name for name in names[-1:])


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
