"""What everybody may do, and the login with them: the steps that take it away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from agent.database.provision.functions import revoked_functions
from agent.database.provision.owners import Owned, Taken, in_words, take_away
from agent.database.provision.server import Connection, Server
from agent.database.provision.target import Target
from agent.database.provision.wish import Step, Wish, shortened
from agent.database.rights import Excess, find_excess_of
from agent.errors import SettingsInvalid

MORE_THAN_READING: Final = (
    "What everybody has by default, and the login with them. All other logins lose it, too."
)
READING_TOO: Final = (
    "Everybody can read this, and it is not on the list. All other logins lose it, too."
)
LARGE_OBJECTS: Final = (
    "Everybody may make large objects, which is writing. All other logins lose it, too,"
    " but for those that own some."
)
CATALOGUE: Final = (
    "Functions that no reader needs: with an effect, or running SQL from a text, or telling of the"
    " server. All other logins of this database lose them, too."
)
USER_FUNCTIONS: Final = (
    "Functions made here that may have an effect, and that nothing else here is built on."
    " All other logins lose them, too."
)

# To PostgreSQL, PUBLIC is the role 0.
_READABLE: Final = """
SELECT c.oid, format('%%I.%%I', n.nspname, c.relname),
       pg_get_userbyid(c.relowner), pg_has_role(c.relowner, 'USAGE'),
       ARRAY(SELECT attname::text FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
               AND has_column_privilege(0::oid, c.oid, a.attnum, 'SELECT')),
       EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
               AND d.objid = c.oid AND d.deptype = 'e')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_'
  AND n.nspname <> 'information_schema'
  AND (has_schema_privilege(0::oid, n.oid, 'USAGE') OR n.nspname = ANY (%s::name[]))
  AND has_any_column_privilege(0::oid, c.oid, 'SELECT')
ORDER BY 2
"""
_MAKE_LARGE_OBJECTS: Final = """
SELECT string_agg(format('%I.%I(%s)', 'pg_catalog', proname,
                         pg_get_function_identity_arguments(oid)), ', ' ORDER BY proname)
FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
  AND proname IN ('lo_creat', 'lo_create', 'lo_from_bytea')
  AND has_function_privilege(0::oid, oid, 'EXECUTE')
"""
_OWN_LARGE_OBJECTS: Final = """
SELECT string_agg(DISTINCT quote_ident(rolname), ', ')
FROM pg_largeobject_metadata l JOIN pg_roles r ON r.oid = l.lomowner WHERE NOT r.rolsuper
"""


def step_from_public(part: str, statement: str) -> Step:
    """Return the step that takes a right from PUBLIC, knowing what gives it back."""
    back = statement.replace("REVOKE ", "GRANT ", 1).removesuffix("FROM PUBLIC;").rstrip()
    return Step(part, statement, f"{back} TO its_name;")


@dataclass(frozen=True)
class Public:
    """What is taken from PUBLIC, what only others can take, and what the operator should know."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...]
    beyond_steps: tuple[Step, ...] = ()
    beyond: tuple[str, ...] = ()


def public_steps(
    connection: Connection, server: Server, wish: Wish, role: str | None, target: Target
) -> Public:
    """Return the steps that take from PUBLIC what the login shall not have, and notes on the rest.

    `role` is None where it is still to be made. Raises `SettingsInvalid` where a hidden column
    would be readable all the same.
    """
    excess = [
        found for found in find_excess_of(connection, role, target.schemas) if found.from_public
    ]
    readable, notes = _readable(connection, wish, target)
    large_objects = list(_large_objects(connection))
    if wish.keep_public:
        return Public((), (*notes, *_kept(excess, large_objects=bool(large_objects))))
    taken = take_away(connection, server, excess, partial(step_from_public, MORE_THAN_READING))
    steps = [*taken.steps, *readable.steps]
    if server.is_superuser:
        steps += large_objects
    elif large_objects:
        notes.append(
            f"only a superuser can keep the login from making large objects, and {server.admin} is"
            " none. The bot never can, since its transactions are read-only; whoever logs in as it"
            " by hand, and leaves READ ONLY, can. A superuser who runs this too takes that away."
        )
    if wish.revoke_catalogue:
        steps += _functions(connection, server, target.schemas)
    return Public(
        tuple(steps), tuple(notes),
        (*taken.beyond_steps, *readable.beyond_steps), (*taken.beyond, *readable.beyond),
    )  # fmt: skip


