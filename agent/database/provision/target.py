"""What the login shall be able to read: the tables, their columns, and the schemas they are in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from agent.database.provision import choice, hiding, views
from agent.database.provision.relations import Relation, Use, read_relations, read_uses
from agent.database.provision.server import Connection, Server
from agent.database.provision.wish import Wish, shortened
from agent.errors import SettingsInvalid

_SCHEMAS: Final = """
SELECT nspname, quote_ident(nspname), has_schema_privilege(oid, 'USAGE WITH GRANT OPTION'),
       pg_get_userbyid(nspowner)
FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY nspname
"""


@dataclass(frozen=True)
class Target:
    """What is to be readable when all is done."""

    relations: Mapping[int, Relation]
    hidden: hiding.Hidden
    schemas: tuple[str, ...] = ()
    schemas_sql: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unhidden: hiding.Hidden = field(default_factory=dict)
    """Columns that may be read from now on although they were hidden."""
    known: Mapping[int, Relation] = field(default_factory=dict)
    """All relations there are."""
    uses: Sequence[Use] = ()
    """Which view uses what."""

    def columns(self, oid: int) -> list[str] | None:
        """Return the readable columns of a relation, as SQL writes them; None for all."""
        if oid not in self.hidden:
            return None
        columns = self.relations[oid].columns
        return [written for name, written in columns.items() if name not in self.hidden[oid]]


NOTHING: Final = Target({}, {})


def choose_target(connection: Connection, wish: Wish, server: Server) -> Target:
    """Return what the wish means on this server. Raises `SettingsInvalid`."""
    schemas = {str(row[0]): row[1:] for row in connection.execute(_SCHEMAS)}
    relations = read_relations(connection)
    asked = choice.choose_schemas(wish.schemas or ("public",), list(schemas))
    chosen = _tables(wish, asked, relations, list(schemas))
    # A column may be hidden wherever a chosen table lies, also outside the schemas that are named.
    around = list(dict.fromkeys([*asked, *(relation.schema for relation in chosen)]))
    names = choice.read_names(wish.hide, parts=(2, 3), option="--hide")
    hidden = hiding.columns_named(names, around, relations)
    hiding.check_leaves_some(hidden, relations)
    uses = read_uses(connection)
    notes = hiding.check_hides(names, around, relations, uses, chosen)
    unhide = choice.read_names(wish.unhide, parts=(2, 3), option="--unhide")
    opened = hiding.columns_named(unhide, around, relations, option="--unhide")
    shows = hiding.showing_views(uses, hidden, relations)
    chosen, left_out = _without(wish, asked, chosen, shows, hiding.refuse_view)
    notes += [
        f"{relation.shown} is left out: it uses {shows[relation.oid]}, which is hidden, and a view"
        " reads with its owner's rights."
        for relation in left_out
    ]
    reach = views.Reach(
        relations, frozenset(relation.oid for relation in chosen), hidden, wish.keep_public
    )
    calls = views.read_dead_calls(connection, wish, around)
    dead = views.dead_views(chosen, uses, calls, reach)
    chosen, left_out = _without(wish, asked, chosen, dead, hiding.refuse_dead)
    notes += [
        f"{relation.shown} is left out, since the login could not read it: {dead[relation.oid]}."
        for relation in left_out
    ]
    if not chosen:
        raise SettingsInvalid(f"Nothing is left that the login could read: {' '.join(notes)}")
    if reason := hiding.shown_by_parent(chosen, hidden, relations):
        raise SettingsInvalid(f"--hide would not hold: {reason}")
    used = [name for name in around if any(relation.schema == name for relation in chosen)]
    _check_may_grant(server, chosen, {name: schemas[name] for name in used})
    return Target(
        {relation.oid: relation for relation in chosen},
        {oid: columns for oid, columns in hidden.items() if any(oid == r.oid for r in chosen)},
        tuple(used),
        tuple(str(schemas[name][0]) for name in used),
        (*notes, *_notes(chosen)),
        opened,
        relations,
        uses,
    )


def _without(
    wish: Wish,
    asked: Sequence[str],
    chosen: Sequence[Relation],
    reasons: Mapping[int, str],
    refuse: Callable[[Relation, str], SettingsInvalid],
) -> tuple[list[Relation], list[Relation]]:
    """Return what stays and what is left out for a reason; what is listed by name is refused."""
    left_out = [relation for relation in chosen if relation.oid in reasons]
    named = choice.read_names(wish.tables, parts=(1, 2), option="--tables")
    for relation in left_out:
        if choice.is_named(relation, named, asked):
            raise refuse(relation, reasons[relation.oid])
    return [relation for relation in chosen if relation.oid not in reasons], left_out


def _tables(
    wish: Wish, asked: Sequence[str], relations: Mapping[int, Relation], schemas: Sequence[str]
) -> list[Relation]:
    known = list(relations.values())
    if not wish.tables:
        chosen = choice.everything_in(asked, known)
        if not chosen:
            full = sorted({relation.schema for relation in known if not relation.of_extension})
            there = f" There are some in: {shortened(full)}." if full else ""
            raise SettingsInvalid(
                f"The schema {', '.join(asked)} has no tables: name another with --schema.{there}"
            )
        return chosen
    names = choice.read_names(wish.tables, parts=(1, 2), option="--tables")
    chosen = choice.choose_tables(names, asked, known)
    # Reading a partitioned table reads its partitions; they may be named in a query as well.
    oids = {relation.oid for relation in chosen}
    for relation in known:
        if relation.is_partition and _root(relation, relations).oid in oids:
            oids.add(relation.oid)
    return [relation for relation in known if relation.oid in oids]


def _root(relation: Relation, relations: Mapping[int, Relation]) -> Relation:
    while relation.is_partition and relation.parents and relation.parents[0] in relations:
        relation = relations[relation.parents[0]]
    return relation


def _check_may_grant(
    server: Server, chosen: Sequence[Relation], schemas: Mapping[str, Sequence[object]]
) -> None:
    missing = []
    if not server.may_grant_connect:
        missing.append(f"GRANT CONNECT on the database {server.database} (be its owner)")
    for name, (_, may_grant, owner) in schemas.items():
        if not may_grant:
            missing.append(f"GRANT USAGE on the schema {name} (be {owner}, its owner)")
    tables = [relation for relation in chosen if not relation.may_grant]
    if tables:
        shown = shortened([relation.shown for relation in tables])
        owners = ", ".join(sorted({relation.owner for relation in tables}))
        missing.append(f"GRANT SELECT on {shown} (be {owners}, who owns them)")
    if missing:
        raise SettingsInvalid(
            f"The login {server.admin} may not {'; nor '.join(missing)}:"
            " take a login that may, or leave that out."
        )


def _notes(chosen: Sequence[Relation]) -> list[str]:
    notes = [
        f"{relation.shown} is a foreign table: who reads it asks another server."
        for relation in chosen
        if relation.kind == "f"
    ]
    guarded = [relation.shown for relation in chosen if relation.has_row_security]
    if guarded:
        notes.append(
            f"{shortened(guarded)}: row security decides which rows the login sees,"
            " none where no policy is for it."
        )
    return notes
