"""Which columns are hidden, and what would show them all the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from agent.database.provision.choice import Pattern, did_you_mean, find_relations, kind_of
from agent.database.provision.relations import Relation, Use
from agent.errors import SettingsInvalid

Hidden = dict[int, frozenset[str]]
"""The hidden columns of a relation, by its oid."""


def columns_named(
    names: Sequence[Sequence[Pattern]],
    schemas: Sequence[str],
    relations: Mapping[int, Relation],
    *,
    option: str = "--hide",
) -> Hidden:
    """Return the columns that are named, also in what is a partition or an heir of their table.

    Raises `SettingsInvalid` for a name that none bears.
    """
    hidden: dict[int, set[str]] = {}
    for *table, column in names:
        written = ".".join(part.text for part in (*table, column))
        found = find_relations(table, schemas, list(relations.values()))
        if not found:
            hint = did_you_mean(table[-1].text, [each.name for each in relations.values()])
            raise SettingsInvalid(f"{option} {written}: there is no such table or view.{hint}")
        hits = [(each, picked) for each in found if (picked := column.picks(each.columns))]
        if not hits:
            hint = did_you_mean(column.text, [name for each in found for name in each.columns])
            raise SettingsInvalid(f"{option} {written}: there is no such column.{hint}")
        for relation, picked in hits:
            for heir in _with_heirs(relation, relations):
                hidden.setdefault(heir.oid, set()).update(set(picked) & heir.columns.keys())
    return {oid: frozenset(columns) for oid, columns in hidden.items() if columns}


def check_leaves_some(hidden: Hidden, relations: Mapping[int, Relation]) -> None:
    """Raise `SettingsInvalid` where a relation would have no column left."""
    for oid, columns in hidden.items():
        if columns == relations[oid].columns.keys():
            raise SettingsInvalid(
                f"--hide leaves {relations[oid].shown} without a column:"
                " leave the whole table out of --tables instead."
            )


def check_hides(
    names: Sequence[Sequence[Pattern]],
    schemas: Sequence[str],
    relations: Mapping[int, Relation],
    uses: Sequence[Use],
    chosen: Sequence[Relation],
) -> list[str]:
    """Return notes on names that hide nothing of what is chosen; raise for one with wildcards.

    Whoever writes a wildcard relies on it, without knowing each table.
    """
    notes = []
    oids = {relation.oid for relation in chosen}
    for parts in names:
        hidden = columns_named([parts], schemas, relations)
        if oids & (hidden.keys() | showing_views(uses, hidden, relations).keys()):
            continue
        written = ".".join(part.text for part in parts)
        if any(part.is_general for part in parts):
            raise SettingsInvalid(
                f"--hide {written} hides nothing: no table of this run has such a column."
            )
        notes.append(f"--hide {written} hides nothing: that table is not one of this run.")
    return notes


def _with_heirs(relation: Relation, relations: Mapping[int, Relation]) -> Iterator[Relation]:
    yield relation
    for other in relations.values():
        if relation.oid in other.parents:
            yield from _with_heirs(other, relations)


def shown_by_parent(
    granted: Sequence[Relation], hidden: Hidden, relations: Mapping[int, Relation]
) -> str:
    """Return why a hidden column would be read through what its table inherits from; "" if not."""
    readable = {relation.oid for relation in granted}
    for oid, columns in hidden.items():
        for parent in relations[oid].parents:
            open_columns = (columns & relations[parent].columns.keys()) - hidden.get(
                parent, frozenset()
            )
            if parent in readable and open_columns:
                column = min(open_columns)
                return (
                    f"{relations[parent].shown} shows the rows of {relations[oid].shown}, with the"
                    f" column {column}: hide {relations[parent].shown}.{column}."
                )
    return ""


def showing_views(
    uses: Sequence[Use], hidden: Hidden, relations: Mapping[int, Relation]
) -> dict[int, str]:
    """Return the views that may show a hidden column, by oid, each with the column it uses.

    A view reads with its owner's rights, unless it is security_invoker; then the login's count.
    """
    shows: dict[int, str] = {}
    grown = True
    while grown:
        grown = False
        for use in uses:
            view = relations.get(use.view)
            if view is None or use.view in shows or view.reads_as_caller:
                continue
            column = _hidden_by(use, hidden, relations) or shows.get(use.relation)
            if column:
                shows[use.view] = column
                grown = True
    return shows


def _hidden_by(use: Use, hidden: Hidden, relations: Mapping[int, Relation]) -> str | None:
    columns = hidden.get(use.relation, frozenset())
    if use.column in columns:
        return f"{relations[use.relation].shown}.{use.column}"
    if columns and use.whole_rows:
        return f"{relations[use.relation].shown}.{min(columns)}"
    return None


def refuse_view(view: Relation, column: str) -> SettingsInvalid:
    """Return why a view that is listed by name cannot be granted."""
    return SettingsInvalid(
        f"The {kind_of(view)} {view.shown} uses {column}, which --hide is to keep from the login,"
        " and a view reads with its owner's rights: leave it out of --tables, or make one without"
        " that column and list it instead."
    )


def refuse_dead(view: Relation, reason: str) -> SettingsInvalid:
    """Return why a view that is listed by name would be of no use to the login."""
    return SettingsInvalid(
        f"The login could not read the {kind_of(view)} {view.shown}: {reason}. Leave it out of"
        " --tables, or make one without that and list it instead."
    )
