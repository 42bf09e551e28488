"""Functions that other databases have and PostgreSQL has not, and how PostgreSQL says the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_DIFFERENCE: Final = "subtract: date_a - date_b gives days, or use age(a, b)"

PLAIN_POSTGRES: Final[Mapping[str, str]] = {
    "year": "extract(year FROM x)",
    "month": "extract(month FROM x)",
    "day": "extract(day FROM x)",
    "hour": "extract(hour FROM x)",
    "week": "extract(week FROM x)",
    "weekday": "extract(isodow FROM x)",
    "dayofweek": "extract(isodow FROM x)",
    "quarter": "extract(quarter FROM x)",
    "dateadd": "x + interval '1 day'",
    "datediff": _DIFFERENCE,
    "date_diff": _DIFFERENCE,
    "timestampdiff": _DIFFERENCE,
    "julianday": _DIFFERENCE,
    "date_format": "to_char(x, 'YYYY-MM-DD')",
    "strftime": "to_char(x, 'YYYY-MM-DD')",
    "str_to_date": "to_date(x, 'YYYY-MM-DD')",
    "getdate": "now()",
    "sysdate": "now()",
    "curdate": "current_date",
    "unix_timestamp": "extract(epoch FROM x)",
    "ifnull": "coalesce(a, b)",
    "isnull": "coalesce(a, b)",
    "nvl": "coalesce(a, b)",
    "iif": "CASE WHEN a THEN b ELSE c END",
    "if": "CASE WHEN a THEN b ELSE c END",
    "len": "length(x)",
    "charindex": "strpos(x, part)",
    "instr": "strpos(x, part)",
    "locate": "strpos(x, part)",
    "group_concat": "string_agg(x, ', ')",
    "listagg": "string_agg(x, ', ')",
    "median": "percentile_cont(0.5) WITHIN GROUP (ORDER BY x)",
    "ucase": "upper(x)",
    "lcase": "lower(x)",
    "truncate": "trunc(x, n)",
    "divide": "a / b",
    "multiply": "a * b",
    "subtract": "a - b",
    "add": "a + b",
    "countif": "count(*) FILTER (WHERE …)",
    "safe_divide": "a / nullif(b, 0)",
    "to_varchar": "x::text",
    "rand": "random()",
}
