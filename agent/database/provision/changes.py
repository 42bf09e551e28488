"""What a run changes for a login that is there already, and what it must not change silently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agent.database.provision.grants import Held
from agent.database.provision.hiding import showing_views
from agent.database.provision.target import Target
from agent.database.provision.wish import shortened
from agent.errors import SettingsInvalid


def check_nothing_opens(held: Mapping[int, Held], target: Target) -> None:
    """Raise `SettingsInvalid` where a column would become readable that was kept back so far.

    Whoever forgets --hide on a later run would otherwise show what was hidden.
    """
    kept_back = dict(_kept_back(held, target))
    opening = [
        f"{relation.shown}.{name}"
        for oid, relation in target.relations.items()
        for name in relation.columns
        if name in kept_back.get(oid, ()) and name not in target.hidden.get(oid, ())
    ]
    shows = showing_views(target.uses, kept_back, target.known)
    through = [
        f"{shows[oid]} (through the view {relation.shown})"
        for oid, relation in target.relations.items()
        if oid in shows and oid not in held
    ]
    if opening or through:
        first = opening[0] if opening else through[0].partition(" (")[0]
        raise SettingsInvalid(
            "The login may not read these columns so far, and after this run it could:"
            f" {shortened([*opening, *through])}. They were hidden, or are new in a table with"
            f" hidden columns: add --hide {first} to keep it so, or --unhide {first} to show it."
        )


def _kept_back(held: Mapping[int, Held], target: Target) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the columns that the login may not read of tables that it reads in part."""
    for oid, before in held.items():
        if before.reads_all or not before.read_columns or oid not in target.known:
            continue
        columns = {
            name
            for name, written in target.known[oid].columns.items()
            if written not in before.read_columns
        }
        yield oid, frozenset(columns) - target.unhidden.get(oid, frozenset())


def losses(held: Mapping[int, Held], target: Target) -> list[str]:
    """Return a note on what the login could read so far and this run takes away."""
    lost = [
        each.sql
        for oid, each in held.items()
        if oid not in target.relations and (each.reads_all or each.read_columns)
    ]
    if not lost:
        return []
    return [
        f"THIS RUN TAKES AWAY what the login could read so far: {shortened(lost, 20)}. Not among"
        " the tables of this run; list them with --tables or --schema to keep them."
    ]
