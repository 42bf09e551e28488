"""The read-only session: what comes back, what is cut, what is stopped, and what never leaks."""

from __future__ import annotations

import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import psycopg
import pytest

from agent.database.guard import AcceptedSql
from agent.database.link.limits import Limits
from agent.database.postgres import PostgresDatabase
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import DatabaseUnavailable, SettingsInvalid, SqlFailed
from agent.messages import QueryResult


def run(database: AnalyticsDatabase, sql: str) -> QueryResult:
    """Send `sql` without asking the guard: the session has to hold on its own."""
    with get_agent_session(database) as session:
        return session.fetch(AcceptedSql(sql))


@pytest.fixture
def database(demo_database_url: str) -> Iterator[AnalyticsDatabase]:
    database = AnalyticsDatabase(demo_database_url, pool_size=2)
    yield database
    database.pool.close()


@pytest.fixture
def admin_database(demo_admin_url: str) -> Iterator[AnalyticsDatabase]:
    """The worst case: a superuser behind one single connection."""
    database = AnalyticsDatabase(demo_admin_url, pool_size=1, allow_strong_role=True)
    yield database
    database.pool.close()


PATIENT = Limits(statement_timeout_ms=60_000)
"""For queries of hundreds of megabytes: on a busy machine they take longer than a person would."""


@pytest.fixture
def patient_database(demo_database_url: str) -> Iterator[AnalyticsDatabase]:
    database = AnalyticsDatabase(demo_database_url, limits=PATIENT)
    yield database
    database.pool.close()


@pytest.fixture
def patient_admin_database(demo_admin_url: str) -> Iterator[AnalyticsDatabase]:
    database = AnalyticsDatabase(
        demo_admin_url, pool_size=1, allow_strong_role=True, limits=PATIENT
    )
    yield database
    database.pool.close()


def test_cells_have_python_types_and_columns_the_names_of_their_types(
    database: AnalyticsDatabase,
) -> None:
    result = run(
        database,
        "SELECT 1::smallint AS a, 2::bigint AS b, 1.50 AS c, 0.1::float8 AS d, true AS e,"
        " NULL::int AS f, '' AS g, 'x'::text AS h, film.rating, film.rental_rate, special_features"
        " FROM film WHERE special_features IS NOT NULL AND rating = 'PG' LIMIT 1",
    )
    assert result.rows[0][:8] == (1, 2, Decimal("1.50"), 0.1, True, None, "", "x")
    assert [type(cell) for cell in result.rows[0][:5]] == [int, int, Decimal, float, bool]
    assert result.rows[0][8] == "PG"
    assert str(result.rows[0][10]).startswith("{")
    assert [column.type_name for column in result.columns] == [
        "smallint", "bigint", "numeric", "double precision", "boolean", "integer", "text", "text",
        "mpaa_rating", "numeric(4,2)", "text[]",
    ]  # fmt: skip
    assert not result.truncated
    assert result.notes == ()
    assert 0 < result.duration_ms < 3_000


@pytest.mark.parametrize(
    ("expression", "cell"),
    [
        ("'NaN'::numeric", "NaN"),
        ("'-Infinity'::numeric", "-Infinity"),
        ("'NaN'::float8", "NaN"),
        ("'Infinity'::float4", "Infinity"),
        ("'infinity'::timestamptz", "infinity"),
        ("'infinity'::interval", "infinity"),
        ("interval '1 month -1 second'", "1 mon -00:00:01"),
        ("timestamptz '2024-03-01 12:00+02'", "2024-03-01 10:00:00+00"),
        ("date '0044-03-15 BC'", "0044-03-15 BC"),
        ("date '12024-01-01'", "12024-01-01"),
        ("time '24:00'", "24:00:00"),
        ("'\\xdeadbeef'::bytea", "(4 bytes)"),
        ("''::bytea", "(0 bytes)"),
        ('\'{"a": 1, "a": 2.50}\'::json', '{"a": 1, "a": 2.50}'),
        ("'null'::jsonb", "null"),
        ("'[0:1]={1,2}'::int[]", "[0:1]={1,2}"),
        ("'ab'::char(5)", "ab"),
        ("ROW(1, NULL, '')", '(1,,"")'),
        ("int4range(1, 5)", "[1,5)"),
        ("1e300::float8", 1e300),
        ("repeat('9', 900)::numeric", Decimal("9" * 900)),
        ("'Ü€😀'", "Ü€😀"),
        ("current_setting('TimeZone')", "UTC"),
    ],
)
def test_values_of_every_kind_are_the_servers_own(
    database: AnalyticsDatabase, expression: str, cell: object
) -> None:
    assert run(database, f"SELECT {expression}").rows == ((cell,),)


