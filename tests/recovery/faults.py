"""The faults that the recovery suite seeds, and what the right rows are.

`spoils` changes the SQL of the model's n-th query, as a careless writer would; `world` changes the
server, and puts it back; a question may itself be the fault. Each truth was written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

Spoil = Callable[[str], str]
World = Callable[[str, Callable[[], None]], AbstractContextManager[None]]
"""From the owner's address, and what makes the agent read the catalogue, to a change of the server
that lasts for the block."""


@dataclass(frozen=True)
class Fault:
    """One seeded fault."""

    kind: str
    question: str
    truth: str
    spoils: Spoil | None = None
    nth: int = 1
    """Which query is spoiled, probes included."""
    world: World | None = None
    """What changes on the server once the agent knows the tables."""
    says: str = ""
    """What the answer must tell."""
    has_error: bool = True
    """Whether the run is to hold a step that failed."""


def put(old: str, new: str) -> Spoil:
    """Return what replaces the first `old` in a query by `new`."""

    def change(sql: str) -> str:
        assert old in sql, f"{old!r} is not in {sql}"
        return sql.replace(old, new, 1)

    return change


def everywhere(old: str, new: str) -> Spoil:
    """Return what replaces every `old` in a query by `new`."""

    def change(sql: str) -> str:
        assert old in sql, f"{old!r} is not in {sql}"
        return sql.replace(old, new)

    return change


def behind(text: str) -> Spoil:
    """Return what adds `text` behind a query."""
    return lambda sql: f"{sql}{text}"


def without_group_by(sql: str) -> str:
    """Drop the GROUP BY line."""
    changed = re.sub(r"\nGROUP BY [^\n]*", "", sql)
    assert changed != sql, f"no GROUP BY in {sql}"
    return changed


def slowly(sql: str) -> str:
    """Join three tables in that have nothing to do with the rest: far too many rows."""
    first, tables, rest = re.split(r"(\nFROM )", sql, maxsplit=1)
    return f"{first}{tables}rental AS r1, rental AS r2, rental AS r3, {rest}"


REVENUE_BY_CATEGORY = """
    SELECT c.name, sum(p.amount) FROM payment p JOIN rental r USING (rental_id)
    JOIN inventory i USING (inventory_id) JOIN film_category fc USING (film_id)
    JOIN category c USING (category_id) GROUP BY c.name
"""
LONGEST = "SELECT title, length FROM film ORDER BY length DESC NULLS LAST, title LIMIT 3"
MONTHS_2025 = """
    SELECT date_trunc('month', rental_date)::date, count(*) FROM rental
    WHERE rental_date >= '2025-01-01' AND rental_date < '2026-01-01' GROUP BY 1
"""
TOP_CUSTOMERS = """
    SELECT c.customer_id, count(*) FROM rental r JOIN customer c USING (customer_id)
    GROUP BY 1 ORDER BY 2 DESC LIMIT 5
"""
PORTUGUESE = """
    SELECT customer_id FROM customer JOIN address USING (address_id) JOIN city USING (city_id)
    JOIN country USING (country_id) WHERE country = 'Portugal'
"""
HORROR = """
    SELECT film_id FROM film_category JOIN category USING (category_id) WHERE name = 'Horror'
"""
LENGTH_BY_CATEGORY = """
    SELECT name, round(avg(length), 8) FROM film JOIN film_category USING (film_id)
    JOIN category USING (category_id) GROUP BY name
"""
LONG_FILMS = "SELECT film_id, length FROM film WHERE length > 140"
RATED_R = "SELECT count(*) FROM film WHERE rating = 'R'"
REVENUE = "SELECT sum(amount) FROM payment"
REVENUE_2025 = "SELECT sum(amount) FROM payment WHERE extract(year FROM payment_date) = 2025"
CUSTOMERS_BY_COUNTRY = """
    SELECT country, count(*) FROM customer JOIN address USING (address_id)
    JOIN city USING (city_id) JOIN country USING (country_id) GROUP BY 1
"""
REPLACEMENT = "SELECT round(avg(replacement_cost), 8) FROM film"
ACTORS = "SELECT count(*) FROM actor"
FILMS_PER_ACTOR = """
    SELECT a.actor_id, count(*) FROM film_actor JOIN actor a USING (actor_id)
    GROUP BY 1 ORDER BY 2 DESC LIMIT 5
"""
LISBON = """
    SELECT customer_id FROM customer JOIN address USING (address_id) JOIN city USING (city_id)
    WHERE city = 'Lisbon'
