"""The provisioned role alone, with the guard taken out, changes nothing: the last wall holds.

Every text that the guard refuses is sent past it, once through the session and once by a bare login
over the simple protocol that may write as far as its transactions go; then the server is looked at.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg import pq

from agent.database.embedded import EmbeddedPostgres
from agent.database.guard import AcceptedSql
from agent.database.link.limits import Limits
from agent.database.provision import Wish, applying, plan_provision
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import DatabaseUnavailable, SqlFailed

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "provision.md"
SHARED = HERE.parents[2] / "shared" / "cases" / "sql_guard.jsonl"
DEBIAN = Path("/usr/lib/postgresql/15/bin")
CHANNELS = ("ops", "billing", "a", "probe", "deploys")
_HUGE = re.compile(r"\d{8,}|10 \^ 9|1e6::int")
"""They eat memory or time and change nothing; the bombs have tests of their own."""
_ONLY_READING = {
    "catalog_or_server_info", "name_resolution", "nesting", "placeholder_or_template", "reg_cast",
    "resource_literal", "text_rules",
}  # fmt: skip
"""Classes of cases that no server could change anything by; left out to save time."""
_ITS_OWN = ("ALTER DEFAULT PRIVILEGES", "ALTER ROLE", "ALTER USER", "NOTIFY")
"""What PostgreSQL lets every login do, as a statement of its own; the document tells of it."""

_SNAPSHOT = """
SELECT 'roles', string_agg(r::text, ';' ORDER BY r.rolname) FROM pg_roles r
UNION ALL SELECT 'passwords', string_agg(rolpassword, ';' ORDER BY rolname) FROM pg_authid
UNION ALL SELECT 'settings', string_agg(s::text, ';' ORDER BY s::text) FROM pg_db_role_setting s
UNION ALL SELECT 'members', string_agg(m::text, ';' ORDER BY m::text) FROM pg_auth_members m
UNION ALL SELECT 'databases', string_agg(concat(datname, datacl), ';' ORDER BY datname)
    FROM pg_database
UNION ALL SELECT 'defaults', string_agg(d::text, ';' ORDER BY oid) FROM pg_default_acl d
UNION ALL SELECT 'relations', string_agg(concat(oid, relname, relowner, relacl, relfilenode), ';'
    ORDER BY oid) FROM pg_class
UNION ALL SELECT 'columns', md5(string_agg(a::text, ';' ORDER BY attrelid, attnum))
    FROM pg_attribute a
UNION ALL SELECT 'functions', md5(string_agg(p::text, ';' ORDER BY oid)) FROM pg_proc p
UNION ALL SELECT 'schemas', string_agg(n::text, ';' ORDER BY oid) FROM pg_namespace n
UNION ALL SELECT 'types and slots', concat((SELECT count(*) FROM pg_type), '+', count(*))
    FROM pg_replication_slots
UNION ALL SELECT 'comments', string_agg(d::text, ';' ORDER BY d::text) FROM pg_description d
    WHERE classoid = 'pg_class'::regclass
UNION ALL SELECT 'large objects', string_agg(concat(l.loid, l.pageno, l.data), ';'
    ORDER BY loid, pageno) FROM pg_largeobject l
UNION ALL SELECT 'configuration', md5(string_agg(concat(sourceline, name, setting), ';'))
    FROM pg_file_settings
UNION ALL SELECT 'files', string_agg(name, ';' ORDER BY name) FROM pg_ls_dir('.') AS name
UNION ALL SELECT 'sequence ' || sequencename, concat(last_value) FROM pg_sequences
"""
_TABLES = """
SELECT format('SELECT %L, md5(string_agg(t::text, '';'' ORDER BY t::text)) FROM %s AS t',
              oid::regclass, oid::regclass)
FROM pg_class WHERE relkind IN ('r', 'm') AND relnamespace NOT IN
    ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) ORDER BY oid