def test_duplicate_and_nameless_labels_are_numbered(database: AnalyticsDatabase) -> None:
    result = run(
        database, 'SELECT count(*), 1, count(*), 2, 3 AS "count (2)", 4 AS "Ä b" FROM film'
    )
    labels = [column.name for column in result.columns]
    assert labels == ["count", "column 2", "count (3)", "column 4", "count (2)", "Ä b"]


def test_result_without_rows_keeps_its_columns(database: AnalyticsDatabase) -> None:
    result = run(database, "SELECT title, length FROM film WHERE false")
    assert result.rows == ()
    assert [column.name for column in result.columns] == ["title", "length"]


def test_query_without_columns_has_nothing_to_show(database: AnalyticsDatabase) -> None:
    result = run(database, "SELECT FROM film")
    assert (result.columns, result.rows, result.truncated) == ((), (), False)
    assert result.notes == ("The query names no column.",)


def test_percent_signs_and_comments_reach_the_server_as_written(
    database: AnalyticsDatabase,
) -> None:
    sql = "SELECT '100%' LIKE '%\\%', 5 % 3, '%s %(a)s' -- %"
    result = run(database, sql)
    assert result.rows == ((True, 2, "%s %(a)s"),)
    assert result.sql == sql


def test_time_zone_is_the_one_that_was_asked_for(demo_database_url: str) -> None:
    database = AnalyticsDatabase(demo_database_url, time_zone="Asia/Tokyo")
    result = run(database, "SELECT timestamptz '2024-01-01 00:00+00'")
    assert result.rows == (("2024-01-01 09:00:00+09",),)
    database.pool.close()


def test_unknown_time_zone_is_a_wrong_setting(demo_database_url: str) -> None:
    database = AnalyticsDatabase(demo_database_url, time_zone="Mars/Olympus")
    with pytest.raises(SettingsInvalid, match="Mars/Olympus"):
        run(database, "SELECT 1")


def test_rows_beyond_the_cap_are_cut_and_said_so(database: AnalyticsDatabase) -> None:
    result = run(database, "SELECT g FROM generate_series(1, 100000) g")
    assert len(result.rows) == 1_000
    assert result.truncated
    assert result.notes == ("Only the first 1,000 rows are here; there are more.",)
    exact = run(database, "SELECT g FROM generate_series(1, 1000) g")
    assert len(exact.rows) == 1_000
    assert not exact.truncated


def test_long_cells_are_cut_and_said_so(database: AnalyticsDatabase) -> None:
    result = run(database, "SELECT repeat('é', 5000), repeat('€', 2000), 'short'")
    long, exact, short = result.rows[0]
    assert isinstance(long, str)
    assert len(long) == 2_000
    assert long.endswith("é…")
    assert exact == "€" * 2_000
    assert short == "short"
    assert result.truncated
    assert result.notes == ("1 cell was longer than 2,000 characters and cut to that.",)


def test_many_long_rows_are_read_only_as_far_as_there_is_room(
    patient_admin_database: AnalyticsDatabase,
) -> None:
    result = run(patient_admin_database, "SELECT repeat('x', 1000000) FROM generate_series(1, 900)")
    assert 60 < len(result.rows) < 70
    assert result.truncated
    assert "rows are very long" in result.notes[0]
    assert run(patient_admin_database, "SELECT 1").rows == ((1,),)


def test_disk_of_the_server_is_bounded_by_the_role(patient_database: AnalyticsDatabase) -> None:
    with pytest.raises(SqlFailed, match="too much temporary space") as caught:
        run(patient_database, "SELECT repeat('x', 1000000) FROM generate_series(1, 900)")
    assert caught.value.sqlstate == "53400"


def test_one_huge_value_is_stopped_before_it_fills_the_memory(
    patient_admin_database: AnalyticsDatabase,
) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(SqlFailed, match="more than 16 MB"):
        run(
            patient_admin_database,
            "SELECT string_agg(repeat('x', 10000), '') FROM generate_series(1, 4000)",
        )
    grown_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown_mb < 300
    assert run(patient_admin_database, "SELECT 1").rows == ((1,),)


def test_slow_query_is_stopped_by_the_server(demo_database_url: str) -> None:
    database = AnalyticsDatabase(demo_database_url, limits=Limits(statement_timeout_ms=300))
    started = time.monotonic()
    with pytest.raises(SqlFailed, match=r"longer than 0\.3 s .*Narrow it") as caught:
        run(database, "SELECT count(*) FROM rental a, rental b, rental c")
    assert caught.value.sqlstate == "57014"
    assert time.monotonic() - started < 10
    assert run(database, "SELECT 1").rows == ((1,),)
    database.pool.close()


