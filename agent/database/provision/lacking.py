"""What PUBLIC lacks of what PostgreSQL gives it: a login that goes gives nothing of it back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent.database.provision.server import Connection, Server
from agent.database.provision.wish import shortened

_FUNCTIONS: Final = """
SELECT p.proname ~ '^lo_(creat|create|from_bytea)$' AND n.nspname = 'pg_catalog',
       n.nspname = 'pg_catalog',
       format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.proacl IS NOT NULL AND NOT has_function_privilege(0::oid, p.oid, 'EXECUTE')
  AND NOT EXISTS (SELECT FROM pg_init_privs i
                  WHERE i.classoid = 'pg_proc'::regclass AND i.objoid = p.oid)
ORDER BY 3
"""
_TEMPORARY: Final = "SELECT has_database_privilege(0::oid, current_database(), 'TEMPORARY')"


def lacking_notes(connection: Connection, server: Server) -> Iterator[str]:
    """Yield notes on what was taken from PUBLIC, by an earlier run or another hand, and stays so.

    What somebody had given to PUBLIC beyond PostgreSQL's default has left no trace.
    """
    found: list[str] = []
    row = connection.execute(_TEMPORARY).fetchone()
    if row and not row[0]:
        found.append(f"GRANT TEMPORARY ON DATABASE {server.database_sql} TO PUBLIC;")
    rows = connection.execute(_FUNCTIONS).fetchall()
    for is_large_object, of_server in ((True, True), (False, True), (False, False)):
        names = [name for large, server_s, name in rows
                 if (large, server_s) == (is_large_object, of_server)]  # fmt: skip
        if names:
            found.append(f"GRANT EXECUTE ON ROUTINE {shortened(names, 3)} TO PUBLIC;")
    if not found:
        return
    yield (
        "what was taken from PUBLIC, by this or another hand, stays so. To give back what"
        " PostgreSQL gives by default, as far as it is lacking here:"
    )
    yield from found
    yield (
        "other rights of PUBLIC, such as reading a table, leave no trace here: the output of the"
        " run that took them names each."
    )
