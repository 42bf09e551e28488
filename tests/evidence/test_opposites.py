"""Figures of one row under another column's name, and wholes that two columns make up."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from agent.evidence import Sources, check_evidence
from agent.messages import Cell, Column, QueryResult


def _result(sql: str, columns: str, *rows: tuple[Cell, ...]) -> QueryResult:
    """Make a result; `columns` are "name:type" pairs, and the numeric ones become decimals."""
    made = tuple(Column(*pair.split(":")) for pair in columns.split())
    cells = tuple(
        tuple(
            Decimal(str(cell)) if column.type_name == "numeric" else cell
            for column, cell in zip(made, row, strict=True)
        )
        for row in rows
    )
    return QueryResult(sql, made, cells)


ACTIVE = _result(
    "SELECT count(*) FILTER (WHERE activebool) AS active, "
    "count(*) FILTER (WHERE NOT activebool) AS inactive FROM customer",
    "active:int8 inactive:int8",
    (580, 20),
)
SHIPPED = _result(
    "SELECT count(*) AS orders, count(*) FILTER (WHERE shipped_date > required_date) AS late, "
    "count(*) FILTER (WHERE shipped_date IS NULL) AS not_shipped FROM orders",
    "orders:int8 late:int8 not_shipped:int8",
    (830, 37, 21),
)
PAYMENTS = _result(
    "SELECT round(avg(amount),2) AS avg_payment, min(amount) AS lowest, "
    "max(amount) AS highest FROM payment",
    "avg_payment:numeric lowest:numeric highest:numeric",
    ("4.08", "0.99", "50.00"),
)
RETURNED = _result(
    "SELECT count(*) AS rentals, count(return_date) AS returned, "
    "count(*) FILTER (WHERE return_date IS NULL) AS unreturned FROM rental",
    "rentals:int8 returned:int8 unreturned:int8",
    (16044, 15861, 183),
)
STORES = _result(
    "SELECT city AS store, count(*) FILTER (WHERE active) AS active_customers, "
    "count(*) FILTER (WHERE NOT active) AS inactive_customers FROM c GROUP BY 1",
    "store:text active_customers:int8 inactive_customers:int8",
    ("Porto", 318, 8),
    ("Bremen", 262, 12),
)
LENGTHS = _result(
    "SELECT min(length) AS shortest, round(avg(length),1) AS avg_length, "
    "max(length) AS longest FROM film",
    "shortest:int2 avg_length:numeric longest:int2",
    (46, "115.3", 185),
)
INVOICES = _result(
    "SELECT sum(total) FILTER (WHERE paid) AS paid_amount, "
    "sum(total) FILTER (WHERE NOT paid) AS unpaid_amount, "
    "sum(total) FILTER (WHERE overdue) AS overdue_amount FROM invoice",
    "paid_amount:numeric unpaid_amount:numeric overdue_amount:numeric",
    ("48210.50", "7300.25", "2150.00"),
)
TICKETS = _result("SELECT 1", "open:int8 closed:int8 pending:int8", (42, 311, 17))

HONEST = [
    (ACTIVE, "We have 580 active customers; 20 are inactive."),
    (ACTIVE, "Of our 600 customers, 20 are no longer active."),
    (ACTIVE, "580 customers are active, and 20 aren't."),
    (ACTIVE, "So 96.7% of all customers are active."),
    (ACTIVE, "Twenty customers are inactive, about 3% of the 600 we have on file."),
    (ACTIVE, "580 of our 600 customers are active, leaving 20 who are not."),
    (ACTIVE, "Active: 580, inactive: 20."),
    (ACTIVE, "There are 20 inactive customers against 580 active ones."),
    (ACTIVE, "We have 600 customers in total: 580 active and 20 inactive."),
    (ACTIVE, "That is 560 more active customers than inactive ones."),
    (ACTIVE, "20 customers have been deactivated; the other 580 are active."),
    (SHIPPED, "37 of 830 orders shipped late, which is about 4.5%."),
    (SHIPPED, "Out of 830 orders, 37 were shipped late and 21 have not shipped yet."),
    (SHIPPED, "37 orders were late; 21 still haven't been shipped."),
    (SHIPPED, "21 orders are yet to ship, on top of the 37 that went out late."),
    (SHIPPED, "830 orders, 37 late, 21 unshipped."),
    (SHIPPED, "Late shipments: 37 of 830 (4.5%). A further 21 orders have not shipped at all."),
    (
        SHIPPED,
        "21 of the 830 orders are still waiting to be shipped, so they may turn out late too.",
    ),
    (SHIPPED, "809 of the 830 orders have shipped; 37 of those were late."),
    (PAYMENTS, "Payments range from $0.99 to $50.00, with an average of $4.08."),
    (PAYMENTS, "The average payment is $4.08; the lowest is $0.99 and the highest $50.00."),
    (PAYMENTS, "On average a payment is $4.08, though the largest was $50.00."),
    (PAYMENTS, "The maximum of $50.00 is far above the average."),
    (PAYMENTS, "A typical payment is $4.08 (minimum $0.99, maximum $50.00)."),
    (PAYMENTS, "The biggest payment, $50.00, is about 12 times the average of $4.08."),
    (PAYMENTS, "Payments average $4.08 and lie between $0.99 and $50.00."),
    (PAYMENTS, "$4.08 on average, from a low of $0.99 to a high of $50.00."),
    (RETURNED, "15,861 of 16,044 rentals came back; 183 are still out."),
    (RETURNED, "183 rentals have not been returned."),
    (RETURNED, "Of the 16,044 rentals, 183 (1.1%) were never returned."),
    (RETURNED, "98.9% of rentals were returned: 15,861 of 16,044."),
    (RETURNED, "Only 183 discs remain unreturned."),
    (STORES, "Porto has 318 active customers and 8 inactive ones; Bremen has 262 and 12."),
    (STORES, "Bremen: 262 active, 12 inactive."),
    (STORES, "In Porto 8 customers are inactive, 2.5% of its 326."),
    (STORES, "Porto has 326 customers, 318 of them active."),
    (LENGTHS, "Films run 115.3 minutes on average, from 46 to 185 minutes."),
    (LENGTHS, "The shortest film is 46 minutes long, the longest 185; the average is 115.3."),
    (INVOICES, "$48,210.50 has been paid and $7,300.25 is unpaid, of which $2,150.00 is overdue."),
    (INVOICES, "$7,300.25 has not been paid yet; $2,150.00 of that is overdue."),
    (INVOICES, "We've invoiced $55,510.75, of which $48,210.50 has been paid."),
    (INVOICES, "86.8% of the invoiced amount has been paid."),
    (TICKETS, "42 tickets are open, 311 closed and 17 pending."),
    (TICKETS, "311 tickets have been closed; 42 remain open and 17 are pending."),
]

LIES = [
    (ACTIVE, "We have 20 active customers; 580 are inactive."),
    (ACTIVE, "580 customers are no longer active."),
    (ACTIVE, "20 customers are active and 580 aren't."),
    (ACTIVE, "We have 600 active customers."),
    (ACTIVE, "Inactive: 580."),
    (ACTIVE, "Just 20 of our 600 customers are active."),
    (ACTIVE, "So 3.3% of all customers are active."),
    (SHIPPED, "21 of 830 orders shipped late, which is about 2.5%."),
    (SHIPPED, "37 orders have not been shipped."),
    (SHIPPED, "21 orders were late; 37 are unshipped."),
    (SHIPPED, "Out of 830 orders, 21 went out late."),
    (PAYMENTS, "Payments range from $4.08 to $50.00, with an average of $4.08."),
    (PAYMENTS, "The average payment is $0.99."),
    (PAYMENTS, "The lowest payment is $4.08."),
    (PAYMENTS, "Payments average $50.00."),
    (PAYMENTS, "The highest payment was $4.08."),
    (PAYMENTS, "Payments lie between $0.99 and $4.08."),
    (RETURNED, "183 of 16,044 rentals were returned."),
    (RETURNED, "15,861 rentals have not been returned."),
    (RETURNED, "15,861 rentals are unreturned."),
    (STORES, "Porto has 8 active customers and 318 inactive ones."),
    (STORES, "Bremen: 12 active, 262 inactive."),
    (LENGTHS, "Films run 46 minutes on average."),
    (LENGTHS, "The shortest film is 115.3 minutes long."),
    (INVOICES, "$7,300.25 has been paid."),
    (INVOICES, "$48,210.50 has not been paid yet."),
    (INVOICES, "$7,300.25 is overdue."),
    (TICKETS, "311 tickets are open and 42 closed."),
    (TICKETS, "17 tickets are open, 42 pending."),
]


@pytest.mark.parametrize(("result", "draft"), HONEST)
def test_a_figure_may_stand_under_its_own_column(result: QueryResult, draft: str) -> None:
    told = check_evidence(draft, Sources("?", (result,), (), date(2026, 1, 5)))

    assert told.holds, (told.untraced, told.faults)


@pytest.mark.parametrize(("result", "draft"), LIES)
def test_a_figure_must_not_stand_under_its_opposite(result: QueryResult, draft: str) -> None:
    assert not check_evidence(draft, Sources("?", (result,), (), date(2026, 1, 5))).holds
