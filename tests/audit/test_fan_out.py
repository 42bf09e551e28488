"""A join that repeats rows under a sum or a count is found; honest queries raise no alarm."""

from __future__ import annotations

import psycopg
import pytest

from agent.audit import ResultAudit
from agent.database.postgres import PostgresDatabase
from agent.messages import NoteKind

TO_FILM = "JOIN rental r USING (rental_id) JOIN inventory i USING (inventory_id)"

REPEATED = {
    "two branches from one parent": (
        "SELECT sum(p.amount) FROM payment p JOIN customer c USING (customer_id)"
        " JOIN rental r USING (customer_id)",
        "payment",
        "rental",
    ),
    "two branches without the parent": (
        "SELECT sum(p.amount) FROM payment p, rental r WHERE p.customer_id = r.customer_id",
        "payment",
        "rental",
    ),
    "a count of combinations": (
        "SELECT s.store_id, count(*) FROM store s JOIN staff t ON t.store_id = s.store_id"
        " JOIN inventory i ON i.store_id = s.store_id GROUP BY s.store_id",
        "staff",
        "inventory",
    ),
    "left joins": (
        "SELECT t.username, count(r.rental_id), sum(p.amount) FROM staff t"
        " LEFT JOIN rental r ON r.staff_id = t.staff_id AND r.rental_date > '2025-12-25'"
        " LEFT JOIN payment p ON p.staff_id = t.staff_id AND p.payment_date > '2025-12-25'"
        " GROUP BY t.username",
        "rental",
        "payment",
    ),
    "many to many": (
        f"SELECT sum(p.amount) FROM payment p {TO_FILM} JOIN film_actor USING (film_id)",
        "payment",
        "film_actor",
    ),
    "many to many, by a group that does not undo it": (
        f"SELECT c.name, sum(p.amount) FROM payment p {TO_FILM} JOIN film_actor USING (film_id)"
        " JOIN film_category USING (film_id) JOIN category c USING (category_id) GROUP BY 1",
        "payment",
        "film_actor",
    ),
    "the join in a CTE, the sum outside": (
        f"WITH sold AS (SELECT p.amount, a.actor_id FROM payment p {TO_FILM}"
        " JOIN film_actor a USING (film_id)) SELECT sum(amount) FROM sold",
        "payment",
        "film_actor",
    ),
    "a CTE that is read twice": (
        f"WITH sold AS (SELECT p.amount, a.actor_id FROM payment p {TO_FILM}"
        " JOIN film_actor a USING (film_id))"
        " SELECT (SELECT sum(amount) FROM sold), (SELECT max(actor_id) FROM sold)",
        "payment",
        "film_actor",
    ),
    "a subtotal that is joined again": (
        f"WITH earned AS (SELECT i.film_id, sum(p.amount) AS total_price FROM payment p {TO_FILM}"
        " GROUP BY 1) SELECT sum(earned.total_price) FROM inventory JOIN earned USING (film_id)",
        "earned",
        "inventory",
    ),
    "a parent taken once for each child": (
        "SELECT sum(f.replacement_cost) FROM film f JOIN inventory USING (film_id)",
        "film",
        "inventory",
    ),
    "an amount taken once for each child, whichever stands first": (
        "SELECT sum(p.amount) FROM film_actor a JOIN inventory i USING (film_id)"
        " JOIN rental r USING (inventory_id) JOIN payment p USING (rental_id)",
        "payment",
        "film_actor",
    ),
    "people counted once for each visit": (
        "SELECT count(c.customer_id) FROM customer c JOIN rental USING (customer_id)",
        "customer",
        "rental",
    ),
    "an average that weighs by children": (
        "SELECT c.name, avg(f.rental_rate) FROM category c JOIN film_category USING (category_id)"
        " JOIN film f USING (film_id) JOIN inventory i USING (film_id) GROUP BY 1",
        "film",
        "inventory",
    ),
    "DISTINCT values in place of distinct rows": (
        "SELECT sum(DISTINCT p.amount) FROM payment p JOIN rental r USING (customer_id)",
        "payment",
        "rental",
    ),
    "a comparison in place of a key": (
        "SELECT sum(f.length) FROM film f JOIN language l ON l.language_id <= f.language_id + 1",
        "film",
        "language",
    ),
    "DISTINCT costs of the films of discs": (
        "SELECT sum(DISTINCT f.replacement_cost) FROM inventory JOIN film f USING (film_id)",
        "film",
        "inventory",
    ),
    "a constant that an outer join does not impose": (
        "SELECT sum(f.length) FROM film f JOIN inventory i USING (film_id) LEFT JOIN store s"
        " ON s.store_id = i.store_id AND i.inventory_id = 12",
        "film",
        "inventory",
    ),
    "a key that two tables tell only together": (
        "SELECT sum(c.store_id) FROM customer c, language l, film f"
        " WHERE f.film_id = c.customer_id + l.language_id"
        " AND l.language_id = f.film_id % 6 + 1",
        "customer",
        "film",
    ),
    "the total row of a ROLLUP": (
        f"SELECT actor_id, sum(p.amount) FROM payment p {TO_FILM}"
        " JOIN film_actor USING (film_id) GROUP BY ROLLUP (actor_id)",
        "payment",
        "film_actor",
    ),
    "the extras of a film, each a row": (
        "SELECT sum(length) FROM film, unnest(special_features) AS feature",
        "film",
        "feature",
    ),
}

