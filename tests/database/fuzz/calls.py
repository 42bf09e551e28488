"""Every function, type and operator that the server knows, with arguments that fit."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import psycopg

from .arena import Arena

# An argument is written so that the guard would let it pass by itself.
_VALUES = {
    "bool": "true|false", "int2": "1::int2|3::int2", "int4": "1|0|-1|7", "int8": "1::bigint",
    "float4": "1.5::float4", "float8": "0.5::float8|2::float8", "numeric": "1.5|2.0",
    "money": "'1'::money", "text": "'a'::text|'film'|'1'|'english'|'UTC'|'trap_seq'",
    "varchar": "'a'::varchar", "bpchar": "'a'::bpchar", "char": "'a'::\"char\"|'a'",
    "name": "'film'::name", "bytea": "'a'::bytea", "uuid": "gen_random_uuid()",
    "date": "current_date|date '2025-01-01'", "time": "time '10:00'", "timetz": "timetz '10:00+00'",
    "timestamp": "timestamp '2025-01-01'", "timestamptz": "now()", "interval": "interval '1 day'",
    "json": "'{\"a\": 1}'::json|'[1]'::json", "jsonb": "'{\"a\": 1}'::jsonb|'[1]'::jsonb",
    "jsonpath": "'$.a'::jsonpath|'$[*]'::jsonpath", "inet": "'10.0.0.1'::inet",
    "cidr": "'10.0.0.0/8'::cidr", "macaddr": "'08:00:2b:01:02:03'::macaddr",
    "macaddr8": "'08:00:2b:01:02:03:04:05'::macaddr8", "bit": "B'101'", "varbit": "B'1'::varbit",
    "point": "point '(1,2)'", "line": "line '{1,2,3}'", "lseg": "lseg '[(0,0),(1,1)]'",
    "box": "box '((0,0),(1,1))'", "path": "path '((0,0),(1,1))'",
    "polygon": "polygon '((0,0),(1,1),(1,0))'", "circle": "circle '<(0,0),1>'",
    "tsvector": "'a b'::tsvector", "tsquery": "'a & b'::tsquery", "record": "ROW(1, 'a')",
    "int4range": "'[1,5)'::int4range", "int8range": "'[1,5)'::int8range",
    "numrange": "'[1,5)'::numrange", "tsrange": "'[2025-01-01,2025-02-01)'::tsrange",
    "tstzrange": "'[2025-01-01,2025-02-01)'::tstzrange",
    "daterange": "'[2025-01-01,2025-02-01)'::daterange",
    "int4multirange": "'{[1,5)}'::int4multirange", "anyarray": "ARRAY[1, 2]",
    "anycompatiblearray": "ARRAY[1, 2]", "anyelement": "1|'a'::text", "anycompatible": "1",
    "anynonarray": "1", "anycompatiblenonarray": "1", "anyenum": "'PG'::mpaa_rating",
    "anyrange": "'[1,5)'::int4range", "anycompatiblerange": "'[1,5)'::int4range",
    "anymultirange": "'{[1,5)}'::int4multirange", "any": "1|'a'::text|now()",
    "regclass": "'trap_seq'|'film'", "regproc": "'now'", "regprocedure": "'now()'",
    "regtype": "'int4'", "regconfig": "'english'", "regdictionary": "'simple'",
    "regnamespace": "'public'", "regrole": "'writer'", "oid": "1|16384|'1'", "xid": "'1'",
    "xid8": "'1'", "tid": "'(0,1)'", "pg_lsn": "'0/1'", "refcursor": "'agent_query'",
    "cstring": "'a'", "_text": "ARRAY['a', 'b']", "_int4": "ARRAY[1, 2]", "_name": "'{film}'",
    "_any": "1, 2", "film": "film|NULL::film", "category": "category|NULL::category",
    "mpaa_rating": "'PG'::mpaa_rating", "mood": "'up'::mood", "citext": "'a'::citext",
}  # fmt: skip
_VALUE_LISTS = {name: text.split("|") for name, text in _VALUES.items()}
_VALUE_LISTS["jsonb_or_bit"] = ["B'1' | B'0'"]

_FUNCTIONS = """
SELECT n.nspname, p.proname, p.prokind::text, p.proretset, p.provariadic <> 0, p.pronargdefaults,
       ARRAY(SELECT t.typname::text
             FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS a(oid, place)
             JOIN pg_type t ON t.oid = a.oid ORDER BY place)
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname IN ('pg_catalog', 'public', 'extra')
ORDER BY p.oid
"""
_TYPES = """
SELECT CASE n.nspname WHEN 'pg_catalog' THEN '' ELSE n.nspname || '.' END || quote_ident(t.typname)
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE n.nspname IN ('pg_catalog', 'public', 'extra') AND t.typname !~ '^_?pg_toast' ORDER BY t.oid
"""
_OPERATORS = """
SELECT n.nspname, o.oprname, coalesce(l.typname, ''), coalesce(r.typname, '')
FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace
LEFT JOIN pg_type l ON l.oid = o.oprleft LEFT JOIN pg_type r ON r.oid = o.oprright
ORDER BY o.oid
"""


@dataclass(frozen=True)
class Function:
    """One function of the catalogue; `arguments` are names of types."""

    schema: str
    name: str
    kind: str
    is_set: bool
    is_variadic: bool
    defaults: int
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """What there is to call, to cast to and to operate with."""

    functions: tuple[Function, ...]
    types: tuple[str, ...]
    operators: tuple[tuple[str, str, str, str], ...]
    """Schema, symbol, type on the left ("" for none), type on the right."""


def read_catalogue(arena: Arena) -> Catalogue:
    """Read it from the armed copy."""
    with psycopg.connect(arena.admin_url, application_name="fuzz catalogue") as connection:
        rows = connection.execute(_FUNCTIONS.encode()).fetchall()
        functions = tuple(Function(*row[:6], tuple(row[6])) for row in rows)
        types = tuple(name for (name,) in connection.execute(_TYPES.encode()).fetchall())
        operators: Any = tuple(connection.execute(_OPERATORS.encode()).fetchall())
    return Catalogue(functions, types, operators)


def value(kind: str, random: Random) -> str:
    """Return an expression of a type, by its name in the catalogue."""
    known = _VALUE_LISTS.get(kind)
    if known:
        return random.choice(known)
    return "'{}'" if kind.startswith("_") else "NULL"


def call(function: Function, random: Random) -> str:
    """Return a call with arguments that fit, in a plain spelling."""
    count = len(function.arguments)
    if function.defaults and random.random() < 0.5:
        count -= random.randint(0, function.defaults)
    given = [value(kind, random) for kind in function.arguments[:count]]
    if function.is_variadic and given and random.random() < 0.3:
        given[-1] = f"VARIADIC {given[-1]}"
    quoted = function.name if function.name.isidentifier() else f'"{function.name}"'
    if function.name != function.name.lower():
        quoted = f'"{function.name}"'
    if function.schema == "extra" and random.random() < 0.5:
        quoted = f"extra.{quoted}"
    if function.kind == "w":
        return f"{quoted}({', '.join(given)}) OVER (ORDER BY 1)"
    return f"{quoted}({', '.join(given)})"


def operation(operator: tuple[str, str, str, str], random: Random) -> str:
    """Return an operator between operands that fit."""
    schema, symbol, left, right = operator
    written = symbol
    if schema != "pg_catalog" or random.random() < 0.1:
        written = random.choice([symbol, f"OPERATOR({schema}.{symbol})"])
    before = f"{value(left, random)} " if left else ""
    return f"({before}{written} {value(right, random)})"
