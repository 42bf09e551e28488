"""What the guard may let through on this very server, read from its catalogue by rule.

Functions: EXECUTE for PUBLIC, a built-in language, no SECURITY DEFINER, no internal plumbing, and
every overload of the name non-volatile; then the hand list of `agent.database.guard.names`. A name
that somebody's own function also bears is left out, since the server might pick that one. Of
extensions, those that only compare and clean texts count as built in.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from agent.database.guard import names
from agent.database.guard.policy import GuardPolicy, RelationName, Relations

FUNCTIONS: str = """
WITH seen AS (
    -- What initdb made has an oid below 16384; what else lies in pg_catalog, somebody put there.
    SELECT p.oid, p.proname, p.pronamespace = 'pg_catalog'::regnamespace AND p.oid < 16384
               OR coalesce(e.extname = ANY (plumbing.text_extensions), false) AS builtin,
           p.provolatile <> 'v' AND NOT p.prosecdef
               AND l.lanname IN ('internal', 'c', 'sql') AS calm,
           has_function_privilege('public', p.oid, 'EXECUTE') AS public_may,
           e.extname IS NOT NULL AS of_extension,
           p.pronamespace = 'pg_catalog'::regnamespace AS in_catalog,
           -- Callable as (x).name: one argument, and one that SQL has a value for, as it has for
           -- cstring: ('film').regclassin is a call.
           p.pronargs - p.pronargdefaults <= 1 AND p.pronargs >= 1
               AND p.proargtypes[0] <> 'internal'::regtype AS one_argument,
           p.prorettype = ANY (plumbing.types || plumbing.results)
               OR p.proargtypes::oid[] && plumbing.types AS is_plumbing
    FROM pg_proc p
    JOIN pg_language l ON l.oid = p.prolang
    LEFT JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        AND d.deptype = 'e'
    LEFT JOIN pg_extension e ON e.oid = d.refobjid,
    LATERAL (SELECT ARRAY['citext', 'fuzzystrmatch', 'pg_trgm', 'unaccent'] AS text_extensions,
                    ARRAY['internal', 'cstring']::regtype[]::oid[] AS types,
                    ARRAY(SELECT t.oid FROM pg_type t
                          WHERE t.typname ~ '(_handler|trigger)$' AND t.typtype = 'p') AS results
    ) AS plumbing
    WHERE pg_function_is_visible(p.oid) OR p.pronamespace = 'pg_catalog'::regnamespace
       OR p.pronamespace IN (SELECT oid FROM pg_namespace
                            WHERE nspname = ANY (current_schemas(false)))
), parts AS (
    SELECT oprcode::oid AS oid FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace
    UNION SELECT amproc::oid FROM pg_amproc
    UNION SELECT unnest(ARRAY[typinput, typoutput, typreceive, typsend, typmodin, typmodout,
                              typanalyze, typsubscript]::oid[]) FROM pg_type
    UNION SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggmtransfn, aggminvtransfn,
                              aggmfinalfn]::oid[]) FROM pg_aggregate
)
SELECT proname,
       bool_or(builtin)
           AND bool_and(calm AND public_may AND NOT is_plumbing
                        AND oid NOT IN (SELECT oid FROM parts)) FILTER (WHERE builtin) AS by_rule,
       bool_or(builtin) AND coalesce(bool_and(calm AND of_extension)
                                     FILTER (WHERE in_catalog AND NOT builtin), true) AS builtin,
       coalesce(bool_and(calm AND of_extension) FILTER (WHERE NOT builtin), true) AS unshadowed,
       bool_or(one_argument) AS one_argument
FROM seen GROUP BY proname
"""

OPERATORS: str = """
SELECT o.oprname
FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode
WHERE o.oprnamespace = 'pg_catalog'::regnamespace OR pg_operator_is_visible(o.oid)
GROUP BY o.oprname
HAVING bool_or(o.oid < 16384) AND bool_and(o.oid < 16384
                OR p.provolatile <> 'v' AND NOT p.prosecdef AND EXISTS (
                    SELECT FROM pg_depend d WHERE d.classid = 'pg_operator'::regclass
                    AND d.objid = o.oid AND d.deptype = 'e'))
