"""`db-agent provision` makes a login that reads what is listed, and says what stands in the way."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase
from agent.database.rights import find_excess
from agent.errors import SqlFailed, UnknownTable
from bot.cli import main

SHOP = """
CREATE TABLE orders (id int PRIMARY KEY, email text, total int);
CREATE TABLE staff (id int, password text);
CREATE VIEW open_orders AS SELECT id, total FROM orders;
CREATE SCHEMA sales;
CREATE TABLE sales."Odd Name" (id int, "Day off" date);
INSERT INTO orders VALUES (1, 'a@b.c', 5);
"""
SNAPSHOT = """
SELECT (SELECT string_agg(concat(r, xmin), ';' ORDER BY rolname) FROM pg_authid r),
       (SELECT string_agg(concat(s, xmin), ';' ORDER BY s::text) FROM pg_db_role_setting s),
       (SELECT string_agg(concat(oid, relacl, xmin), ';' ORDER BY oid) FROM pg_class),
       (SELECT string_agg(concat(attrelid, attnum, attacl, xmin), ';' ORDER BY attrelid, attnum)
        FROM pg_attribute WHERE attacl IS NOT NULL),
       (SELECT string_agg(concat(oid, proacl, xmin), ';' ORDER BY oid) FROM pg_proc),
       (SELECT string_agg(concat(oid, nspacl, xmin), ';' ORDER BY oid) FROM pg_namespace),
       (SELECT string_agg(concat(oid, datacl, xmin), ';' ORDER BY oid) FROM pg_database)
