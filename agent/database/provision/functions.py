"""Which functions a reader needs not, by rule from the server's own catalogue.

Of pg_catalog: what everybody may call, is volatile or of a telling name, and is neither allowed by
the guard, nor part of an operator, a cast, a type, an index or an aggregate, nor in a system view,
nor something that psql, pg_dump or a driver calls.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent.database.guard import names
from agent.database.provision.server import Connection

_CATALOGUE: Final = """
WITH parts AS (
    SELECT unnest(ARRAY[oprcode, oprrest, oprjoin]::oid[]) AS oid FROM pg_operator
    UNION SELECT amproc::oid FROM pg_amproc
    UNION SELECT castfunc FROM pg_cast
    UNION SELECT prosupport::oid FROM pg_proc
    UNION SELECT amhandler::oid FROM pg_am
    UNION SELECT conproc::oid FROM pg_conversion
    UNION SELECT unnest(ARRAY[typinput, typoutput, typreceive, typsend, typmodin, typmodout,
                              typanalyze, typsubscript]::oid[]) FROM pg_type
    UNION SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn,
                              aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[]) FROM pg_aggregate
    UNION SELECT unnest(ARRAY[lanplcallfoid, laninline, lanvalidator]) FROM pg_language
), in_system_views AS (
    -- The views read with the caller's right to call.
    SELECT found[1]::oid AS oid
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class,
         regexp_matches(r.ev_action::text, ':(?:funcid|opfuncid|aggfnoid) (\\d+)', 'g') AS found
    WHERE c.relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
)
SELECT p.proname, p.provolatile = 'v',
       format('pg_catalog.%I(%s)', p.proname, pg_get_function_identity_arguments(p.oid))
FROM pg_proc p
WHERE p.pronamespace = 'pg_catalog'::regnamespace
  AND has_function_privilege(0::oid, p.oid, 'EXECUTE')
  AND NOT p.proargtypes::oid[] && ARRAY['internal', 'cstring']::regtype[]::oid[]
  AND p.prorettype NOT IN ('internal'::regtype, 'cstring'::regtype, 'trigger'::regtype)
  AND p.oid NOT IN (SELECT oid FROM parts) AND p.oid NOT IN (SELECT oid FROM in_system_views)
ORDER BY 3
"""
_MADE_HERE: Final = """
SELECT format('%%I.%%I(%%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname = ANY (%s::name[]) AND p.provolatile = 'v' AND p.prokind IN ('f', 'p')
  AND has_function_privilege(0::oid, p.oid, 'EXECUTE')
  AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
  AND NOT p.prosecdef  -- taken as more than reading
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass
                  AND d.objid = p.oid AND d.deptype = 'e')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.refclassid = 'pg_proc'::regclass
                  AND d.refobjid = p.oid)
ORDER BY 1
"""

_KEPT: Final = re.compile(
    # Guarded by the rights on the sequence; a default of a column calls it for whoever inserts.
    r"^(nextval|setval|currval|lastval"
    # psql's \d and its like, pg_dump, drivers, health checks.
    r"|pg_(relation|table|total_relation|indexes|database|tablespace)_size"
    r"|pg_partition_(tree|ancestors)|pg_(database_)?collation_actual_version"
    r"|pg_get_sequence_data|pg_export_snapshot|lo_open|loread|lo_close|lo_get"
    r"|pg_is_\w+|pg_(current|last)_(wal|xact)_\w+)$"
)
_TELLING: Final = re.compile(
    r"_to_xml(schema|_and_xmlschema)?$"  # runs SQL from a text, or reads a whole schema
    r"|^(txid_current|pg_current_xact_id|pg_listening_channels)$"
    r"|^(pg_stat_get_backend_|pg_relation_file|pg_filenode_|inet_server_)"
)
"""Refused although it is not volatile."""


def revoked_functions(
    connection: Connection, schemas: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Return the functions to take from PUBLIC, of the server and of the schemas, sorted."""
    catalogue = [
        written
        for name, is_volatile, written in connection.execute(_CATALOGUE)
        if _goes(name, is_volatile=is_volatile)
    ]
    made_here = [name for (name,) in connection.execute(_MADE_HERE, [list(schemas)])]
    return catalogue, made_here


def _goes(name: str, *, is_volatile: bool) -> bool:
    if _TELLING.search(name):
        return True
    kept = name in names.FUNCTIONS or _KEPT.search(name)
    return is_volatile and not kept
