"""Whose place it is: a city of the customer, or of the store, where rows have both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.models.offline.atlas import Step
from agent.models.offline.columns import CHECK
from agent.models.offline.frame import CheckNeeded, Path, Spot, Unclear
from agent.models.offline.joins import From, Names
from agent.models.offline.places import Places
from agent.models.offline.reading import name_words
from agent.models.offline.ways import STAFF, plain, reaches_down


def settle_owner(places: Places, spot: Spot, literals: Sequence[str]) -> Spot:
    """Return the spot whose owner the person means.

    A value such as a city may be that of several things that a row has. Only where the data hold it
    for another one too is there something to ask; raises `CheckNeeded` to find that out, and
    `Unclear` where both do.
    """
    if "+" in spot.column or reaches_down(spot.path):
        return spot
    atlas = places.atlas
    for owner, rest in _others(places, spot.path):
        source = From(owner, Names())
        held = source.column(Spot(rest, spot.table, spot.column))
        check = f"{CHECK}\n{source.text()}\nWHERE {held} IN ({', '.join(literals)})"
        sql = atlas.as_now(check)
        if sql not in atlas.checks:
            raise CheckNeeded(sql, owner, frozenset(atlas.tables))
        counted = atlas.checks[sql]
        if counted and counted[0]:
            return _chosen(places, spot, owner, rest)
    return spot


def _others(places: Places, path: Path) -> Iterator[tuple[str, Path]]:
    """Yield other tables above the root that have such a place, and their way to it."""
    atlas = places.atlas
    for number in range(1, len(path)):
        owner, shared = path[number].source, path[number].target
        if owner in places.mentioned or path[0].source == owner:
            return
        on_the_way = {step.source for step in path}
        for key in atlas.keys:
            if key.target != shared or key.table in on_the_way or atlas.is_view(key.table):
                continue
            if set(name_words(key.table)) & STAFF or atlas.role(key):
                continue
            ways = atlas.paths(places.root, key.table)
            if ways and not reaches_down(ways[0]):
                first = Step(key.table, shared, key, True)
                yield key.table, (first, *path[number + 1 :])


def _chosen(places: Places, spot: Spot, other: str, rest: Path) -> Spot:
    owner = next(step.source for step in spot.path if step.target == rest[0].target)
    what = plain(spot.table)
    options = (f"the {what} of the {plain(owner)}", f"the {what} of the {plain(other)}")
    reply = places.reply(options)
    if reply is None:
        raise Unclear(f"Whose {what} do you mean?", options)
    way = places.path(other) if reply else None
    if way is None:
        return spot
    places.notes = [note for note in places.notes if not note.startswith(f"{what} = ")]
    places.note(f"{what} = that of the {plain(other)}")
    return Spot((*way, *rest), spot.table, spot.column)
