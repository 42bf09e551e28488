"""Functions that are not on this server: of other versions of PostgreSQL, and of extensions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_CAME_WITH: Final = {
    16: "any_value array_sample array_shuffle date_add date_subtract erf erfc json_agg_strict"
    " json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict jsonb_agg_strict"
    " jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict random_normal",
    17: "jsonb_populate_record_valid to_bin to_oct unicode_assigned uuid_extract_timestamp"
    " uuid_extract_version",
    18: "array_reverse array_sort casefold crc32 crc32c gamma lgamma uuidv4 uuidv7",
}
CAME_WITH: Final[Mapping[str, int]] = {
    name: version for version, names in _CAME_WITH.items() for name in names.split()
}
"""The version of PostgreSQL that brought a function, for those newer than the oldest we know."""
INSTEAD: Final[Mapping[str, str]] = {
    "any_value": "min(x)",
    "array_shuffle": "ARRAY(SELECT unnest(x) ORDER BY random())",
    "array_sort": "ARRAY(SELECT unnest(x) ORDER BY 1)",
    "casefold": "lower(x)",
    "date_add": "x + interval '1 day'",
    "date_subtract": "x - interval '1 day'",
    "json_agg_strict": "json_agg(x) FILTER (WHERE x IS NOT NULL)",
    "jsonb_agg_strict": "jsonb_agg(x) FILTER (WHERE x IS NOT NULL)",
    "uuidv4": "gen_random_uuid()",
    "uuidv7": "gen_random_uuid()",
}
"""How an older PostgreSQL says the same, or nearly so."""

_EXTENSIONS: Final = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("pg_trgm", r"(strict_)?(word_)?similarity|show_trgm|(set|show)_limit"),
        ("fuzzystrmatch", r"levenshtein(_less_equal)?|soundex|difference|d?metaphone(_alt)?"
                          r"|daitch_mokotoff"),
        ("unaccent", r"unaccent"),
        ("tablefunc", r"crosstab\w?|crosstab_hash|connectby|normal_rand"),
        ("hstore", r"hstore(_to_\w+)?|[as](keys|vals)"),
        ("postgis", r"_?st_\w+"),
        ("pgcrypto", r"pgp_(sym|pub|key|armor)\w*|crypt|gen_salt|digest|hmac|gen_random_bytes"
                     r"|(en|de)crypt(_iv)?"),
        ("dblink", r"dblink(_\w+)?"),
        ("uuid-ossp", r"uuid_(generate|ns|nil)\w*"),
        ("earthdistance", r"earth(_\w+)?|ll_to_earth"),
        ("ltree", r"nlevel|subpath|subltree|text2ltree|ltree2text"),
        ("vector", r"l[12]_distance|cosine_distance|inner_product"),
        ("timescaledb", r"time_bucket(_\w+)?"),
        ("http", r"http(_(get|post|put|patch|delete|head))?"),
    )
)  # fmt: skip


def extension_of(name: str) -> str:
    """Return the well-known extension that has a function of this name, "" for none."""
    return next((known for known, pattern in _EXTENSIONS if pattern.fullmatch(name)), "")
