"""Whether the login may do more than read. A role that may write is refused, with the way out."""

from __future__ import annotations

import logging
from typing import Final

from agent.database.pool import Connection
from agent.errors import SettingsInvalid

log = logging.getLogger(__name__)

_ATTRIBUTES: Final = """
SELECT session_user::text, current_user::text, rolsuper, rolcreaterole, rolreplication,
       (SELECT coalesce(string_agg(g.rolname, ', ' ORDER BY g.rolname), '') FROM pg_roles g
        WHERE g.rolname = ANY (%s) AND pg_has_role(r.oid, g.oid, 'MEMBER')),
       (SELECT coalesce(string_agg(quote_ident(nspname), ', ' ORDER BY nspname), '')
        FROM pg_namespace WHERE nspname !~ '^pg_' AND has_schema_privilege(oid, 'CREATE')
             AND NOT has_schema_privilege('public', oid, 'CREATE')),
       (SELECT coalesce(string_agg(quote_ident(nspname), ', ' ORDER BY nspname), '')
        FROM pg_namespace WHERE nspname !~ '^pg_' AND has_schema_privilege('public', oid, 'CREATE'))
FROM pg_roles r WHERE rolname = current_user
"""
_DANGEROUS: Final = [
    "pg_write_all_data", "pg_read_server_files", "pg_write_server_files",
    "pg_execute_server_program", "pg_signal_backend", "pg_maintain", "pg_checkpoint",
    "pg_create_subscription", "pg_use_reserved_connections",
]  # fmt: skip
_WRITABLE: Final = """
SELECT n.nspname = 'public', quote_ident(n.nspname), quote_ident(c.relname),
       pg_has_role(c.relowner, 'USAGE')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname !~ '^pg_'
  AND n.nspname <> 'information_schema'
  AND (has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
       OR has_any_column_privilege(c.oid, 'INSERT, UPDATE'))
ORDER BY 1 DESC, 2, 3 LIMIT 1
"""
_HOW_TO_MAKE_ONE: Final = (
    "Make a role that can only read, and put it into the database URL:"
    " CREATE ROLE agent_ro LOGIN PASSWORD '…'; GRANT USAGE ON SCHEMA {schema} TO agent_ro;"
    " GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO agent_ro;"
)


def check_role(connection: Connection) -> None:
    """Raise `SettingsInvalid` if the login could write or is otherwise more than a reader.

    The message names the first right that is too much, and how to take it away.
    """
    row = connection.execute(_ATTRIBUTES, [_DANGEROUS]).fetchone()
    assert row is not None
    login, role, is_super, makes_roles, replicates, memberships, schemas, open_schemas = row
    if login != role:
        raise SettingsInvalid(f"The login {login} acts as {role}; log in as the role itself.")
    if is_super:
        raise _refuse(role, "is a superuser", _HOW_TO_MAKE_ONE.format(schema="public"))
    if memberships:
        remedy = f"Take it away: REVOKE {memberships} FROM {role};"
        raise _refuse(role, f"is a member of {memberships}", remedy)
    if makes_roles or replicates:
        right = "CREATEROLE" if makes_roles else "REPLICATION"
        raise _refuse(role, f"has {right}", f"Take it away: ALTER ROLE {role} NO{right};")
    _check_tables(connection, str(role))
    if schemas:
        remedy = f"Take it away: REVOKE CREATE ON SCHEMA {schemas} FROM {role}, PUBLIC;"
        raise _refuse(role, f"may create tables in {schemas}", remedy)
    if open_schemas:
        # What every login of a database from before PostgreSQL 15 may do; no right of this one.
        log.warning(
            "every login may create tables in %s; take it away: "
            "REVOKE CREATE ON SCHEMA %s FROM PUBLIC;",
            open_schemas,
            open_schemas,
        )


def _check_tables(connection: Connection, role: str) -> None:
    row = connection.execute(_WRITABLE).fetchone()
    if row is None:
        return
    _, schema, table, is_owner = row
    if is_owner:
        remedy = _HOW_TO_MAKE_ONE.format(schema=schema)
        raise _refuse(role, f"owns {schema}.{table}", remedy)
    raise _refuse(
        role,
        f"may write to {schema}.{table}",
        f"Take it away: REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA {schema}"
        f" FROM {role}, PUBLIC;",
    )


def _refuse(role: object, what: str, remedy: str) -> SettingsInvalid:
    return SettingsInvalid(
        f"The database login {role} {what}, and db-agent works only with a role that can do"
        " nothing but read (for a database of your own that nothing depends on,"
        f" DB_AGENT_ALLOW_STRONG_ROLE=1 accepts it as it is). {remedy}"
    )
