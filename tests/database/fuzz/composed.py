"""Texts that hypothesis composes: expressions within expressions, queries within queries."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from . import lexing
from .templates import templates
from .texts import Text


def _words(*lines: str) -> st.SearchStrategy[str]:
    return st.sampled_from(" ".join(lines).split())


_NAMES = _words(
    "film_id title length rating f c q x name category film count nextval pg_read_file version",
    'trap_row trap_any row_to_json text regclass trap_domain max lower "TrapQuoted" initcap oid',
)
_FUNCTIONS = _words(
    "lower upper count max coalesce concat to_jsonb row_to_json array_agg abs length nextval",
    "trap_any pg_sleep lo_create ascii initcap generate_series unnest json_agg trap_text",
)
_TYPES = _words(
    "text int numeric date jsonb film mpaa_rating trap_domain trap_over regclass text[]"
)
_OPERATORS = _words("+ - || = < <> -> ->> @> @@! <-> @@ ~ AND OR")
_LEAVES = st.one_of(
    st.sampled_from(
        ["1", "'a'", "NULL", "true", "'{}'::jsonb", "f.title", "f", "film_id", "*", "ARRAY[1]"]
    ),
    _NAMES,
    st.text(alphabet="ab'\"\\$;-/* \n\u00a0", max_size=8).map(lambda t: f"'{t}'"),
    st.sampled_from(templates("effects")),
)


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(_FUNCTIONS, st.lists(inner, max_size=2)).map(
            lambda t: f"{t[0]}({', '.join(t[1])})"
        ),
        st.tuples(inner, _NAMES).map(lambda t: f"({t[0]}).{t[1]}"),
        st.tuples(inner, _TYPES).map(lambda t: f"({t[0]})::{t[1]}"),
        st.tuples(inner, _OPERATORS, inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        pair.map(lambda t: f"CASE WHEN {t[0]} IS NULL THEN {t[1]} END"),
        pair.map(lambda t: f"ROW({t[0]}, {t[1]})"),
        pair.map(lambda t: f"(SELECT {t[0]} FROM film f WHERE {t[1]} IS NOT NULL LIMIT 1)"),
        pair.map(lambda t: f"(SELECT q.x FROM (SELECT {t[0]} AS x, {t[1]}) q)"),
        inner.map(lambda t: f"({t}) OVER (ORDER BY 1)"),
        inner.map(lambda t: f"ARRAY[{t}]"),
    )


EXPRESSIONS = st.recursive(_LEAVES, _grown, max_leaves=6)
QUERIES = st.one_of(
    st.tuples(EXPRESSIONS, EXPRESSIONS).map(lambda t: f"SELECT {t[0]}, {t[1]} FROM film f LIMIT 2"),
    st.tuples(EXPRESSIONS, _NAMES).map(lambda t: f"SELECT q.{t[1]} FROM (SELECT {t[0]} AS x) q"),
    st.tuples(_NAMES, EXPRESSIONS, _NAMES).map(
        lambda t: f"WITH {t[0]} AS (SELECT {t[1]} AS x) SELECT y.{t[2]} FROM {t[0]} y LIMIT 2"
    ),
    EXPRESSIONS.map(lambda t: f"SELECT count(*) FROM film f WHERE {t} IS NOT NULL"),
    EXPRESSIONS.map(lambda t: f"SELECT * FROM {t} AS f LIMIT 2"),
    EXPRESSIONS.map(lambda t: f"SELECT 1 FROM film f ORDER BY {t} LIMIT 1"),
)
TEXTS = st.one_of(
    QUERIES,
    st.tuples(QUERIES, st.randoms(use_true_random=False)).map(lambda t: lexing.tricks(t[0], t[1])),
)


def composed_texts(number: int, how_many: int) -> list[Text]:
    """Return that many texts, or a few less where hypothesis repeats itself; `number` is a seed."""
    found: dict[str, Text] = {}
    if not how_many:
        return []

    @seed(number)
    @settings(
        max_examples=how_many, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(TEXTS)
    def draw(sql: str) -> None:
        found.setdefault(sql, Text(sql, f"composed {number}", "composed"))

    draw()
    return list(found.values())
