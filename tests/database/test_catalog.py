"""The catalogue: one table whole, the right tables for some words, no more than may be read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from agent.database.postgres import PostgresDatabase
from agent.database.schema import ForeignKey, TableSearch
from agent.database.session import AnalyticsDatabase
from agent.database.tables.catalog import Catalog
from agent.errors import SqlFailed, SqlRejected, UnknownTable


@pytest.fixture(scope="module")
def demo_db(demo_database_url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(demo_database_url)
    yield database
    database.close()


Make = Callable[[str], PostgresDatabase]


@pytest.fixture
def make(scratch_database: str) -> Iterator[Make]:
    """Return an empty database after some SQL, seen by its superuser."""
    databases = []

    def after(sql: str) -> PostgresDatabase:
        execute(scratch_database, sql)
        database = PostgresDatabase(scratch_database, allow_strong_role=True)
        databases.append(database)
        return database

    yield after
    for database in databases:
        database.close()


def execute(url: str, sql: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql)  # type: ignore[call-overload]


def table_names(search: TableSearch) -> list[str]:
    return [match.name for match in search.matches]


def test_partitioned_table_is_one_table_with_keys_and_rows(demo_db: PostgresDatabase) -> None:
    payment = demo_db.get_table("payment")
    assert payment.kind == "partitioned table"
    assert payment.primary_key == ("payment_date", "payment_id")
    assert payment.row_estimate is not None
    assert payment.row_estimate > 10_000
    assert payment.foreign_keys == (
        ForeignKey("payment", ("customer_id",), "customer", ("customer_id",)),
        ForeignKey("payment", ("staff_id",), "staff", ("staff_id",)),
        ForeignKey("payment", ("rental_id",), "rental", ("rental_id",)),
    )
    assert payment.comment


def test_foreign_keys_are_seen_from_both_ends_by_the_reading_role(
    demo_db: PostgresDatabase,
) -> None:
    customer = demo_db.get_table("customer")
    assert [key.target for key in customer.foreign_keys] == ["store", "address"]
    assert sorted(key.table for key in customer.referenced_by) == ["payment", "rental"]


def test_columns_have_type_nullability_comment_and_enum_labels(demo_db: PostgresDatabase) -> None:
    film = demo_db.get_table("film")
    columns = {column.name: column for column in film.columns}
    assert not columns["title"].nullable
    assert columns["length"].nullable
    assert columns["rental_rate"].type_name == "numeric(4,2)"
    assert columns["rating"].enum_labels == ("G", "PG", "PG-13", "R", "NC-17")
    assert columns["special_features"].type_name == "text[]"
    assert columns["special_features"].enum_labels == ()
    assert "minutes" in columns["length"].comment


@pytest.mark.parametrize(
    ("name", "kind"), [("film_list", "view"), ("rental_by_category", "materialized view")]
)
def test_views_have_columns_and_no_keys(demo_db: PostgresDatabase, name: str, kind: str) -> None:
    view = demo_db.get_table(name)
    assert view.kind == kind
    assert view.columns
    assert (view.primary_key, view.foreign_keys, view.referenced_by) == ((), (), ())


@pytest.mark.parametrize(
    "written",
    ["film", "FILM", " Film ", "public.film", "Public.FILM", '"film"', '"public"."film"', '"FILM"'],
)
def test_a_name_is_understood_however_it_is_written(
    demo_db: PostgresDatabase, written: str
) -> None:
    assert demo_db.get_table(written).name == "film"


@pytest.mark.parametrize(
    ("written", "nearest"),
    [("flim", "film"), ("films_categories", "film_category"), ("public.customers", "customer")],
)
def test_unknown_table_names_the_nearest(
    demo_db: PostgresDatabase, written: str, nearest: str
) -> None:
    with pytest.raises(UnknownTable) as caught:
        demo_db.get_table(written)
    assert caught.value.nearest[0] == nearest
    assert len(caught.value.nearest) <= 5


@pytest.mark.parametrize(
    "written",
    ["", '"', ".", "pg_class", "pg_catalog.pg_class", "payment_p2024_01", "a.b.c.d", "\0"],
)
def test_what_is_no_table_for_the_agent_is_unknown(demo_db: PostgresDatabase, written: str) -> None:
    with pytest.raises(UnknownTable):
        demo_db.get_table(written)


ODD_NAMES = """
CREATE SCHEMA "Sales Dept";
CREATE TYPE "Sales Dept"."Stage" AS ENUM ('new', 'won');
CREATE TABLE "Sales Dept"."Öffentliche Käufe" (
    "Id" int PRIMARY KEY, "select" "Sales Dept"."Stage", "with ""two"" quotes" text, "a.b" int,
    "naïve ключ" date, pg_sleep int, nextval text);
