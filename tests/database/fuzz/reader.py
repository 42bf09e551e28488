"""Asks the server itself what a text calls: its own analysis of it, with every name resolved.

A text becomes the body of a function that is never called; `prosqlbody` then holds the tree of the
query, with the identity of each function behind a call, a column, an operator or a cast.
"""

from __future__ import annotations

import re
from typing import Any

import psycopg

from agent.database.guard import GuardPolicy, names

from .arena import Arena

_CALLS = re.compile(r":(?:funcid|aggfnoid|winfnoid|opfuncid|inputcollidfunc|tsmhandler) (\d+)")
_KINDS = re.compile(r":(?:resulttype|consttype) (\d+)")
_RELATIONS = re.compile(r":relid (\d+)")
_COMMANDS = re.compile(r":commandType (\d+)")
_SELECT = "1"

# Without an effect, although volatile.
_CALM_VOLATILE = (
    "random", "random_normal", "clock_timestamp", "timeofday", "gen_random_uuid", "uuidv4",
    "uuidv7", "array_sample", "array_shuffle", "bernoulli", "system",
)  # fmt: skip
_TELLTALE = re.compile(
    r"^(pg_(?!typeof|size_|column_size|collation_for)|lo_|lowrite|loread|dblink|set_config"
    r"|current_setting|nextval|setval|currval|lastval|txid_|query_to|table_to|schema_to"
    r"|database_to|cursor_to|ts_stat|has_|inet_server|inet_client|version$|crosstab|connectby)"
)

_FUNCTIONS = """
SELECT p.oid, p.proname, p.provolatile = 'v', n.nspname = 'pg_catalog' OR e.objid IS NOT NULL,
       EXISTS (SELECT FROM pg_operator o JOIN pg_proc f ON f.oid = o.oprcode WHERE o.oprcode = p.oid
               AND (o.oprnamespace = 'pg_catalog'::regnamespace OR e.objid IS NOT NULL))
       OR EXISTS (SELECT FROM pg_cast c WHERE c.castfunc = p.oid
                  AND c.casttarget::regtype::text !~ '^(reg(?!config|dictionary)|xml)'
                  AND (n.nspname = 'pg_catalog' OR e.objid IS NOT NULL))
       OR EXISTS (SELECT FROM pg_amproc a WHERE a.amproc = p.oid AND n.nspname = 'pg_catalog')
       OR EXISTS (SELECT FROM pg_type t WHERE t.typinput = p.oid AND t.typname = ANY (%s)
                  AND n.nspname = 'pg_catalog')
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
LEFT JOIN pg_depend e ON e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e'
"""
_BAD_TYPES = """
SELECT t.oid, t.typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.typname ~ '^_?(reg(?!config|dictionary)|pg_|aclitem|xml)' OR t.typname ~ 'trap(?!_log)'
   OR n.nspname = 'extra' AND t.typtype IN ('d', 'b')
"""
_RELATION_NAMES = """
SELECT c.oid, n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
"""


class Reader:
    """Judges what the server's own analysis shows."""

    def __init__(self, arena: Arena, policy: GuardPolicy) -> None:
        self._connection: psycopg.Connection[Any] = psycopg.connect(
            arena.reading_url, application_name="fuzz reader"
        )
        self._connection.execute(f"SET search_path = {arena.search_path}".encode())
        self._connection.execute("SET statement_timeout = 1000")
        rows = self._connection.execute(_FUNCTIONS.encode(), [list(names.TYPES)]).fetchall()
        self._bad_calls = {
            str(oid): name
            for oid, name, volatile, trusted, is_part in rows
            if not _is_fine(name, volatile, trusted, is_part, policy)
        }
        self._bad_types = _by_oid(self._connection.execute(_BAD_TYPES.encode()).fetchall())
        relations = self._connection.execute(_RELATION_NAMES.encode()).fetchall()
        self._bad_relations = {
            str(oid): f"{schema}.{name}"
            for oid, schema, name in relations
            if (schema, name) not in policy.relations
        }
        self._connection.commit()
        self.could_read = 0
        self._number = 0

    def judge(self, text: str) -> list[str]:
        """Return what the text does that it should not, as the server understands it."""
        tree = self._tree(text)
        if tree is None:
            return []
        self.could_read += 1
        found = []
        for what, pattern, bad in (
            ("calls", _CALLS, self._bad_calls),
            ("casts to", _KINDS, self._bad_types),
            ("reads", _RELATIONS, self._bad_relations),
        ):
            found += [f"{what}: {bad[oid]}" for oid in set(pattern.findall(tree)) if oid in bad]
        if set(_COMMANDS.findall(tree)) - {_SELECT} or ":hasForUpdate true" in tree:
            found.append("calls: something other than a query")
        return found

    def _tree(self, text: str) -> str | None:
        self._number += 1
        name = f"read_{self._number}"
        try:
            self._connection.execute(
                f"CREATE FUNCTION {name}() RETURNS void BEGIN ATOMIC\n{text}\n; END".encode()
            )
            row = self._connection.execute(
                "SELECT prosqlbody::text FROM pg_proc WHERE proname = %s", [name]
            ).fetchone()
        except psycopg.Error:  # the judges that run it will see why
            return None
        finally:
            self._connection.rollback()
        return row[0] if row else None

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


def _is_fine(name: str, volatile: bool, trusted: bool, is_part: bool, policy: GuardPolicy) -> bool:
    if name in _CALM_VOLATILE:
        return trusted
    if volatile or _TELLTALE.search(name):
        return False
    allowed = trusted and (name in policy.functions or name in policy.shadowed_functions)
    return allowed or is_part


def _by_oid(rows: list[tuple[Any, ...]]) -> dict[str, str]:
    return {str(oid): name for oid, name in rows}
