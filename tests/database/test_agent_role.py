"""The demo's own login is what `db-agent provision` makes; there is no other script for one."""

from __future__ import annotations

from pathlib import Path

import psycopg

from agent.database.demo import DATABASE, DemoDatabase
from agent.database.provision import Wish, plan_provision

CHECKOUT = Path(__file__).parents[2]


def test_provision_finds_nothing_to_add_to_the_demo(demo: DemoDatabase) -> None:
    with psycopg.connect(demo.admin_url) as connection:
        plan = plan_provision(connection, Wish())
    assert plan.database == DATABASE
    assert [step.sql for step in plan.steps] == []


def test_readers_are_sent_to_the_command() -> None:
    assert list((CHECKOUT / "deploy").glob("*.sql")) == []
    for name in ("README.md", ".env.example"):
        assert "db-agent provision" in (CHECKOUT / name).read_text()
