"""The demo database: its shape, its rows, and what the agent's login may do with it."""

from __future__ import annotations

import psycopg


def test_agent_reads_every_table_and_view(demo_database_url: str) -> None:
    with psycopg.connect(demo_database_url) as connection:
        names = connection.execute(
            "SELECT oid::regclass::text FROM pg_class"
            " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')"
        ).fetchall()
        assert len(names) == 15 + 24 + 7
        for (name,) in names:
            assert connection.execute(f"SELECT * FROM {name} LIMIT 1").fetchone(), name
