"""The demo database, and beside it the same rows among three hundred further tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import sql

from agent.database.demo import AGENT_ROLE, DATABASE, demo_database

WIDE: Final = "wide"
_AREAS: Final = (
    *("billing", "hiring", "payroll", "fleet", "stock", "supply", "ledger", "budget", "travel"),
    *("support", "campaign", "web", "partner", "contract", "quality", "energy", "security"),
    *("training", "facility", "project"),
)
_THINGS: Final = (
    *("account", "document", "line", "event", "status", "person", "place", "plan", "rate"),
    *("request", "approval", "schedule", "item", "note", "history"),
)
FURTHER_TABLES: Final = len(_AREAS) * len(_THINGS)


@contextmanager
def both_databases() -> Iterator[dict[str, str]]:
    """Serve both; yield their addresses for the login that can only read, by a name for each."""
    with demo_database() as demo:
        with psycopg.connect(demo.server.url(database="template1"), autocommit=True) as connection:
            wide, role = sql.Identifier(WIDE), sql.Identifier(AGENT_ROLE)
            template = sql.Identifier(DATABASE)
            for command in (
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(wide, template),
                sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(wide),
                sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(wide, role),
            ):
                connection.execute(command)
        with psycopg.connect(demo.server.url(database=WIDE), autocommit=True) as connection:
            connection.execute(_further_tables())
            connection.execute(
                sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {}").format(role)
            )
        yield {
            "demo database": demo.url,
            f"demo database and {FURTHER_TABLES} further tables": demo.server.url(
                database=WIDE, user=AGENT_ROLE
            ),
        }


def _further_tables() -> sql.Composed:
    """Return the statements that make them: each with a few columns, a comment and a key."""
    made: list[sql.Composable] = []
    for area in _AREAS:
        parent = sql.Identifier(f"{area}_{_THINGS[0]}")
        for thing in _THINGS:
            table = sql.Identifier(f"{area}_{thing}")
            key = sql.SQL("") if table == parent else sql.SQL(" REFERENCES {}").format(parent)
            made.append(
                sql.SQL(
                    "CREATE TABLE {table} (id integer PRIMARY KEY, parent_id integer{key},"
                    " name text NOT NULL, amount numeric(10,2), state text, valid_from date,"
                    " valid_to date, created_at timestamptz NOT NULL DEFAULT now());"
                    "COMMENT ON TABLE {table} IS {comment};"
                ).format(table=table, key=key, comment=sql.Literal(f"{thing}s of {area}"))
            )
    return sql.Composed(made)