HONEST = {
    "along foreign keys to the one side": (
        f"SELECT c.name, sum(p.amount), count(*), avg(p.amount) FROM payment p {TO_FILM}"
        " JOIN film_category USING (film_id) JOIN category c USING (category_id) GROUP BY 1"
    ),
    "many to many, each actor a group": (
        f"SELECT a.actor_id, a.first_name, sum(p.amount) FROM payment p {TO_FILM}"
        " JOIN film_actor USING (film_id) JOIN actor a USING (actor_id) GROUP BY 1, 2"
    ),
    "many to many, one actor chosen": (
        f"SELECT sum(p.amount) FROM payment p {TO_FILM} JOIN film_actor USING (film_id)"
        " WHERE actor_id = 7"
    ),
    "the children of each parent counted": (
        "SELECT c.customer_id, count(r.rental_id), count(*) FROM customer c"
        " LEFT JOIN rental r USING (customer_id) GROUP BY 1"
    ),
    "children counted by their parent's key": (
        "SELECT c.name, count(c.name) FROM category c JOIN film_category USING (category_id)"
        " GROUP BY c.name"
    ),
    "keys counted once": (
        "SELECT count(DISTINCT c.customer_id), max(p.amount) FROM customer c"
        " JOIN rental USING (customer_id) JOIN payment p USING (customer_id)"
    ),
    "what each disc costs": (
        "SELECT i.store_id, sum(f.replacement_cost) FROM inventory i JOIN film f USING (film_id)"
        " GROUP BY 1"
    ),
    "an average over rentals": (
        "SELECT avg(f.length) FROM rental JOIN inventory USING (inventory_id)"
        " JOIN film f USING (film_id)"
    ),
    "sums made before the join": (
        "WITH paid AS (SELECT customer_id, sum(amount) AS paid FROM payment GROUP BY 1),"
        " rented AS (SELECT customer_id, count(*) AS n FROM rental GROUP BY 1)"
        " SELECT sum(paid.paid), sum(rented.n) FROM paid JOIN rented USING (customer_id)"
    ),
    "a share of a total in one row": (
        f"SELECT i.store_id, sum(p.amount) / max(t.total) FROM payment p {TO_FILM}"
        " CROSS JOIN (SELECT sum(amount) AS total FROM payment) AS t GROUP BY 1"
    ),
    "pairs made on purpose": (
        "SELECT count(*) FROM film_actor a JOIN film_actor b"
        " ON b.film_id = a.film_id AND a.actor_id < b.actor_id"
    ),
    "a key that no constraint tells": (
        "SELECT c.name, avg(f.length), count(f.film_id) FROM film f"
        " JOIN film_category USING (film_id) JOIN category c USING (category_id) GROUP BY c.name"
    ),
    "a calendar": (
        "SELECT m.day, count(r.rental_id) FROM generate_series('2024-02-01'::date, '2024-06-01',"
        " interval '1 month') AS m(day) LEFT JOIN rental r ON r.rental_date <= m.day"
        " AND r.return_date > m.day GROUP BY 1"
    ),
    "values taken out of a list": (
        "SELECT feature, count(*), sum(f.length) FROM film f, unnest(f.special_features)"
        " AS feature GROUP BY feature"
    ),
    "only one branch has rows left": (
        "SELECT sum(f.length) FROM film f JOIN inventory i USING (film_id)"
        " WHERE i.inventory_id = 12"
    ),
    "rows chosen with EXISTS": (
        "SELECT sum(p.amount) FROM payment p JOIN customer c USING (customer_id) WHERE EXISTS"
        " (SELECT FROM rental r WHERE r.customer_id = c.customer_id AND r.staff_id = 1)"
    ),
    "the newest row of each, in a LATERAL": (
        "SELECT sum(f.length) FROM film f CROSS JOIN LATERAL (SELECT inventory_id FROM inventory i"
        " WHERE i.film_id = f.film_id ORDER BY 1 LIMIT 1) AS i"
    ),
    "one actor chosen inside the sum": (
        "SELECT sum(CASE WHEN a.actor_id = 7 THEN p.amount END), sum(p.amount) FILTER"
        f" (WHERE a.actor_id = 9) FROM payment p {TO_FILM} JOIN film_actor a USING (film_id)"
    ),
    "the average of one and the same value": (
        "SELECT f.film_id, avg(f.length) FROM film f JOIN inventory USING (film_id) GROUP BY 1"
    ),
    "a running total": (
        "SELECT i.inventory_id, sum(f.length) OVER (ORDER BY i.inventory_id) FROM film f"
        " JOIN inventory i USING (film_id)"
    ),
    "a window over groups": (
        f"SELECT i.store_id, sum(p.amount), sum(sum(p.amount)) OVER () FROM payment p {TO_FILM}"
        " GROUP BY 1"
    ),
}


