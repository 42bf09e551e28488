"""Who may take from everybody what everybody may do: the owner of each object, and who is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from agent.database.provision.server import Connection, Server
from agent.database.provision.wish import Step
from agent.database.rights import Excess

Make = Callable[[str], Step]
"""A REVOKE FROM PUBLIC as a step."""

_OF_FUNCTIONS: Final = """
SELECT named.name, pg_get_userbyid(p.proowner), pg_has_role(p.proowner, 'USAGE'), e.extname
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
CROSS JOIN LATERAL (SELECT format('%%I.%%I(%%s)', n.nspname, p.proname,
                                  pg_get_function_identity_arguments(p.oid)) AS name) named
LEFT JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
LEFT JOIN pg_extension e ON e.oid = d.refobjid
WHERE named.name = ANY (%s::text[])
"""
_OF_THE_REST: Final = """
SELECT o.name, pg_get_userbyid(o.owner), pg_has_role(o.owner, 'USAGE'), NULL FROM (
    SELECT 'relation' AS kind, format('%%I.%%I', n.nspname, c.relname) AS name, c.relowner AS owner
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    UNION ALL SELECT 'schema', quote_ident(nspname), nspowner FROM pg_namespace
    UNION ALL SELECT 'database', quote_ident(datname), datdba FROM pg_database
    UNION ALL SELECT 'tablespace', quote_ident(spcname), spcowner FROM pg_tablespace
    UNION ALL SELECT 'server', quote_ident(srvname), srvowner FROM pg_foreign_server
    UNION ALL SELECT 'wrapper', quote_ident(fdwname), fdwowner FROM pg_foreign_data_wrapper
    UNION ALL SELECT 'large object', oid::text, lomowner FROM pg_largeobject_metadata
) o WHERE o.kind = %s AND o.name = ANY (%s::text[])
"""
_FUNCTIONS: Final = ("security_definer", "server_function", "reaching_out")
# What the object is in the query above, and the right in words.
_KINDS: Final = {
    "write": ("relation", "writing to {}"),
    "sequence": ("relation", "the sequence {}"),
    "create_in_schema": ("schema", "CREATE on the schema {}"),
    "create_schema": ("database", "CREATE on the database {}"),
    "temporary_tables": ("database", "TEMPORARY on the database {}"),
    "tablespace": ("tablespace", "the tablespace {}"),
    "foreign_server": ("server", "the foreign server {}"),
    "foreign_data_wrapper": ("wrapper", "the foreign data wrapper {}"),
    "large_object": ("large object", "the large object {}"),
}


@dataclass(frozen=True)
class Owned:
    """An object, and who could take a right on it from everybody."""

    name: str
    owner: str
    may_revoke: bool
    """The login that asks can."""
    extension: str | None = None


@dataclass(frozen=True)
class Taken:
    """What is to be taken from PUBLIC: by who asks, and by others."""

    steps: tuple[Step, ...] = ()
    beyond_steps: tuple[Step, ...] = ()
    beyond: tuple[str, ...] = ()


def take_away(
    connection: Connection, server: Server, excess: Sequence[Excess], make: Make
) -> Taken:
    """Return the steps for what everybody may; functions of one extension go in one statement."""
    steps: list[Step] = []
    beyond_steps: list[Step] = []
    beyond: list[str] = []
    for found in excess:
        for owned in _together(_owned(connection, server, found)):
            step = make(found.remedy_for([each.name for each in owned]))
            if owned[0].may_revoke:
                steps.append(step)
            else:
                beyond_steps.append(step)
                beyond.append(in_words(owned, _KINDS.get(found.code, ("", "{}"))[1]))
    return Taken(tuple(steps), tuple(beyond_steps), tuple(beyond))


def in_words(owned: Sequence[Owned], right: str = "{}") -> str:
    """Return objects of one extension, or the right on a single one, with their owner."""
    first = owned[0]
    what = right.format(first.name)
    if first.extension is not None:
        number = f"{len(owned)} functions" if len(owned) > 1 else "a function"
        what = f"{number} of {first.extension}"
    return f"{what}, owned by {first.owner}"


def _owned(connection: Connection, server: Server, excess: Excess) -> Iterator[Owned]:
    names = list(excess.objects)
    if excess.code in _FUNCTIONS:
        rows = connection.execute(_OF_FUNCTIONS, [names]).fetchall()
    else:
        kind, _ = _KINDS.get(excess.code, ("", ""))
        rows = connection.execute(_OF_THE_REST, [kind, names]).fetchall()
    known = {str(row[0]): Owned(*row) for row in rows}
    for name in names:
        yield known.get(name, Owned(name, "a superuser", may_revoke=server.is_superuser))


def _together(owned: Iterator[Owned]) -> Iterator[list[Owned]]:
    def extension(each: Owned) -> tuple[str, str, bool]:
        return each.extension or "", each.owner if each.extension else each.name, each.may_revoke

    for _, group in groupby(sorted(owned, key=extension), key=extension):
        yield list(group)