"""
"""With what has written each row last (xmin), so that a change to the same shows as well."""


class Shop:
    """A database, and the command on it."""

    def __init__(
        self, url: str, admin: psycopg.Connection[Any], capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.url, self.admin, self._capsys = url, admin, capsys

    def run(self, *words: str, url: str | None = None, code: int = 0) -> str:
        """Run the command; return all that it printed."""
        arguments = ["provision", "--database-url", url or self.url, "--role", "reader", *words]
        done = main(arguments)
        captured = self._capsys.readouterr()
        said = captured.out + captured.err
        assert done == code, said
        assert "Traceback" not in said
        return said

    def apply(self, *words: str) -> PostgresDatabase:
        """Make the login; return the database as it sees it."""
        said = self.run("--apply", *words)
        return PostgresDatabase(address_in(said))

    def sql(self, text: str) -> None:
        self.admin.execute(text)

    def snapshot(self) -> Any:
        return self.admin.execute(SNAPSHOT).fetchone()


def address_in(said: str) -> str:
    found = re.search(r"^postgresql://reader:.*$", said, re.MULTILINE)
    assert found, said
    return found[0]


@pytest.fixture
def shop(scratch_database: str, capsys: pytest.CaptureFixture[str]) -> Iterator[Shop]:
    with psycopg.connect(scratch_database, autocommit=True) as admin:
        admin.execute(SHOP)
        yield Shop(scratch_database, admin, capsys)
        for role in ("reader", "owner", "neighbour"):
            with contextlib.suppress(psycopg.errors.UndefinedObject):
                admin.execute(f"REASSIGN OWNED BY {role} TO CURRENT_USER; DROP OWNED BY {role}")
                admin.execute(f"DROP ROLE {role}")


def test_login_that_is_made_reads_and_does_nothing_else(shop: Shop) -> None:
    said = shop.run("--apply")
    assert "Checked: reader logs in and can do nothing but read." in said
    url = address_in(said)
    database = PostgresDatabase(url)
    assert database.fetch("SELECT total FROM open_orders").rows == ((5,),)
    database.close()
    with psycopg.connect(url) as login:
        assert find_excess(login) == []
    (attributes,) = shop.admin.execute(
        "SELECT (rolcanlogin, rolinherit, rolsuper, rolcreatedb, rolcreaterole, rolconnlimit)::text"
        " FROM pg_roles WHERE rolname = 'reader'"
    ).fetchone() or ("",)
    assert attributes == "(t,f,f,f,f,20)"


def test_limits_are_set_on_the_role(shop: Shop) -> None:
    url = address_in(shop.run("--apply", "--schema", "public", "--schema", "sales"))
    limits = {
        "default_transaction_read_only": "on", "statement_timeout": "3s", "lock_timeout": "500ms",
        "temp_file_limit": "256MB", "search_path": "pg_catalog, public, sales",
    }  # fmt: skip
    with psycopg.connect(url) as login:
        if login.info.server_version >= 170_000:
            limits["transaction_timeout"] = "5s"
        for name, value in limits.items():
            assert login.execute(f"SHOW {name}").fetchone() == (value,)


def test_printed_script_does_what_apply_does(shop: Shop) -> None:
    script = shop.run("--schema", "public", "--schema", "sales", "--hide", "orders.email")
    assert script == shop.run("--schema", "public", "--schema", "sales", "--hide", "orders.email")
    assert "password reader" in script
    shop.sql(script)
    again = ("--schema", "sales", "--schema", "public", "--hide", "public.orders.email")
    assert "IN DATABASE" in shop.run(*again)  # the order of the search path, and nothing else
    said = shop.run("--schema", "public", "--schema", "sales", "--hide", "orders.email")
    assert "GRANT" not in said
    assert said.startswith("-- nothing to change")


@pytest.mark.parametrize("extra", [(), ("--revoke-catalogue",)])
def test_second_run_changes_nothing(shop: Shop, extra: tuple[str, ...]) -> None:
    shop.apply("--hide", "orders.email", *extra).close()
    before = shop.snapshot()
    said = shop.run("--apply", "--hide", "orders.email", *extra)
    assert "Nothing to change" in said
    assert shop.snapshot() == before


def test_run_with_fewer_tables_takes_away_and_one_with_more_gives(shop: Shop) -> None:
    database = shop.apply("--schema", "public", "--schema", "sales")
    assert database.fetch('SELECT count(*) FROM sales."Odd Name"').rows == ((0,),)
    shop.run("--apply", "--tables", "orders")
    with psycopg.connect(shop.url) as admin:
        reads = admin.execute(
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v')"
            " AND relnamespace::regnamespace::text IN ('public', 'sales')"
            " AND has_any_column_privilege('reader', oid, 'SELECT')"
        ).fetchall()
    assert reads == [("orders",)]
    assert "GRANT SELECT ON public.staff TO reader;" in shop.run("--tables", "orders,sta*")
    database.close()


def test_hidden_column_can_not_be_read_in_any_way(shop: Shop) -> None:
    shop.sql("GRANT SELECT ON staff TO PUBLIC; CREATE VIEW people AS SELECT * FROM staff")
    said = shop.run("--apply", "--hide", "staff.password,orders.email")
    assert "public.people is left out: it uses public.staff.password" in said
    database = PostgresDatabase(address_in(said))
    assert database.fetch("SELECT id, total FROM orders").rows == ((1, 5),)
    for query in ("SELECT email FROM orders", "SELECT o FROM orders o", "SELECT * FROM staff"):
        with pytest.raises(SqlFailed):
            database.fetch(query)
    with pytest.raises(UnknownTable):
        database.get_table("people")
    assert "people is left out" in shop.run("--tables", "*", "--hide", "staff.password,*.email")
    database.close()


def test_hidden_column_of_a_parent_is_hidden_in_partitions_and_heirs(shop: Shop) -> None:
    shop.sql(
        "CREATE TABLE log (day date, who text) PARTITION BY RANGE (day);"
        "CREATE TABLE log_24 PARTITION OF log FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');"
        "CREATE TABLE base (a int, b int); CREATE TABLE heir (c int) INHERITS (base)"
    )
    script = shop.run("--tables", "log,base,heir", "--hide", "log.who", "--hide", "base.b")
    assert "GRANT SELECT (day) ON public.log_24 TO reader;" in script
    assert "GRANT SELECT (a, c) ON public.heir TO reader;" in script
    said = shop.run("--tables", "base,heir", "--hide", "heir.b", code=2)
    assert "public.base shows the rows of public.heir" in said


def test_whole_rows_in_a_view_count_as_use_of_a_hidden_column(shop: Shop) -> None:
    shop.sql("CREATE VIEW whole AS SELECT s FROM staff s; CREATE VIEW over AS TABLE whole")
    said = shop.run("--hide", "staff.password", "--tables", "over", code=2)
    assert "The view public.over uses public.staff.password" in said


REFUSED = [
    (("--tables", "ordres"), r"no table or view ordres in the schema public. Did you mean orders"),
    (("--tables", "sales.nothing"), r"There is no table or view sales\.nothing"),
    (("--tables", "a b"), r"--tables a b: tables are written name or schema\.name"),
    (("--schema", "saels"), r"There is no schema saels. Did you mean sales"),
    (("--schema", "pg_catalog"), r"one of the system's own schemas"),
    (("--hide", "orders.emial"), r"--hide orders\.emial: there is no such column. Did you mean em"),
    (("--hide", "email"), r"a column is written table\.column"),
    (("--hide", "staff.*"), r"leaves public\.staff without a column"),
    (("--role", "pg_reader"), r"PostgreSQL keeps that name for itself"),
    (("--role", "postgres"), r"more than a reader: it is a superuser"),
    (("--password-env", "SECRET"), r"go with --apply"),
    (("--keep-public", "--revoke-catalogue"), r"choose one of them"),
    (("--drop", "--tables", "orders"), r"--drop goes with --role and --apply"),
    (
        ("--apply", "--password-env", "NOWHERE"),
        r"--password-env NOWHERE: there is no such variable",
    ),
]


def test_what_can_not_be_had_is_refused_with_the_reason(shop: Shop) -> None:
    before = shop.snapshot()
    for words, reason in REFUSED:
        assert re.search(reason, shop.run(*words, code=2)), words
    assert shop.snapshot() == before


TAKEN = [
    ("ALTER ROLE reader CREATEDB", "ALTER ROLE reader NOCREATEDB", "has CREATEDB"),
    ("GRANT pg_read_all_data TO reader", "REVOKE pg_read_all_data FROM reader", "is a member of"),
    ("GRANT reader TO neighbour", "REVOKE reader FROM neighbour", "has neighbour as a member"),
    ("GRANT INSERT ON staff TO reader", "REVOKE INSERT ON staff FROM reader", "may write"),
    ("GRANT USAGE ON LANGUAGE plpgsql TO reader", "REVOKE ALL ON LANGUAGE plpgsql FROM reader",
     "has a right on language plpgsql"),
    ("ALTER TABLE staff OWNER TO reader", "ALTER TABLE staff OWNER TO neighbour", "owns table"),
]  # fmt: skip


def test_role_that_is_more_than_a_reader_is_left_alone(shop: Shop) -> None:
    shop.sql("CREATE ROLE reader LOGIN; CREATE ROLE neighbour")
    for grant, undo, reason in TAKEN:
        shop.sql(grant)
        for words in (("--apply",), ("--drop", "--apply")):
            said = shop.run(*words, code=2)
            assert "There is a role reader already, and it is more than a reader" in said
            assert reason in said
        shop.sql(undo)
    shop.run("--apply")


def test_database_that_can_not_be_reached_is_said(shop: Shop) -> None:
    said = shop.run(url="postgresql://me:s3cret@127.0.0.1:1/shop", code=1)
    assert "shop on 127.0.0.1 cannot be reached" in said
    assert "s3cret" not in said
    assert "cannot be read" in shop.run(url="nonsense", code=2)


def test_given_password_is_set_once_and_not_shown(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "password"
    file.write_text("not to be shown'\n")
    said = shop.run("--apply", "--password-file", str(file))
    assert "not to be shown" not in said
    before = shop.snapshot()
    shop.run("--apply", "--password-file", str(file))
    assert shop.snapshot() == before
    monkeypatch.setenv("SECRET", "another")
    assert "The password was set." in shop.run("--apply", "--password-env", "SECRET")
    (hashed,) = shop.admin.execute(
        "SELECT rolpassword FROM pg_authid WHERE rolname = 'reader'"
    ).fetchone() or ("",)
    assert hashed.startswith("SCRAM-SHA-256$")
    assert os.environ["SECRET"] == "another"


def test_odd_names_are_written_so_that_they_harm_nothing(shop: Shop) -> None:
    shop.sql('CREATE SCHEMA "Odd, \'s"; CREATE TABLE "Odd, \'s"."a""b\r; DROP" ("x.y" int, z int)')
    shop.sql('GRANT SELECT ON "Odd, \'s"."a""b\r; DROP" TO PUBLIC')
    words = ("--schema", "Odd, 's", "--hide", '"a""b\r; DROP"."x.y"', "--role", 'read "er"\r; DROP')
    try:
        script = shop.run(*words)
        comments = [line for line in script.split("\n") if line.startswith("--")]
        assert not any("\r" in line for line in comments)  # which would end the comment
        shop.sql(script)
        assert shop.run(*words).startswith("-- nothing to change")
        shop.run(*words[-2:], "--drop", "--apply")
    finally:
        shop.sql('DROP ROLE IF EXISTS "read ""er""\r; DROP"')


def test_two_that_run_at_the_same_time_do_not_tread_on_each_other(shop: Shop) -> None:
    with psycopg.connect(shop.url) as other, ThreadPoolExecutor(1) as threads:
        other.execute("CREATE ROLE reader")
        done = threads.submit(shop.run, "--apply", code=1)
        time.sleep(0.7)
        other.commit()
        said = done.result()
    assert "Nothing was changed: somebody else changed the same rights" in said
    shop.sql("DROP ROLE reader")


def test_a_lock_that_somebody_holds_is_not_waited_for_without_an_end(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.commands.provision.LOCK_WAIT_S", 1)
    with psycopg.connect(shop.url) as other:
        other.execute("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE")
        said = shop.run("--apply", code=1)
    assert "somebody has held a lock for 1 seconds" in said
