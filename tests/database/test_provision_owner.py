"""`db-agent provision` by the owner of a database who is no superuser: what only others can do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase
from bot.cli import main

Run = Callable[..., tuple[str, str]]
TABLES = """
CREATE TABLE orders (id int PRIMARY KEY, email text);
INSERT INTO orders VALUES (1, 'a@b.c');
"""


class Owner:
    """A database of an owner, and the command as it is run by them."""

    def __init__(
        self, url: str, admin: psycopg.Connection, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.url, self.admin, self._capsys = url, admin, capsys

    def run(self, *words: str, url: str = "", code: int = 0) -> tuple[str, str]:
        """Run the command; return what it printed and its messages."""
        done = main(["provision", "--database-url", url or self.url, "--role", "reader", *words])
        captured = self._capsys.readouterr()
        assert done == code, captured
        return captured.out, captured.err


@pytest.fixture
def owner(scratch_database: str, capsys: pytest.CaptureFixture[str]) -> Iterator[Owner]:
    with psycopg.connect(scratch_database, autocommit=True) as admin:
        name = urlsplit(scratch_database).path[1:]
        admin.execute("CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'my own'")
        admin.execute(f"ALTER DATABASE {name} OWNER TO owner; ALTER SCHEMA public OWNER TO owner")
        parts = urlsplit(scratch_database)
        url = urlunsplit(parts._replace(netloc=f"owner:my%20own@{parts.netloc.partition('@')[2]}"))
        with psycopg.connect(url) as login:
            login.execute(TABLES)
        yield Owner(url, admin, capsys)
        exists = admin.execute("SELECT FROM pg_roles WHERE rolname = 'reader'").fetchone()
        if exists is not None:
            admin.execute("DROP OWNED BY reader; DROP ROLE reader")
        admin.execute("REASSIGN OWNED BY owner TO CURRENT_USER; DROP OWNED BY owner")
        admin.execute("DROP ROLE owner")


def test_what_only_a_superuser_can_take_away_is_known_before(owner: Owner) -> None:
    owner.admin.execute("CREATE EXTENSION dblink")
    owner.admin.execute(
        "CREATE FUNCTION theirs() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'"
    )
    out, err = owner.run("--apply", code=1)
    assert "Nothing was changed" in err
    assert re.search(r"public\.theirs\(\), owned by postgres; \d+ functions of dblink, owned", err)
    assert "--keep-public" in err
    assert len(err) < 600
    assert "REVOKE EXECUTE ON ROUTINE public.theirs() FROM PUBLIC;" in out
    script, _ = owner.run()
    statements = [line for line in script.splitlines() if not line.startswith("--")]
    assert not any("dblink" in line and "extname" not in line for line in statements)
    refused = pytest.raises(psycopg.errors.RaiseException, match=r"may still call public\.dblink")
    with psycopg.connect(owner.url, autocommit=True) as login, refused:
        login.execute(script)
    assert owner.admin.execute("SELECT FROM pg_roles WHERE rolname = 'reader'").fetchone() is None
    owner.admin.execute(out)  # a superuser does what was printed, and then the owner can
    script, _ = owner.run()
    with psycopg.connect(owner.url, autocommit=True) as login:
        login.execute(script)
    assert owner.run("--apply")[0].startswith("Nothing to change")


TOO_MUCH = [
    ("GRANT INSERT ON public.orders TO reader", "write to public.orders"),
    ("CREATE SEQUENCE public.s; GRANT USAGE ON SEQUENCE public.s TO reader", "advance public.s"),
    ("GRANT CREATE ON SCHEMA public TO reader", "create in the schema public"),
    ("GRANT SELECT (email) ON public.orders TO PUBLIC", "read public.orders, column email"),
    (
        "CREATE TABLE public.open_one (id int); GRANT SELECT ON public.open_one TO PUBLIC",
        "read public.open_one",
    ),
]


def test_script_ends_with_a_check_that_finds_what_came_in_between(owner: Owner) -> None:
    script, _ = owner.run("--hide", "orders.email")
    for between, what in TOO_MUCH:
        late = script.replace("DO $check$", f"{between};\nDO $check$")
        refused = pytest.raises(psycopg.errors.RaiseException, match=f"the login may still {what}")
        with psycopg.connect(owner.url, autocommit=True) as login, refused:
            login.execute(late)
    with psycopg.connect(owner.url, autocommit=True) as login:
        login.execute(script)


def test_kept_public_rights_are_listed(owner: Owner) -> None:
    owner.admin.execute("GRANT INSERT ON orders TO PUBLIC")
    _, err = owner.run("--apply", "--keep-public")
    for kept in ("write to public.orders", "create temporary tables", "make large objects"):
        assert f"the login, as everybody, may {kept}" in err


def test_limit_that_holds_already_needs_no_note(owner: Owner) -> None:
    _, err = owner.run("--apply")
    assert "temp_file_limit is a superuser's" in err
    name = urlsplit(owner.url).path[1:]
    owner.admin.execute(f"ALTER DATABASE {name} SET temp_file_limit = '1GB'")
    assert "temp_file_limit" not in owner.run()[1]
    owner.admin.execute(f"ALTER DATABASE {name} RESET temp_file_limit")
    owner.admin.execute(f"ALTER ROLE reader IN DATABASE {name} SET temp_file_limit = '1GB'")
    out, err = owner.run()
    assert "temp_file_limit" not in out + err


def test_login_that_made_a_large_object_is_cleared_by_drop_owned(owner: Owner) -> None:
    out, _ = owner.run("--apply")
    (address,) = re.findall(r"^postgresql://reader:.*$", out, re.MULTILINE)
    with psycopg.connect(address) as login:
        login.read_only = False
        login.execute("SELECT lo_from_bytea(0, 'x')")
    for words in ((), ("--drop", "--apply")):
        _, err = owner.run(*words, code=2)
        assert "owns large object" in err
        assert 'DROP OWNED BY "reader";' in err
    owner.admin.execute("DROP OWNED BY reader")
    owner.run("--drop", "--apply")


def test_drop_says_what_public_lacks(owner: Owner) -> None:
    name = urlsplit(owner.url).path[1:]
    owner.run("--apply")
    owner.admin.execute("REVOKE EXECUTE ON FUNCTION lo_create(oid), pg_sleep(float8) FROM PUBLIC")
    _, err = owner.run("--drop", "--apply")
    assert f"GRANT TEMPORARY ON DATABASE {name} TO PUBLIC;" in err
    assert "GRANT EXECUTE ON ROUTINE pg_catalog.lo_create(oid) TO PUBLIC;" in err
    assert "pg_catalog.pg_sleep(double precision)" in err


def test_who_loses_a_right_is_named_with_those_at_work_first(owner: Owner) -> None:
    names = [f"idle{number:02}" for number in range(20)]
    try:
        for name in (*names, "works_here"):
            owner.admin.execute(f"CREATE ROLE {name} LOGIN")
        owner.admin.execute("GRANT SELECT ON orders TO works_here")
        owner.admin.execute("ALTER ROLE idle19 PASSWORD 'its own'")
        parts = urlsplit(owner.url)
        netloc = f"idle19:its%20own@{parts.netloc.partition('@')[2]}"
        with psycopg.connect(urlunsplit(parts._replace(netloc=netloc))):
            script = " ".join(owner.run()[0].replace("\n-- ", " ").split())
        assert "stand first: idle19, works_here, " in script
        assert re.search(r"idle\d\d and \d+ more\.", script)
        said = owner.run("--apply")[0]
        assert "stand first: works_here, " in said
        assert "for one that needs it: GRANT TEMPORARY ON DATABASE" in said
    finally:
        owner.admin.execute(f"DROP OWNED BY works_here; DROP ROLE works_here, {', '.join(names)}")


VIEWS = """
CREATE FUNCTION theirs() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
CREATE VIEW calls AS SELECT theirs();
CREATE VIEW over_calls AS SELECT * FROM calls;
CREATE VIEW plain AS SELECT id FROM orders;
CREATE VIEW kept AS SELECT id FROM plain;
CREATE MATERIALIZED VIEW stored AS SELECT theirs();
"""
CALLER = """
CREATE VIEW caller WITH (security_invoker) AS SELECT id, email FROM orders;
CREATE VIEW narrow WITH (security_invoker) AS SELECT id FROM orders;
CREATE VIEW over_caller AS SELECT id FROM caller;
"""


def test_view_that_could_not_be_read_is_left_out(owner: Owner) -> None:
    has_callers = owner.admin.info.server_version >= 150_000
    with psycopg.connect(owner.url) as login:
        login.execute(VIEWS + (CALLER if has_callers else ""))
    out, err = owner.run("--apply", "--hide", "orders.email")
    dead = ["calls", "over_calls", *(["caller", "over_caller"] if has_callers else [])]
    for view in dead:
        assert f"public.{view} is left out, since the login could not read it" in err
    (address,) = re.findall(r"^postgresql://reader:.*$", out, re.MULTILINE)
    database = PostgresDatabase(address)
    seen = {found.name for found in database.find_tables("").matches}
    assert seen == {"kept", "orders", "plain", "stored", *(["narrow"] if has_callers else [])}
    for table in seen - {"orders"}:
        database.fetch(f"SELECT * FROM {table}")  # the server agrees
    database.close()
    _, err = owner.run("--hide", "orders.email", "--tables", "orders,calls", code=2)
    assert "could not read the view public.calls: it calls public.theirs()" in err
