"""What the rows show by themselves, and lists in which a join repeats rows."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

import pytest

from agent.audit import ResultAudit
from agent.errors import DatabaseUnavailable
from agent.messages import NoteKind
from agent.tools.sql import describe_result


@pytest.mark.parametrize(
    ("sql", "kinds"),
    [
        ("SELECT max(length) FROM film WHERE film_id < 0 OR film_id < -1", [NoteKind.ALL_NULL]),
        (
            "SELECT s.username, r.rental_id FROM staff s LEFT JOIN rental r"
            " ON r.staff_id = s.staff_id AND r.rental_date > '2031-01-01'",
            [NoteKind.ALL_NULL],
        ),
        (
            "SELECT staff_id, sum(amount) / NULL FROM payment GROUP BY 1",
            [NoteKind.ALL_NULL],
        ),
        (
            "SELECT title, original_language_id + 1 FROM film WHERE original_language_id IS NULL",
            [NoteKind.ALL_NULL],
        ),
        # rows without a value were asked for, or are few
        ("SELECT title, length FROM film WHERE length IS NULL", []),
        ("SELECT staff_id, password FROM staff", []),
        # one person without an e-mail address; a count of none
        ("SELECT first_name, password FROM staff WHERE staff_id = 1", []),
        ("SELECT count(*) FROM staff WHERE staff_id > 1", []),
        ("SELECT generate_series(1, 2000)", [NoteKind.TRUNCATED]),
        ("SELECT NULL WHERE false", [NoteKind.NO_ROWS]),
    ],
)
def test_the_rows_themselves(audit, sql, kinds):
    assert [note.kind for note in audit(sql) if note.kind is not NoteKind.UNKNOWN_VALUE] == kinds


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT c.first_name, c.last_name FROM customer c JOIN rental USING (customer_id)"
        " WHERE c.customer_id < 5",
        "SELECT f.title FROM film f JOIN inventory USING (film_id) ORDER BY f.title",
        "SELECT upper(f.title) FROM film f, inventory i WHERE i.film_id = f.film_id",
    ],
)
def test_a_list_in_which_a_join_repeats_rows_says_so(audit, sql):
    (note,) = [note for note in audit(sql) if note.kind is not NoteKind.TRUNCATED]
    assert note.kind is NoteKind.DUPLICATES
    assert not note.is_fault
    assert "several rows of" in note.text
    assert "DISTINCT" in note.hint


@pytest.mark.parametrize(
    "sql",
    [
        # two payments of one amount, two people of one name
        "SELECT p.amount, c.last_name FROM payment p JOIN customer c USING (customer_id) LIMIT 900",
        "SELECT amount FROM payment LIMIT 500",
        "SELECT f.rating, f.length FROM film f JOIN film_category USING (film_id)",
        "SELECT first_name FROM actor",
        # a list of events, newest first, that shows only whose they are
        "SELECT c.last_name FROM customer c JOIN rental r USING (customer_id)"
        " ORDER BY r.rental_date DESC LIMIT 500",
        "SELECT DISTINCT f.title FROM film f JOIN inventory USING (film_id)",
        "SELECT c.name, count(*) FROM category c JOIN film_category USING (category_id)"
        " GROUP BY c.name",
    ],
)
def test_rows_that_look_alike_and_are_not_the_same_are_no_finding(audit, sql):
    assert NoteKind.DUPLICATES not in [note.kind for note in audit(sql)]


def test_the_gravest_finding_comes_first(audit):
    notes = audit(
        "SELECT p.payment_id, sum(p.amount), NULL AS nothing FROM payment p"
        " JOIN rental r USING (customer_id) WHERE p.customer_id < 40 GROUP BY 1"
    )
    kinds = [note.kind for note in notes]
    assert kinds == [NoteKind.FAN_OUT, NoteKind.ALL_NULL, NoteKind.TRUNCATED]


def test_the_model_reads_each_finding_once(audit, counting):
    empty = counting.fetch("SELECT * FROM category WHERE name = 'Sport'")
    text = describe_result(replace(empty, audit=audit(empty.sql)), 1)
    assert "note: No category has the name 'Sport'. Values of category.name: 'Sports'" in text
    assert text.count("o row matched") == 1
    cut = counting.fetch("SELECT generate_series(1, 2000)")
    text = describe_result(replace(cut, audit=audit(cut.sql)), 1)
    assert text.count("Only the first 1,000 rows are here") == 1


def test_an_audit_that_has_nothing_to_ask_takes_milliseconds(demo_database, counting):
    result = demo_database.fetch(
        "SELECT c.name AS category, sum(p.amount) AS revenue FROM payment p"
        " JOIN rental r USING (rental_id) JOIN inventory i USING (inventory_id)"
        " JOIN film_category fc USING (film_id) JOIN category c USING (category_id)"
        " WHERE p.payment_date >= '2025-01-01' GROUP BY 1 ORDER BY revenue DESC LIMIT 5"
    )
    auditor, times = ResultAudit(counting), []
    assert auditor.audit(result) == ()
    assert len(counting.asked) == 1, "whether film_category has a second row for any film"
    for _ in range(9):
        start = time.perf_counter()
        assert auditor.audit(result) == ()
        times.append(time.perf_counter() - start)
    assert len(counting.asked) == 1, "asked again what is known"
    # A millisecond here; a parse and a probe each time would be many.
    assert statistics.median(times) < 0.1


def test_a_database_out_of_reach_is_no_finding_but_a_fault(counting, demo_database):
    class Gone(type(counting)):
        def fetch(self, sql):
            raise DatabaseUnavailable("The database cannot be reached.")

    result = demo_database.fetch("SELECT * FROM category WHERE name = 'Sport'")
    with pytest.raises(DatabaseUnavailable):
        ResultAudit(Gone(demo_database)).audit(result)


def test_a_query_of_any_shape_is_audited_without_a_slip(demo_database, counting, caplog):
    deep = "SELECT 1 AS a"
    for level in range(40):
        deep = f"SELECT a FROM ({deep}) AS q{level}"
    for sql in (deep, "VALUES (1), (2)", "SELECT 1 UNION SELECT 2", "TABLE language"):
        notes = ResultAudit(counting).audit(demo_database.fetch(sql))
        assert not [note for note in notes if note.is_fault]
    # A bug of the audit's own ends no run: it is logged, and nothing of that may stand there.
    assert not caplog.records