"""

_MADE_OF: Final = """
WITH RECURSIVE made_of(part, whole) AS MATERIALIZED (
    SELECT typbasetype, oid FROM pg_type WHERE typtype = 'd'
    UNION ALL SELECT typelem, oid FROM pg_type WHERE typelem <> 0 AND typlen = -1
    UNION ALL SELECT a.atttypid, t.oid FROM pg_type t JOIN pg_attribute a ON a.attrelid = t.typrelid
              WHERE t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL SELECT rngsubtype, rngtypid FROM pg_range
    UNION ALL SELECT rngtypid, rngmultitypid FROM pg_range
)
"""

TYPES: Final = (
    _MADE_OF
    + """, calling(oid) AS (
    -- A domain whose check calls somebody's function, by name or as an operator, runs it on each
    -- cast; so does what is made of such a domain. The reg... types look names up in the catalogue.
    SELECT c.contypid FROM pg_constraint c
    JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND d.objid = c.oid
    LEFT JOIN pg_operator o ON d.refclassid = 'pg_operator'::regclass AND o.oid = d.refobjid
    JOIN pg_proc p ON p.oid = CASE d.refclassid WHEN 'pg_proc'::regclass THEN d.refobjid
                                                ELSE o.oprcode END
    WHERE c.contypid <> 0
      AND (p.provolatile = 'v' OR p.prosecdef OR NOT EXISTS (
          SELECT FROM pg_depend x WHERE x.classid = 'pg_proc'::regclass
          AND x.objid = p.oid AND x.deptype = 'e'))
    UNION
    SELECT oid FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typname ~ '^reg'
    UNION
    SELECT made_of.whole FROM calling JOIN made_of ON made_of.part = calling.oid
), unlisted(oid) AS (
    SELECT oid FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace
        AND typtype IN ('b', 'p') AND typcategory <> 'A' AND typname <> ALL ('{__LISTED__}')
    UNION
    SELECT made_of.whole FROM unlisted JOIN made_of ON made_of.part = unlisted.oid
)
SELECT n.nspname, t.typname,
       CASE t.typtype
           WHEN 'e' THEN n.nspname <> 'pg_catalog'
           WHEN 'd' THEN NOT calls AND t.oid NOT IN (SELECT oid FROM unlisted)
           WHEN 'b' THEN EXISTS (
               SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass
               AND d.objid = t.oid AND d.deptype = 'e')
           ELSE false END AS user_type_allowed,
       n.nspname <> 'pg_catalog' AND pg_type_is_visible(t.oid) AS is_found_first,
       calls
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace,
     LATERAL (SELECT t.oid IN (SELECT oid FROM calling) AS calls) AS checked
WHERE (t.typcategory <> 'A' OR t.typtype = 'd')
  AND n.nspname NOT IN ('information_schema', 'pg_toast')
  AND (t.typtype <> 'c' OR n.nspname <> 'pg_catalog')
