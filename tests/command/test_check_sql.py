"""`db-agent check-sql` says of each query whether the guard lets it through, and runs none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DbAgent = Callable[..., subprocess.CompletedProcess[str]]
Feed = Callable[..., subprocess.CompletedProcess[bytes]]


def verdicts(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    assert b"Traceback" not in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def lines(*queries: str) -> str:
    return "".join(json.dumps({"id": n, "sql": sql}) + "\n" for n, sql in enumerate(queries, 1))


# --- one query


def test_accepted_query_is_told_with_its_tables_and_functions(feed: Feed) -> None:
    done = feed(
        "SELECT lower(title), count(*)\nFROM film GROUP BY 1;\n", "--relations", "film,actor"
    )
    assert done.stdout.decode() == ("accepted\ntables: public.film\nfunctions: count, lower\n")
    assert (done.returncode, done.stderr) == (0, b"")


def test_refused_query_is_told_with_code_reason_and_help(feed: Feed) -> None:
    done = feed("SELECT * FROM films", "--relations", "film,actor")
    assert done.stdout.decode() == (
        "refused (relation)\nThere is no table films that may be read.\n"
        "The nearest names are: film.\n"
    )
    assert (done.returncode, done.stderr) == (1, b"")


def test_query_comes_from_a_file_with_windows_line_ends_too(
    db_agent: DbAgent, tmp_path: Path
) -> None:
    query = tmp_path / "query.sql"
    query.write_bytes(b"\xef\xbb\xbfSELECT 1\r\nFROM film\r\n")
    done = db_agent("check-sql", "--relations", "film", "query.sql")
    assert (done.returncode, done.stdout.splitlines()[0], done.stderr) == (0, "accepted", "")


def test_without_a_list_any_table_passes_but_those_of_the_system(feed: Feed) -> None:
    done = feed(
        lines(
            "SELECT * FROM whatever w JOIN sales.orders USING (id)",
            "SELECT * FROM pg_catalog.pg_authid",
            "SELECT * FROM information_schema.tables",
            "SELECT pg_sleep(1) FROM whatever",
            "SELECT w.pg_sleep FROM whatever w",
            "SELECT 'pg_authid'::regclass FROM regclass",
            "SELECT 'x'::mpaa_rating FROM whatever",
        ),
        "--jsonl",
    )
    codes = [verdict["code"] for verdict in verdicts(done)]
    system = "system_catalog"
    assert codes == ["", system, system, "function", "attribute_call", "type", "type"]
    assert b"any table" in done.stderr


# --- many queries


def test_each_line_gets_one_line_in_order(feed: Feed) -> None:
    queries = ("SELECT 1", "SELECT 1; SELECT 2", "SELECT title FROM film", "DROP TABLE film")
    done = feed(lines(*queries), "--jsonl", "--relations", "film")
    first, second, third, fourth = verdicts(done)
    accepted = {"accepted": True, "code": "", "reason": ""}
    assert (first, third) == ({"id": 1, **accepted}, {"id": 3, **accepted})
    assert (second["id"], second["accepted"], second["code"]) == (2, False, "several_statements")
    assert second["reason"] == "There are 2 statements. Send one SELECT at a time."
    assert (fourth["id"], fourth["code"]) == (4, "not_a_query")
    assert (done.returncode, done.stderr) == (1, b"")
    assert feed(lines("SELECT 1"), "--jsonl", "--relations", "film").returncode == 0


def test_ids_come_back_as_they_were_and_other_keys_are_ignored(feed: Feed) -> None:
    ids = ["sg-1", 7, 1.5, None, "ü\ud800", {"part": [1]}]
    given = "".join(json.dumps({"class": "x", "sql": "SELECT 1", "id": i}) + "\n" for i in ids)
    found = verdicts(feed(given + '{"sql": "SELECT 1"}', "--jsonl", "--relations", "film"))
    assert [verdict["id"] for verdict in found] == [*ids, None]
    assert all(verdict["accepted"] for verdict in found)


BAD_LINES = [
    (b"no json", None),
    (b'"SELECT 1"', None),
    (b'{"id": 5}', 5),
    (b'{"id": 5, "sql": 1}', 5),
    (b'{"id": 5, "sql": null}', 5),
    (b'{"id": NaN, "sql": "SELECT 1"}', None),
    (b'{"id": 1e999, "sql": "SELECT 1"}', None),
    (b'{"id": 5, "sql": "SELECT \xff"}', None),
    (b"[" * 100_000, None),
    (b'{"id": 5, "sql": "' + b"x" * 5_000_000 + b'"}', None),
]


def test_line_without_a_query_keeps_its_place(feed: Feed) -> None:
    good = b'{"id": "good", "sql": "SELECT 1"}'
    given = b"\n".join(b"\n".join((line, b"", good)) for line, _ in BAD_LINES)
    done = feed(given, "--jsonl", "--relations", "film")
    found = verdicts(done)
    assert [v["id"] for v in found[1::2]] == ["good"] * len(BAD_LINES)
    assert all(v["accepted"] for v in found[1::2])
    assert found[0::2] == [
        {
            "id": identity,
            "accepted": False,
            "code": "bad_line",
            "reason": f'Line {1 + 3 * n} is no JSON object with a text "sql".',
        }
        for n, (_, identity) in enumerate(BAD_LINES)
    ]
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("arguments", [(), ("--relations", "film")])
def test_no_number_ends_the_run(feed: Feed, arguments: tuple[str, ...]) -> None:
    lengths = (
        "'nan'",
        "'-nan'",
        "'infinity'",
        "'1e999999999'",
        "1e999999999",
        f"'{'9' * 5000}'",
        f"0x{'f' * 5000}",
        "'nan' * 0",
        "'inf' / 'inf'",
        "least('nan', 5)",
        "'9_9'",
        "''",
    )
    queries = [
        query.format(length)
        for length in lengths
        for query in (
            "SELECT repeat('x', ({})::int)", "SELECT lpad('x', {})",
            "SELECT generate_series(1, {})",
            "SELECT generate_series({0}, {0}, {0})", "SELECT ''::char({})", "SELECT 1 % {}",
            "SELECT repeat('x', mod(1, {})::int)", "SELECT repeat('x', least(a, {}) * 2)",
        )
    ]  # fmt: skip
    found = verdicts(feed(lines(*queries), "--jsonl", *arguments))
    assert len(found) == len(queries)
    assert "guard_fault" not in {verdict["code"] for verdict in found}


def test_mark_at_the_start_windows_line_ends_and_no_last_one_are_no_matter(feed: Feed) -> None:
    given = b'\xef\xbb\xbf{"id": 1, "sql": "SELECT 1"}\r\n\r\n{"id": 2, "sql": "SELECT\\r\\n2"}'
    done = feed(given, "--jsonl", "--relations", "film")
    assert [(verdict["id"], verdict["accepted"]) for verdict in verdicts(done)] == [
        (1, True),
        (2, True),
    ]
    assert feed(b"", "--jsonl", "--relations", "film").returncode == 0


def test_reason_is_one_line_whatever_the_query_is_called(feed: Feed) -> None:
    done = feed('SELECT * FROM "a\nb\tc"', "--relations", "film")
    assert len(done.stdout.splitlines()) == 3


def test_verdict_comes_before_the_next_line_is_there() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "bot.cli", "check-sql", "--jsonl", "--relations", "film"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(json.dumps({"id": number, "sql": "SELECT 1"}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(30) == 0


# --- what may be read


@pytest.mark.parametrize(
    "written",
    [
        'film, sales.orders,"Odd ""Table"""',
        'FILM(film_id, version),Sales.Orders,"Odd ""Table""",',
        '"film" , "sales" . "orders" , "Odd ""Table"""',
    ],
)
def test_relations_are_written_as_in_sql(feed: Feed, written: str) -> None:
    queries = ("SELECT * FROM film", "SELECT * FROM Sales.orders", 'SELECT * FROM "Odd ""Table"""')
    done = feed(lines(*queries, "SELECT * FROM orders"), "--jsonl", "--relations", written)
    assert [v["accepted"] for v in verdicts(done)] == [True, True, True, False]


