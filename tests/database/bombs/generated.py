"""Queries that a program has to write: they cost time in the readers, in the planner, by width."""

from __future__ import annotations

from typing import Final


def _list(template: str, numbers: range, between: str = ", ") -> str:
    return between.join(template.format(n=n, before=n - 1) for n in numbers)


def _wide(columns: int, source: str) -> str:
    return f"SELECT {', '.join(['1'] * columns)} FROM {source}"


def _nested(before: str, core: str, after: str, levels: int) -> str:
    return f"SELECT {before * levels}{core}{after * levels}"


_JOIN: Final = "JOIN film f{n} ON f{n}.film_id = f{before}.film_id"
_TWICE: Final = "c{n} AS (SELECT x.a FROM c{before} x JOIN c{before} y USING (a))"
_ONE_FILM: Final = "(SELECT * FROM film WHERE film_id = {n}) v{n}"
_LONG: Final = "repeat('x', 10000)"

BOMBS: Final = {
    "cube of twelve": "SELECT count(*) FROM (SELECT 1 FROM rental a, generate_series(1, 100) g"
    f" GROUP BY CUBE ({_list('(rental_id + g) % {n}', range(2, 14))})) x",
    "cube of twelve columns": "SELECT count(*) FROM rental GROUP BY CUBE"
    f" ({_list('rental_id % {n}', range(2, 14))})",
    "cubes multiplied": "SELECT count(*) FROM rental GROUP BY "
    + ", ".join(f"CUBE ({_list('rental_id % {n}', range(k, k + 6))})" for k in (2, 8, 14, 20)),
    "like with many wildcards": "SELECT count(*) FROM generate_series(1, 10000) n"
    f" WHERE repeat('a', 9000) || n LIKE '{'%a_' * 90}%b'",
    # By width.
    "many wide rows": _wide(1_600, "rental a, rental b"),
    "many rows as wide as it goes": _wide(1_664, "generate_series(1, 100000)"),
    "1,664 columns": _wide(1_664, "film"),
    "2,000 columns": _wide(2_000, "film"),
    "many long cells": f"SELECT {', '.join([_LONG] * 900)} FROM generate_series(1, 1000)",
    "concat": f"SELECT concat({', '.join([_LONG] * 90)}) FROM generate_series(1, 900)",
    "row of rows": f"SELECT ROW({', '.join([_LONG] * 1_600)})",
    "long labels": "SELECT " + _list(f'1 AS "{"ü" * 60}{{n}}"', range(110)),
    "one endless label": f'SELECT 1 AS "{"x" * 19_000}"',
    # For the planner.
    "join of 200 tables": f"SELECT count(*) FROM film f0 {_list(_JOIN, range(1, 200), ' ')}",
    "list of 200 tables": f"SELECT count(*) FROM {_list('film f{n}', range(200))} WHERE "
    + _list("f{n}.film_id = f{before}.film_id", range(1, 200), " AND "),
    "natural joins": f"SELECT count(*) FROM {_list('rental r{n}', range(100), ' NATURAL JOIN ')}",
    "with queries that double": "WITH c0 AS (SELECT film_id AS a FROM film), "
    f"{_list(_TWICE, range(1, 14))} SELECT count(*) FROM c13",
    "150 subqueries": f"SELECT count(*) FROM {_list(_ONE_FILM, range(150))}",
    "a thousand unions": _list("SELECT {n} a", range(800), " UNION ALL "),
    "unions of a table": _list("SELECT title FROM film", range(500), " UNION "),
    "list of 3,800 values": "SELECT count(*) FROM film WHERE film_id IN"
    f" ({_list('{n}', range(3_800))})",
    "a thousand conditions": "SELECT count(*) FROM film WHERE "
    + _list("film_id={n}", range(1_200), " OR "),
    "conditions crossed": "SELECT count(*) FROM film a, film b WHERE "
    + _list("(a.film_id={n} OR b.film_id={n})", range(450), " AND "),
    "constant folding": f"SELECT {' || '.join([_LONG] * 800)}",
    "constant folding, squared": f"SELECT length({'replace(' * 6}repeat('x', 100)"
    f"{', {}, repeat({}, 20))'.format(*[chr(39) + 'x' + chr(39)] * 2) * 6})",
    # For the readers.
    "too long": f"SELECT '{'x' * 30_000}'",
    "parentheses": _nested("(", "1", ")", 9_000),
    "nested arrays": _nested("ARRAY[", "1", "]", 20),
    "many nested arrays": _nested("ARRAY[", "1", "]", 1_500),
    "nested queries": f"SELECT * FROM {'(SELECT * FROM ' * 600}film{') x' * 600}",
    "nested scalar queries": _nested("(SELECT ", "1", ")", 900),
    "nested functions": _nested("abs(", "1", ")", 3_000),
    "nested cases": _nested("CASE WHEN true THEN ", "1", " END", 400),
    "nested nots": f"SELECT {'NOT ' * 4_900}true",
    "nested with": f"{'WITH a AS (' * 700}SELECT 1{') SELECT * FROM a' * 700}",
    "nested dates": _nested("DATE (", "1", ")", 18),
    "nested structs": _nested("struct(", "1", ")", 18),
    "minus signs": f"SELECT {'- ' * 9_900}1",
    "a long sum": f"SELECT {'1+' * 9_900}1",
    "a long and": f"SELECT {'true AND ' * 2_100}true",
    "casts in a row": f"SELECT 1{'::int' * 3_900}",
    "open comments": "/*" * 9_900,
    "many semicolons": ";" * 19_000 + "SELECT 1",
    "many quotes": "SELECT " + "''" * 9_000,
    "many dots": "SELECT " + ".".join(["a"] * 9_000),
    "many subscripts": f"SELECT a{'[1]' * 6_000} FROM (SELECT ARRAY[1] AS a) x",
    "many slices": f"SELECT a{'[1:2]' * 3_900} FROM (SELECT ARRAY[1] AS a) x",
}
"""Each query by its name."""
