"""A login that may do more than read is refused, by each kind of right, with the way out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase
from agent.database.rights import CODES, find_excess, is_somebodys
from agent.errors import SettingsInvalid

SHOP = """
CREATE TABLE film (title text);
CREATE SEQUENCE ticket;
CREATE FUNCTION inside() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
REVOKE EXECUTE ON FUNCTION inside() FROM PUBLIC;
CREATE FUNCTION on_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN END';
CREATE SCHEMA closed;
CREATE FUNCTION closed.inside() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
CREATE SCHEMA net;
CREATE EXTENSION dblink SCHEMA net;
CREATE EXTENSION postgres_fdw SCHEMA closed;
CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw;
CREATE ROLE reader LOGIN NOINHERIT;
CREATE ROLE boss NOLOGIN;
GRANT SELECT ON film TO reader;
"""
PLUS = """
CREATE FUNCTION closed.plus(int, int) RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT $1 + $2';
"""
BEHIND_AN_OPERATOR = f"{PLUS} CREATE OPERATOR |+| (leftarg=int, rightarg=int, function=closed.plus)"
PART_OF_AN_AGGREGATE = f"""
{PLUS} REVOKE EXECUTE ON FUNCTION closed.plus FROM PUBLIC;
CREATE AGGREGATE total(int) (sfunc = closed.plus, stype = int)
"""
KEPT_BY_AN_EXTENSION = """
CREATE EXTENSION pg_visibility;
GRANT EXECUTE ON FUNCTION pg_truncate_visibility_map(regclass) TO reader
"""
GRANTS = [
    ("attribute", "ALTER ROLE reader CREATEROLE", "has CREATEROLE"),
    ("attribute", "ALTER ROLE reader BYPASSRLS", "has BYPASSRLS"),
    ("attribute", "ALTER ROLE boss CREATEDB; GRANT boss TO reader", "boss, which has CREATEDB"),
    ("superuser", "ALTER ROLE boss SUPERUSER; GRANT boss TO reader", "of the superuser boss"),
    ("predefined_role", "GRANT pg_write_all_data TO reader", "a member of pg_write_all_data"),
    ("predefined_role", "GRANT pg_read_server_files TO reader", "of pg_read_server_files"),
    ("predefined_role", "GRANT pg_read_all_data TO boss; GRANT boss TO reader", "pg_read_all_data"),
    ("write", "GRANT INSERT ON film TO reader", "may write to public.film"),
    ("write", "GRANT UPDATE (title) ON film TO PUBLIC", "may write to public.film"),
    ("write", "GRANT TRIGGER ON film TO boss; GRANT boss TO reader", "may write to public.film"),
    ("grant_option", "GRANT SELECT ON film TO reader WITH GRANT OPTION", "may pass on to others"),
    ("sequence", "GRANT USAGE ON SEQUENCE ticket TO reader", "the sequences public.ticket"),
    ("create_in_schema", "GRANT CREATE ON SCHEMA public TO reader", "in the schema public"),
    ("create_in_schema", "GRANT CREATE ON SCHEMA public TO PUBLIC", "in the schema public"),
    ("create_schema", "GRANT CREATE ON DATABASE {database} TO reader", "may create schemas"),
    ("temporary_tables", "GRANT TEMPORARY ON DATABASE {database} TO PUBLIC", "temporary tables"),
    ("tablespace", "GRANT CREATE ON TABLESPACE pg_default TO reader", "tablespace pg_default"),
    ("foreign_server", "GRANT USAGE ON FOREIGN SERVER far TO reader", "foreign server far"),
    ("security_definer", "GRANT EXECUTE ON FUNCTION inside() TO reader", "SECURITY DEFINER"),
    ("security_definer", "GRANT USAGE ON SCHEMA closed TO reader", r"closed\.inside\(\)"),
    ("security_definer", "CREATE VIEW seen AS SELECT closed.inside()", r"closed\.inside\(\)"),
    ("security_definer", BEHIND_AN_OPERATOR, r"closed\.plus\(integer, integer\)"),
    ("security_definer", PART_OF_AN_AGGREGATE, r"public\.total\(integer\)"),
    ("server_function", "GRANT EXECUTE ON FUNCTION pg_read_file(text) TO reader", "pg_read_file"),
    ("server_function", KEPT_BY_AN_EXTENSION, "pg_truncate_visibility_map"),
    ("write", "GRANT INSERT ON information_schema.sql_features TO reader", "sql_features"),
    ("foreign_data_wrapper", "GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO reader", "_fdw"),
    ("large_object", "SELECT lo_create(4242); GRANT UPDATE ON LARGE OBJECT 4242 TO PUBLIC", "4242"),
    ("server_setting", "GRANT SET ON PARAMETER log_statement TO reader", "setting log_statement"),
]

Prepare = Callable[[str], PostgresDatabase]


@pytest.fixture
def name(scratch_database: str) -> str:
    return urlsplit(scratch_database).path[1:]


@pytest.fixture
def admin(scratch_database: str, name: str) -> Iterator[psycopg.Connection]:
    """A shop's database, with a role `reader` that can read, and do nothing else."""
    password = urlsplit(scratch_database).password
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute(SHOP)
        connection.execute(f"ALTER ROLE reader PASSWORD '{password}'")  # type: ignore[arg-type]
        connection.execute(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")  # type: ignore[arg-type]
        connection.execute(f"GRANT CONNECT ON DATABASE {name} TO reader")  # type: ignore[arg-type]
        yield connection
        connection.execute("DROP OWNED BY reader, boss; DROP ROLE reader, boss")
        connection.execute("REVOKE CREATE ON TABLESPACE pg_default FROM PUBLIC")


@pytest.fixture
def url(scratch_database: str) -> str:
    return scratch_database.replace(f"{urlsplit(scratch_database).username}:", "reader:", 1)


@pytest.mark.parametrize(("code", "grant", "reason"), GRANTS)
def test_login_that_may_do_more_than_read_is_refused_until_it_is_taken_away(
    admin: psycopg.Connection, url: str, name: str, code: str, grant: str, reason: str
) -> None:
    database = PostgresDatabase(url)
    database.ping()
    database.close()
    admin.execute(grant.format(database=name))  # type: ignore[arg-type]
    with pytest.raises(SettingsInvalid, match=reason) as caught:
        database.fetch("SELECT 1")
    assert "reader" in str(caught.value)
    with psycopg.connect(url) as login:
        found = find_excess(login)
    assert found[0].code == code
    if is_somebodys(found):
        assert "leave it as it is: make one for the bot" in str(caught.value)
        assert found[0].remedy not in str(caught.value)
    else:
        assert f"or take it away: {found[0].remedy}" in str(caught.value) or found[0].from_public
        assert found[0].remedy in str(caught.value)
    for excess in found:
        admin.execute(excess.remedy)  # type: ignore[arg-type]
    assert database.fetch("SELECT 1").rows == ((1,),)
    database.close()


def test_owner_of_a_table_is_told_to_make_another_login(
    admin: psycopg.Connection, url: str
) -> None:
    admin.execute("ALTER TABLE film OWNER TO reader")
    with pytest.raises(SettingsInvalid, match=r"owns table public\.film.*db-agent provision"):
        PostgresDatabase(url).ping()


@pytest.mark.parametrize(
    ("grants", "is_small"),
    [
        ("GRANT CREATE ON SCHEMA public TO reader", True),
        ("GRANT pg_read_all_data TO reader", True),
        ("GRANT TEMPORARY ON DATABASE {database} TO PUBLIC", True),
        ("GRANT INSERT ON film TO reader", False),
        ("GRANT pg_write_all_data TO reader", False),
        ("GRANT CREATE ON SCHEMA public, closed TO reader", False),
        ("GRANT CREATE ON SCHEMA public TO boss; GRANT boss TO reader", False),
        ("ALTER ROLE reader CREATEDB", False),
        ("GRANT USAGE ON SEQUENCE ticket TO reader; GRANT pg_read_all_data TO reader", False),
    ],
)
def test_only_of_a_login_with_one_slip_anything_is_to_be_taken_away(
    admin: psycopg.Connection, url: str, name: str, grants: str, is_small: bool
) -> None:
    admin.execute(grants.format(database=name))  # type: ignore[arg-type]
    with pytest.raises(SettingsInvalid, match="db-agent provision") as caught:
        PostgresDatabase(url).ping()
    assert ("REVOKE" in str(caught.value)) is is_small
    assert ("looks like somebody's own login" in str(caught.value)) is not is_small
    assert "ALTER ROLE" not in str(caught.value)


def test_functions_that_reach_other_servers_are_named_by_their_extension(
    admin: psycopg.Connection, url: str
) -> None:
    admin.execute("GRANT USAGE ON SCHEMA net TO reader")
    with pytest.raises(SettingsInvalid, match=r"may call \d\d functions of dblink, which"):
        PostgresDatabase(url).ping()


def test_every_kind_of_right_is_tried_here() -> None:
    elsewhere = {"owner", "reaching_out", "acts_as_another"}
    assert {code for code, _, _ in GRANTS} | elsewhere == CODES


def test_login_that_acts_as_another_role_is_refused(admin: psycopg.Connection, url: str) -> None:
    admin.execute("GRANT boss TO reader; ALTER ROLE reader SET role = 'boss'")
    with pytest.raises(SettingsInvalid, match="reader acts as boss"):
        PostgresDatabase(url).ping()
    admin.execute("ALTER ROLE reader RESET role")


def test_superuser_is_refused_whatever_the_settings_say(demo_admin_url: str) -> None:
    database = PostgresDatabase(demo_admin_url, accept_public_rights=True)
    with pytest.raises(SettingsInvalid, match=r"is a superuser.*db-agent provision"):
        database.ping()


def test_what_every_login_may_do_is_accepted_on_request_and_logged(
    admin: psycopg.Connection, url: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    admin.execute(f"GRANT TEMPORARY ON DATABASE {name} TO PUBLIC")  # type: ignore[arg-type]
    with pytest.raises(SettingsInvalid, match="DB_AGENT_ACCEPT_PUBLIC_RIGHTS"):
        PostgresDatabase(url).ping()
    database = PostgresDatabase(url, accept_public_rights=True)
    assert database.fetch("SELECT 1").rows == ((1,),)
    database.close()
    assert database.fetch("SELECT 1").rows == ((1,),)
    database.close()
    assert caplog.messages == [
        f"accepted: 1 right that every login of the database {name} has"
        " (db-agent doctor lists them)"
    ]
    admin.execute("GRANT INSERT ON film TO reader")
    with pytest.raises(SettingsInvalid, match=r"may write to public\.film"):
        database.ping()