""".replace("__LISTED__", ",".join(sorted(names.TYPES)))
)

CASTS: Final = (
    _MADE_OF
    + """, made(source, whole, target) AS (
    SELECT c.castsource, c.castsource, c.casttarget
    FROM pg_cast c JOIN pg_proc p ON p.oid = c.castfunc
    WHERE p.pronamespace <> 'pg_catalog'::regnamespace
      AND (p.provolatile = 'v' OR p.prosecdef OR NOT EXISTS (
          SELECT FROM pg_depend d WHERE d.classid = 'pg_cast'::regclass
          AND d.objid = c.oid AND d.deptype = 'e'))
    UNION
    SELECT made.source, made_of.whole, made.target
    FROM made JOIN made_of ON made_of.part = made.whole
)
SELECT sn.nspname, s.typname, tn.nspname, t.typname
FROM made JOIN pg_type s ON s.oid = made.whole JOIN pg_namespace sn ON sn.oid = s.typnamespace
JOIN pg_type t ON t.oid = made.target JOIN pg_namespace tn ON tn.oid = t.typnamespace
"""
)

_GRAMMAR_SINCE: Final = dict.fromkeys(
    ("json_object", "json_array", "json_objectagg", "json_arrayagg"), 160_000
) | dict.fromkeys(
    ("json", "json_scalar", "json_serialize", "json_value", "json_query", "json_exists",
     "json_table"), 170_000
)  # fmt: skip
"""What is grammar from that version on, so that no function of that name is called any more."""
_ROW_BUILDERS: Final = frozenset(
    f"{kind}_populate_record{more}" for kind in ("json", "jsonb") for more in ("", "set")
)


def build_policy(
    functions: Iterable[tuple[str, bool, bool, bool, bool]],
    operators: Iterable[tuple[str]],
    types: Iterable[tuple[str, str, bool, bool, bool]],
    casts: Iterable[tuple[str, str, str, str]],
    relations: Relations,
    search_path: tuple[str, ...],
    server_version: int,
) -> GuardPolicy:
    """Return the policy from the rows of `FUNCTIONS`, `OPERATORS`, `TYPES` and `CASTS`."""
    functions = list(functions)
    allowed, shadowed, attributes = _judge_functions(functions)
    user_types: set[RelationName] = set()
    refused_types: set[RelationName] = set()
    hidden: set[str] = set()
    catalog_types: set[str] = set()
    for schema, name, user_type_allowed, is_found_first, calls in types:
        if is_found_first:
            hidden.add(name)
        if user_type_allowed:
            user_types.add((schema, name))
            continue
        is_harmless_row = (schema, name) in relations and not calls
        if schema != "pg_catalog" and not is_harmless_row:
            refused_types.add((schema, name))
        # (x).name finds a type along the search path only.
        may_be_meant = schema == "pg_catalog" or is_found_first
        if may_be_meant and name not in names.TYPES and not is_harmless_row:
            attributes.add(name)
            catalog_types |= {name} if schema == "pg_catalog" else set()
    calling_casts = _by_source(casts)
    for source, targets in calling_casts.items():
        if source[0] == "pg_catalog":  # any expression may have that type
            hidden.update(name for schema, name in targets if schema == "pg_catalog")
            user_types -= targets
            refused_types |= targets
    allowed -= hidden  # date(x) casts as x::date does
    # A row of the table itself is enough for them to make another.
    allowed -= _ROW_BUILDERS if refused_types & relations.keys() else frozenset()
    return GuardPolicy(
        relations=relations,
        search_path=search_path,
        functions=frozenset(allowed),
        shadowed_functions=frozenset(shadowed),
        functions_are_known=True,
        lacking_functions=names.FUNCTIONS - {name for name, *_ in functions},
        server_major=server_version // 10_000,
        own_functions=frozenset(
            name
            for name, _, builtin, unshadowed, _ in functions
            if not (builtin and unshadowed) and server_version < _GRAMMAR_SINCE.get(name, math.inf)
        ),
        operators=frozenset(name for (name,) in operators),
        types=names.TYPES - hidden,
        user_types=frozenset(user_types),
        refused_types=frozenset(refused_types),
        calling_casts=calling_casts,
        catalog_types=frozenset(catalog_types),
        unsafe_attributes=frozenset(attributes),
    )


def _judge_functions(
    functions: Iterable[tuple[str, bool, bool, bool, bool]],
) -> tuple[set[str], set[str], set[str]]:
    """Return the names that may be called, those only as pg_catalog.name, and those no (x).name."""
    allowed: set[str] = set()
    shadowed: set[str] = set()
    attributes: set[str] = set()
    for name, by_rule, builtin, unshadowed, one_argument in functions:
        harmless = builtin and names.function_is_allowed(name, by_rule=bool(by_rule))
        if harmless:
            (allowed if unshadowed else shadowed).add(name)
        if one_argument and name not in allowed:
            attributes.add(name)
    return allowed, shadowed, attributes


def _by_source(
    casts: Iterable[tuple[str, str, str, str]],
) -> dict[RelationName, frozenset[RelationName]]:
    found: dict[RelationName, frozenset[RelationName]] = defaultdict(frozenset)
    for source_schema, source, target_schema, target in casts:
        found[source_schema, source] |= {(target_schema, target)}
    return dict(found)