@pytest.mark.parametrize("case", REPEATED)
def test_rows_that_a_join_repeats_are_a_fault_that_names_both_tables(audit, case):
    sql, repeated, repeating = REPEATED[case]
    notes = [note for note in audit(sql) if note.kind is NoteKind.FAN_OUT]
    assert notes, "not found"
    assert all(note.is_fault for note in notes)
    assert f"rows of {repeated}" in notes[0].text
    assert repeating in notes[0].text
    assert notes[0].hint


@pytest.mark.parametrize("case", HONEST)
def test_honest_queries_raise_no_alarm(audit, case):
    assert not [note.text for note in audit(HONEST[case]) if note.is_fault]


@pytest.mark.parametrize(
    ("value", "is_fault"), [("unit_price", False), ("total_price", True), ("freight", True)]
)
def test_a_price_counts_for_each_piece_and_a_total_only_once(scratch_database, value, is_fault):
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE offer (offer_id int PRIMARY KEY, unit_price numeric,"
            " total_price numeric, freight numeric)"
        )
        connection.execute(
            "CREATE TABLE piece (piece_id int PRIMARY KEY, offer_id int REFERENCES offer)"
        )
        connection.execute("INSERT INTO offer SELECT n, n, n, n FROM generate_series(1, 9) AS n")
        connection.execute("INSERT INTO piece SELECT n, 1 + n % 9 FROM generate_series(1, 40) n")
    database = PostgresDatabase(scratch_database, allow_strong_role=True)
    result = database.fetch(f"SELECT sum({value}) FROM piece JOIN offer USING (offer_id)")
    notes = ResultAudit(database).audit(result)
    database.close()
    assert [note.is_fault for note in notes] == ([True] if is_fault else [])


def test_the_sentence_is_one_that_a_person_can_read(audit):
    (note,) = audit(
        "SELECT sum(p.amount) FROM payment p JOIN customer c USING (customer_id)"
        " JOIN rental r USING (customer_id)"
    )
    assert note.text == (
        "The rows of payment are counted several times, because each is joined to several rows "
        "of rental."
    )
    assert note.hint.startswith("Aggregate payment in a subquery before the join")


def test_a_query_that_its_keys_clear_is_not_asked_about(audit, counting):
    audit(f"SELECT sum(p.amount), count(*) FROM payment p {TO_FILM}")
    assert not counting.asked


def test_a_name_that_two_share_is_said_to_be_the_cause(audit):
    (note,) = audit(
        f"SELECT a.first_name, a.last_name, sum(p.amount) FROM payment p {TO_FILM}"
        " JOIN film_actor USING (film_id) JOIN actor a USING (actor_id) GROUP BY 1, 2"
    )
    assert "group by a key" in note.hint
