"""What the guard lets through on a real server: built-ins by rule, and nobody's additions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest

from agent.database import guard
from agent.database.demo import DemoDatabase
from agent.database.guard import names
from agent.database.guard.elsewhere import CAME_WITH, INSTEAD
from agent.database.postgres import PostgresDatabase
from agent.database.session import AnalyticsDatabase
from agent.database.tables.catalog import Catalog
from agent.errors import SqlRejected

ADDITIONS = """
CREATE FUNCTION lower(text, int) RETURNS text LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN 1; END';
CREATE FUNCTION film_cost(anyelement) RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
CREATE FUNCTION bad(int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
CREATE FUNCTION add(text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE OPERATOR + (LEFTARG = text, RIGHTARG = text, FUNCTION = add);
CREATE OPERATOR @+@ (LEFTARG = text, RIGHTARG = text, FUNCTION = add);
CREATE DOMAIN trap AS int CHECK (bad(VALUE));
CREATE DOMAIN trap_of_trap AS trap;
CREATE DOMAIN traps AS trap[];
CREATE DOMAIN words AS text[];
CREATE TABLE sprung (id int, word trap_of_trap);
CREATE SCHEMA first;
CREATE DOMAIN first.temper AS text CHECK (bad(1));
CREATE TYPE temper AS ENUM ('good', 'bad');
DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = first, public', current_database());
END $$;
CREATE DOMAIN fine AS int CHECK (VALUE > 0);
CREATE TYPE mood AS ENUM ('up', 'down');
CREATE FUNCTION to_number(mood) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE CAST (mood AS int) WITH FUNCTION to_number(mood);
CREATE TABLE diary (day date, moods mood[]);
CREATE FUNCTION to_text(temper) RETURNS json LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE CAST (temper AS json) WITH FUNCTION to_text(temper);
CREATE TABLE cook (name text, temper temper);
CREATE EXTENSION citext;
CREATE TABLE film (title citext, version int);
INSERT INTO film VALUES ('Alien', 2);
CREATE DOMAIN about AS regclass;
CREATE DOMAIN number AS oid;
CREATE DOMAIN number_of_number AS number;
CREATE DOMAIN numbers AS oid[];
CREATE DOMAIN page AS xml;
CREATE TYPE abouts AS (id int, word about);
CREATE TABLE described (id int, word regtype[]);
CREATE SCHEMA elsewhere;
CREATE TABLE elsewhere.film (title text);
CREATE TYPE elsewhere.language AS (code text);
CREATE TABLE spoken (language text);
"""


@pytest.fixture
def database(scratch_database: str) -> Iterator[PostgresDatabase]:
    """A database that somebody has added functions, operators, types and an extension to."""
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute(ADDITIONS)
    database = PostgresDatabase(scratch_database, allow_strong_role=True)
    yield database
    database.close()


def test_rule_on_this_server_gives_what_the_snapshot_holds(demo_database_url: str) -> None:
    source = AnalyticsDatabase(demo_database_url)
    policy = Catalog(source).policy()
    source.pool.close()
    assert policy.functions <= names.FUNCTIONS
    assert len(names.FUNCTIONS - policy.functions) < 60  # what other versions have
    assert policy.operators <= names.OPERATORS
    assert {"nextval", "current_setting", "regclass", "pg_read_file"} <= policy.unsafe_attributes
    plain = {name for name in policy.unsafe_attributes if not name.startswith(("pg_", "_pg_"))}
    assert plain <= names.UNSAFE_ATTRIBUTES
    assert not policy.unsafe_attributes & policy.functions


def test_columns_that_functions_give_are_those_of_the_snapshot(demo_admin_url: str) -> None:
    with psycopg.connect(demo_admin_url) as connection:
        found = connection.execute(
            "SELECT DISTINCT proname, ARRAY(SELECT proargnames[i] FROM"
            " generate_subscripts(proargmodes, 1) i WHERE proargmodes[i] IN ('o', 't', 'b'))"
            " FROM pg_proc WHERE proname = ANY (%s)"
            " AND pronamespace = 'pg_catalog'::regnamespace AND proargmodes && '{o,t,b}'",
            [list(names.FUNCTIONS)],
        ).fetchall()
    assert {name: tuple(columns) for name, columns in found} == names.OUT_COLUMNS


def test_function_of_a_newer_version_is_refused_with_its_version_and_what_to_write(
    demo_database_url: str,
) -> None:
    source = AnalyticsDatabase(demo_database_url)
    policy = Catalog(source).policy()
    source.pool.close()
    assert all(CAME_WITH[name] > policy.server_major for name in policy.lacking_functions)
    lacking = frozenset({"any_value", "erf"})
    older = replace(
        policy, functions=policy.functions - lacking, lacking_functions=lacking, server_major=15
    )
    with pytest.raises(SqlRejected, match=r"\(PostgreSQL 15\) has no any_value: it came with"
                                          r" PostgreSQL 16\. Write min\(x\)\."):  # fmt: skip
        guard.check("SELECT any_value(title) FROM film", older)
    with pytest.raises(SqlRejected, match=r"has no erf: .* Do without it\."):
        guard.check("SELECT erf(1)", older)
    for instead in INSTEAD.values():
        guard.check(f"SELECT {instead}", older)


def test_only_pg_typeof_gives_a_value_that_names_what_the_catalogue_holds(
    demo_admin_url: str,
) -> None:
    with psycopg.connect(demo_admin_url) as connection:
        found = connection.execute(
            "SELECT DISTINCT proname FROM pg_proc WHERE proname = ANY (%s)"
            " AND pronamespace = 'pg_catalog'::regnamespace"
            " AND (prorettype::regtype::text ~ '^reg'"
            " OR proallargtypes::regtype[]::text ~ '[{,]reg')",
            [list(names.FUNCTIONS)],
        ).fetchall()
    assert found == [("pg_typeof",)]


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT lower(title) FROM film", "function"),
        ("SELECT film_cost(f) FROM film f", "function"),
        ("SELECT f.film_cost FROM film f", "attribute_call"),
        ("SELECT 'a' + 'b'", "operator"),
        ("SELECT 'a' @+@ 'b'", "operator"),
        ("SELECT 1::trap", "type"),
        ("SELECT 1::trap_of_trap", "type"),
        ("SELECT (1).trap_of_trap", "attribute_call"),
        ("SELECT (left(title, 3)).traps FROM film", "attribute_call"),
        ("SELECT (left(title, 3))._traps FROM film", "attribute_call"),
        ("SELECT '{1}'::trap_of_trap[]", "type"),
        ("SELECT '(1,1)'::sprung", "type"),
        ("SELECT json_populate_record(s, '{\"word\": 1}') FROM sprung s", "function"),
        ("SELECT 'good'::temper", "type"),
        ("SELECT 'up'::mood::int", "type"),
        ("SELECT to_jsonb(temper) FROM cook", "type"),
        ("SELECT row_to_json(c) FROM cook c", "type"),
        ("SELECT c.to_json FROM cook c", "type"),
        ("SELECT json_array(temper) FROM cook", "type"),
        ("SELECT CAST(unnest(moods) AS int4) FROM diary", "type"),
        ("SELECT (1).trap", "attribute_call"),
        ("SELECT x::int::about FROM generate_series(1259, 1262) AS x", "type"),
        ("SELECT '{1259}'::about[]", "type"),
        ("SELECT (1259).about", "attribute_call"),
        ("SELECT 1260::number", "type"),
        ("SELECT 1260::number_of_number", "type"),
        ("SELECT '{1260}'::numbers", "type"),
        ("SELECT '<a/>'::page", "type"),
        ("SELECT '(1,1259)'::abouts", "type"),
        ("SELECT '(1,{2842})'::described", "type"),
        ("SELECT jsonb_populate_record(d, '{\"word\": [2842]}') FROM described d", "function"),
        ("SELECT ('pg_authid').regclassin", "attribute_call"),
    ],
)
def test_what_somebody_added_to_the_database_is_not_called(
    database: PostgresDatabase, sql: str, code: str
) -> None:
    with pytest.raises(SqlRejected) as caught:
        database.fetch(sql)
    assert caught.value.code == code


def test_harmless_additions_to_the_database_do_not_get_in_the_way(
    database: PostgresDatabase,
) -> None:
    for sql, cell in [
        ("SELECT pg_catalog.lower('A')", "a"),
        ("SELECT replace(title, 'A', 'B') FROM film WHERE title = 'alien'", "Blien"),
        ("SELECT 'x'::citext = 'X'", True),
        ("SELECT 1::fine", 1),
        ("SELECT 'up'::mood", "up"),
        ("SELECT 'good'::public.temper", "good"),
        ("SELECT '1'::int FROM film", 1),
        ("SELECT cardinality('{a,b}'::words)", 2),
        ("SELECT to_jsonb(title)::text FROM film", '"Alien"'),
        ("SELECT count(temper) FROM cook", 0),
        ("SELECT count(day::text) FROM diary", 0),
        ("SELECT f.version FROM film f", 2),
        ("SELECT upper('a')", "A"),
        ("SELECT NULL::film IS NULL", True),
        ("SELECT ('(Alien,2)'::film).version", 2),
        ("SELECT count(s.language) FROM (SELECT spoken.* FROM spoken) AS s", 0),
        ("SELECT count((s).language) FROM spoken AS s", 0),
    ]:
        assert database.fetch(sql).rows == ((cell,),), sql


REDEFINED = """
CREATE FUNCTION loud(text, int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
CREATE FUNCTION loud(text) RETURNS point LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION shout(anyelement) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE FUNCTION "json_value"(text, text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE FUNCTION "json"(int) RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
CREATE OPERATOR = (LEFTARG = text, RIGHTARG = int, FUNCTION = loud);
CREATE OPERATOR >= (LEFTARG = text, RIGHTARG = int, FUNCTION = loud);
CREATE CAST (text AS point) WITH FUNCTION loud(text);
CREATE DOMAIN caught AS text CHECK (VALUE = 1);
CREATE EXTENSION citext;
CREATE EXTENSION pg_trgm;
CREATE EXTENSION unaccent;
CREATE EXTENSION fuzzystrmatch;
CREATE EXTENSION dblink;
CREATE EXTENSION tablefunc;
CREATE EXTENSION hstore;
CREATE DOMAIN email AS citext CHECK (VALUE ~ '@');
CREATE TABLE film (title text, length int);
INSERT INTO film VALUES ('Alien', 117);
SET allow_system_table_mods = on;
CREATE FUNCTION pg_catalog.lower(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';
"""


@pytest.fixture(scope="module")
def redefined(demo: DemoDatabase) -> Iterator[PostgresDatabase]:
    """A database whose superuser has gone further: "=", a cast, a function of pg_catalog."""
    name = "redefined"
    with psycopg.connect(demo.admin_url, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        with psycopg.connect(demo.server.url(database=name), autocommit=True) as connection:
            connection.execute(REDEFINED)
        database = PostgresDatabase(demo.server.url(database=name), allow_strong_role=True)
        yield database
        database.close()
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT title = 1 FROM film", "operator"),
        ("SELECT title IN (SELECT 1) FROM film", "operator"),
        ("SELECT title IN (1, 2) FROM film", "operator"),
        ("SELECT title = ANY (ARRAY[1]) FROM film", "operator"),
        ("SELECT (title, 1) = (SELECT 1, 1) FROM film", "operator"),
        ("SELECT title BETWEEN 1 AND 2 FROM film", "operator"),
        ("SELECT CASE title WHEN 1 THEN 2 END FROM film", "operator"),
        ("SELECT nullif(title, 1) FROM film", "operator"),
        ("SELECT title IS DISTINCT FROM 1 FROM film", "operator"),
        ("SELECT * FROM film JOIN (SELECT 1 AS title) AS x USING (title)", "operator"),
        ("SELECT * FROM film NATURAL JOIN (SELECT 1 AS title) AS x", "operator"),
        ("SELECT lower('A')::point", "type"),
        ("SELECT point(lower('A'))", "function"),
        ("SELECT 'a'::caught", "type"),
        ("SELECT pg_catalog.lower(1)", "function"),
        ("SELECT lower('A')", "function"),
        ("SELECT s.shout FROM (SELECT shout.* FROM film AS shout) AS s", "attribute_call"),
        ("WITH film AS (SELECT 1 AS shout) SELECT film.shout FROM public.film", "attribute_call"),
        ("SELECT * FROM dblink('', 'SELECT 1') AS t(a int)", "function"),
        ("SELECT * FROM crosstab('SELECT 1, 1, 1') AS t(a int, b int)", "function"),
        ("SELECT set_limit(0.5)", "function"),
        ("SELECT hstore('a', 'b')", "function"),
    ],
)
def test_what_a_superuser_redefined_is_not_called(
    redefined: PostgresDatabase, sql: str, code: str
) -> None:
    with pytest.raises(SqlRejected) as caught:
        redefined.fetch(sql)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("sql", "cell"),
    [
        ("SELECT title FROM film WHERE length OPERATOR(pg_catalog.=) 117", "Alien"),
        ("SELECT json_build_array(1)::text", "[1]"),
        ("SELECT length > 100 AND length < 200 FROM film", True),
        ("SELECT similarity(title, 'alien') FROM film", 1),
        ("SELECT unaccent('café')", "cafe"),
        ("SELECT levenshtein('kitten', 'sitting')", 3),
        ("SELECT 'a@b'::email", "a@b"),
    ],
)
def test_harmless_queries_pass_where_a_superuser_redefined_things(
    redefined: PostgresDatabase, sql: str, cell: object
) -> None:
    assert redefined.fetch(sql).rows == ((cell,),)


def test_what_is_grammar_to_the_server_passes_whatever_else_has_that_name(
    redefined: PostgresDatabase, demo_admin_url: str
) -> None:
    with psycopg.connect(demo_admin_url) as connection:
        if connection.info.server_version < 170_000:
            pytest.skip("json_value is grammar from PostgreSQL 17 on")
    assert redefined.fetch("SELECT json_value('[7]', '$[0]')").rows == (("7",),)
