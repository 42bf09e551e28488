"""Why the name of a WITH query does not mean that query where it stands."""

from __future__ import annotations

from typing import Any

from agent.database.guard.suggestions import quoted
from agent.database.guard.tree import Node


def hint_for(relation: Node, query: Node) -> str:
    """Return the sentence for a FROM item that means no table, "" where no WITH has that name."""
    name = relation["relname"]
    if "schemaname" in relation:
        return ""
    other = ""
    for clause in _with_clauses(query):
        ctes = [item["CommonTableExpr"] for item in clause["ctes"]]
        named = [cte["ctename"] for cte in ctes]
        if name in named:
            stands = next((i for i, cte in enumerate(ctes) if _holds(cte, relation)), None)
            if stands is None:
                other = (
                    f"{quoted(name)} is a WITH query of another SELECT:"
                    " put that WITH at the very beginning."
                )
            elif ctes[stands]["ctename"] == name:
                return f"Write WITH RECURSIVE where {quoted(name)} reads itself, or rename it."
            else:
                return f"{quoted(name)} is defined later in WITH: put it first."
        for each in named:
            if each.lower() == name.lower() and each != name:
                other = other or f"WITH names it {quoted(each)}: write it so."
    return other


def _with_clauses(query: Node) -> list[Node]:
    found = []
    pending: list[Any] = [query]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        elif isinstance(part, dict):
            pending += part.values()
            if "withClause" in part:
                found.append(part["withClause"])
    return found


def _holds(outer: Node, wanted: Node) -> bool:
    pending: list[Any] = [outer]
    while pending:
        part = pending.pop()
        if part is wanted:
            return True
        if isinstance(part, list):
            pending += part
        elif isinstance(part, dict):
            pending += part.values()
    return False
