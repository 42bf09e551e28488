"""An error of the server says what is wrong with the query, and nothing of what the rows hold.

Each query here fails over a table whose cells hold a mark. The mark, or four characters of it in a
row, must not be in the error, its hint or the log.
"""

from __future__ import annotations

import contextlib
import logging
import re
import socket
import threading
import time
from collections.abc import Iterator

import psycopg
import pytest

from agent.database.failing.redaction import (
    is_mostly_hidden,
    known_to_reader,
    quoted_names,
    without_values,
)
from agent.database.guard import AcceptedSql
from agent.database.schema import ColumnInfo, TableSchema
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import AgentError, DatabaseUnavailable, SqlFailed

NAME, NUMBER, FRACTION = "Zorbax Quimby", 987654321, "8765432187654321.5"
MARKS = (NAME, str(NUMBER), FRACTION, "5a6f72626178ff", "76543,43210")
SECRETS = TableSchema(
    name="secrets",
    kind="table",
    comment="",
    row_estimate=1,
    columns=(
        ColumnInfo("t", "text", True),
        ColumnInfo("lines", "text", True),
        ColumnInfo("num", "integer", True),
        ColumnInfo("mood", "temper", True, "", ("calm", "cross")),
    ),
    primary_key=(),
    foreign_keys=(),
    referenced_by=(),
)

FILL = f"""
CREATE TYPE temper AS ENUM ('calm', 'cross');
CREATE DOMAIN short_text AS text CHECK (length(value) < 3);
CREATE TABLE secrets (t text, q text, lines text, num integer, big numeric(17,1), day date,
    list integer[], doc jsonb, bad text, raw bytea, mood temper);
INSERT INTO secrets VALUES ('{NAME}', 'Zor"bax", "Qui"mby', E'Zorbax\\nQuimby "x', {NUMBER},
    {FRACTION}, '2024-02-03', '{{76543,43210}}', '{{"Zorbax": "Quimby"}}',
    '{{"Zorbax": Quimby', '\\x5a6f72626178ff', 'calm');
CREATE FUNCTION complains(word text) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the value % is % too long', word, length(word)
        USING ERRCODE = '22012', HINT = word, DETAIL = word; END $$;
CREATE FUNCTION codes(word text) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '%', word USING ERRCODE = 'ZORB4'; END $$;
CREATE FUNCTION breaks(word text) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN RAISE NOTICE '%', word; RAISE EXCEPTION '%', word USING ERRCODE = '08006'; END $$;
GRANT SELECT ON secrets TO agent_ro;
GRANT EXECUTE ON FUNCTION complains(text), codes(text), breaks(text) TO agent_ro;
"""
EMPTY = """
DROP TABLE secrets; DROP TYPE temper; DROP DOMAIN short_text;
DROP FUNCTION complains(text), codes(text), breaks(text);
"""

