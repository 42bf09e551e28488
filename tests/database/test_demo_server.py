"""Serving the demo database and the store: kept once, served to many, in spite of bad folders."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from agent.database.demo import DemoDatabase, demo_database, store_server
from agent.database.embedded import EmbeddedPostgresError

# Serves the demo database from the cache in its argument, and says what it was told and read.
_ASK = """
import sys
from pathlib import Path
import psycopg
from agent.database.demo import demo_database
with demo_database(cache_dir=Path(sys.argv[1]), progress=print) as demo:
    with psycopg.connect(demo.url) as connection:
        print(connection.execute("SELECT count(*) FROM film").fetchone()[0])
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache") / "not" / "yet" / "there"


def test_several_at_once_build_it_once(cache: Path) -> None:
    command = [sys.executable, "-c", _ASK, str(cache)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = [process.communicate()[0].splitlines() for process in running]
    assert [lines[-1] for lines in said] == ["1000"] * 3
    assert sorted(len(lines) for lines in said) == [1, 1, 2]
    assert ["building the demo database (first time only)…", "1000"] in said


def test_later_starts_take_it_from_the_cache(cache: Path) -> None:
    said: list[str] = []
    for _ in range(2):
        with (
            demo_database(cache_dir=cache, progress=said.append) as demo,
            psycopg.connect(demo.admin_url, autocommit=True) as connection,
        ):
            connection.execute("DROP TABLE film CASCADE")  # ours alone: the next has it again
    assert len(said) <= 1  # one if this test runs before the other


def test_damaged_copy_is_made_anew(cache: Path) -> None:
    with demo_database(cache_dir=cache):
        pass
    (kept,) = cache.glob("demo-*")
    (kept / "data/global/pg_control").write_bytes(b"cut sh")
    said: list[str] = []
    for _ in range(3):
        with (
            demo_database(cache_dir=cache, progress=said.append) as demo,
            psycopg.connect(demo.url) as connection,
        ):
            assert connection.execute("SELECT count(*) FROM store").fetchone() == (3,)
    assert len(said) == 2
    assert "pg_control" in said[0]
    assert "first time" in said[1]


def test_folder_that_cannot_keep_it_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    said: list[str] = []
    with (
        demo_database(cache_dir=tmp_path / "file", progress=said.append) as demo,
        psycopg.connect(demo.url) as connection,
    ):
        assert connection.execute("SELECT count(*) FROM store").fetchone() == (3,)
    assert len(said) == 1
    assert "for this run only" in said[0]
    assert str(tmp_path / "file") in said[0]


def test_demo_has_an_empty_store_of_its_own(demo: DemoDatabase) -> None:
    with psycopg.connect(demo.store_url) as connection:
        connection.execute("CREATE SCHEMA bot")
        found = connection.execute("SELECT current_user, to_regclass('film')").fetchone()
        assert found == ("db_agent_store", None)
        connection.rollback()
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        psycopg.connect(demo.url.replace("/dvd_rental?", "/db_agent_store?"))


def test_store_keeps_what_it_was_given(reachable_folder: Path) -> None:
    with store_server(reachable_folder / "store") as url, psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept (n int)")
        connection.commit()
        with pytest.raises(EmbeddedPostgresError, match="in use"):
            store_server(reachable_folder / "store").__enter__()
    with store_server(reachable_folder / "store") as url, psycopg.connect(url) as connection:
        assert connection.execute("SELECT to_regclass('kept')::text").fetchone() == ("kept",)