def test_types_of_a_database_are_named_beside_the_tables(feed: Feed) -> None:
    queries = ("SELECT 'R'::rating", "SELECT 'R'::sales.size FROM type", "SELECT 'R'::Odd",
               "SELECT * FROM rating")  # fmt: skip
    written = "film, type rating, TYPE sales.size, type"
    done = feed(lines(*queries), "--jsonl", "--relations", written)
    assert [v["code"] for v in verdicts(done)] == ["", "", "type", "relation"]
    assert "--database-url" in verdicts(done)[2]["reason"]
    alone = feed("SELECT 'R'::rating")
    assert b"--database-url" in alone.stdout


def test_file_of_relations_has_one_on_each_line_with_comments(feed: Feed, tmp_path: Path) -> None:
    (tmp_path / "tables.txt").write_bytes(
        b"\xef\xbb\xbf# what may be read\r\n\r\nfilm(film_id, path_length)  # with columns\r\n"
        b'"Odd # Table"'
    )
    queries = ("SELECT f.path_length FROM film f", 'SELECT o.path_length FROM "Odd # Table" o')
    done = feed(lines(*queries), "--jsonl", "--relations", "tables.txt")
    # Only columns that are known can be told from a call of the function of that name.
    assert [verdict["code"] for verdict in verdicts(done)] == ["", "attribute_call"]


MISUSE = {
    "no such file": (["--relations", "film", "missing.sql"], "missing.sql"),
    "a query for a file": (["SELECT 1 FROM film"], "standard input"),
    "a folder": (["--relations", "film", "."], "directory"),
    "no such list": (["--relations", "tables.txt"], "tables.txt"),
    "no names": (["--relations", ""], "names no table"),
    "bad names": (["--relations", "film;actor"], "'film;actor'"),
    "three parts": (["--relations", "a.b.c"], "--relations"),
    "bad URL": (["--database-url", "nonsense"], "database URL"),
    "bad flag": (["--relation-list", "film"], "unrecognized"),
}


@pytest.mark.parametrize(("arguments", "says"), MISUSE.values(), ids=MISUSE.keys())
def test_misuse_is_said_in_one_line(feed: Feed, arguments: list[str], says: str) -> None:
    done = feed("SELECT 1", *arguments)
    last = done.stderr.decode().splitlines()[-1]
    assert (done.returncode, done.stdout) == (2, b"")
    assert last.startswith("db-agent")
    assert says in last
    assert b"Traceback" not in done.stderr


def test_query_that_is_no_text_is_misuse(feed: Feed) -> None:
    done = feed(b"SELECT '\xff'", "--relations", "film")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"db-agent: No text in UTF-8 is in the standard input.\n"


def test_full_disk_is_said_in_one_line() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bot.cli", "check-sql", "--relations", "film"],
            input=b"SELECT 1",
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"db-agent: The result cannot be written: ")
    assert len(done.stderr.splitlines()) == 1
