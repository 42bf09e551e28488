"""What a limit cut is never said to be all there is; a lone thing is said in the singular."""

from __future__ import annotations

import re

import psycopg
import pytest

_ALL = re.compile(r"\bin all\b|\band \d+ more\b|^\d+ |^There (?:is|are)\b|\bOne\b")


@pytest.mark.parametrize(
    "question",
    [
        "top 5 film categories by revenue",
        "revenue by month, top 5",
        "share of revenue by category top 5",
        "list 5 films",
        "list 5 films in the Horror category",
        "the 10 films with the highest replacement cost",
        "the 5 most recent rentals",
        "customers with the fewest rentals",
        "top 2 categories by revenue in each store",
    ],
)
def test_rows_that_a_limit_cut_are_not_called_all(question, demo_agent):
    result = demo_agent.run(question)
    assert result.results[-1].rows
    assert not _ALL.search(result.answer), result.answer
    critiques = [each.critique for each in result.trail if each.critique is not None]
    assert not [c.faults for c in critiques if c.faults]


def test_a_top_says_how_many_were_asked_for(demo_agent):
    said = demo_agent.run("top 5 film categories by revenue").answer
    assert "the 5 highest: Sports" in said
    assert "the 3 highest: " in demo_agent.run("the 3 longest films").answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("top 20 film categories by revenue", "; 16 categories in all."),
        ("revenue by category", "; 16 categories in all."),
        ("films in the Horror category", " more."),
    ],
)
def test_rows_that_no_limit_cut_are_counted(question, said, demo_agent):
    assert said in demo_agent.run(question).answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "top 5 customers by revenue for each store in 2025",
            "The 5 customers with the highest total revenue for each store (2025): 15 rows.",
        ),
        ("top 2 customers by rentals in each city", "The 2 customers with the most rentals for"),
    ],
)
def test_a_top_within_each_group_says_what_is_first_by_what(question, said, demo_agent):
    assert demo_agent.run(question).answer.startswith(said)


def test_a_tie_at_the_last_place_is_told(demo_agent):
    result = demo_agent.run("which films have the highest rental rate")
    assert len(result.results[-1].rows) > 10
    assert "rows past the first 10 are shown too" in result.answer


def test_a_lone_thing_is_said_in_the_singular(demo_agent):
    assert (
        "with exactly 1 rental:" in demo_agent.run("which customers rented exactly 1 film").answer
    )


@pytest.fixture
def contacts(scratch_database, agent_on):
    """A table called by its plural, and a view that has the same values."""
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE customers (customer_id int PRIMARY KEY, company_name text NOT NULL, "
            "contact_name text, city text, country text);"
            "INSERT INTO customers VALUES (1, 'Alfa', 'Ann Lee', 'Berlin', 'Germany'), "
            "(2, 'Beta', 'Bob Ray', 'Paris', 'France'), (3, 'Gamma', 'Cy Fox', 'Bonn', 'Germany');"
            "CREATE VIEW customer_contacts AS "
            "SELECT customer_id, company_name, contact_name, country FROM customers;"
            "CREATE TABLE suppliers (supplier_id int PRIMARY KEY, company_name text NOT NULL);"
            "INSERT INTO suppliers SELECT n, 'Firm ' || n FROM generate_series(1, 70) AS n;"
            "CREATE TABLE deliveries (delivery_id int PRIMARY KEY, "
            "supplier_id int NOT NULL REFERENCES suppliers);"
            "INSERT INTO deliveries SELECT supplier_id, supplier_id FROM suppliers;"
            "ANALYZE"
        )
    return agent_on(scratch_database, strong=True)


def test_one_row_of_a_table_in_the_plural_is_one(contacts):
    assert contacts.run("how many customers in Berlin").answer.startswith(
        "There is 1 customer with"
    )


def test_a_value_is_found_in_the_view_that_is_asked_about(contacts):
    result = contacts.run("customer contacts in Germany")
    assert len(result.results[-1].rows) == 2
    assert result.answer.startswith("2 customer contacts with country Germany: ")


def test_a_tie_is_counted_whole_where_not_all_of_it_was_shown(contacts):
    said = contacts.run("which supplier has the most deliveries").answer
    assert said.startswith("70 suppliers tie for the most deliveries, with 1 each: ")


def test_a_word_that_was_found_out_of_reach_is_not_offered_again(contacts, scratch_database):
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute(
            "DROP VIEW customer_contacts;"
            "CREATE VIEW customer_contacts AS SELECT customer_id, company_name FROM customers"
        )
    asked_back = contacts.run("customer contacts in Germany").clarification
    assert asked_back is not None
    assert "Germany" not in asked_back.options
    assert asked_back.question.startswith("I found “Germany” in customers, but no way from there ")
