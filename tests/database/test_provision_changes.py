"""From any state of the login `db-agent provision` makes exactly the one that is asked for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from agent.database.provision import Wish, applying, plan_provision
from agent.database.provision.server import Connection
from agent.errors import SettingsInvalid

TABLES = {"public.a": ("x", "y"), "public.b": ("x", "z"), "s.c": ("x", "y"), '"S T".d': ("x", "w")}
READS = """
SELECT format('%I.%I', n.nspname, c.relname) || '.' || a.attname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
WHERE c.relkind IN ('r', 'v') AND n.nspname IN ('public', 's', 'S T')
  AND has_column_privilege('reader', c.oid, a.attnum, 'SELECT')
"""
INTO = """
SELECT quote_ident(nspname) FROM pg_namespace
WHERE nspname IN ('s', 'S T') AND has_schema_privilege('reader', oid, 'USAGE')
"""


@pytest.fixture
def admin(scratch_database: str) -> Iterator[Connection]:
    """A connection whose transaction is never committed: the login is there for it alone."""
    with contextlib.closing(psycopg.connect(scratch_database)) as connection:
        connection.execute('CREATE SCHEMA s; CREATE SCHEMA "S T"')
        for table, columns in TABLES.items():
            connection.execute(f"CREATE TABLE {table} ({', '.join(f'{c} int' for c in columns)})")
        yield connection


def provision(connection: Connection, wish: Wish) -> tuple[str, ...]:
    """Do what --apply does; return the notes."""
    plan = plan_provision(connection, wish)
    applying.apply(connection, plan, lambda: plan_provision(connection, wish))
    return plan.notes


def wish_of(readable: frozenset[str], *, unhide: tuple[str, ...] = ()) -> Wish:
    tables = tuple(sorted({name.rpartition(".")[0] for name in readable}))
    columns = {f"{table}.{column}" for table in tables for column in TABLES[table]}
    return Wish("reader", (), tables, tuple(sorted(columns - readable)), unhide)


COLUMNS = [f"{table}.{column}" for table, columns in TABLES.items() for column in columns]
STATES = st.frozensets(st.sampled_from(COLUMNS), min_size=1)


def test_any_state_becomes_any_other_exactly(admin: Connection) -> None:
    @settings(
        max_examples=12, deadline=None, database=None, derandomize=True,
        phases=[Phase.generate], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(STATES)
    def goes_on_to(state: frozenset[str]) -> None:
        provision(admin, wish_of(state, unhide=("*.*", "s.*.*", '"S T".*.*')))
        assert {name for (name,) in admin.execute(READS)} == state
        schemas = {name.partition(".")[0] for name in state} - {"public"}
        assert {name for (name,) in admin.execute(INTO)} == schemas

    goes_on_to()


def test_column_that_was_hidden_opens_only_when_it_is_said(admin: Connection) -> None:
    provision(admin, Wish("reader", tables=("a",), hide=("a.y",)))
    with pytest.raises(SettingsInvalid, match=r"could: public\.a\.y\..*--unhide public\.a\.y"):
        plan_provision(admin, Wish("reader"))
    provision(admin, Wish("reader", unhide=("a.y",)))
    assert ("public.a.y",) in admin.execute(READS).fetchall()
    assert not plan_provision(admin, Wish("reader", unhide=("a.y",))).steps


def test_hidden_column_does_not_open_through_a_view_either(admin: Connection) -> None:
    admin.execute("CREATE VIEW all_of_a AS TABLE a; CREATE VIEW part_of_a AS SELECT x FROM a")
    provision(admin, Wish("reader", tables=("a",), hide=("a.y",)))
    with pytest.raises(SettingsInvalid, match=r"public\.a\.y \(through the view public\.all_of_a"):
        plan_provision(admin, Wish("reader", tables=("all_of_a",)))
    provision(admin, Wish("reader", tables=("part_of_a",)))


def test_column_that_is_new_in_a_table_with_hidden_ones_does_not_open_by_itself(
    admin: Connection,
) -> None:
    provision(admin, Wish("reader", tables=("a",), hide=("a.y",)))
    admin.execute("ALTER TABLE a ADD secret text")
    with pytest.raises(SettingsInvalid, match=r"public\.a\.secret"):
        plan_provision(admin, Wish("reader", tables=("a",), hide=("a.y",)))


def test_narrower_run_says_what_it_takes_away(admin: Connection) -> None:
    provision(admin, Wish("reader"))
    notes = provision(admin, Wish("reader", tables=("a",)))
    assert any("TAKES AWAY" in note and "public.b" in note for note in notes)


def test_wildcard_that_hides_nothing_is_refused_and_counts_where_the_tables_are(
    admin: Connection,
) -> None:
    with pytest.raises(SettingsInvalid, match=r"--hide \*\.z hides nothing"):
        plan_provision(admin, Wish("reader", tables=("a",), hide=("*.z",)))
    plan = plan_provision(admin, Wish("reader", tables=("a",), hide=("b.z",)))
    assert any("--hide b.z hides nothing" in note for note in plan.notes)
    provision(admin, Wish("reader", tables=("s.c",), hide=("*.y",)))  # in s, which nobody named
    assert admin.execute(READS).fetchall() == [("s.c.x",)]


def test_schema_may_be_written_with_quotes(admin: Connection) -> None:
    for written in ('"S T"', "S T"):
        (step,) = [s for s in plan_provision(admin, Wish("reader", (written,))).steps
                   if "GRANT SELECT" in s.sql]  # fmt: skip
        assert step.sql == 'GRANT SELECT ON "S T".d TO reader;'


def test_login_that_has_expired_lives_again(admin: Connection) -> None:
    provision(admin, Wish("reader"))
    admin.execute("ALTER ROLE reader VALID UNTIL '2020-01-01'")
    notes = provision(admin, Wish("reader"))
    assert any("had expired (2020-01-01" in note for note in notes)
    assert not plan_provision(admin, Wish("reader")).steps
    admin.execute("ALTER ROLE reader VALID UNTIL '2099-01-01'")
    assert any("until 2099-01-01" in note for note in plan_provision(admin, Wish("reader")).notes)
