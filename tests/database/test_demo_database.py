"""The demo database: its shape, its rows, and what the agent's login may do with it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import psycopg
import pytest

ROWS = {
    "actor": 200,
    "address": 610,
    "category": 16,
    "city": 542,
    "country": 108,
    "customer": 600,
    "film": 1000,
    "film_actor": 5495,
    "film_category": 1000,
    "inventory": 3810,
    "language": 10,
    "payment": 16175,
    "rental": 16423,
    "staff": 7,
    "store": 3,
}
# Changes with any change of any row; the words that full-text search makes of them are left out,
# since PostgreSQL's stemmers change from version to version.
CHECKSUM = "1532946f11ebafac"


@pytest.fixture(scope="module")
def admin(demo_admin_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(demo_admin_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def agent(demo_database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(demo_database_url, autocommit=True) as connection:
        yield connection


def one(connection: psycopg.Connection, query: str) -> Any:
    """The single value of `query`, or its single row where it has several columns."""
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0] if len(row) == 1 else row


def test_every_table_has_its_rows(admin: psycopg.Connection) -> None:
    assert {table: one(admin, f"SELECT count(*) FROM {table}") for table in ROWS} == ROWS


def test_rows_are_the_same_everywhere(admin: psycopg.Connection) -> None:
    assert checksum(admin) == CHECKSUM


def checksum(connection: psycopg.Connection) -> str:
    digest = hashlib.sha256()
    with connection.transaction():
        connection.execute("SET LOCAL timezone = 'UTC'")
        for table in ROWS:
            row = "(to_jsonb(t) - 'fulltext')::text" if table == "film" else "t::text"
            rows = f"string_agg({row}, '|' ORDER BY {row} COLLATE \"C\")"
            digest.update(one(connection, f"SELECT md5({rows}) FROM {table} t").encode())
    return digest.hexdigest()[:16]


def test_names_are_those_people_know(admin: psycopg.Connection) -> None:
    columns = "SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attnum > 0"
    expected = {
        "rental": "rental_id rental_date inventory_id customer_id return_date staff_id last_update",
        "payment": "payment_id customer_id staff_id rental_id amount payment_date",
        "film_list": "fid title description category price length rating actors",
        "customer_list": 'id name address "zip code" phone city country notes sid',
    }
    for table, names in expected.items():
        found = one(admin, f"{columns} AND attrelid = '{table}'::regclass")
        assert found == names.replace('"', "")


def test_types_are_of_many_kinds(admin: psycopg.Connection) -> None:
    kinds = one(
        admin,
        """SELECT array_agg(DISTINCT coalesce(e.typname, t.typname)::text)
           FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
           LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
           WHERE attrelid = 'film'::regclass AND attnum > 0""",
    )
    assert {"mpaa_rating", "year", "text", "tsvector", "timestamptz", "numeric"} <= set(kinds)
    assert one(admin, "SELECT enum_range(NULL::mpaa_rating)::text") == "{G,PG,PG-13,R,NC-17}"
    assert one(admin, "SELECT pg_typeof(special_features)::text FROM film LIMIT 1") == "text[]"
    found = one(
        admin, "SELECT count(*) FROM film WHERE fulltext @@ to_tsquery('english', 'hotels')"
    )
    assert 30 < found < 200


def test_payments_lie_in_a_partition_for_each_month(admin: psycopg.Connection) -> None:
    filled = admin.execute(
        "SELECT tableoid::regclass::text, count(*) FROM payment GROUP BY 1 ORDER BY 1"
    ).fetchall()
    months = [f"payment_p{year}_{month:02}" for year in (2024, 2025) for month in range(1, 13)]
    assert [name for name, _ in filled] == months
    assert min(count for _, count in filled) > 300


def test_keys_join_all_tables(admin: psycopg.Connection) -> None:
    unkeyed = one(
        admin,
        """SELECT array_agg(relname::text) FROM pg_class
           WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
             AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = pg_class.oid
                             AND contype = 'p')""",
    )
    assert unkeyed is None
    foreign = one(
        admin,
        """SELECT array_agg(conrelid::regclass::text ORDER BY 1) FROM pg_constraint
           WHERE contype = 'f' AND conparentid = 0""",
    )
    assert len(foreign) == 22
    assert foreign.count("payment") == 3  # on the parent, and so on each month


def test_everything_a_reader_needs_has_a_comment(admin: psycopg.Connection) -> None:
    bare = one(
        admin,
        """SELECT array_agg(relname::text) FROM pg_class
           WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
             AND obj_description(oid, 'pg_class') IS NULL""",
    )
    assert bare is None
    on_columns = one(
        admin, "SELECT count(*) FROM pg_description WHERE classoid = 1259 AND objsubid > 0"
    )
    assert on_columns >= 25


def test_rentals_follow_the_week_the_year_and_growth(admin: psycopg.Connection) -> None:
    def rentals(part: str, value: int) -> int:
        found = one(
            admin, f"SELECT count(*) FROM rental WHERE extract({part} FROM rental_date) = {value}"
        )
        assert isinstance(found, int)
        return found

    assert rentals("isodow", 6) > 2 * rentals("isodow", 2)
    assert rentals("month", 12) > 1.6 * rentals("month", 6)
    assert rentals("year", 2025) > 1.1 * rentals("year", 2024)
    first, last = one(admin, "SELECT min(rental_date)::date, max(rental_date)::date FROM rental")
    assert (str(first), str(last)) == ("2024-01-02", "2025-12-31")


def test_days_are_the_same_in_every_zone_of_the_stores(admin: psycopg.Connection) -> None:
    for zone in ("Europe/Berlin", "Europe/Lisbon", "Europe/London"):
        day = f"(rental_date AT TIME ZONE '{zone}')::date"
        query = f"SELECT count(*) FROM rental WHERE {day} <> (rental_date AT TIME ZONE 'UTC')::date"
        assert one(admin, query) == 0


def test_amounts_follow_from_rate_and_late_days(admin: psycopg.Connection) -> None:
    wrong = one(
        admin,
        """SELECT count(*) FROM payment JOIN rental USING (rental_id)
           JOIN inventory USING (inventory_id) JOIN film USING (film_id)
           WHERE payment.customer_id <> rental.customer_id OR amount <> rental_rate + greatest(0,
             (return_date AT TIME ZONE 'UTC')::date - (rental_date AT TIME ZONE 'UTC')::date
             - rental_duration)""",
    )
    assert wrong == 0
    late = one(
        admin,
        """SELECT avg((amount > rental_rate)::int) FROM payment JOIN rental USING (rental_id)
           JOIN inventory USING (inventory_id) JOIN film USING (film_id)""",
    )
    assert Decimal("0.12") < late < Decimal("0.22")


def test_no_disc_is_in_two_places(admin: psycopg.Connection) -> None:
    overlaps = one(
        admin,
        """SELECT count(*) FROM (
             SELECT rental_date, lag(coalesce(return_date, 'infinity'))
               OVER (PARTITION BY inventory_id ORDER BY rental_date) AS back FROM rental
           ) AS turn WHERE back > rental_date""",
    )
    assert overlaps == 0


@pytest.mark.parametrize(
    ("oddity", "query", "rows"),
    [
        ("discs still out or lost", "rental WHERE return_date IS NULL", 234),
        ("payments for gift cards", "payment WHERE rental_id IS NULL", 12),
        (
            "discs returned and not paid for",
            "rental WHERE return_date IS NOT NULL AND rental_id NOT IN"
            " (SELECT rental_id FROM payment WHERE rental_id IS NOT NULL)",
            26,
        ),
        ("customers without e-mail", "customer WHERE email IS NULL", 39),
        (
            "customers who never rented",
            "customer WHERE customer_id NOT IN (SELECT customer_id FROM rental)",
            15,
        ),
        (
            "films without a disc",
            "film WHERE film_id NOT IN (SELECT film_id FROM inventory)",
            40,
        ),
        ("films without an actor", "film WHERE film_id NOT IN (SELECT film_id FROM film_actor)", 3),
        ("films never rated", "film WHERE rating IS NULL", 9),
        ("films of unknown length", "film WHERE length IS NULL", 5),
        ("films that were dubbed", "film WHERE original_language_id IS NOT NULL", 127),
        (
            "namesakes",
            "(SELECT FROM actor GROUP BY first_name, last_name HAVING count(*) > 1) a",
            1,
        ),
    ],
)
def test_oddities_are_there(admin: psycopg.Connection, oddity: str, query: str, rows: int) -> None:
    assert one(admin, f"SELECT count(*) FROM {query}") == rows, oddity


def test_some_are_far_more_popular_than_others(admin: psycopg.Connection) -> None:
    counts = [
        count
        for (count,) in admin.execute(
            "SELECT count(*) FROM rental JOIN inventory USING (inventory_id)"
            " GROUP BY film_id ORDER BY 1 DESC"
        )
    ]
    assert counts[0] > counts[1]  # a clear winner
    assert sum(counts[:100]) > 0.35 * sum(counts)
    assert len(set(counts[:30])) < 30  # and ties further down
    sales = one(
        admin, "SELECT array_agg(total_sales ORDER BY total_sales DESC) FROM rental_by_category"
    )
    assert sales[0] > 5 * sales[-1]


def test_materialized_view_is_filled_and_current(admin: psycopg.Connection) -> None:
    assert (
        one(
            admin,
            """SELECT count(*) FROM rental_by_category
           JOIN sales_by_film_category USING (category, total_sales)""",
        )
        == 16
    )


def test_planner_knows_the_tables(admin: psycopg.Connection) -> None:
    assert one(admin, "SELECT reltuples::int FROM pg_class WHERE relname = 'rental'") == 16423


def test_generator_leaves_no_trace(admin: psycopg.Connection) -> None:
    assert one(admin, "SELECT to_regnamespace('seed')") is None
    query = "SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
    assert one(admin, query) == 0


def test_new_rows_get_the_next_number(admin: psycopg.Connection) -> None:
    with admin.transaction(force_rollback=True):
        insert = "INSERT INTO category (name) VALUES ('Silent') RETURNING category_id"
        assert one(admin, insert) == 17
        insert = """INSERT INTO payment (customer_id, staff_id, amount, payment_date)
                    VALUES (1, 1, 5, '2025-12-31 12:00+00') RETURNING payment_id"""
        assert one(admin, insert) == 16176


def test_agent_reads_every_table_and_view(agent: psycopg.Connection) -> None:
    names = agent.execute(
        "SELECT oid::regclass::text FROM pg_class"
        " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')"
    ).fetchall()
    assert len(names) == 15 + 24 + 7
    for (name,) in names:
        assert one(agent, f"SELECT count(*) FROM (SELECT * FROM {name} LIMIT 1) AS some_row") == 1


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO category (name) VALUES ('x')",
        "UPDATE film SET title = 'x'",
        "DELETE FROM payment",
        "TRUNCATE rental",
        "CREATE TABLE public.mine (n int)",
        "CREATE TEMP TABLE mine (n int)",
        "CREATE SCHEMA mine",
        "CREATE VIEW public.mine AS SELECT 1",
        "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "REFRESH MATERIALIZED VIEW rental_by_category",
        "SELECT nextval(pg_get_serial_sequence('film', 'film_id'))",
        "SELECT lo_create(0)",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_notify('a', 'b')",
        "SELECT pg_read_file('PG_VERSION')",
        "COPY film TO PROGRAM 'cat'",
        "SET ROLE postgres",
        "SET temp_file_limit = -1",
        "ALTER ROLE agent_ro CONNECTION LIMIT -1",
    ],
)
def test_agent_may_do_nothing_else(agent: psycopg.Connection, statement: str) -> None:
    agent.execute("SET default_transaction_read_only = off")  # rights, not the setting, forbid it
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        agent.execute(statement.encode())


def test_agent_writes_not_even_by_mistake(agent: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        agent.execute("CREATE TEMP TABLE mine (n int)")


def test_agent_enters_no_other_database(demo_database_url: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(demo_database_url.replace("/dvd_rental?", "/template1?"))


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("default_transaction_read_only", "on"),
        ("statement_timeout", "3s"),
        ("lock_timeout", "500ms"),
        ("idle_in_transaction_session_timeout", "10s"),
        ("work_mem", "16MB"),
        ("temp_file_limit", "256MB"),
        ("max_parallel_workers_per_gather", "0"),
        ("jit", "off"),
        ("search_path", "pg_catalog, public"),
    ],
)
def test_agent_is_limited(agent: psycopg.Connection, setting: str, value: str) -> None:
    assert one(agent, f"SHOW {setting}") == value