def test_server_that_falls_silent_is_left_at_the_deadline(
    demo_admin_url: str, demo_database_url: str
) -> None:
    database = AnalyticsDatabase(demo_database_url, limits=Limits(statement_timeout_ms=500))
    pid = run(database, "SELECT pg_backend_pid()").rows[0][0]
    assert isinstance(pid, int)
    frozen = threading.Timer(0.2, os.kill, (pid, signal.SIGSTOP))
    frozen.start()
    started = time.monotonic()
    try:
        with pytest.raises(SqlFailed, match="longer than"):
            run(database, "SELECT count(*) FROM rental a, rental b, rental c")
        assert time.monotonic() - started < 6
    finally:
        frozen.join()
        os.kill(pid, signal.SIGCONT)
    assert run(database, "SELECT 1").rows == ((1,),)
    database.pool.close()


NO_QUERY = [
    "INSERT INTO category (name) VALUES ('Pwned')",
    "UPDATE film SET title = 'Pwned'",
    "DELETE FROM rental RETURNING *",
    "TRUNCATE payment",
    "DROP TABLE film",
    "CREATE TEMP TABLE t (a int)",
    "SELECT * INTO stolen FROM customer",
    "WITH d AS (DELETE FROM rental RETURNING 1) SELECT * FROM d",
    "SELECT 1; DELETE FROM rental",
    "COMMIT",
    "ROLLBACK; DELETE FROM rental",
    "SET TRANSACTION READ WRITE",
    "SET ROLE agent_ro",
    "RESET ALL",
    "COPY film TO STDOUT",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "DO $$ BEGIN DELETE FROM rental; END $$",
    "EXPLAIN ANALYZE DELETE FROM rental",
    "LISTEN a",
    "LOCK TABLE film",
    "VACUUM",
    "SELECT * FROM film FOR UPDATE",
    "SELECT nextval(pg_get_serial_sequence('film', 'film_id'))",
    "SELECT lo_creat(-1)",
    "SELECT pg_catalog.lo_from_bytea(0, 'x')",
    "SELECT query_to_xml('DELETE FROM rental', true, true, '')",
]


@pytest.mark.parametrize("sql", NO_QUERY)
def test_session_refuses_what_is_no_query_even_for_a_superuser(
    admin_database: AnalyticsDatabase, sql: str
) -> None:
    count = "SELECT (SELECT count(*) FROM rental), (SELECT count(*) FROM category)"
    before = run(admin_database, count).rows
    with pytest.raises(SqlFailed):
        run(admin_database, sql)
    assert run(admin_database, count).rows == before


@pytest.mark.parametrize(
    "sql",
    ["INSERT INTO category (name) VALUES ('x')", "DELETE FROM rental", "CREATE TABLE t (a int)",
     "CREATE TEMP TABLE t (a int)", "SELECT lo_creat(-1)", "SELECT * FROM pg_authid"],
)  # fmt: skip
def test_role_alone_can_not_write(demo_database_url: str, sql: str) -> None:
    with psycopg.connect(demo_database_url) as connection:
        connection.execute("SET TRANSACTION READ WRITE")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(sql)  # type: ignore[call-overload]
        connection.rollback()


@pytest.mark.parametrize(
    ("spoil", "look", "clean"),
    [
        ("SELECT set_config('statement_timeout', '0', false)",
         "SELECT current_setting('statement_timeout')", "3s"),
        ("SELECT set_config('search_path', 'pg_temp', false)",
         "SELECT current_setting('search_path')", '"$user", public'),
        ("SELECT set_config('app.tenant', '2', false)",
         "SELECT coalesce(current_setting('app.tenant', true), '')", ""),
        ("SELECT pg_advisory_lock(4711)",
         "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", 0),
    ],
)  # fmt: skip
def test_state_does_not_leak_into_the_next_query(
    admin_database: AnalyticsDatabase, spoil: str, look: str, clean: object
) -> None:
    pid = run(admin_database, "SELECT pg_backend_pid()").rows
    run(admin_database, spoil)
    assert run(admin_database, look).rows == ((clean,),)
    assert run(admin_database, "SELECT pg_backend_pid()").rows == pid


def test_each_session_is_read_only_and_named(
    database: AnalyticsDatabase, demo_admin_url: str
) -> None:
    settings = (
        "SELECT current_setting('transaction_read_only'), current_setting('application_name'),"
        " current_setting('lock_timeout')"
    )
    assert run(database, settings).rows == (("on", "db-agent", "500ms"),)
    with psycopg.connect(demo_admin_url) as watcher:
        left_open = watcher.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE application_name = 'db-agent' AND state <> 'idle'"
        ).fetchone()
    assert left_open == (0,)