"""


@dataclass
class Rentals:
    """A server with a few rows, the login of the bot, and two sessions of others."""

    server: EmbeddedPostgres
    admin: psycopg.Connection[Any]
    url: str
    neighbour: psycopg.Connection[Any]
    listener: psycopg.Connection[Any]

    def look(self) -> dict[str, str]:
        """Return all that must stay as it is."""
        seen = dict(self.admin.execute(_SNAPSHOT).fetchall())
        for (query,) in self.admin.execute(_TABLES).fetchall():
            seen |= dict(self.admin.execute(query).fetchall())
        return seen

    def heard(self) -> list[str]:
        """Return what the listening session was told since."""
        return [note.channel for note in self.listener.notifies(timeout=0.05)]

    def neighbour_is_undisturbed(self) -> bool:
        """Say whether the other login's transaction stands, with its row and its locks."""
        (found,) = self.neighbour.execute("SELECT count(*) FROM category").fetchone() or (0,)
        (locks,) = self.neighbour.execute(
            "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'"
        ).fetchone() or (0,)
        return bool(found == 3 and locks == 1)

    def restore_login(self) -> None:
        """Give the login back what it may change by itself: its password and its settings."""
        password = self.server.password("agent_ro")
        self.admin.execute(f"ALTER ROLE agent_ro PASSWORD '{password}'")
        self.admin.execute(
            "ALTER DEFAULT PRIVILEGES FOR ROLE agent_ro REVOKE SELECT ON TABLES FROM PUBLIC"
        )
        provision(self.server.url())


def provision(admin_url: str, *, revoke_catalogue: bool = False, password: str = "") -> None:
    """Do what `db-agent provision --apply` does."""
    wish = Wish(revoke_catalogue=revoke_catalogue)
    with psycopg.connect(admin_url) as connection:
        plan = plan_provision(connection, wish)
        applying.apply(connection, plan, lambda: plan_provision(connection, wish))
        if password:
            applying.set_password(connection, wish.role, password)


@contextmanager
def rentals(bin_dir: Path | None = None) -> Iterator[Rentals]:
    with (
        EmbeddedPostgres.throwaway(bin_dir=bin_dir) as server,
        psycopg.connect(server.url(), autocommit=True) as admin,
    ):
        admin.execute((HERE / "alone" / "rentals.sql").read_bytes())
        admin.execute(f"ALTER ROLE app PASSWORD '{server.password('app')}'")
        provision(server.url(), password=server.password("agent_ro"))
        with (
            psycopg.connect(server.url(user="app")) as neighbour,
            psycopg.connect(server.url(user="app"), autocommit=True) as listener,
        ):
            neighbour.execute("INSERT INTO category (name) VALUES ('Horror')")
            neighbour.execute("SELECT * FROM film WHERE film_id = 1 FOR UPDATE")
            neighbour.execute("SELECT pg_advisory_lock(3)")
            for channel in CHANNELS:
                listener.execute(f"LISTEN {channel}")
            yield Rentals(server, admin, server.url(user="agent_ro"), neighbour, listener)


def refused_texts() -> list[str]:
    lines = (HERE / "guard_cases" / "refused.jsonl").read_text().splitlines()
    cases = [json.loads(line) for line in lines]
    texts = [case["sql"] for case in cases if case["class"] not in _ONLY_READING]
    if SHARED.exists():
        cases = [json.loads(line) for line in SHARED.read_text().splitlines()]
        texts += [case["sql"] for case in cases if case["expect"] == "reject"]
    return [text for text in texts if not _HUGE.search(text)]


def send_bare(connection: psycopg.Connection[Any], text: str, timeout_ms: int) -> str:
    """Send a text over the simple protocol; return "" if it ran, else its SQLSTATE."""
    pgconn = connection.pgconn
    pgconn.exec_(b"SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE")
    pgconn.exec_(b"SET default_transaction_read_only = off")
    pgconn.exec_(b"SET statement_timeout = %d" % timeout_ms)
    end_of_patience = threading.Timer(2, connection.cancel)
    end_of_patience.start()
    result = pgconn.exec_(text.encode("utf-8", "surrogatepass").replace(b"\0", b""))
    end_of_patience.cancel()
    while result.status in (pq.ExecStatus.COPY_OUT, pq.ExecStatus.COPY_IN):
        result = pgconn.exec_(b"SELECT 1")
    if pgconn.status != pq.ConnStatus.OK:
        return "57P01"
    state = (result.error_field(pq.DiagnosticField.SQLSTATE) or b"").decode()
    pgconn.exec_(b"ROLLBACK")
    pgconn.exec_(b"DISCARD ALL")
    return state


def send_all_bare(url: str, texts: list[str], timeout_ms: int = 30) -> dict[str, str]:
    """Send each text; return what became of it."""
    outcomes: dict[str, str] = {}
    while len(outcomes) < len(set(texts)):
        with closing(psycopg.connect(url, autocommit=True)) as connection:
            for text in texts:
                if text not in outcomes and connection.pgconn.status == pq.ConnStatus.OK:
                    outcomes[text] = send_bare(connection, text, timeout_ms)
    return outcomes


