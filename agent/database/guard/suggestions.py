"""What to write instead of a name that may not be used: for the line that goes with a refusal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rapidfuzz.distance import OSA

from agent.database.guard import names
from agent.database.guard.dialects import PLAIN_OPERATORS, PLAIN_POSTGRES, PLAIN_TYPES
from agent.database.guard.elsewhere import CAME_WITH, INSTEAD, extension_of
from agent.database.guard.policy import GuardPolicy
from agent.database.nearest import nearest

_PLAIN: Final = re.compile(r"[a-z_][a-z0-9_$]*")
_SHORTEST_BEGINNING: Final = 5


def for_relation(name: str, policy: GuardPolicy) -> str:
    """Return the hint for a table that is not there, with the names that are most like it."""
    written: dict[str, str] = {}
    for schema, relation in sorted(policy.relations):
        is_found = policy.resolve("", relation) == (schema, relation)
        if is_found or relation not in written:
            parts = (relation,) if is_found else (schema, relation)
            written[relation] = ".".join(map(quoted, parts))
    near = nearest(name, written, limit=3)
    return (
        f"The nearest names are: {', '.join(written[each] for each in near)}."
        if near
        else "Ask find_tables what there is."
    )


def without_database(schema: str, name: str, policy: GuardPolicy) -> str:
    """Return the hint for a table that is named with its database."""
    if policy.resolve(schema, name):
        return f"Write {quoted(schema)}.{quoted(name)}."
    return f"Write {quoted(name)}." if policy.resolve("", name) else for_relation(name, policy)


def of_function(name: str, policy: GuardPolicy) -> tuple[str, str]:
    """Return the reason and the hint for a function that may not be called."""
    if name in policy.lacking_functions and name in CAME_WITH:
        reason = (
            f"This server (PostgreSQL {policy.server_major}) has no {name}:"
            f" it came with PostgreSQL {CAME_WITH[name]}."
        )
        return reason, f"Write {INSTEAD[name]}." if name in INSTEAD else "Do without it."
    return f"The function {name} may not be called.", _for_function(name, policy)


def _for_function(name: str, policy: GuardPolicy) -> str:
    if name in PLAIN_POSTGRES:
        return f"In PostgreSQL: {PLAIN_POSTGRES[name]}."
    extension = "" if name in policy.own_functions else extension_of(name)
    if extension:
        return f"It belongs to the extension {extension}, which is not open here. Leave it out."
    near = _misspelt(name, policy.functions)
    if near and not name.startswith(("pg_", "lo_")):
        return f"Perhaps you meant: {', '.join(near)}."
    return "Leave it out: only PostgreSQL's harmless built-in functions can be called."


def for_own_function(name: str, policy: GuardPolicy) -> str:
    """Return the hint for a function that is written with a schema."""
    if name in policy.shadowed_functions:
        return f"Write pg_catalog.{name} for the built-in one."
    if name in policy.functions:
        return f"Write {name} for the built-in one."
    return "Compute it with PostgreSQL's built-in functions, without a schema."


def for_operator(name: str, policy: GuardPolicy) -> str:
    """Return the hint for an operator that may not be used."""
    if name in policy.operators:
        return f"Write {name} for the built-in one."
    if name in names.OPERATORS:
        return f"Write OPERATOR(pg_catalog.{name}) for the built-in one."
    if name in PLAIN_OPERATORS:
        return f"In PostgreSQL: {PLAIN_OPERATORS[name]}."
    if "`" in name:
        return "Write names without backticks, or in double quotes."
    return "Use PostgreSQL's built-in operators."


def for_type(name: str, policy: GuardPolicy) -> str:
    """Return the hint for a type that a value may not be cast to."""
    if name in PLAIN_TYPES:
        return f"In PostgreSQL: {PLAIN_TYPES[name]}."
    near = _misspelt(name, {own for _, own in policy.user_types} | policy.types)
    if near:
        return f"Perhaps you meant: {', '.join(near)}."
    return "Use an ordinary type such as text, numeric, date or timestamptz."


def quoted(name: str) -> str:
    """Return a name as SQL writes it."""
    plain = _PLAIN.fullmatch(name)
    return name if plain else '"' + name.replace('"', '""') + '"'


def _misspelt(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three names that are this one with a slip or two, or that begin with it."""
    slips = max(1, len(name) // 4)
    near = []
    for each in known:
        distance = OSA.distance(name, each, score_cutoff=slips)
        if distance <= slips and distance < min(len(name), len(each)) - 1:
            near.append((distance, each))
        elif len(name) >= _SHORTEST_BEGINNING and each.startswith(name):
            near.append((len(each) - len(name), each))
    return [each for _, each in sorted(near)[:3]]