# An expression over the table, or a whole query, and what of the message must be left.
FAILING = [
    ("t::int", 'invalid input syntax for type integer: "…"'),
    ("q::int", 'invalid input syntax for type integer: "…"'),
    ("lines::int", 'invalid input syntax for type integer: "…"'),
    ("t::numeric", 'invalid input syntax for type numeric: "…"'),
    ("t::date", "invalid input syntax for type date"),
    ("t::timestamptz", "invalid input syntax for type timestamp with time zone"),
    ("t::interval", "invalid input syntax for type interval"),
    ("q::uuid", "invalid input syntax for type uuid"),
    ("t::boolean", "invalid input syntax for type boolean"),
    ("t::inet", "invalid input syntax for type inet"),
    ("t::json", "invalid input syntax for type json"),
    ("bad::jsonb", "invalid input syntax for type json"),
    ("t::int4range", "malformed range literal"),
    ("t::int4multirange", "malformed multirange literal"),
    ("t::int[]", "malformed array literal"),
    ("q::point", "invalid input syntax for type point"),
    ("t::bit(3)", "is not a valid binary digit"),
    ("t::money", "invalid input syntax for type money"),
    ("t::temper", "secrets.mood may be: 'calm', 'cross'"),
    ("t::short_text", "value for domain short_text violates check constraint"),
    ("('(' || t || ')')::film", "invalid input syntax for type integer"),
    ("t::regtype", "syntax error at or near"),
    ("replace(t, ' ', '_')::regclass", 'relation "…" does not exist'),
    ("replace(t, ' ', '_')::regrole", 'role "…" does not exist'),
    ("to_tsvector(replace(t, ' ', '_')::regconfig, 'a')", "text search configuration"),
    ("replace(t, ' ', '\"')::jsonpath", "of jsonpath input"),
    ("t::tsquery", "syntax error in tsquery"),
    ("to_tsquery(q)", "syntax error in tsquery"),
    ("chr(num)", "requested character too large for encoding: …"),
    ("get_byte(raw, num)", "out of valid range"),
    ("set_bit(raw, num, 1)", "out of valid range"),
    ("convert_from(raw, 'UTF8')", 'invalid byte sequence for encoding "UTF8"'),
    ("convert_from(raw, t)", "encoding name"),
    ("encode(raw, t)", 'unrecognized encoding: "…"'),
    ("decode(t, 'hex')", "invalid hexadecimal digit"),
    ("big::int", "integer out of range"),
    ("big::numeric(5,2)", "numeric field overflow"),
    ("num::smallint", "smallint out of range"),
    ("num / (num - num)", "Divide by nullif"),
    ("make_date(num, 1, 1)", "date out of range: …"),
    ("('2024-' || num)::date", "invalid input syntax for type date"),
    ("now() AT TIME ZONE t", 'time zone "…" not recognized'),
    ("('2024-01-01 10:00 ' || replace(t, ' ', '/'))::timestamptz", 'time zone "…" not recognized'),
    ("date_trunc(t, now())", 'unit "…" not recognized for type timestamp with time zone'),
    ("to_date(t, 'YYYY')", 'invalid value "…" for "YYYY"'),
    ("to_timestamp(num::text, 'YYYY')", "timestamp out of range"),
    ("'a' ~ (t || '(')", "invalid regular expression: parentheses () not balanced"),
    ("regexp_match('a', 'a', t)", 'invalid regular expression option: "…"'),
    ("parse_ident(t)", "string is not a valid identifier"),
    ("format('%' || t)", "unrecognized format() type specifier"),
    ("pg_catalog.normalize('a', t)", "invalid normalization form"),
    ("pg_size_bytes(t)", "invalid size"),
    ("json_object(t: 1, t: 2 WITH UNIQUE KEYS)", "duplicate JSON object key value"),
    ("jsonb_set('[1]', array[t], '1')", "path element at position 1 is not an integer"),
    ("jsonb_path_query(doc, '$.Zorbax.double()')", ".double() is invalid for type double prec"),
    ("jsonb_path_query(doc, '$.Zorbax.datetime()')", "datetime format is not recognized"),
    ("array_to_string(list, ',')::int", "invalid input syntax for type integer"),
    ("set_masklen(inet '1.1.1.1', num)", "invalid mask length: …"),
    ("has_table_privilege('film', t)", "unrecognized privilege type"),
    ("current_setting(replace(t, ' ', '_'))", "unrecognized configuration parameter"),
    ("complains(t)", "a function in the database raised an error of its own"),
    ("codes(t)", "a function in the database raised an error of its own"),
    ("breaks(t)", "a function in the database raised an error of its own"),
    ("SELECT 1 FROM secrets WHERE t::int = 1", 'type integer: "…"'),
    ("SELECT t FROM secrets ORDER BY t::numeric", 'type numeric: "…"'),
    ("SELECT sum(t::float8) FROM secrets", 'type double precision: "…"'),
    ("SELECT 1 FROM film LIMIT (SELECT -num FROM secrets)", "LIMIT must not be negative"),
    ("SELECT * FROM jsonb_to_record((SELECT jsonb_build_object('a', t) FROM secrets)) AS x(a int)",
     "invalid input syntax for type integer"),
]  # fmt: skip


@pytest.fixture(scope="module")
def database(demo_database_url: str, demo_admin_url: str) -> Iterator[AnalyticsDatabase]:
    with psycopg.connect(demo_admin_url, autocommit=True) as connection:
        connection.execute(FILL)  # type: ignore[call-overload]
        database = AnalyticsDatabase(demo_database_url, pool_size=1)
        yield database
        database.pool.close()
        connection.execute(EMPTY)


def run(database: AnalyticsDatabase, sql: str) -> object:
    with get_agent_session(database) as session:
        return session.fetch(AcceptedSql(sql), tables=(SECRETS,)).rows


def parts_of_marks(sql: str) -> set[str]:
    """Four characters in a row of each mark, but for what the query says itself."""
    marks = [mark.casefold() for mark in MARKS]
    return {
        mark[at : at + 4]
        for mark in marks
        for at in range(len(mark) - 3)
        if mark[at : at + 4] not in sql.casefold()
    }


