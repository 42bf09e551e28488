"""The catalogue queries, and how their rows become `TableSchema` values. Read from `pg_catalog`,
since `information_schema` hides foreign keys from a role that can only read.

A fixed number of queries, whatever the number of tables. Partitions fold into their parent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, LiteralString

from agent.database.guard import RelationName, Relations
from agent.database.schema import ColumnInfo, ForeignKey, TableSchema

_READABLE: Final[LiteralString] = """
WITH readable AS (
    SELECT c.*, n.nspname, has_table_privilege(c.oid, 'SELECT') AS whole
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f')
      AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND has_schema_privilege(n.oid, 'USAGE')
      AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))
      -- What an extension brings along, such as pg_stat_statements, is not data.
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                      AND d.objid = c.oid AND d.deptype = 'e')
)
"""
TABLES: Final[LiteralString] = (
    _READABLE
    + """
SELECT r.oid, r.nspname, r.relname,
       CASE WHEN pg_table_is_visible(r.oid) THEN '' ELSE quote_ident(r.nspname) || '.' END
           || quote_ident(r.relname),
       r.relkind::text, coalesce(obj_description(r.oid, 'pg_class'), ''),
       CASE WHEN r.relispartition THEN pg_partition_root(r.oid)::oid END,
       CASE r.relkind
           WHEN 'v' THEN NULL
           WHEN 'p' THEN (SELECT sum(leaf.reltuples) FROM pg_partition_tree(r.oid) tree
                          JOIN pg_class leaf ON leaf.oid = tree.relid
                          WHERE tree.isleaf AND leaf.reltuples >= 0)
           ELSE nullif(r.reltuples, -1)
       END
FROM readable r ORDER BY r.nspname, r.relname
"""
)
COLUMNS: Final[LiteralString] = (
    _READABLE
    + """
SELECT r.oid, a.attname, quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
       NOT a.attnotnull, coalesce(d.description, ''),
       coalesce(nullif(t.typbasetype, 0), nullif(t.typelem, 0), t.oid)
FROM readable r
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_description d ON d.classoid = 'pg_class'::regclass
     AND d.objoid = r.oid AND d.objsubid = a.attnum
WHERE r.whole OR has_column_privilege(r.oid, a.attnum, 'SELECT')
ORDER BY r.oid, a.attnum
"""
)
KEYS: Final[LiteralString] = """
SELECT k.contype::text, k.conrelid, k.confrelid,
       ARRAY(SELECT quote_ident(a.attname) FROM unnest(k.conkey) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num ORDER BY u.place),
       ARRAY(SELECT quote_ident(a.attname) FROM unnest(k.confkey) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num ORDER BY u.place)
FROM pg_constraint k
WHERE k.contype IN ('p', 'f') AND k.conrelid <> 0
ORDER BY k.conrelid, k.oid
"""
ENUMS: Final[LiteralString] = """
SELECT enumtypid, array_agg(enumlabel::text ORDER BY enumsortorder) FROM pg_enum GROUP BY enumtypid
"""

_KINDS: Final = {
    "r": "table",
    "v": "view",
    "m": "materialized view",
    "p": "partitioned table",
    "f": "foreign table",
}


@dataclass(frozen=True)
class Tables:
    """All that may be read: the tables to show, and every relation that a query may name."""

    schemas: dict[RelationName, TableSchema]
    relations: Relations
    """With each partition, and with column names as they are stored."""


def build_tables(
    tables: Iterable[tuple[Any, ...]],
    columns: Iterable[tuple[Any, ...]],
    keys: Iterable[tuple[Any, ...]],
    enums: Iterable[tuple[Any, ...]],
) -> Tables:
    """Return the values from the rows of `TABLES`, `COLUMNS`, `KEYS` and `ENUMS`."""
    rows = {row[0]: row for row in tables}
    infos, raw_names = _columns(columns, dict(enums))
    # A partition's rows count for its root, where the root may be read as well.
    roots = {oid: row[6] if row[6] in rows else oid for oid, row in rows.items()}
    names = {oid: row[3] for oid, row in rows.items()}
    primary, foreign = _keys(keys, roots, names, infos)
    incoming: dict[str, list[ForeignKey]] = defaultdict(list)
    outgoing: dict[str, list[ForeignKey]] = defaultdict(list)
    for key in foreign:
        outgoing[key.table].append(key)
        incoming[key.target].append(key)
    schemas = {}
    for oid, (_, schema, relname, name, kind, comment, _, estimate) in rows.items():
        if roots[oid] == oid:
            schemas[schema, relname] = TableSchema(
                name, _KINDS[kind], comment, None if estimate is None else int(estimate),
                tuple(infos[oid]), primary.get(oid, ()),
                tuple(outgoing[name]), tuple(incoming[name]),
            )  # fmt: skip
    relations = {(row[1], row[2]): frozenset(raw_names[oid]) for oid, row in rows.items()}
    return Tables(schemas, relations)


def _columns(
    rows: Iterable[tuple[Any, ...]], enums: dict[int, list[str]]
) -> tuple[dict[int, list[ColumnInfo]], dict[int, list[str]]]:
    infos: dict[int, list[ColumnInfo]] = defaultdict(list)
    raw_names: dict[int, list[str]] = defaultdict(list)
    for oid, raw_name, name, type_name, nullable, comment, element in rows:
        labels = tuple(enums.get(element, ()))
        infos[oid].append(ColumnInfo(name, type_name, nullable, comment, labels))
        raw_names[oid].append(raw_name)
    return infos, raw_names


def _keys(
    rows: Iterable[tuple[Any, ...]],
    roots: dict[int, int],
    names: dict[int, str],
    infos: dict[int, list[ColumnInfo]],
) -> tuple[dict[int, tuple[str, ...]], list[ForeignKey]]:
    visible = {oid: {info.name for info in columns} for oid, columns in infos.items()}
    primary: dict[int, tuple[str, ...]] = {}
    foreign: dict[ForeignKey, None] = {}  # a set that keeps its order
    for kind, table, target, columns, target_columns in rows:
        root = roots.get(table)
        if root is None or not visible[root].issuperset(columns):
            continue
        if kind == "p":
            if root == table:
                primary[root] = tuple(columns)
            continue
        target_root = roots.get(target)
        if target_root is not None and visible[target_root].issuperset(target_columns):
            key = ForeignKey(
                names[root], tuple(columns), names[target_root], tuple(target_columns)
            )  # fmt: skip
            foreign[key] = None
    return primary, list(foreign)