def send_all_by_the_session(url: str, texts: list[str], timeout_ms: int = 30) -> dict[str, str]:
    """Send each text past the guard, the way the bot sends what the guard accepts."""
    outcomes = {}
    limits = Limits(statement_timeout_ms=timeout_ms, lock_timeout_ms=timeout_ms)
    database = AnalyticsDatabase(url, limits=limits)
    for text in texts:
        try:
            with get_agent_session(database) as session:
                session.fetch(AcceptedSql(text))
                outcomes[text] = ""
        except SqlFailed as failed:
            outcomes[text] = failed.sqlstate
        except (DatabaseUnavailable, UnicodeError) as trouble:
            outcomes[text] = type(trouble).__name__
    database.pool.close()
    return outcomes


class Run(NamedTuple):
    """All texts sent one way, and what was seen before and after."""

    outcomes: dict[str, str]
    before: dict[str, str]
    after: dict[str, str]
    heard: list[str]
    undisturbed: bool
    probes: dict[str, str]


Runs = dict[tuple[str, bool], Run]
WAYS = {"session": send_all_by_the_session, "bare": send_all_bare}
ORDER = (("session", False), ("bare", False), ("session", True), ("bare", True))


def run_all(rentals: Rentals) -> Runs:
    """Send everything each way, without and then with the catalogue's functions revoked."""
    texts = refused_texts()
    not_its_own = [text for text in texts if not text.startswith(_ITS_OWN)]
    probes = [probe["sql"] for probe in read_probes()]
    runs = {}
    for revoked in (False, True):
        provision(rentals.server.url(), revoke_catalogue=revoked)
        for way, send in WAYS.items():
            before = rentals.look()
            outcomes = send(rentals.url, texts if way == "session" else not_its_own)
            after, heard = rentals.look(), rentals.heard()
            undisturbed = rentals.neighbour_is_undisturbed()
            probed = send(rentals.url, probes, timeout_ms=5_000)
            rentals.heard()
            rentals.restore_login()
            runs[way, revoked] = Run(outcomes, before, after, heard, undisturbed, probed)
    rentals.neighbour.rollback()
    outcomes = send_all_bare(rentals.server.url(user="app"), texts)
    runs["writer", True] = runs["bare", True]._replace(outcomes=outcomes, after=rentals.look())
    return runs


def read_probes() -> list[dict[str, str]]:
    lines = (HERE / "alone" / "probes.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module", params=["the wheel's", "15"])
def runs(request: pytest.FixtureRequest) -> Iterator[Runs]:
    is_old = request.param == "15"
    if is_old and not DEBIAN.exists():
        pytest.skip(f"PostgreSQL 15 is not in {DEBIAN}")
    with rentals(DEBIAN if is_old else None) as server:
        yield run_all(server)


def test_nothing_that_the_guard_refuses_changes_anything(runs: Runs) -> None:
    for way, revoked in ORDER:
        run = runs[way, revoked]
        assert len(run.outcomes) > 100
        assert run.after == run.before, (way, revoked)
        assert run.undisturbed, (way, revoked)


def test_others_hear_only_what_a_bare_login_may_say(runs: Runs) -> None:
    heard = {key: bool(runs[key].heard) for key in ORDER}
    silent = {("session", False), ("session", True), ("bare", True)}
    assert heard == {("bare", False): True} | dict.fromkeys(silent, False)


def test_document_tells_what_still_runs(runs: Runs) -> None:
    told = (
        DOCUMENT.read_text().partition("<!-- what still runs -->")[2].partition("<!-- end -->")[0]
    )
    assert told.strip() == drawn(runs)


def drawn(runs: Runs) -> str:
    """Return the table of the document."""
    lines = [
        "| the login alone may | session | bare | session, revoked | bare, revoked |",
        "|---|---|---|---|---|",
    ]
    never = []
    for probe in read_probes():
        ran = [runs[key].probes[probe["sql"]] == "" for key in ORDER]
        if any(ran):
            cells = " | ".join("yes" if each else "–" for each in ran)
            lines.append(f"| {probe['what']} | {cells} |")
        else:
            never.append(probe["what"])
    return "\n".join([*lines, "", f"It may not: {'; '.join(never)}."])


def test_same_texts_of_a_login_that_may_write_do_change_things(runs: Runs) -> None:
    changed = runs["writer", True]
    names = {name for name in changed.before if changed.before[name] != changed.after.get(name)}
    assert names >= {"film", "payment", "sequence s"}
