"""The role itself: its attributes and the limits that are set on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from agent.database.provision.server import Connection, Role, Server
from agent.database.provision.wish import CONNECTION_LIMIT, Step
from agent.database.rights import find_excess_of
from agent.errors import SettingsInvalid

MAKING: Final = "The login: it inherits nothing and may do nothing that needs more than a grant."
LIMITS: Final = "Limits; they hold behind a pooler as well."

_ATTRIBUTES: Final = (
    "LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"
    f" CONNECTION LIMIT {CONNECTION_LIMIT}"
)
_SETTINGS: Final = {
    "default_transaction_read_only": "on",
    "statement_timeout": "3s",
    "lock_timeout": "500ms",
    "idle_in_transaction_session_timeout": "10s",
    "transaction_timeout": "5s",
    "idle_session_timeout": "1h",
    "work_mem": "16MB",
    "temp_file_limit": "256MB",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
}
_SINCE: Final = {"transaction_timeout": 170_000, "idle_session_timeout": 140_000}

# A member could become the role; whoever made it may administer it, and that is no such thing.
_MEMBERS: Final = """
SELECT quote_ident(m.rolname) FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.member
WHERE a.roleid = %s AND m.rolname <> current_user {inherits}
ORDER BY 1
"""
_OTHER_OBJECTS: Final = """
SELECT pg_describe_object(d.classid, d.objid, 0) FROM pg_shdepend d
WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = %s AND d.deptype = 'a'
  AND d.dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
  AND d.classid NOT IN ('pg_class'::regclass, 'pg_namespace'::regclass, 'pg_database'::regclass,
                        'pg_proc'::regclass, 'pg_default_acl'::regclass)
ORDER BY 1
"""
_OWNED: Final = """
SELECT CASE WHEN d.dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
            THEN pg_describe_object(d.classid, d.objid, 0)
            ELSE 'something in the database ' || (SELECT datname FROM pg_database b
                                                  WHERE b.oid = d.dbid) END
FROM pg_shdepend d
WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = %s AND d.deptype = 'o'
ORDER BY 1 LIMIT 1
"""
_MAY_SET: Final = "SELECT has_parameter_privilege('temp_file_limit', 'SET')"


def check_name(name: str) -> None:
    """Raise `SettingsInvalid` for a name that no role can have."""
    if not name or "\0" in name or len(name.encode()) > 63:
        raise SettingsInvalid("--role: a name of 1 to 63 bytes, please.")
    if name.startswith("pg_") or name in ("public", "none"):
        raise SettingsInvalid(f"--role {name}: PostgreSQL keeps that name for itself.")


def check_is_reader(connection: Connection, name: str, role: Role) -> None:
    """Raise `SettingsInvalid` where the role is more than a reader already: somebody else's."""
    too_much = list(role.powers)
    if not too_much and role.is_admin:
        too_much = ["is the login that asks"]
    if not too_much:
        too_much = [f"owns {what}" for (what,) in connection.execute(_OWNED, [role.oid])]
    if not too_much:
        excess = find_excess_of(connection, name)
        too_much = [found.what for found in excess if not found.from_public]
    if not too_much:
        rows = connection.execute(_members(connection.info.server_version), [role.oid])
        too_much = [f"has {member} as a member" for (member,) in rows]
    if not too_much:
        rows = connection.execute(_OTHER_OBJECTS, [role.oid])
        too_much = [f"has a right on {what}" for (what,) in rows]
    if too_much:
        more = f" (and {len(too_much) - 1} things more)" if len(too_much) > 1 else ""
        raise SettingsInvalid(
            f"There is a role {name} already, and it is more than a reader: it {too_much[0]}{more}."
            " Take another name with --role, or take that away from it."
        )


def _members(version: int) -> str:
    inherits = "AND (a.inherit_option OR a.set_option)" if version >= 160_000 else ""
    return _MEMBERS.format(inherits=inherits)


def role_steps(
    connection: Connection, server: Server, role: Role | None, search_path: Sequence[str]
) -> Iterator[Step]:
    """Yield what makes the role, or makes it as it has to be."""
    name = server.role_sql
    if not server.may_make_roles:
        raise SettingsInvalid(
            f"The login {server.admin} may not make or change roles: it needs CREATEROLE"
            f" (a superuser gives it: ALTER ROLE {server.admin} CREATEROLE;)."
        )
    if role is None:
        yield Step(MAKING, f"CREATE ROLE {name} {_ATTRIBUTES};")
    else:
        changed = [
            *([] if role.can_login else ["LOGIN"]),
            *(["NOINHERIT"] if role.inherits else []),
            *([f"CONNECTION LIMIT {CONNECTION_LIMIT}"]
              if role.connection_limit != CONNECTION_LIMIT else []),
        ]  # fmt: skip
        if changed:
            yield Step(MAKING, f"ALTER ROLE {name} {' '.join(changed)};")
    now = role.settings if role is not None else {}
    for key, value in _SETTINGS.items():
        if server.version < _SINCE.get(key, 0):
            continue
        if now.get((False, key)) != value and (
            key != "temp_file_limit" or may_limit_files(connection, server)
        ):
            yield Step(LIMITS, f"ALTER ROLE {name} SET {key} = '{value}';")
        if (True, key) in now:
            yield Step(LIMITS, f"ALTER ROLE {name} IN DATABASE {server.database_sql} RESET {key};")
    path = ", ".join(["pg_catalog", *search_path])
    if now.get((True, "search_path")) != path:
        yield Step(
            LIMITS, f"ALTER ROLE {name} IN DATABASE {server.database_sql} SET search_path = {path};"
        )


def has_file_limit(role: Role | None) -> bool:
    """Say whether somebody has set temp_file_limit on the role."""
    return role is not None and (False, "temp_file_limit") in role.settings


def may_limit_files(connection: Connection, server: Server) -> bool:
    """Say whether the login that asks may set temp_file_limit on a role."""
    if server.is_superuser:
        return True
    if server.version < 150_000:
        return False
    row = connection.execute(_MAY_SET).fetchone()
    return bool(row and row[0])
