"""Who asks, and what the role is so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import psycopg

from agent.errors import SettingsInvalid

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

OLDEST: Final = 130_000
"""The oldest server version that the scripts are written for."""

_SERVER: Final = """
SELECT current_user::text, rolsuper, rolcreaterole, current_database()::text,
       quote_ident(current_database()), quote_ident(%s), pg_is_in_recovery(),
       has_database_privilege(current_database(), 'CONNECT WITH GRANT OPTION')
FROM pg_roles WHERE rolname = current_user
"""
_ROLE: Final = """
SELECT oid, rolcanlogin, rolinherit, rolconnlimit,
       array_remove(ARRAY[CASE WHEN rolsuper THEN 'is a superuser' END,
                    CASE WHEN rolcreaterole THEN 'has CREATEROLE' END,
                    CASE WHEN rolcreatedb THEN 'has CREATEDB' END,
                    CASE WHEN rolreplication THEN 'has REPLICATION' END,
                    CASE WHEN rolbypassrls THEN 'has BYPASSRLS' END], NULL),
       rolname = current_user, rolvaliduntil <= now(), rolvaliduntil::text
FROM pg_roles WHERE rolname = %s
"""
_SETTINGS: Final = """
SELECT s.setdatabase <> 0, split_part(line, '=', 1), substr(line, strpos(line, '=') + 1)
FROM pg_db_role_setting s, unnest(s.setconfig) AS line
WHERE s.setrole = %s AND s.setdatabase IN
      (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
"""
_LOGINS: Final = """
SELECT r.rolname FROM pg_roles r
WHERE r.rolcanlogin AND NOT r.rolsuper AND r.rolname NOT IN (%s, current_user)
ORDER BY NOT EXISTS (SELECT FROM pg_stat_activity s
                     WHERE s.usesysid = r.oid AND s.datname = current_database()),
         NOT EXISTS (SELECT FROM pg_shdepend d JOIN pg_database b ON b.datname = current_database()
                     WHERE d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.oid
                       AND (d.dbid = b.oid
                            OR d.classid = 'pg_database'::regclass AND d.objid = b.oid)),
         r.rolname
"""


@dataclass(frozen=True)
class Server:
    """The server, and what the login that asks may do there."""

    version: int
    admin: str
    is_superuser: bool
    may_make_roles: bool
    database: str
    database_sql: str
    """Its name as SQL writes it."""
    role_sql: str
    """The role's name as SQL writes it."""
    may_grant_connect: bool


@dataclass(frozen=True)
class Role:
    """The role as it is now."""

    oid: int
    can_login: bool
    inherits: bool
    connection_limit: int
    powers: tuple[str, ...]
    """Attributes that make it more than a reader, as the rest of a sentence."""
    is_admin: bool
    """It is the login that asks."""
    has_expired: bool
    valid_until: str
    """When its password ends, as the server writes it; "" for never."""
    settings: dict[tuple[bool, str], str]
    """By (for this database alone, name)."""


def read_server(connection: Connection, role: str) -> Server:
    """Return who asks. Raises `SettingsInvalid` for a server that cannot be provisioned."""
    version = connection.info.server_version
    row = connection.execute(_SERVER, [role]).fetchone()
    assert row is not None
    admin, is_superuser, may_make_roles, name, name_sql, role_sql, is_standby, may_grant = row
    if version < OLDEST:
        raise SettingsInvalid(
            f"The server is PostgreSQL {version // 10_000}; provision needs 13 or later."
        )
    if is_standby:
        raise SettingsInvalid(
            "The server is a standby, which takes no changes: run this on its primary;"
            " the login is there on the standby a moment later."
        )
    may_make = is_superuser or may_make_roles
    return Server(version, admin, is_superuser, may_make, name, name_sql, role_sql, may_grant)


def read_role(connection: Connection, name: str) -> Role | None:
    """Return the role of that name, None where there is none."""
    row = connection.execute(_ROLE, [name]).fetchone()
    if row is None:
        return None
    oid, can_login, inherits, limit, powers, is_admin, expired, until = row
    settings = {
        (bool(here), str(key)): str(value)
        for here, key, value in connection.execute(_SETTINGS, [oid])
    }
    return Role(
        oid, can_login, inherits, limit, tuple(powers), is_admin,
        bool(expired), "" if until in (None, "infinity") else str(until), settings,
    )  # fmt: skip


def other_logins(connection: Connection, role: str) -> tuple[str, ...]:
    """Return the logins, other than the role, the one that asks, and superusers.

    Those with a session in this database come first, then those with rights here.
    """
    return tuple(str(name) for (name,) in connection.execute(_LOGINS, [role]))
