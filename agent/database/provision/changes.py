"""What a run changes for a login that is there already, and what it must not change silently."""

from __future__ import annotations

from collections.abc import Mapping

from agent.database.provision.grants import Held
from agent.database.provision.target import Target
from agent.database.provision.wish import shortened
from agent.errors import SettingsInvalid


def check_nothing_opens(held: Mapping[int, Held], target: Target) -> None:
    """Raise `SettingsInvalid` where a column would become readable that was kept back so far.

    Whoever forgets --hide on a later run would otherwise show what was hidden.
    """
    opening: list[str] = []
    for oid, relation in target.relations.items():
        before = held.get(oid)
        if before is None or before.reads_all or not before.read_columns:
            continue
        hidden = target.hidden.get(oid, frozenset()) | target.unhidden.get(oid, frozenset())
        opening += [
            f"{relation.shown}.{name}"
            for name, written in relation.columns.items()
            if name not in hidden and written not in before.read_columns
        ]
    if opening:
        raise SettingsInvalid(
            "The login may not read these columns so far, and after this run it could:"
            f" {shortened(opening)}. They were hidden, or are new in a table with hidden columns:"
            f" add --hide {opening[0]} to keep it so, or --unhide {opening[0]} to show it."
        )


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
