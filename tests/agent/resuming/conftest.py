"""A store's jsonb, and processes that share nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase

from .processes import Desk


@pytest.fixture(scope="module")
def through_jsonb(demo_admin_url: str) -> Iterator[Callable[[Any], Any]]:
    """Write a value to a jsonb of PostgreSQL, and read it."""
    with psycopg.connect(demo_admin_url, autocommit=True) as connection:

        def through(value: Any) -> Any:
            row = connection.execute("SELECT %s::jsonb", [Jsonb(value)]).fetchone()
            assert row is not None
            return row[0]

        yield through


@pytest.fixture(scope="module")
def shared_desk(
    database: PostgresDatabase, renderer: ProcessRenderer, through_jsonb: Callable[[Any], Any]
) -> Desk:
    return Desk(database, renderer, through_jsonb)


@pytest.fixture
def desk(shared_desk: Desk) -> Desk:
    return replace(shared_desk, fetched=[])