CREATE TABLE "order" ("Id" int REFERENCES "Sales Dept"."Öffentliche Käufe", "user" text);
CREATE TABLE "ORDER" (a int);
CREATE TABLE "x""y" (a int);
CREATE TABLE "dot.ted" (a int);
INSERT INTO "Sales Dept"."Öffentliche Käufe" VALUES (1, 'won', 'q', 2, '2024-01-01', 3, 'n');
"""


def test_odd_names_can_be_used_as_they_are_given(make: Make) -> None:
    database = make(ODD_NAMES)
    names = [
        "order",
        '"ORDER"',
        'x"y',
        "dot.ted",
        "öffentliche käufe",
        "Sales Dept.Öffentliche Käufe",
    ]
    found = [database.get_table(name) for name in names]
    assert [table.name for table in found] == [
        '"order"', '"ORDER"', '"x""y"', '"dot.ted"',
        '"Sales Dept"."Öffentliche Käufe"', '"Sales Dept"."Öffentliche Käufe"',
    ]  # fmt: skip
    for table in found:
        columns = ", ".join(f"t.{column.name}" for column in table.columns)
        result = database.fetch(f"SELECT {columns} FROM {table.name} AS t")
        assert [column.type_name for column in result.columns] == [
            column.type_name for column in table.columns
        ]
    (key,) = found[0].foreign_keys
    join = (
        f"SELECT count(*) FROM {key.table} a JOIN {key.target} b"
        f" ON a.{key.columns[0]} = b.{key.target_columns[0]}"
    )
    assert database.fetch(join).rows == ((0,),)
    assert found[4].columns[1].enum_labels == ("new", "won")
    stage = found[4].columns[1].type_name
    assert database.fetch(f"SELECT 'won'::{stage}").rows == (("won",),)


def test_two_tables_of_one_name_are_told_apart(make: Make) -> None:
    database = make(
        "CREATE SCHEMA a; CREATE SCHEMA b; CREATE TABLE a.t (x int); CREATE TABLE b.t (y int)"
    )
    assert database.get_table("a.t").columns[0].name == "x"
    assert database.get_table("B.T").name == "b.t"
    with pytest.raises(UnknownTable) as caught:
        database.get_table("t")
    assert set(caught.value.nearest) == {"a.t", "b.t"}


def test_table_without_rows_and_table_never_counted(make: Make) -> None:
    database = make("CREATE TABLE counted (a int); CREATE TABLE fresh (a int); ANALYZE counted")
    assert database.get_table("counted").row_estimate == 0
    assert database.get_table("fresh").row_estimate is None
    assert database.fetch("SELECT * FROM counted").rows == ()


PARTITIONS = """
CREATE TABLE customer (id int PRIMARY KEY);
CREATE TABLE sale (id int, day date, customer_id int, PRIMARY KEY (id, day))
    PARTITION BY RANGE (day);
CREATE TABLE sale_1 PARTITION OF sale FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')
    PARTITION BY RANGE (id);
