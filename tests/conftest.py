"""What every test may use: the real demo database, and empty databases beside it.

Each test process (each worker of pytest-xdist too) has a server of its own, started when the first
test asks for it.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import hypothesis
import psycopg
import pytest
from psycopg import sql

from agent.database.demo import DemoDatabase, demo_database
from agent.database.postgres import PostgresDatabase

_PG_BIN = os.environ.get("PG_BIN")
_MEMORY = Path("/dev/shm")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
_DISTURBING = (
    *("PG", "DATABASE_URL", "DB_AGENT_", "SLACK_", "ANTHROPIC_"),
    *("NVIDIA_", "GROQ_", "OPENAI_", "OLLAMA_", "VLLM_"),
)


def pytest_configure() -> None:
    """Tests see neither the proxies nor the settings of whoever runs them.

    Their files lie in memory where there is room: some file systems take seconds to make and
    remove the thousand files of a database again and again.
    """
    # A busy machine is no fault of what is tested; tests about time measure it themselves.
    hypothesis.settings.register_profile(
        "busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.load_profile("busy")
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(_DISTURBING):
            del os.environ[name]
    if _has_room(_MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


# Eight thousand tests are a million objects that stay: looking through them again and again for
# garbage takes a twentieth of the whole time.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, and only among what tests make."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: for a third of their time tests wait for something."""
    return (os.cpu_count() or 1) + 1


def _has_room(folder: Path) -> bool:
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    system = os.statvfs(folder)
    may_execute = not system.f_flag & getattr(os, "ST_NOEXEC", 0)
    return may_execute and system.f_bavail * system.f_frsize > 2_000_000_000


@pytest.fixture(scope="session")
def demo() -> Iterator[DemoDatabase]:
    """The demo database on a server of this process."""
    with demo_database(bin_dir=Path(_PG_BIN) if _PG_BIN else None) as database:
        yield database


@pytest.fixture(scope="session")
def demo_database_url(demo: DemoDatabase) -> str:
    """The demo database for `agent_ro`, which can only read."""
    return demo.url


@pytest.fixture(scope="session")
def demo_admin_url(demo: DemoDatabase) -> str:
    """The demo database for the superuser; whoever makes a table there drops it again."""
    return demo.admin_url


@pytest.fixture
def scratch_database(demo: DemoDatabase) -> Iterator[str]:
    """The superuser's address of an empty database, dropped after the test."""
    name = f"scratch_{uuid.uuid4().hex[:12]}"
    database = sql.Identifier(name)
    with psycopg.connect(demo.admin_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(database))
        yield urlunsplit(urlsplit(demo.admin_url)._replace(path=f"/{quote(name)}"))
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(database))


SALES = """
create table sale (sale_id int primary key, sold_at timestamptz not null, amount numeric not null);
insert into sale
select n, timestamptz '2026-11-29 00:30+00' + n * interval '1 hour', 1000 + n
from generate_series(0, 47) as n;
analyze sale;
"""


@pytest.fixture
def shop(scratch_database: str) -> Iterator[PostgresDatabase]:
    """A sale every hour, from the end of 28 November in New York to 1 December in Tokyo.

    It has one connection for everybody: what one leaves behind, the next one finds.
    """
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute(SALES)
    database = PostgresDatabase(scratch_database, pool_size=1, allow_strong_role=True)
    yield database
    database.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless Chromium, one for a whole test process: Playwright bears no second one."""
    found = [path for name in _BROWSERS if (path := shutil.which(name))]
    if not found:
        pytest.skip("no Chromium on this machine (on Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found[0], args=list(_QUIET))
        yield browser
        browser.close()
