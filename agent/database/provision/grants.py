"""What the role was given, against what it shall have: the difference as GRANT and REVOKE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.database.provision.server import Connection, Role, Server
from agent.database.provision.target import Target
from agent.database.provision.wish import Step

READING: Final = "What the login may read."
TAKING: Final = "What the login had and shall not have any more."

_RELATION_RIGHTS: Final = """
SELECT c.oid, format('%%I.%%I', n.nspname, c.relname), c.relkind = 'S',
       x.privilege_type, x.is_grantable
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN aclexplode(c.relacl) x
WHERE x.grantee = %s ORDER BY 2, 4
"""
_COLUMN_RIGHTS: Final = """
SELECT c.oid, format('%%I.%%I', n.nspname, c.relname), quote_ident(a.attname),
       x.privilege_type, x.is_grantable
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN aclexplode(a.attacl) x
WHERE x.grantee = %s AND NOT a.attisdropped ORDER BY 2, a.attnum
"""
_OTHER_RIGHTS: Final = """
SELECT 'SCHEMA', quote_ident(n.nspname), x.privilege_type
FROM pg_namespace n CROSS JOIN aclexplode(n.nspacl) x WHERE x.grantee = %(oid)s
UNION ALL
SELECT 'DATABASE', quote_ident(d.datname), x.privilege_type
FROM pg_database d CROSS JOIN aclexplode(d.datacl) x
WHERE x.grantee = %(oid)s AND d.datname = current_database()
UNION ALL
SELECT 'ROUTINE', format('%%I.%%I(%%s)', n.nspname, p.proname,
                         pg_get_function_identity_arguments(p.oid)), x.privilege_type
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace CROSS JOIN aclexplode(p.proacl) x
WHERE x.grantee = %(oid)s
ORDER BY 1, 2, 3
"""
_DEFAULTS: Final = """
SELECT format('ALTER DEFAULT PRIVILEGES FOR ROLE %%I%%s REVOKE ALL ON %%s FROM ',
              pg_get_userbyid(d.defaclrole),
              CASE WHEN d.defaclnamespace <> 0 THEN format(' IN SCHEMA %%I', n.nspname) END,
              CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES'
                   WHEN 'f' THEN 'FUNCTIONS' WHEN 'T' THEN 'TYPES' WHEN 'n' THEN 'SCHEMAS'
                   ELSE 'LARGE OBJECTS' END)
FROM pg_default_acl d LEFT JOIN pg_namespace n ON n.oid = d.defaclnamespace
WHERE EXISTS (SELECT FROM aclexplode(d.defaclacl) x WHERE x.grantee = %s) ORDER BY 1
"""


@dataclass(frozen=True)
class Held:
    """What the role has on one relation."""

    sql: str
    is_sequence: bool
    whole: frozenset[tuple[str, bool]] = frozenset()
    """(privilege, may be passed on)."""
    columns: frozenset[tuple[str, str, bool]] = frozenset()
    """(column as SQL writes it, privilege, may be passed on)."""

    @property
    def reads_all(self) -> bool:
        """It may read every column."""
        return any(privilege == "SELECT" for privilege, _ in self.whole)

    @property
    def read_columns(self) -> frozenset[str]:
        """The columns that it may read by name, as SQL writes them."""
        return frozenset(name for name, privilege, _ in self.columns if privilege == "SELECT")


def grant_steps(
    connection: Connection, server: Server, role: Role | None, target: Target
) -> Iterator[Step]:
    """Yield what brings the role's own rights from what they are to what they shall be."""
    others = list(connection.execute(_OTHER_RIGHTS, {"oid": role.oid})) if role else []
    held = read_held(connection, role) if role else {}
    yield from _around(server, target, others)
    if role is not None:
        for (beginning,) in connection.execute(_DEFAULTS, [role.oid]):
            yield Step(TAKING, f"{beginning}{server.role_sql};")
    for oid in [oid for oid in held if oid not in target.relations]:
        yield Step(TAKING, _revoke_all(held[oid], server.role_sql))
    for oid, relation in target.relations.items():
        now = held.get(oid, Held(relation.sql, is_sequence=False))
        yield from _on_relation(now, target.columns(oid), server.role_sql)


def read_held(connection: Connection, role: Role) -> Mapping[int, Held]:
    """Return what the role was given on relations, by oid, sorted by name."""
    held: dict[int, Held] = {}
    for oid, name, is_sequence, privilege, grantable in connection.execute(
        _RELATION_RIGHTS, [role.oid]
    ):
        before = held.get(oid, Held(name, is_sequence))
        held[oid] = Held(name, is_sequence, before.whole | {(privilege, grantable)})
    for oid, name, column, privilege, grantable in connection.execute(_COLUMN_RIGHTS, [role.oid]):
        before = held.get(oid, Held(name, is_sequence=False))
        columns = before.columns | {(column, privilege, grantable)}
        held[oid] = Held(name, before.is_sequence, before.whole, columns)
    return dict(sorted(held.items(), key=lambda item: item[1].sql))


def _around(server: Server, target: Target, others: Sequence[tuple[str, ...]]) -> Iterator[Step]:
    """Yield the steps for the database, the schemas and functions."""
    wanted = {("DATABASE", server.database_sql): "CONNECT"}
    wanted |= {("SCHEMA", name): "USAGE" for name in target.schemas_sql}
    if not target.relations:
        wanted = {}
    held: dict[tuple[str, str], set[str]] = {}
    for kind, name, privilege in others:
        held.setdefault((kind, name), set()).add(privilege)
    for (kind, name), privileges in held.items():
        if too_much := sorted(privileges - {wanted.get((kind, name), "")}):
            yield Step(
                TAKING, f"REVOKE {', '.join(too_much)} ON {kind} {name} FROM {server.role_sql};"
            )
    for (kind, name), privilege in wanted.items():
        if privilege not in held.get((kind, name), set()):
            yield Step(READING, f"GRANT {privilege} ON {kind} {name} TO {server.role_sql};")


def _revoke_all(held: Held, role: str) -> str:
    kind = "SEQUENCE " if held.is_sequence else ""
    cascade = " CASCADE" if any(grantable for *_, grantable in (*held.whole, *held.columns)) else ""
    return f"REVOKE ALL ON {kind}{held.sql} FROM {role}{cascade};"


def _on_relation(held: Held, columns: list[str] | None, role: str) -> Iterator[Step]:
    whole = {("SELECT", False)} if columns is None else set()
    parts = {(column, "SELECT", False) for column in columns or ()}
    if held.whole - whole or held.columns - parts:
        yield Step(TAKING, _revoke_all(held, role))
        held = Held(held.sql, held.is_sequence)
    if whole - held.whole:
        yield Step(READING, f"GRANT SELECT ON {held.sql} TO {role};")
    missing = {column for column, _, _ in parts - held.columns}
    if missing:
        listed = ", ".join(column for column in columns or () if column in missing)
        yield Step(READING, f"GRANT SELECT ({listed}) ON {held.sql} TO {role};")