def _kept(excess: Sequence[Excess], *, large_objects: bool) -> Iterator[str]:
    kept = [found.what for found in excess]
    if large_objects:
        kept.append("may make large objects")
    for what in kept:
        yield f"kept, since PUBLIC keeps its rights: the login, as everybody, {what}."
    if excess:
        yield (
            "PUBLIC keeps its rights, and the bot starts only where"
            " DB_AGENT_ACCEPT_PUBLIC_RIGHTS=1 is set."
        )


def _readable(connection: Connection, wish: Wish, target: Target) -> tuple[Taken, list[str]]:
    extensions: list[str] = []
    others: list[Owned] = []
    rows = connection.execute(_READABLE, [list(target.schemas)])
    for oid, name, owner, may_revoke, columns, of_extension in rows:
        listed = oid in target.relations
        open_columns = target.hidden.get(oid, frozenset()) & set(columns)
        if listed and not open_columns:
            continue
        if listed and wish.keep_public:
            raise SettingsInvalid(
                f"--hide would not hold with --keep-public: everybody may read {name},"
                f" with {min(open_columns)}."
            )
        if of_extension and not listed:
            extensions.append(name)
        else:
            others.append(Owned(name, owner, may_revoke))
    notes = []
    if extensions:
        notes.append(
            f"everybody, and so the login, may read {shortened(extensions)} of an extension;"
            " others may rely on it, so that is left as it is."
        )
    if others and wish.keep_public:
        names = shortened([each.name for each in others])
        notes.append(f"everybody, and so the login, may also read {names}.")
    steps = {
        each: step_from_public(READING_TOO, f"REVOKE SELECT ON {each.name} FROM PUBLIC;")
        for each in others
    }
    beyond = {each: step for each, step in steps.items() if not each.may_revoke}
    return Taken(
        tuple(step for each, step in steps.items() if each.may_revoke),
        tuple(beyond.values()),
        tuple(in_words([each], "reading {}") for each in beyond),
    ), notes


def _large_objects(connection: Connection) -> Iterator[Step]:
    row = connection.execute(_MAKE_LARGE_OBJECTS).fetchone()
    if row is None or row[0] is None:
        return
    revoke = f"REVOKE EXECUTE ON FUNCTION {row[0]} FROM PUBLIC;"
    yield step_from_public(LARGE_OBJECTS, revoke)
    owners = connection.execute(_OWN_LARGE_OBJECTS).fetchone()
    if owners is not None and owners[0]:
        yield Step(LARGE_OBJECTS, f"GRANT EXECUTE ON FUNCTION {row[0]} TO {owners[0]};")


def _functions(connection: Connection, server: Server, schemas: Sequence[str]) -> Iterator[Step]:
    if not server.is_superuser:
        raise SettingsInvalid(
            f"--revoke-catalogue needs a superuser, and {server.admin} is none:"
            " the server's own functions are its superuser's."
        )
    catalogue, made_here = revoked_functions(connection, schemas)
    for part, names in ((CATALOGUE, catalogue), (USER_FUNCTIONS, made_here)):
        if names:
            listed = f" {names[0]} " if len(names) == 1 else "\n    " + ",\n    ".join(names) + "\n"
            yield step_from_public(part, f"REVOKE EXECUTE ON ROUTINE{listed}FROM PUBLIC;")