CREATE TABLE sale_1a PARTITION OF sale_1 FOR VALUES FROM (0) TO (100);
CREATE TABLE sale_2 (day date NOT NULL, extra int, id int NOT NULL, customer_id int);
ALTER TABLE sale_2 DROP COLUMN extra;
ALTER TABLE sale ATTACH PARTITION sale_2 FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
ALTER TABLE sale_1a ADD FOREIGN KEY (customer_id) REFERENCES customer;
ALTER TABLE sale_2 ADD FOREIGN KEY (customer_id) REFERENCES customer;
CREATE TABLE refund (sale_id int, sale_day date, FOREIGN KEY (sale_id, sale_day) REFERENCES sale);
INSERT INTO sale SELECT n, '2024-06-01' FROM generate_series(1, 50) n;
INSERT INTO sale SELECT n, '2025-06-01' FROM generate_series(1, 20) n;
"""


def test_partitions_fold_into_their_parent(make: Make) -> None:
    database = make(PARTITIONS)
    assert database.get_table("sale").row_estimate is None
    database = make("ANALYZE")
    sale = database.get_table("sale")
    assert sale.row_estimate == 70
    assert sale.foreign_keys == (ForeignKey("sale", ("customer_id",), "customer", ("id",)),)
    assert sale.referenced_by == (
        ForeignKey("refund", ("sale_id", "sale_day"), "sale", ("id", "day")),
    )
    assert database.get_table("customer").referenced_by == sale.foreign_keys
    assert database.find_tables("").total == 3
    assert database.fetch("SELECT count(*) FROM sale_2").rows == ((20,),)


RIGHTS = """
DROP ROLE IF EXISTS reader;
CREATE ROLE reader LOGIN PASSWORD '{password}';
CREATE TABLE staff (id int PRIMARY KEY, name text, password text);
CREATE TABLE payroll (staff_id int REFERENCES staff, amount int);
CREATE TABLE visit (staff_id int REFERENCES staff, secret text);
CREATE SCHEMA closed; CREATE TABLE closed.t (a int); GRANT SELECT ON closed.t TO reader;
GRANT SELECT (id, name) ON staff TO reader;
GRANT SELECT ON visit TO reader;
"""


def test_only_what_may_be_read_is_shown(scratch_database: str) -> None:
    with psycopg.connect(scratch_database) as admin:
        password = admin.info.password
        user = admin.info.user
    execute(scratch_database, RIGHTS.format(password=password))
    url = scratch_database.replace(f"{user}:", "reader:", 1)
    database = PostgresDatabase(url, accept_public_rights=True)
    try:
        staff = database.get_table("staff")
        assert [column.name for column in staff.columns] == ["id", "name"]
        assert [key.table for key in staff.referenced_by] == ["visit"]
        assert sorted(table_names(database.find_tables(""))) == ["staff", "visit"]
        for hidden in ("payroll", "closed.t"):
            with pytest.raises(UnknownTable):
                database.get_table(hidden)
        with pytest.raises(SqlRejected, match="payroll"):
            database.fetch("SELECT * FROM payroll")
        with pytest.raises(SqlFailed) as caught:
            database.fetch("SELECT s FROM staff s")
        assert caught.value.sqlstate == "42501"
        assert database.fetch("SELECT name FROM staff").rows == ()
    finally:
        database.close()
        execute(scratch_database, "DROP OWNED BY reader; DROP ROLE reader")


def test_what_an_extension_brings_is_not_data(make: Make) -> None:
    database = make("CREATE EXTENSION pg_stat_statements; CREATE TABLE t (a int)")
    assert table_names(database.find_tables("")) == ["t"]
    with pytest.raises(SqlRejected):
        database.fetch("SELECT * FROM pg_stat_statements")


def test_column_that_does_not_exist_brings_the_nearest(demo_db: PostgresDatabase) -> None:
    with pytest.raises(SqlFailed, match=r"nearest are: film\.film_id") as caught:
        demo_db.fetch("SELECT f.filmid FROM film f JOIN inventory i ON i.film_id = f.film_id")
    assert "Columns of film: film_id, title" in str(caught.value)
    assert "Columns of inventory: " in str(caught.value)
    with pytest.raises(SqlFailed, match=r"film\.rating may be: 'G', 'PG'"):
        demo_db.fetch("SELECT count(*) FROM film WHERE rating = 'PG13'")


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("how many films are there", "film"),
        ("customers with an e-mail", "customer"),
        ("rentals per month", "rental"),
        ("total PAYMENTS", "payment"),
        ("catgories", "category"),
        ("running time in minutes", "film"),
        ("inventories", "inventory"),
        ("actors' names", "actor"),
    ],
)
def test_words_find_their_table_first(demo_db: PostgresDatabase, words: str, first: str) -> None:
    assert table_names(demo_db.find_tables(words))[0] == first


def test_joins_lead_over_link_tables_that_no_word_named(demo_db: PostgresDatabase) -> None:
    search = demo_db.find_tables("payments by country")
    assert {"payment", "country"} <= set(table_names(search)[:3])
    steps = {(key.table, key.target) for key in search.joins}
    assert {("payment", "customer"), ("customer", "address"), ("address", "city"),
            ("city", "country")} <= steps  # fmt: skip


def test_both_keys_between_two_tables_are_given(demo_db: PostgresDatabase) -> None:
    joins = demo_db.find_tables("films by language").joins
    assert {key.columns for key in joins if (key.table, key.target) == ("film", "language")} == {
        ("language_id",), ("original_language_id",),
    }  # fmt: skip


@pytest.mark.parametrize("words", ["", "   ", "xyzzy qwrtp", "の", "of the and", "?!"])
def test_words_that_say_nothing_give_the_most_important_tables(
    demo_db: PostgresDatabase, words: str
) -> None:
    names = table_names(demo_db.find_tables(words))
    assert len(names) == 12
    assert {"rental", "payment", "film", "customer"} <= set(names[:6])


def test_two_thousand_tables_are_read_and_searched_fast(make: Make) -> None:
    database = make(
        """
        DO $$ BEGIN
            FOR n IN 1..2000 LOOP
                EXECUTE format('CREATE TABLE area%s_event%s (id int, name text, area_id int,'
                    ' created_at timestamptz, amount numeric, note text)', n % 40, n);
                EXECUTE format('COMMENT ON TABLE area%s_event%s IS %L', n % 40, n,
                    repeat('long words ', 60));
                IF n <= 100 THEN
                    EXECUTE format('ALTER TABLE area%s_event%s ADD PRIMARY KEY (id)', n % 40, n);
                END IF;
                IF n BETWEEN 2 AND 200 THEN
                    EXECUTE format('ALTER TABLE area%s_event%s ADD FOREIGN KEY (area_id)'
                        ' REFERENCES area%s_event%s', n % 40, n, (n / 2) % 40, n / 2);
                END IF;
                COMMIT;
            END LOOP;
            CREATE TABLE invoice (id int, event_id int REFERENCES area1_event1);
        END $$
        """
    )
    started = time.monotonic()
    search = database.find_tables("invoices by event")
    assert time.monotonic() - started < 5
    assert search.matches[0].name == "invoice"
    assert search.total == 2_001
    assert 2 <= len(search.matches) <= 12
    assert len(search.joins) <= 24
    assert all(len(match.comment) <= 200 for match in search.matches)
    started = time.monotonic()
    for words in ("", "area7 amounts", "evnt 77", "id " * 5_000, "x" * 50_000):
        assert len(database.find_tables(words).matches) <= 12
    assert database.fetch("SELECT count(*) FROM area1_event1").rows == ((0,),)
    assert time.monotonic() - started < 3


def test_wide_table_is_cut_in_a_search(make: Make) -> None:
    columns = ", ".join(f"c{n} int" for n in range(1_000))
    database = make(f"CREATE TABLE wide ({columns})")
    (match,) = database.find_tables("wide").matches
    assert len(match.columns) + match.columns_cut == 1_000
    assert len(match.columns) <= 20
    assert len(database.get_table("wide").columns) == 1_000


def test_a_search_says_whether_anything_fits(demo_db: PostgresDatabase) -> None:
    assert demo_db.find_tables("payments").fits
    assert not demo_db.find_tables("zeppelins").fits
    assert not demo_db.find_tables("").fits


def test_all_tables_are_listed_by_name(demo_db: PostgresDatabase) -> None:
    names = [table.name for table in demo_db.tables()]
    assert names == sorted(names)
    assert len(names) == demo_db.find_tables("").total
    assert {"film", "payment", "customer_list"} <= set(names)


def test_database_without_tables_is_searched_too(make: Make) -> None:
    database = make("SELECT 1")
    assert database.find_tables("anything") == TableSearch((), (), 0)
    with pytest.raises(UnknownTable):
        database.get_table("anything")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_catalogue_is_read_anew_after_three_hundred_seconds(scratch_database: str) -> None:
    execute(scratch_database, "CREATE TABLE old (a int)")
    clock = Clock()
    source = AnalyticsDatabase(scratch_database, allow_strong_role=True)
    catalog = Catalog(source, clock=clock)
    before = catalog.get_table("old")
    execute(scratch_database, "ALTER TABLE old ADD COLUMN b int")
    clock.now = 299
    assert catalog.get_table("old") is before
    clock.now = 300
    assert [column.name for column in catalog.get_table("old").columns] == ["a", "b"]
    source.pool.close()


def test_new_table_is_found_before_the_catalogue_is_old(scratch_database: str) -> None:
    clock = Clock()
    source = AnalyticsDatabase(scratch_database, allow_strong_role=True)
    catalog = Catalog(source, clock=clock)
    with pytest.raises(UnknownTable):
        catalog.get_table("young")
    execute(scratch_database, "CREATE TABLE young (a int)")
    clock.now = 9
    with pytest.raises(UnknownTable):
        catalog.get_table("young")
    clock.now = 11
    assert catalog.get_table("young").name == "young"
    source.pool.close()


def test_eight_threads_read_the_catalogue_once(demo_database_url: str) -> None:
    database = PostgresDatabase(demo_database_url)
    with ThreadPoolExecutor(8) as threads:
        tables = list(threads.map(lambda _: database.get_table("film"), range(32)))
    assert all(table is tables[0] for table in tables)
    database.close()


@pytest.mark.parametrize("schema", ["Sales", "Sales Dept", 'a"b', "2024", "größe"])
def test_schema_of_any_name_on_the_search_path_can_be_asked(
    scratch_database: str, schema: str
) -> None:
    quoted = sql.Identifier(schema).as_string()
    execute(scratch_database, f"CREATE SCHEMA {quoted}; CREATE TABLE {quoted}.film (title text)")
    execute(
        scratch_database,
        f"ALTER DATABASE {urlsplit(scratch_database).path[1:]} SET search_path = {quoted}, public",
    )
    database = PostgresDatabase(scratch_database, allow_strong_role=True)
    assert database.fetch("SELECT count(*) FROM film").rows == ((0,),)
    assert table_names(database.find_tables("film"))
    database.close()
