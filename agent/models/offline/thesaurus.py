"""General business words that mean the same, and what some words say of a column.

Nothing here knows a particular database: each group holds stems that people use for one another.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from agent.models.offline.reading import stem, stems

_SAME: Final = """
customer client buyer shopper patron purchaser guest
employee staff worker personnel colleague clerk salesperson rep representative agent crew teammate
film movie dvd flick
store shop branch outlet
category genre kind type
product item article sku goods
order purchase
sale sell
song track tune
band artist musician performer singer group
album record
country nation
city town
state province
length duration runtime minutes
price cost fee charge rate tariff
phone telephone mobile
email mail
supplier vendor
population inhabitants people citizens residents
invoice bill receipt
salary wage pay earnings
postcode zip postal
surname lastname
forename firstname
member participant
booking reservation
inventory stock copy disc
manager boss supervisor
rating certificate
language tongue
quantity units volume pieces
title name
actor actress star play act starring cast
region area territory
transaction transfer
line detail
payment pay
rental rent hire borrow loan checkout
author writer
publication paper
district quarter neighbourhood neighborhood
address street
restaurant eatery diner
car vehicle auto automobile
mountain peak
river stream
facility court venue
ship deliver dispatch
shipper carrier
recommend refer
join signup register enroll
create open sign register
size bytes
hire employ
food cuisine
"""

MONEY: Final = stems(
    "amount revenue sales income earnings turnover takings proceeds money gross receipts spend "
    "spending spent earn "
    "earned earning earns gross grossed dollars usd euros spender spenders paying grossing "
    "intake cash"
)
"""Words for money that came in, or went out, whichever column holds it."""

MONEY_COLUMNS: Final = (
    "amount",
    "total",
    "revenue",
    "sales",
    "total_amount",
    "total_price",
    "grand_total",
)
PRICE_WORDS: Final = stems("price cost rate fee charge msrp amount")
QUANTITY_WORDS: Final = stems("quantity qty units count")

CONCEPTS: Final[dict[str, tuple[str, ...]]] = {
    "length": ("length", "duration", "runtime", "milliseconds", "minutes", "seconds", "distance"),
    "price": ("price", "rate", "cost", "fee", "charge", "amount", "msrp"),
    "height": ("height", "altitude", "elevation"),
    "weight": ("weight",),
    "population": ("population",),
    "area": ("area", "size"),
}
"""What an adjective such as "longest" or "cheapest" is about: names of columns, best first."""

AUDIT: Final = stems("update updated modified changed inserted loaded synced edited rowversion")
"""Words of columns that say when a row was written, not when something happened."""


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for line in _SAME.strip().splitlines():
        stems = {stem(word) for word in line.split()}
        for member in stems:
            groups.setdefault(member, set()).update(stems)
    return {member: frozenset(stems) for member, stems in groups.items()}


def alike(word: str) -> frozenset[str]:
    """Return the stems that people use for the stem `word`, itself included."""
    return _groups().get(word, frozenset()) | {word}
