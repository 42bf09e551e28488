"""What there is to read: tables and views with their columns, and which view shows what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agent.database.provision.server import Connection

KINDS: Final = {
    "r": "table",
    "p": "partitioned table",
    "v": "view",
    "m": "materialized view",
    "f": "foreign table",
}

_RELATIONS: Final = """
SELECT c.oid, n.nspname, c.relname, c.relkind::text, format('%I.%I', n.nspname, c.relname),
       quote_ident(n.nspname), pg_get_userbyid(c.relowner), c.relispartition, c.relrowsecurity,
       coalesce((SELECT option_value::boolean FROM pg_options_to_table(c.reloptions)
                 WHERE option_name = 'security_invoker'), false),
       EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
               AND d.objid = c.oid AND d.deptype = 'e'),
       has_table_privilege(c.oid, 'SELECT WITH GRANT OPTION'),
       ARRAY(SELECT inhparent FROM pg_inherits i WHERE i.inhrelid = c.oid),
       ARRAY(SELECT attname::text FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY attnum),
       ARRAY(SELECT quote_ident(attname) FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY attnum)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_'
  AND n.nspname <> 'information_schema'
ORDER BY n.nspname, c.relname
"""
# A row taken whole (varattno 0) leaves no mark for its columns. To PostgreSQL, PUBLIC is role 0.
_USES: Final = """
WITH r AS MATERIALIZED (
    SELECT oid, ev_class, ev_action::text ~ '\\{VAR :varno \\d+ :varattno 0 ' AS whole_rows
    FROM pg_rewrite
    WHERE ev_class NOT IN (SELECT oid FROM pg_class WHERE relnamespace IN
                           ('pg_catalog'::regnamespace, 'information_schema'::regnamespace))
)
SELECT r.ev_class, d.refobjid, a.attname::text, r.whole_rows, tn.nspname || '.' || t.relname,
       has_any_column_privilege(0::oid, d.refobjid, 'SELECT'),
       CASE WHEN a.attname IS NULL THEN has_any_column_privilege(v.relowner, d.refobjid, 'SELECT')
            ELSE has_column_privilege(v.relowner, d.refobjid, a.attnum, 'SELECT') END
FROM r JOIN pg_class v ON v.oid = r.ev_class
JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
     AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class
JOIN pg_class t ON t.oid = d.refobjid AND t.relkind IN ('r', 'p', 'v', 'm', 'f')
JOIN pg_namespace tn ON tn.oid = t.relnamespace
LEFT JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid AND a.attnum > 0
"""


@dataclass(frozen=True)
class Relation:
    """A table, or something that is read like one."""

    oid: int
    schema: str
    name: str
    kind: str
    """One of `KINDS`."""
    sql: str
    """schema.name as SQL writes it."""
    schema_sql: str
    owner: str
    is_partition: bool
    has_row_security: bool
    reads_as_caller: bool
    """A view that is security_invoker."""
    of_extension: bool
    may_grant: bool
    """The login that asks may let others read it."""
    parents: tuple[int, ...]
    """What it is a partition of, or inherits from."""
    columns: dict[str, str]
    """The columns in order; each as SQL writes it."""

    @property
    def shown(self) -> str:
        """Its name as a person writes it."""
        return f"{self.schema}.{self.name}"


@dataclass(frozen=True)
class Use:
    """A view (or a materialized one) uses a relation."""

    view: int
    relation: int
    column: str | None
    """None: it uses the relation as such."""
    whole_rows: bool
    """Somewhere it takes whole rows, with all columns."""
    shown: str
    """The relation as a person writes it."""
    everybody_reads: bool
    """PUBLIC may read some of the relation."""
    owner_reads: bool
    """The view's owner may read that."""


def read_relations(connection: Connection) -> dict[int, Relation]:
    """Return all relations outside the system's schemas, by oid, sorted by name."""
    found = {}
    for row in connection.execute(_RELATIONS):
        *fields, parents, names, written = row
        columns = dict(zip(names, written, strict=True))
        values = [*fields, tuple(parents), columns]
        relation = Relation(*values)
        found[relation.oid] = relation
    return found


def read_uses(connection: Connection) -> list[Use]:
    """Return which view uses what."""
    return [Use(*row) for row in connection.execute(_USES)]
