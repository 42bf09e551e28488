"""What words are about: a noun in any of its forms is one concept."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import inflection

_SYNONYMS: Final = """
film movie title picture
category genre kind
customer client member renter patron consumer buyer account
store shop branch location outlet
rental rent loan checkout hire rented rents renting borrowing
payment transaction paid
disc copy inventory dvd item unit
actor actress performer star cast
city town
country nation
staff employee clerk colleague worker
language tongue
order purchase
product article
supplier vendor
rating
address
invoice bill
track song
album record
artist band musician
playlist
visit session
user
game
player
team
ticket
booking reservation
school
student
""".strip().splitlines()
ENTITIES: Final[dict[str, str]] = {
    word: line.split()[0] for line in _SYNONYMS for word in line.split()
}
"""Words for things that are counted, each with the word that stands for all of its kind."""

ALIKE: Final = (
    frozenset({"disc", "rental"}),
    frozenset({"order", "product"}),
    frozenset({"payment", "rental"}),
)
"""Concepts that people use for each other: a disc that came back is a rental that ended."""
MONEY_NOUNS: Final = frozenset(
    [
        "revenue",
        "sales",
        "sale",
        "earnings",
        "earning",
        "income",
        "amount",
        "turnover",
        "takings",
        "taking",
        "money",
        "spend",
        "spending",
        "spent",
        "price",
        "cost",
        "costs",
        "fee",
        "fees",
        "paid",
        "proceeds",
        "receipts",
        "profit",
        "margin",
        "value",
        "worth",
        "budget",
        "salary",
        "wage",
        "earned",
        "charge",
        "charges",
        "balance",
        "gross",
        "net",
        "subtotal",
        "refund",
        "discount",
        "expense",
        "expenses",
        "dollars",
        "usd",
        "eur",
        "euro",
        "pay",
        "total_sales",
        "umsatz",
    ]
)
SURE_MONEY: Final = MONEY_NOUNS - frozenset(
    ["value", "worth", "net", "gross", "total", "paid", "balance", "sale"]
)
"""Words that, standing before a figure, can only mean money."""
TIME_UNITS: Final[dict[str, int]] = {
    "second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "day": 86_400,
    "night": 86_400, "week": 604_800, "month": 2_629_800, "year": 31_557_600, "ms": 0,
    "millisecond": 0,
}  # fmt: skip
"""Seconds of a unit of time; 0 for what is shorter."""
PERIODS: Final = frozenset(
    ["day", "week", "month", "quarter", "year", "weekday", "hour", "date", "period", "decade"]
)
ROW_NOUNS: Final = frozenset(
    [
        "row",
        "record",
        "result",
        "entry",
        "line",
        "item",
        "place",
        "value",
        "group",
        "match",
        "case",
        "name",
        "example",
        "kind",
        "type",
        "point",
        "bucket",
        "segment",
        "level",
        "class",
        "option",
        "thing",
        "combination",
    ]
)
"""Words that any row may be called by."""
TALK_NOUNS: Final = frozenset(
    [
        "thing",
        "note",
        "caveat",
        "observation",
        "remark",
        "point",
        "reason",
        "step",
        "query",
        "takeaway",
        "insight",
        "finding",
        "way",
        "question",
        "part",
        "assumption",
        "detail",
        "table",
        "column",
        "chart",
        "highlight",
        "pattern",
        "trend",
        "number",
        "figure",
        "factor",
        "side",
        "sentence",
        "word",
        "digit",
        "decimal",
        "footnote",
        "bullet",
        "option",
        "approach",
        "source",
    ]
)
"""Words for what an answer says about itself: their number makes no claim about the data."""


@lru_cache(maxsize=4096)
def concept(word: str) -> str:
    """Return the concept of a word: "Movies" and "film" are both "film"."""
    word = word.lower().strip("'")
    word = word.removesuffix("'s")
    if word in ENTITIES:
        return ENTITIES[word]
    single = _single(word)
    return ENTITIES.get(single, single)


def _single(word: str) -> str:
    if len(word) <= 3 or word.endswith(("ss", "us", "is")):
        return word
    return inflection.singularize(word)


def is_entity(noun: str) -> bool:
    """Whether a concept is a thing that databases of any trade count."""
    return noun in ENTITIES


def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a column's or table's name, in lower case."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return tuple(re.findall(r"[^\W\d_]+|\d+", spaced.lower()))


def name_concepts(name: str) -> frozenset[str]:
    """Return the concepts of a column's or table's name."""
    return frozenset(concept(word) for word in name_words(name))
