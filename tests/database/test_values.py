"""Every kind of value comes back as the server writes it, and leaves by each door unchanged."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import psycopg
import pytest

from agent.as_json import query_result_as_json
from agent.database.guard import AcceptedSql
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.messages import Cell, QueryResult
from agent.numbers import plain_number
from agent.tools.sql import describe_result
from bot.render.spreadsheet import render_csv
from bot.render.table import render_table
from bot.store.cells import from_json, to_json

MAKE = """
CREATE TYPE shade AS ENUM ('dark', 'half light', 'a "quoted", one', '');
CREATE DOMAIN share AS numeric(5,2) CHECK (value >= 0);
CREATE DOMAIN half_share AS share;
CREATE DOMAIN small AS int;
CREATE DOMAIN code AS text;
CREATE DOMAIN blob AS bytea;
CREATE TYPE pair AS (a int, b text);
CREATE TYPE piece AS (name text, image bytea);
CREATE TYPE whole AS (p piece, all_of piece[]);
"""
UNMAKE = """
DROP TYPE whole; DROP TYPE piece; DROP TYPE pair; DROP DOMAIN blob; DROP DOMAIN code;
DROP DOMAIN small; DROP DOMAIN half_share; DROP DOMAIN share; DROP TYPE shade;
"""

VALUES: list[tuple[str, Cell]] = [
    # nothing, and what looks like it
    ("NULL", None),
    ("NULL::int", None),
    ("''", ""),
    ("' '", " "),
    ("'NULL'", "NULL"),
    ("NULL::int[]", None),
    # whole numbers
    ("0", 0),
    ("(-32768)::smallint", -32768),
    ("2147483647", 2147483647),
    ("-9223372036854775807 - 1", -9223372036854775808),
    ("4294967295::oid", 4294967295),
    # numeric
    ("1.50", Decimal("1.50")),
    ("-0.00", Decimal("0.00")),
    ("0.1 + 0.2", Decimal("0.3")),
    ("12345678901234567890.123456789", Decimal("12345678901234567890.123456789")),
    ("1e-50::numeric", Decimal("1e-50")),
    ("1e60::numeric", Decimal("1" + "0" * 60)),
    ("('1' || repeat('0', 131071))::numeric", "1" + "0" * 1998 + "…"),
    ("('-0.' || repeat('3', 16000))::numeric", "-0." + "3" * 1996 + "…"),
    ("repeat('9', 2000)::numeric", Decimal("9" * 2000)),
    ("'NaN'::numeric", "NaN"),
    ("'Infinity'::numeric", "Infinity"),
    ("'-Infinity'::numeric", "-Infinity"),
    ("12.50::share", Decimal("12.50")),
    ("12.50::half_share", Decimal("12.50")),
    ("7::small", 7),
    ("'$1,234.50'::money", "$1,234.50"),
    ("'-$0.01'::money", "-$0.01"),
    # floating point
    ("0.1::float8", 0.1),
    ("0.1::float4", 0.1),
    ("1e300::float8", 1e300),
    ("5e-324::float8", 5e-324),
    ("'NaN'::float4", "NaN"),
    ("'Infinity'::float8", "Infinity"),
    ("'-Infinity'::float8", "-Infinity"),
    # truth, text
    ("true", True),
    ("false", False),
    ("'ab'::char(5)", "ab"),
    ("'x'::\"char\"", "x"),
    ("'a'::name", "a"),
    ("E'two\\nlines\\tand a tab'", "two\nlines\tand a tab"),
    ("'back\\slash \"quoted\"'", 'back\\slash "quoted"'),
    ("'Ü€😀 مرحبا'", "Ü€😀 مرحبا"),
    ("'text'::code", "text"),
    ("'half light'::shade", "half light"),
    ("''::shade", ""),
    # dates and times
    ("date '2024-02-29'", "2024-02-29"),
    ("date '0044-03-15 BC'", "0044-03-15 BC"),
    ("date '12024-01-01'", "12024-01-01"),
    ("date '4713-01-01 BC'", "4713-01-01 BC"),
    ("date '-infinity'", "-infinity"),
    ("'infinity'::timestamptz", "infinity"),
    ("timestamptz '2024-03-01 12:00+02'", "2024-03-01 10:00:00+00"),
    ("timestamptz '1880-01-01 00:00 Europe/Paris'", "1879-12-31 23:50:39+00"),
    ("timestamp '2024-03-01 12:00:00.000001'", "2024-03-01 12:00:00.000001"),
    ("timestamp '0001-01-01 BC'", "0001-01-01 00:00:00 BC"),
    ("timestamp '294276-12-31 23:59:59'", "294276-12-31 23:59:59"),
    ("time '24:00'", "24:00:00"),
    ("timetz '04:05:06-08'", "04:05:06-08"),
    # lengths of time
    ("interval '0'", "00:00:00"),
    ("interval '1 month -1 second'", "1 mon -00:00:01"),
    ("interval '-1 second'", "-00:00:01"),
    ("interval '-1 year 2 months -3 days'", "-10 mons -3 days"),
    ("interval '100 hours'", "100:00:00"),
    ("'infinity'::interval", "infinity"),
    ("'-infinity'::interval", "-infinity"),
    # ranges
    ("int4range(1, 5)", "[1,5)"),
    ("'empty'::int4range", "empty"),
    ("numrange(NULL, NULL)", "(,)"),
    ("daterange('2024-01-01', NULL)", "[2024-01-01,)"),
    ("'{}'::int4multirange", "{}"),
    ("'{[1,3),[5,)}'::int4multirange", "{[1,3),[5,)}"),
    ("tstzrange('2024-01-01 00:00+01', 'infinity')", '["2023-12-31 23:00:00+00",infinity)'),
    # arrays
    ("'{}'::int[]", "{}"),
    ("ARRAY[1, NULL, 3]", "{1,NULL,3}"),
    ("ARRAY['', NULL, 'NULL', 'a,b', 'q\"']", '{"",NULL,"NULL","a,b","q\\""}'),
    ("ARRAY[[1, 2], [3, 4]]", "{{1,2},{3,4}}"),
    ("'[0:1]={1,2}'::int[]", "[0:1]={1,2}"),
    ("ARRAY['dark', 'half light']::shade[]", '{dark,"half light"}'),
    ("ARRAY[true, false]", "{t,f}"),
    ("ARRAY[]::pair[]", "{}"),
    # composites
    ("ROW(1, NULL, '')", '(1,,"")'),
    ("ROW(1, 'a b')::pair", '(1,"a b")'),
    ("ROW(NULL, NULL)::pair", "(,)"),
    ("NULL::pair", None),
    ("ARRAY[ROW(1, 'x')::pair]", '{"(1,x)"}'),
    # documents
    ('\'{"a": 1, "a": 2.50}\'::json', '{"a": 1, "a": 2.50}'),
    ('\'{"b": 1, "a": 1, "a": 2.50}\'::jsonb', '{"a": 2.50, "b": 1}'),
    ("'123456789012345678901234567890.10'::jsonb", "123456789012345678901234567890.10"),
    ("'null'::jsonb", "null"),
    ("'\"\"'::json", '""'),
    ("'$.a[*] ? (@ > 1)'::jsonpath", '$."a"[*]?(@ > 1)'),
    # bytes: their number only, wherever they stand
    ("''::bytea", "(0 bytes)"),
    ("'\\x00'::bytea", "(1 byte)"),
    ("decode(repeat('ab', 5000), 'hex')", "(5,000 bytes)"),
    ("'\\xdead'::bytea::blob", "(2 bytes)"),
    ("ARRAY['\\xdead', '', NULL]::bytea[]", '{"(2 bytes)","(0 bytes)",NULL}'),
    ("ARRAY[decode(repeat('ab', 5000), 'hex')]", '{"(5,000 bytes)"}'),
    ("ROW(1, '\\xdeadbeef'::bytea)", '(1,"(4 bytes)")'),
    ("ROW('cat', '\\xdeadbeef')::piece", '(cat,"(4 bytes)")'),
    ("ARRAY[ROW('cat', '\\xdeadbeef')::piece]", '{"(cat,\\"(4 bytes)\\")"}'),
    ("ROW(ROW('a', '\\xaabb')::piece, ARRAY[ROW('b', '\\xcc')::piece])::whole",
     '("(a,""(2 bytes)"")","{""(b,\\\\""(1 byte)\\\\"")""}")'),
    # all else
    ("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("inet '192.168.0.1/24'", "192.168.0.1/24"),
    ("cidr '2001:db8::/32'", "2001:db8::/32"),
    ("macaddr '08:00:2b:01:02:03'", "08:00:2b:01:02:03"),
    ("B'00101'", "00101"),
    ("''::varbit", ""),
    ("point '(1.5,-2)'", "(1.5,-2)"),
    ("polygon '((0,0),(1,1),(1,0))'", "((0,0),(1,1),(1,0))"),
    ("to_tsvector('simple', 'b a b')", "'a':2 'b':1,3"),
    ("to_tsquery('simple', 'a & !b')", "'a' & !'b'"),
    ("'film'::regclass", "film"),
    ("'1/AB'::pg_lsn", "1/AB"),
]  # fmt: skip


@pytest.fixture(scope="module")
def database(demo_database_url: str, demo_admin_url: str) -> Iterator[AnalyticsDatabase]:
    with psycopg.connect(demo_admin_url, autocommit=True) as connection:
        connection.execute(MAKE)
        database = AnalyticsDatabase(demo_database_url, pool_size=1)
        yield database
        database.pool.close()
        connection.execute(UNMAKE)


def run(database: AnalyticsDatabase, sql: str) -> QueryResult:
    with get_agent_session(database) as session:
        return session.fetch(AcceptedSql(sql))


@pytest.mark.parametrize(("expression", "cell"), VALUES)
def test_each_value_is_the_servers_own_and_leaves_by_every_door(
    database: AnalyticsDatabase, expression: str, cell: Cell
) -> None:
    # What stands beside it keeps the line of a NULL from being an empty line.
    result = run(database, f"SELECT {expression} AS v, 1 AS one")
    assert result.rows == ((cell, 1),)
    assert type(result.rows[0][0]) is type(cell)
    plain = plain_number(cell)

    told = json.loads(json.dumps(query_result_as_json(result), allow_nan=False))
    assert told["rows"] == [[plain, 1]]
    line = next(each for each in describe_result(result, 1).splitlines() if each.startswith("["))
    assert json.loads(line) == [plain, 1]

    kept, count = to_json(result.rows)
    assert (from_json(json.loads(kept)), count) == (result.rows, 1)

    in_csv = render_csv(result).decode("utf-8-sig")
    ((shown, _),) = list(csv.reader(io.StringIO(in_csv, newline="")))[1:]
    assert in_csv.endswith({None: "\r\n,1\r\n", "": '\r\n"",1\r\n'}.get(shown_key(cell), "1\r\n"))
    assert as_it_was(shown, cell)

    block = render_table(result, 9_000).block
    assert block is not None
    text = block["rows"][1][0]["text"]
    assert text == {None: "–", "": "(empty)"}.get(shown_key(cell), text)
    assert text


def shown_key(cell: Cell) -> str | None:
    """The cell where it is NULL or empty, else something that is neither."""
    return cell if cell in (None, "") and not isinstance(cell, int | float | Decimal) else "?"


def as_it_was(shown: str, cell: Cell) -> bool:
    """Whether a field of the CSV says what the cell says; text may be kept from running."""
    match cell:
        case None:
            return shown == ""
        case bool():
            return shown == ("true" if cell else "false")
        case str():
            return shown in (cell, f"'{cell}")
    return Decimal(shown) == Decimal(str(cell))


def test_all_values_beside_each_other_make_one_row(database: AnalyticsDatabase) -> None:
    columns = ", ".join(expression for expression, _ in VALUES)
    result = run(database, f"SELECT {columns}")
    assert result.rows == (tuple(cell for _, cell in VALUES),)
    labels = [column.name for column in result.columns]
    assert len(set(labels)) == len(labels)
    json.dumps(query_result_as_json(result), allow_nan=False)
    assert render_table(result, 9_000).block is not None
    assert "note: " in describe_result(result, 1)


def test_null_and_the_empty_text_are_told_apart_by_every_door(database: AnalyticsDatabase) -> None:
    result = run(database, "SELECT NULL AS a, '' AS b, 'x' AS c")
    assert query_result_as_json(result)["rows"] == [[None, "", "x"]]
    assert '[null, "", "x"]' in describe_result(result, 1)
    assert render_csv(result).decode("utf-8-sig").splitlines()[1] == ',"","x"'
    block = render_table(result, 9_000).block
    assert block is not None
    assert [cell["text"] for cell in block["rows"][1]] == ["–", "(empty)", "x"]


def test_domains_are_shown_by_the_type_beneath_them(database: AnalyticsDatabase) -> None:
    result = run(database, "SELECT 1.5::half_share, 7::small, 'a'::code, '\\x00'::bytea::blob")
    assert [column.type_name for column in result.columns] == [
        "numeric(5,2)", "integer", "text", "bytea",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("a b", "a b"), ("Ünïcode €", "Ünïcode €"), ("x" * 80, "x" * 63), ("select", "select"),
        ('say ""hi""', 'say "hi"'), (" ", " "), ("?column?", "column 1"), ("=1+1", "=1+1"),
        ("</data>", "</data>"), ("two\nlines", "two\nlines"),
    ],
)  # fmt: skip
def test_labels_of_any_kind_leave_by_every_door(
    database: AnalyticsDatabase, label: str, name: str
) -> None:
    result = run(database, f'SELECT 5 AS "{label}"')
    assert result.columns[0].name == name
    assert query_result_as_json(result)["columns"] == [name]
    text = describe_result(result, 1)
    assert text.splitlines()[2:] == ["<data>", "[5]", "</data>"]
    block = render_table(result, 9_000).block
    assert block is not None
    assert block["rows"][0][0]["text"]
    assert "\r\n5\r\n" in render_csv(replace(result, rows=((5,),))).decode()
