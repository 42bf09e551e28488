"""Which names of pg_catalog are harmless: the hand list, and a snapshot for want of a server.

The snapshot (`snapshot.py`) is what the rule of `agent.database.server_policy` gives on the
versions we tried; a test compares it with a live server.
"""

from __future__ import annotations

import re
from typing import Final

from agent.database.guard import snapshot


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HARMLESS: Final = _words(
    # Volatile, but without any effect.
    "random random_normal clock_timestamp timeofday gen_random_uuid uuidv4 uuidv7"
    " array_sample array_shuffle"
    # Behind an operator or an aggregate, but called by name as well.
    " starts_with array_append array_prepend array_cat arraycontains arraycontained arrayoverlap"
    " jsonb_exists jsonb_exists_any jsonb_exists_all jsonb_contains jsonb_contained"
    " jsonb_concat jsonb_delete jsonb_delete_path json_extract_path json_extract_path_text"
    " jsonb_extract_path jsonb_extract_path_text json_object_field_text jsonb_object_field_text"
    " hashtext textcat power sqrt abs mod int4range int8range numrange daterange tsrange"
    " tstzrange range_merge isempty lower_inc upper_inc lower_inf upper_inf timezone like_escape"
    " json_array_element json_array_element_text jsonb_array_element jsonb_array_element_text"
    " json_object_field jsonb_object_field hashint4 hashint8 hashtextextended bound_box"
    " similar_to_escape tsquery_phrase ts_rank ts_rank_cd inet_merge inet_same_family"
    # Named pg_…, and harmless all the same.
    " pg_typeof pg_size_pretty pg_size_bytes pg_column_size pg_collation_for"
)
"""Allowed although the rule leaves them out."""

_REFUSED_SHAPE: Final = re.compile(
    r"^(pg_|has_|txid_|to_reg|inet_(client|server)_|mxid_|fmgr_|current_|session_|system_|lo_"
    r"|binary_|xml|xpath|icu_|acl|dlog|dexp|dround|dtrunc|dblink|query_to_|cursor_to_"
    r"|reg(class|collation|config|dictionary|namespace|oper|operator|proc|procedure|role|type)$)"
    r"|_to_xml|(_accum|_combine|_transfn|_send|_recv|_validator|_subdiff|_canonical|larger|smaller)$"
)
_REFUSED: Final = _words(
    "array_fill col_description format_type get_current_ts_config getdatabaseencoding getpgusername"
    " int2_sum int4_sum int8_sum int8_avg makeaclitem nameconcatoid obj_description oid"
    " oidvectortypes row_security_active satisfies_hash_partition shobj_description ts_debug"
    " ts_stat ts_token_type unicode_version version xid"
)
"""Refused although the rule lets them through: catalogue and server facts, SQL in strings."""


def function_is_allowed(name: str, *, by_rule: bool) -> bool:
    """Say whether a function of pg_catalog may be called, `by_rule` being the catalogue's word."""
    if name in HARMLESS:
        return True
    return by_rule and name not in _REFUSED and not _REFUSED_SHAPE.search(name)


FUNCTIONS: Final = _words(snapshot.FUNCTIONS)
UNSAFE_ATTRIBUTES: Final = _words(snapshot.UNSAFE_ATTRIBUTES)
OPERATORS: Final = _words(snapshot.OPERATORS)
OUT_COLUMNS: Final = {
    name: tuple(columns)
    for name, *columns in map(str.split, snapshot.OUT_COLUMNS.strip().splitlines())
}
"""The functions of the snapshot that name what they return, with these columns."""

TYPES: Final = _words(
    "bool int2 int4 int8 float4 float8 numeric money text varchar bpchar char name bytea uuid"
    " date time timetz timestamp timestamptz interval json jsonb jsonpath inet cidr macaddr"
    " macaddr8 bit varbit point line lseg box path polygon circle tsvector tsquery record"
    " int4range int8range numrange tsrange tstzrange daterange int4multirange int8multirange"
    " nummultirange tsmultirange tstzmultirange datemultirange unknown"
)
"""No oid, no reg…, no xml, no pg_…: those read the catalogue, or the server may lack them."""
