"""Which views could not be read although SELECT on them was granted, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.database.provision.functions import revoked_functions
from agent.database.provision.hiding import Hidden
from agent.database.provision.relations import Relation, Use
from agent.database.provision.server import Connection
from agent.database.provision.wish import Wish
from agent.database.rights import find_excess_of

# A view's functions are called with the rights of whoever reads it. pg_depend leaves out the
# server's own, so they are looked for in the view's tree.
_CALLS: Final = """
SELECT DISTINCT f.view, format('%I.%I(%s)', n.nspname, p.proname,
                               pg_get_function_identity_arguments(p.oid)),
       has_function_privilege(0::oid, p.oid, 'EXECUTE')
FROM (SELECT r.ev_class AS view, found[1]::oid AS oid
      FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class AND c.relkind = 'v'
      JOIN pg_namespace s ON s.oid = c.relnamespace,
           regexp_matches(r.ev_action::text,
                          ':(?:funcid|opfuncid|aggfnoid|winfnoid) (\\d+)', 'g') AS found
      WHERE s.nspname !~ '^pg_' AND s.nspname <> 'information_schema') f
JOIN pg_proc p ON p.oid = f.oid JOIN pg_namespace n ON n.oid = p.pronamespace
ORDER BY 1, 2
"""


@dataclass(frozen=True)
class Call:
    """A view calls a function that the login may not."""

    view: int
    function: str


def read_dead_calls(connection: Connection, wish: Wish, schemas: Sequence[str]) -> list[Call]:
    """Return the calls in views that the login will not be allowed, once all is done."""
    taken: set[str] = set()
    calls = connection.execute(_CALLS).fetchall()
    if not calls:
        return []
    if not wish.keep_public:
        for excess in find_excess_of(connection, None, schemas):
            taken.update(excess.objects)
    if wish.revoke_catalogue:
        taken.update(*revoked_functions(connection, schemas))
    return [
        Call(view, function)
        for view, function, everybody in calls
        if not everybody or function in taken
    ]


@dataclass(frozen=True)
class Reach:
    """What the login will be able to read."""

    relations: Mapping[int, Relation]
    """All there are."""
    granted: frozenset[int]
    hidden: Hidden
    keep_public: bool

    def obstacle(self, use: Use) -> str:
        """Return what of a use the login itself may not read, in words; "" for nothing."""
        relation = self.relations.get(use.relation)
        if use.relation not in self.granted:
            stays = relation is None or relation.of_extension or self.keep_public
            return "" if stays and use.everybody_reads else f"{use.shown}, which is not granted"
        columns = self.hidden.get(use.relation, frozenset())
        column = use.column if use.column in columns else None
        if columns and use.whole_rows:
            column = min(columns)
        return f"{use.shown}.{column}, which is hidden" if column else ""


def dead_views(
    chosen: Sequence[Relation], uses: Sequence[Use], calls: Sequence[Call], reach: Reach
) -> dict[int, str]:
    """Return the chosen views that the login could not read, by oid, each with the reason."""
    dead: dict[int, str] = {}
    granted = set(reach.granted)
    while found := {
        view: reason
        for view, reason in _reasons(uses, calls, reach, granted, dead)
        if view not in dead
    }:
        dead |= found
        granted -= found.keys()
    return {relation.oid: dead[relation.oid] for relation in chosen if relation.oid in dead}


def _reasons(
    uses: Sequence[Use],
    calls: Sequence[Call],
    reach: Reach,
    granted: set[int],
    dead: Mapping[int, str],
) -> Iterator[tuple[int, str]]:
    now = Reach(reach.relations, frozenset(granted), reach.hidden, reach.keep_public)
    for call in calls:
        yield call.view, f"it calls {call.function}, which the login may not"
    for use in uses:
        view = reach.relations.get(use.view)
        if view is None or view.kind != "v":  # a materialized one has its rows already
            continue
        if use.relation in dead:
            yield use.view, f"it reads {use.shown}, which it could not read either"
        elif view.reads_as_caller and (obstacle := now.obstacle(use)):
            yield use.view, f"it is security_invoker and reads {obstacle}"
        elif not (view.reads_as_caller or use.owner_reads):
            yield use.view, f"its owner, {view.owner}, may not read {use.shown}"
