"""The role itself: its attributes and the limits that are set on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from psycopg import sql

from agent.database.failing import failures
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
                                                  WHERE b.oid = d.dbid) END,
       d.classid = 'pg_largeobject'::regclass
FROM pg_shdepend d
WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = %s AND d.deptype = 'o'
ORDER BY 2, 1 LIMIT 100
"""
# What the login that asks has by its own settings says nothing of other logins.
_FILE_LIMIT: Final = """
SELECT FROM pg_settings WHERE name = 'temp_file_limit' AND setting <> '-1'
  AND source NOT IN ('user', 'database user', 'client', 'session')
"""
_MAY_SET: Final = "SELECT has_parameter_privilege('temp_file_limit', 'SET')"


def check_name(name: str) -> None:
    """Raise `SettingsInvalid` for a name that no role can have."""
    if not name or "\0" in name or len(name.encode()) > 63:
        raise SettingsInvalid("--role: a name of 1 to 63 bytes, please.")
    if name.startswith("pg_") or name in ("public", "none"):
        raise SettingsInvalid(f"--role {name}: PostgreSQL keeps that name for itself.")


def check_is_reader(connection: Connection, name: str, role: Role, *, drops: bool = False) -> None:
    """Raise `SettingsInvalid` where the role is more than a reader already: somebody else's."""
    found = _too_much(connection, name, role)
    if not found:
        return
    what, remedy = found[0]
    more = f" (and {len(found) - 1} things more)" if len(found) > 1 else ""
    instead = "" if drops else ", or take another name with --role"
    raise SettingsInvalid(
        f"There is a role {name} already, and it is more than a reader: it {what}{more}."
        f" {remedy}{instead}. Then run this again."
    )


def _too_much(connection: Connection, name: str, role: Role) -> list[tuple[str, str]]:
    """Return what makes the role more than a reader, each with what to do about it."""
    if role.powers:
        return [(power, "Take that away from it with ALTER ROLE") for power in role.powers]
    if role.is_admin:
        return [("is the login that asks", "Run this with another login")]
    owned = connection.execute(_OWNED, [role.oid]).fetchall()
    if owned:
        written = _quoted(name)
        way = (
            f"A superuser, or a member of it, clears that, in each database where it owns"
            f" something: DROP OWNED BY {written}; removes what it owns, with its rights there"
        )
        if not all(is_large_object for _, is_large_object in owned):
            way += f" (to keep it: REASSIGN OWNED BY {written} TO another_role; before)"
        return [(f"owns {what}", way) for what, _ in owned]
    found = [
        (each.what, f"Take that away: {_short(each.remedy)}")
        for each in find_excess_of(connection, name)
        if not each.from_public
    ]
    if found:
        return found
    rows = connection.execute(_members(connection.info.server_version), [role.oid])
    members = [
        (f"has {member} as a member", f"Take that away: REVOKE {_quoted(name)} FROM {member}")
        for (member,) in rows
    ]
    if members:
        return members
    return [
        (f"has a right on {what}", f"Take that away: REVOKE ALL ON … FROM {_quoted(name)}")
        for (what,) in connection.execute(_OTHER_OBJECTS, [role.oid])
    ]


def _quoted(name: str) -> str:
    return sql.Identifier(name).as_string(None)


def _short(remedy: str) -> str:
    return failures.cut(remedy.removesuffix(";"))


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
            *(["VALID UNTIL 'infinity'"] if role.has_expired else []),
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
        if (True, key) in now and (key != "temp_file_limit" or may_limit_files(connection, server)):
            yield Step(LIMITS, f"ALTER ROLE {name} IN DATABASE {server.database_sql} RESET {key};")
    path = ", ".join(["pg_catalog", *search_path])
    if now.get((True, "search_path")) != path:
        yield Step(
            LIMITS, f"ALTER ROLE {name} IN DATABASE {server.database_sql} SET search_path = {path};"
        )


def role_notes(connection: Connection, server: Server, role: Role | None) -> list[str]:
    """Return what the operator should know of the role and its limits."""
    notes = []
    if role is not None and role.has_expired:
        notes.append(f"the login had expired ({role.valid_until}); it does no longer.")
    elif role is not None and role.valid_until:
        notes.append(f"the login can log in until {role.valid_until}, and no longer.")
    if not (may_limit_files(connection, server) or _has_file_limit(connection, role)):
        notes.append(
            "temp_file_limit is a superuser's setting, so what the login's queries write to"
            " temporary files is bounded by their time limit alone."
        )
    return notes


def _has_file_limit(connection: Connection, role: Role | None) -> bool:
    """Say whether a limit holds for the role: its own, the database's, or the server's."""
    settings = role.settings if role is not None else {}
    for here in (True, False):
        if (here, "temp_file_limit") in settings:
            return settings[here, "temp_file_limit"] != "-1"
    row = connection.execute(_FILE_LIMIT).fetchone()
    return row is not None


def may_limit_files(connection: Connection, server: Server) -> bool:
    """Say whether the login that asks may set temp_file_limit on a role."""
    if server.is_superuser:
        return True
    if server.version < 150_000:
        return False
    row = connection.execute(_MAY_SET).fetchone()
    return bool(row and row[0])