@pytest.mark.parametrize(("failing", "left"), FAILING)
def test_no_error_says_what_the_rows_hold(
    database: AnalyticsDatabase,
    failing: str,
    left: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    sql = failing if failing.startswith("SELECT") else f"SELECT {failing} FROM secrets"
    with pytest.raises(AgentError) as caught:
        run(database, sql)
    assert isinstance(caught.value, SqlFailed)
    told = str(caught.value)
    assert left in told
    out, err = capfd.readouterr()
    heard = "\n".join((told, caught.value.reason, caplog.text, out, err)).casefold()
    assert [part for part in parts_of_marks(sql) if part in heard] == []


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT 'abc'::int", 'invalid input syntax for type integer: "abc"'),
        ("SELECT '2024-13-45'::date", 'field value out of range: "2024-13-45"'),
        ("SELECT now() AT TIME ZONE 'Mars/Olympus'", 'time zone "Mars/Olympus" not recognized'),
        ("SELECT date_trunc('fortnight', now())", 'unit "fortnight" not recognized'),
        ("SELECT to_date('ab', 'YYYY')", 'invalid value "ab" for "YYYY"'),
        ("SELECT TITEL FROM film", 'column "titel" does not exist'),
        ("SELECT f.titel FROM film f", "column f.titel does not exist"),
        ("SELECT nosuch(title) FROM film", "function nosuch(text) does not exist"),
        ("SELECT title + 1 FROM film", "operator does not exist: text + integer"),
        ("SELECT mood = 1 FROM secrets", "operator does not exist: temper = integer"),
        ("SELECT * FROM nowhere", 'relation "nowhere" does not exist'),
        ('SELECT * FROM "no where"', 'relation "no where" does not exist'),
        ("SELECT title FROM film ORDER BY 7", "ORDER BY position 7 is not in select list"),
        ("SELECT title FROM film GROUP BY length", 'column "film.title" must appear in the GROUP'),
        ("SELECT 1 FROM film f WHERE film.title = ''", 'the table alias "f"'),
        ("SELECT 1 FROM", "syntax error at end of input"),
        ("SELECT 1 FROM film WHERE )", 'syntax error at or near ")"'),
        (f"SELECT {'x' * 70} FROM film", f'column "{"x" * 63}" does not exist'),
        ("SELECT 'x'::temper", 'invalid input value for enum temper: "x"'),
    ],
)
def test_what_the_query_says_itself_stays(
    database: AnalyticsDatabase, sql: str, message: str
) -> None:
    with pytest.raises(SqlFailed) as caught:
        run(database, sql)
    assert message in str(caught.value)


def test_an_error_that_quotes_megabytes_costs_no_time(database: AnalyticsDatabase) -> None:
    started = time.monotonic()
    for value in ("repeat(t, 300000)", "repeat(q, 300000)", "repeat(t || ' \" ', 300000)"):
        with pytest.raises(SqlFailed, match='type integer: "…"'):
            run(database, f"SELECT {value}::int FROM secrets")
    assert time.monotonic() - started < 5


def test_a_part_of_a_word_of_the_query_is_not_what_the_query_says() -> None:
    known = known_to_reader("SELECT code::int FROM t WHERE year = 2024")
    for value in ("cod", "202", "20", "ea", "SELECT code FROM t"):
        message = without_values(
            f'invalid input syntax for type integer: "{value}"', known, "22P02"
        )
        assert message == 'invalid input syntax for type integer: "…"'


def test_names_of_the_tables_stay_though_the_query_leaves_them_out() -> None:
    known = known_to_reader("SELECT * FROM secrets GROUP BY 1", (SECRETS,))
    message = 'column "secrets.lines" must appear in the GROUP BY clause'
    assert without_values(message, known, "42803") == message


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("ungültige Eingabesyntax für Typ integer: »Zorbax«", ()),
        ("Spalte »nummer« existiert nicht", ("nummer",)),
        ("la relation « staff » n'existe pas : « Zorbax »", ("staff",)),
        ('no existe la columna «nummer» "Zorbax"', ("nummer",)),
        ('リレーション"staff"は存在しません', ("staff",)),
    ],
)
def test_a_message_in_another_language_gives_only_known_names(
    message: str, names: tuple[str, ...]
) -> None:
    known = known_to_reader("SELECT nummer::int FROM staff")
    hidden = without_values(message, known, "22P02")
    assert "Zorbax" not in hidden
    assert is_mostly_hidden(hidden)
    assert quoted_names(message, known) == names


def test_a_hint_that_names_what_the_query_does_not_is_left_out(database: AnalyticsDatabase) -> None:
    document = "jsonb_build_object('special' || '_features', num)"
    with pytest.raises(SqlFailed) as caught:
        run(database, f"SELECT jsonb_populate_record(NULL::film, {document}) FROM secrets")
    assert str(caught.value) == "PostgreSQL error 22P02: expected JSON array."


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ("sslmode=verify-full&sslrootcert=/nowhere/root.crt", "see sslmode and sslrootcert"),
        ("sslmode=sometimes", "check what stands after the ?"),
    ],
)
def test_address_that_asks_for_what_cannot_be_says_what_to_change(
    parameter: str, said: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_answer_with_tls, args=[server], daemon=True).start()
        port = server.getsockname()[1]
        database = AnalyticsDatabase(f"postgresql://me:secret@127.0.0.1:{port}/shop?{parameter}")
        with pytest.raises(DatabaseUnavailable, match=re.escape(said)), get_agent_session(database):
            raise AssertionError


def _answer_with_tls(server: socket.socket) -> None:
    with contextlib.suppress(OSError):  # nobody came, or they hung up
        client, _ = server.accept()
        with client:
            client.recv(8)
            client.sendall(b"S")
            client.recv(1)