def test_error_names_the_servers_message_without_values_of_the_data(
    database: AnalyticsDatabase,
) -> None:
    with pytest.raises(SqlFailed, match='type integer: "…"') as caught:
        run(database, "SELECT title::int FROM film")
    assert caught.value.sqlstate == "22P02"
    with pytest.raises(SqlFailed, match='type integer: "abc"'):
        run(database, "SELECT 'abc'::int")
    with pytest.raises(SqlFailed, match=r"division by zero\. Divide by nullif"):
        run(database, "SELECT 1 / 0")
    with pytest.raises(SqlFailed) as caught:
        run(database, f"SELECT * FROM {'x' * 50}_{'y' * 2000}")
    assert len(str(caught.value)) < 700


def test_eight_threads_share_two_connections(
    database: AnalyticsDatabase, demo_admin_url: str
) -> None:
    def work(number: int) -> object:
        return run(database, f"SELECT {number}, count(*) FROM rental").rows[0][0]

    # Connections of other tests may still be on their way out, so only new ones are counted.
    ours = "SELECT pid FROM pg_stat_activity WHERE application_name = 'db-agent'"
    with psycopg.connect(demo_admin_url, autocommit=True) as watcher:
        before = set(watcher.execute(ours).fetchall())
        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(work, range(64))) == list(range(64))
        assert len(set(watcher.execute(ours).fetchall()) - before) <= 2


def test_busy_pool_says_so(demo_database_url: str) -> None:
    database = AnalyticsDatabase(demo_database_url, limits=Limits(pool_wait_s=0.1), pool_size=1)
    with (
        get_agent_session(database),
        pytest.raises(DatabaseUnavailable, match="busy: try again"),
    ):
        run(database, "SELECT 1")
    assert run(database, "SELECT 1").rows == ((1,),)
    database.pool.close()


def test_backend_killed_while_idle_is_replaced_unnoticed(
    demo_database_url: str, demo_admin_url: str
) -> None:
    database = AnalyticsDatabase(demo_database_url, pool_size=1)
    pid = run(database, "SELECT pg_backend_pid()").rows[0][0]
    terminate(demo_admin_url, pid)
    assert run(database, "SELECT pg_backend_pid()").rows[0][0] != pid
    database.pool.close()


def test_backend_killed_in_mid_query_is_one_honest_error(
    demo_database_url: str, demo_admin_url: str
) -> None:
    database = AnalyticsDatabase(demo_database_url, pool_size=1)
    pid = run(database, "SELECT pg_backend_pid()").rows[0][0]
    killer = threading.Timer(0.3, terminate, (demo_admin_url, pid))
    killer.start()
    with pytest.raises(DatabaseUnavailable, match=r"dvd_rental .*broke the connection: try again"):
        run(database, "SELECT count(*) FROM rental a, rental b, rental c")
    killer.join()
    assert run(database, "SELECT 1").rows == ((1,),)
    database.pool.close()


def terminate(admin_url: str, pid: object) -> None:
    with psycopg.connect(admin_url) as connection:
        connection.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


@pytest.mark.parametrize("timeout_ms", [1_000, 16_000, 100_000])
def test_any_time_limit_that_can_be_set_lets_the_catalogue_be_read(
    demo_database_url: str, timeout_ms: int
) -> None:
    database = PostgresDatabase(demo_database_url, statement_timeout_ms=timeout_ms)
    assert database.fetch("SELECT count(*) FROM film").rows[0][0]
    database.close()


def test_type_that_was_renamed_has_its_new_name(scratch_database: str) -> None:
    database = AnalyticsDatabase(scratch_database, pool_size=1, allow_strong_role=True)
    with psycopg.connect(scratch_database, autocommit=True) as admin:
        admin.execute("CREATE TYPE mood AS ENUM ('glad')")
        assert run(database, "SELECT 'glad'::mood").columns[0].type_name == "mood"
        admin.execute("ALTER TYPE mood RENAME TO humour")
        assert run(database, "SELECT 'glad'::humour").columns[0].type_name == "humour"
    database.pool.close()


def test_what_a_function_prepared_is_gone_after_the_query(scratch_database: str) -> None:
    database = AnalyticsDatabase(scratch_database, pool_size=1, allow_strong_role=True)
    with psycopg.connect(scratch_database, autocommit=True) as admin:
        admin.execute(
            "CREATE FUNCTION run(what text) RETURNS void LANGUAGE plpgsql"
            " AS 'BEGIN EXECUTE what; END'"
        )
    run(database, "SELECT run('PREPARE kept AS SELECT 1'), run('LISTEN kept')")
    left = "SELECT count(*) FROM pg_prepared_statements UNION ALL SELECT count(*) FROM {}"
    assert run(database, left.format("pg_listening_channels()")).rows == ((0,), (0,))
    database.pool.close()
