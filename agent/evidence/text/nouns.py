"""What words are about: a noun in any of its forms is one concept."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import inflection


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_SYNONYMS: Final = """
film movie title picture
category genre kind
customer client renter patron consumer buyer account
store shop branch location outlet
rental rent loan checkout hire rented rents renting borrowing
payment transaction
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
    words("disc rental"),
    words("order product"),
    words("payment rental"),
)
"""Concepts that people use for each other: a disc that came back is a rental that ended."""

MONEY_NOUNS: Final = words(
    "revenue sales sale earnings earning income amount turnover takings taking money spend spending"
    " spent price cost costs fee fees paid proceeds receipts profit margin value worth budget"
    " salary wage earned charge charges balance gross net subtotal refund discount expense expenses"
    " dollars usd eur euro pay total_sales umsatz"
)
SURE_MONEY: Final = MONEY_NOUNS - words("value worth net gross total paid balance sale")
"""Words that, standing before a figure, can only mean money."""
PERIODS: Final = words("day week month quarter year weekday hour date period decade half")
ROW_NOUNS: Final = words(
    "row record result entry line place group match case name example type point bucket segment"
    " level class option thing combination member person people"
)
"""Words that any row may be called by."""
TALK_NOUNS: Final = words(
    "thing note caveat observation remark point reason step query takeaway insight finding way"
    " question part assumption detail table column chart highlight pattern trend number figure"
    " factor side sentence word digit decimal footnote bullet option approach source"
)
"""Words for what an answer says about itself: their number makes no claim about the data."""


@lru_cache(maxsize=4096)
def concept(word: str) -> str:
    """Return the concept of a word: "Movies" and "film" are both "film"."""
    word = word.lower().strip("'").removesuffix("'s")
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


def is_noun(word: str) -> bool:
    """Whether a word names a thing that data is about."""
    noun = concept(word)
    return noun in ENTITIES or noun in MONEY_NOUNS or noun in PERIODS or noun in ROW_NOUNS


@lru_cache(maxsize=4096)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a column's or table's name, in lower case."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return tuple(re.findall(r"[^\W\d_]+|\d+", spaced.lower()))


@lru_cache(maxsize=4096)
def name_concepts(name: str) -> frozenset[str]:
    """Return the concepts of a column's or table's name."""
    return frozenset(concept(word) for word in name_words(name))
