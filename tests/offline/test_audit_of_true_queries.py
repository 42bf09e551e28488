"""The audit raises no alarm on the queries that the questions' true answers come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agent.audit import ResultAudit
from agent.database.postgres import PostgresDatabase
from agent.messages import NoteKind

DEMO = (
    *("demo", "demo_by_others", "demo_third", "demo_fourth", "demo_fifth", "demo_sixth"),
    "demo_paraphrased",
)
OTHERS = {
    "pagila": (
        ("pagila/pagila-schema.sql", "pagila/pagila-data.sql"),
        ("pagila", "pagila_more", "pagila_by_others"),
    ),
    "chinook": (
        ("chinook/Chinook_PostgreSql.sql",),
        ("chinook", "chinook_more", "chinook_third", "chinook_by_others"),
    ),
    "northwind": (
        ("northwind/northwind.sql",),
        ("northwind", "northwind_more", "northwind_by_others"),
    ),
}
ALARMS = (NoteKind.FAN_OUT, NoteKind.UNKNOWN_VALUE, NoteKind.DUPLICATES)


def truths(entries: list[dict[str, Any]]) -> Iterator[str]:
    for entry in entries:
        for turn in entry.get("thread", [entry]):
            sql = turn.get("sql", [])
            yield from sql if isinstance(sql, list) else [sql]


def alarms(database: PostgresDatabase, queries: set[str]) -> list[str]:
    auditor = ResultAudit(database)
    return [
        f"{note.text} {sql}"
        for sql in sorted(queries)
        for note in auditor.audit(database.fetch(sql))
        if note.kind in ALARMS
    ]


def test_no_true_query_on_the_demo_database_raises_an_alarm(demo_database_url, questions, capsys):
    queries = {sql for file in DEMO for sql in truths(questions(file))}
    database = PostgresDatabase(demo_database_url, time_zone="Europe/Berlin")
    found = alarms(database, queries)
    database.close()
    with capsys.disabled():
        print(f"\naudit, demo: {len(found)} alarms on {len(queries)} true queries")
    assert len(queries) > 500
    assert not found


@pytest.mark.parametrize("name", OTHERS)
def test_no_true_query_on_another_database_raises_an_alarm(name, loaded, questions, capsys):
    scripts, files = OTHERS[name]
    database = PostgresDatabase(loaded(*scripts), time_zone="Europe/Berlin", allow_strong_role=True)
    queries = {sql for file in files for sql in truths(questions(file))}
    found = alarms(database, queries)
    database.close()
    with capsys.disabled():
        print(f"\naudit, {name}: {len(found)} alarms on {len(queries)} true queries")
    assert not found
