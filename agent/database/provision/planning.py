"""What is still to be done for a wish, found by comparing it with what the server has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from agent.database.provision.changes import check_nothing_opens, losses
from agent.database.provision.everybody import public_steps
from agent.database.provision.grants import READING, TAKING, Held, grant_steps, read_held
from agent.database.provision.lacking import lacking_notes
from agent.database.provision.role import (
    LIMITS,
    MAKING,
    check_is_reader,
    check_name,
    role_notes,
    role_steps,
)
from agent.database.provision.server import Connection, Role, other_logins, read_role, read_server
from agent.database.provision.target import NOTHING, Target, choose_target
from agent.database.provision.wish import Plan, Step, Wish
from agent.errors import SettingsInvalid

REMOVING: Final = "The login goes, with its settings."

_ELSEWHERE: Final = """
SELECT DISTINCT b.datname FROM pg_shdepend d
JOIN pg_database b ON b.oid = d.dbid OR d.classid = 'pg_database'::regclass AND b.oid = d.objid
WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = %s AND d.deptype = 'a'
  AND b.datname <> current_database() ORDER BY 1
"""
_SESSIONS: Final = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s"


def plan_provision(connection: Connection, wish: Wish) -> Plan:
    """Return what is still to be done so that the role is there and can read what is listed.

    Writes nothing. Raises `SettingsInvalid` for what cannot be had, and psycopg's errors.
    """
    check_name(wish.role)
    server = read_server(connection, wish.role)
    role = read_role(connection, wish.role)
    if role is not None:
        check_is_reader(connection, wish.role, role)
    target = choose_target(connection, wish, server)
    held = read_held(connection, role) if role is not None else {}
    check_nothing_opens(held, target)
    steps = list(role_steps(connection, server, role, target.schemas_sql))
    steps += grant_steps(connection, server, role, target)
    known = wish.role if role is not None else None
    public = public_steps(connection, server, wish, known, target)
    return Plan(
        wish.role,
        server.database,
        _ordered([*steps, *public.steps]),
        (
            *losses(held, target),
            *target.notes,
            *public.notes,
            *role_notes(connection, server, role),
        ),
        creates=role is None,
        losers=other_logins(connection, wish.role) if public.steps or public.beyond else (),
        beyond=public.beyond,
        beyond_steps=public.beyond_steps,
        unreadable=_unreadable(held, target),
        keeps_public=wish.keep_public,
    )


def _unreadable(held: Mapping[int, Held], target: Target) -> tuple[tuple[str, str | None], ...]:
    """Return what was readable and shall not be, and what is hidden."""
    gone = [
        (each.sql, None)
        for oid, each in held.items()
        if oid not in target.relations and not each.is_sequence
    ]
    hidden = [
        (target.relations[oid].sql, name)
        for oid, columns in target.hidden.items()
        for name in sorted(columns)
    ]
    return (*gone, *hidden)


def plan_drop(connection: Connection, name: str) -> Plan:
    """Return what is still to be done so that the role is gone from here, or altogether.

    Where it can read another database of the server, only its rights here go. Raises
    `SettingsInvalid` for a role that is more than a reader, and psycopg's errors.
    """
    check_name(name)
    server = read_server(connection, name)
    role = read_role(connection, name)
    if role is None:
        return Plan(name, server.database, (), (f"there is no role {name}.",), drops=True)
    check_is_reader(connection, name, role, drops=True)
    if not server.may_make_roles:
        raise SettingsInvalid(f"The login {server.admin} may not drop roles: it needs CREATEROLE.")
    steps = list(grant_steps(connection, server, role, NOTHING))
    elsewhere = [str(row[0]) for row in connection.execute(_ELSEWHERE, [role.oid])]
    notes = []
    if elsewhere:
        steps += _forget_database(role, server.role_sql, server.database_sql)
        notes.append(
            f"the role stays, since it has rights in {', '.join(elsewhere)}:"
            " run this there as well."
        )
    else:
        steps.append(Step(REMOVING, f"DROP ROLE {server.role_sql};"))
    row = connection.execute(_SESSIONS, [name]).fetchone()
    if row and row[0] and steps:
        notes.append(f"{row[0]} sessions of it are open, and go on until they are closed.")
    notes += lacking_notes(connection, server)
    return Plan(name, server.database, _ordered(steps), tuple(notes), drops=True)


def _forget_database(role: Role, name: str, database: str) -> list[Step]:
    if not any(here for here, _ in role.settings):
        return []
    return [Step(REMOVING, f"ALTER ROLE {name} IN DATABASE {database} RESET ALL;")]


def _ordered(steps: list[Step]) -> tuple[Step, ...]:
    """Return the steps with those of one part together; what is taken goes before what is given.

    REVOKE ALL on a table takes the rights on its columns, too, and a new GRANT with them.
    """
    parts = list(dict.fromkeys([MAKING, LIMITS, TAKING, READING, *(step.part for step in steps)]))
    return tuple(sorted(steps, key=lambda step: parts.index(step.part)))