"""
ALESSIO = """
    SELECT count(*) FROM rental JOIN customer USING (customer_id)
    WHERE first_name = 'Alessio' AND last_name = 'Ricci'
"""

FAULTS: tuple[Fault, ...] = (
    # --- a column that is not there
    Fault("wrong column", "revenue by category", REVENUE_BY_CATEGORY,
          everywhere("payment.amount", "payment.total")),
    Fault("wrong column", "the 3 longest films", LONGEST,
          everywhere("film.length", "film.runtime")),
    Fault("wrong column", "rentals per month in 2025", MONTHS_2025,
          everywhere("rental.rental_date", "rental.rented_at")),
    Fault("wrong column", "top 5 customers by number of rentals", TOP_CUSTOMERS,
          everywhere("customer.last_name", "customer.lastname")),
    Fault("wrong column", "customers from Portugal", PORTUGUESE,
          put("lower(city::text)", "lower(city_name::text)")),
    # --- a table that is not there
    Fault("wrong table", "total revenue", REVENUE, put("FROM payment", "FROM payments")),
    Fault("wrong table", "average length by category", LENGTH_BY_CATEGORY,
          put("JOIN category ON", "JOIN categories AS category ON")),
    Fault("wrong table", "how many actors are there", ACTORS, put("FROM actor", "FROM crm.actor")),
    Fault("wrong table", "number of customers by country", CUSTOMERS_BY_COUNTRY,
          put("JOIN address ON", "JOIN addresses AS address ON")),
    Fault("wrong table", "the 3 longest films", LONGEST, put("FROM film", "FROM movies AS film")),
    # --- types that do not fit
    Fault("type mismatch", "films longer than 140 minutes", LONG_FILMS,
          put("film.length > 140", "film.length > 'two hours'")),
    Fault("type mismatch", "rentals per month in 2025", MONTHS_2025,
          put(">= DATE '2025-01-01'", ">= 2025")),
    Fault("type mismatch", "total revenue in 2025", REVENUE_2025,
          put("sum(payment.amount)", "sum(payment.payment_date)")),
    Fault("type mismatch", "how many films are rated R", RATED_R,
          put("film.rating = 'R'", "film.rating = 'Restricted'")),
    Fault("type mismatch", "average length by category", LENGTH_BY_CATEGORY,
          put("avg(film.length)", "avg(film.title)")),
    # --- a column of two tables, without saying which
    Fault("ambiguous column", "top 5 customers by number of rentals", TOP_CUSTOMERS,
          everywhere("customer.customer_id AS", "customer_id AS")),
    Fault("ambiguous column", "revenue by category", REVENUE_BY_CATEGORY,
          put("ON rental.rental_id = payment.rental_id", "ON rental_id = rental_id")),
    Fault("ambiguous column", "average length by category", LENGTH_BY_CATEGORY,
          put("category.category_id AS category_id", "category_id AS category_number")),
    Fault("ambiguous column", "top 5 actors by number of films", FILMS_PER_ACTOR,
          put("actor.actor_id AS actor_id", "actor_id AS actor_number")),
    # --- a column beside a sum, without a group
    Fault("missing GROUP BY", "revenue by category", REVENUE_BY_CATEGORY, without_group_by),
    Fault("missing GROUP BY", "rentals per month in 2025", MONTHS_2025, without_group_by),
    Fault("missing GROUP BY", "number of customers by country", CUSTOMERS_BY_COUNTRY,
          without_group_by),
    Fault("missing GROUP BY", "top 5 actors by number of films", FILMS_PER_ACTOR,
          put(", actor.actor_id", "")),
    # --- too much work for the time there is
    Fault("timeout", "total revenue", REVENUE, slowly),
    Fault("timeout", "rentals per month in 2025", MONTHS_2025, slowly),
    Fault("timeout", "average length by category", LENGTH_BY_CATEGORY, slowly),
    # --- what the guard refuses
    Fault("guard refusal", "total revenue", REVENUE, behind("; SELECT 1")),
    Fault("guard refusal", "how many actors are there", ACTORS, behind(" FOR UPDATE")),
    Fault("guard refusal", "the 3 longest films", LONGEST,
          put("film.length AS length", "pg_sleep(1) AS nap, film.length AS length")),
    Fault("guard refusal", "how many films are rated R", RATED_R,
          put("FROM film", "INTO counted FROM film")),
    Fault("guard refusal", "customers from Portugal", PORTUGUESE,
          behind("\nUNION ALL SELECT 'role', rolname::text FROM pg_roles")),
    Fault("guard refusal", "revenue by category", REVENUE_BY_CATEGORY,
          lambda sql: "DELETE FROM payment"),
    # --- a value that does not occur
    Fault("misspelt value", "films in the Horror category", HORROR,
          put("= 'Horror'", "= 'Horor'"), nth=2, has_error=False),
    Fault("misspelt value", "customers from Portugal", PORTUGUESE,
          put("= 'Portugal'", "= 'Portugl'"), nth=2, has_error=False),
    Fault("misspelt value", "films in the horor category", HORROR,
          says="“Horror”", has_error=False),
    Fault("misspelt value", "customers in Lisbn", LISBON, says="“Lisbon”", has_error=False),
    Fault("misspelt value", "how many films are rated PG13",
          "SELECT count(*) FROM film WHERE rating = 'PG-13'", says="“PG-13”", has_error=False),
    Fault("misspelt value", "how many rentals by customer Alesio Ricci", ALESSIO,
          says="“Alessio Ricci”", has_error=False),
    Fault("misspelt value", "how many customers live in Cordoba",
          "SELECT count(*) FROM customer JOIN address USING (address_id)"
          " JOIN city USING (city_id) WHERE city = 'Córdoba'", says="“Córdoba”", has_error=False),
)  # fmt: skip


def server_faults(worlds: Any) -> tuple[Fault, ...]:
    """Return the faults of a server that changes under the agent; `worlds` has the changes."""
    return (
        Fault("wrong column", "revenue by category", REVENUE_BY_CATEGORY, world=worlds.changed(
            then="ALTER TABLE payment RENAME COLUMN amount TO amount_paid",
            back="ALTER TABLE payment RENAME COLUMN amount_paid TO amount"), says="amount_paid"),
        Fault("wrong column", "the 3 longest films", LONGEST, world=worlds.changed(
            then="ALTER TABLE film RENAME COLUMN length TO length_minutes",
            back="ALTER TABLE film RENAME COLUMN length_minutes TO length"),
            says="length_minutes"),
        Fault("wrong column", "total revenue", REVENUE, world=worlds.changed(
            before="ALTER TABLE payment ADD COLUMN revenue numeric",
            then="ALTER TABLE payment DROP COLUMN revenue", back="SELECT"), says="any more"),
        Fault("wrong table", "how many actors are there", ACTORS, world=worlds.changed(
            then="ALTER TABLE actor RENAME TO actors", back="ALTER TABLE actors RENAME TO actor"),
            says="actors"),
        Fault("wrong table", "average length by category", LENGTH_BY_CATEGORY,
              world=worlds.changed(
                  then="ALTER TABLE film_category RENAME TO film_categories",
                  back="ALTER TABLE film_categories RENAME TO film_category"),
              says="film_categories"),
        Fault("type mismatch", "average replacement cost of films", REPLACEMENT,
              world=worlds.changed(
                  then="ALTER TABLE film ALTER replacement_cost TYPE text",
                  back="ALTER TABLE film ALTER replacement_cost TYPE numeric(5,2)"
                       " USING replacement_cost::numeric")),
        Fault("type mismatch", "rentals per month in 2025", MONTHS_2025, world=worlds.changed(
            then="ALTER TABLE rental ALTER rental_date TYPE text",
            back="ALTER TABLE rental ALTER rental_date TYPE timestamptz"
                 " USING rental_date::timestamptz")),
        Fault("timeout", "total revenue", REVENUE, world=worlds.locked("payment", kill=False)),
        Fault("timeout", "revenue by category", REVENUE_BY_CATEGORY,
              world=worlds.slow_for_a_moment),
        Fault("timeout", "total revenue", REVENUE_2025, world=worlds.slow_for_a_moment,
              says="2025 only"),
        Fault("broken connection", "total revenue", REVENUE,
              world=worlds.locked("payment", kill=True), has_error=False),
        Fault("broken connection", "customers from Portugal", PORTUGUESE,
              world=worlds.locked("country", kill=True), has_error=False),
        Fault("broken connection", "the 3 longest films", LONGEST,
              world=worlds.gone_while_idle, has_error=False),
        Fault("broken connection", "number of customers by country", CUSTOMERS_BY_COUNTRY,
              world=worlds.locked("address", kill=True), has_error=False),
    )  # fmt: skip
