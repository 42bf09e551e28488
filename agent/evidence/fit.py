"""Whether a figure, as it is written, can be a number of a column: its unit and its noun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from agent.evidence.cells import Spot, Table
from agent.evidence.columns import Holds, Meaning
from agent.evidence.hedges import Range
from agent.evidence.mentions import Form, Mention
from agent.evidence.nouns import ALIKE, MONEY_NOUNS, SURE_MONEY, TIME_UNITS, concept, is_entity

_NO_MONEY: Final = frozenset(
    {Holds.COUNT, Holds.PERCENT, Holds.TIME, Holds.CALENDAR, Holds.KEY, Holds.RANK, Holds.RATIO}
)
_MONEY_VERB: Final = re.compile(
    r"\b(?:earn(?:s|ed|ing)?|bring(?:s|ing)? in|brought in|gross(?:es|ed)?|generat(?:es|ed|ing)|took in|tak(?:es|ing) in|"
    r"spent|spend(?:s|ing)?|paid|pay(?:s|ing)?|costs?|sold for|priced at|made|makes|netted|collected|is worth)\s*$",
    re.IGNORECASE,
)
_SUBJECT: Final = re.compile(
    r"\b(?P<noun>[^\W\d_]+)(?: (?:per|by|for|in|from|of) [\w '-]{1,30}?)??"
    r"\s*(?:[:(=]|was|were|is|are|of|at|reached|totall?ed|came to|comes to|stood at|stands at|amounted to|hit|-|–|→)\s*(?:only |just |exactly |[(])?$",
    re.IGNORECASE,
)


def ranges_for(mention: Mention, table: Table, column: int) -> Iterator[Range]:
    """Yield the ranges that the number of a column must lie in, in the column's own unit."""
    meaning = table.meanings[column]
    ranges = mention.ranges
    if mention.form in (Form.PERCENT, Form.PART):
        factor = table.percent_factors[column]
        yield from (r.scaled(1 / factor) for r in ranges)
        return
    if mention.form is Form.TIMES and meaning.holds is not Holds.RATIO:
        return
    if (
        mention.unit
        and meaning.holds is Holds.TIME
        and meaning.unit
        and meaning.unit != mention.unit
    ):
        own, said = TIME_UNITS.get(meaning.unit, 0), TIME_UNITS[mention.unit]
        if own and said:
            yield from (r.scaled(Decimal(said) / own) for r in ranges)
            return
    yield from ranges
    if (
        mention.form is Form.NUMBER
        and meaning.holds in (Holds.PERCENT, Holds.RATIO)
        and not mention.currency
    ):
        factor = table.percent_factors[column]
        if factor != 1 and "%" in mention.text:
            yield from (r.scaled(1 / factor) for r in ranges)


def unit_fault(
    mention: Mention, before: str, table: Table, spot: Spot, known: frozenset[str]
) -> str:
    """Return what is wrong with the unit of a figure for a cell, in words; "" for nothing.

    `before` is the text before the figure, `known` the concepts of all columns and tables.
    """
    meaning = table.meanings[spot.column]
    if mention.form in (Form.PERCENT, Form.POINTS, Form.PART):
        return _percent_fault(mention, meaning)
    if mention.form is Form.TIMES:
        return "" if meaning.holds is Holds.RATIO else "is no multiple"
    if mention.currency and meaning.holds in _NO_MONEY:
        return f"is {meaning.holds.value}, not money"
    if mention.currency:
        return ""
    if mention.unit:
        return _time_fault(mention, meaning)
    return _noun_fault(mention, meaning, known, table) or _subject_fault(
        mention, before, table, spot
    )


def _percent_fault(mention: Mention, meaning: Meaning) -> str:
    if meaning.holds in (Holds.PERCENT, Holds.RATIO):
        return ""
    if meaning.holds is Holds.NUMBER and meaning.is_change:
        return ""
    return f"is {meaning.holds.value}, not a percentage"


def _time_fault(mention: Mention, meaning: Meaning) -> str:
    unit = mention.unit
    if meaning.holds is Holds.TIME:
        is_same = not meaning.unit or meaning.unit == unit or TIME_UNITS.get(meaning.unit, 0) > 0
        return "" if is_same else f"counts {meaning.unit}s"
    if meaning.holds is Holds.COUNT and (
        not meaning.nouns or unit in meaning.nouns or unit in meaning.words
    ):
        return ""
    if meaning.holds in (Holds.NUMBER, Holds.CALENDAR):
        return ""
    return f"is {meaning.holds.value}, not {unit}s"


def _noun_fault(mention: Mention, meaning: Meaning, known: frozenset[str], table: Table) -> str:
    nouns, behind = mention.nouns, mention.prep_nouns
    says_money = bool((set(nouns) | set(behind[:2])) & SURE_MONEY) and not any(
        is_entity(n) for n in nouns
    )
    if (
        says_money
        and meaning.holds in (Holds.COUNT, Holds.TIME, Holds.PERCENT)
        and not set(nouns) & meaning.words
    ):
        return f"is {meaning.holds.value}, not money"
    if nouns[:1] == ("time",) and meaning.holds is not Holds.COUNT and "time" not in meaning.words:
        return f"is {meaning.holds.value}, not how often"
    others = [m for m in table.meanings if m is not meaning and m.holds is Holds.COUNT]
    if (
        nouns
        and not set(nouns) & (meaning.words | meaning.nouns | MONEY_NOUNS)
        and any(set(nouns) & m.words for m in others)
    ):
        return f"is {meaning.holds.value} of something else"
    things = [n for n in (*nouns, *(() if nouns else behind[:1])) if is_entity(n)]
    if not things or set(nouns) & MONEY_NOUNS:
        return ""
    if meaning.holds is Holds.COUNT:
        counted = meaning.nouns | (meaning.words & known)
        counted |= {other for pair in ALIKE if pair & counted for other in pair}
        if meaning.nouns and not set(things) & counted:
            return f"counts {' and '.join(sorted(_plural(n) for n in meaning.nouns))}"
        return ""
    if (
        meaning.holds in (Holds.MONEY, Holds.PERCENT, Holds.TIME)
        and nouns
        and not mention.is_adjective
    ):
        return (
            ""
            if things[0] in meaning.words and meaning.holds is not Holds.MONEY
            else f"is {meaning.holds.value}"
        )
    return ""


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


def _subject_fault(mention: Mention, before: str, table: Table, spot: Spot) -> str:
    """See to the word before a figure: "revenue: 2,009" where 2,009 counts rentals."""
    meaning = table.meanings[spot.column]
    if mention.nouns and (is_entity(mention.noun) or mention.noun == "time"):
        return ""
    if (
        _MONEY_VERB.search(before[-40:])
        and meaning.holds in (Holds.COUNT, Holds.TIME)
        and not mention.nouns
    ):
        return f"is {meaning.holds.value}, not money"
    match = _SUBJECT.search(before[-60:])
    if match is None:
        return ""
    noun = match["noun"].lower()
    if (
        noun in SURE_MONEY
        and meaning.holds in (Holds.COUNT, Holds.TIME, Holds.PERCENT)
        and concept(noun) not in meaning.words
    ):
        return f"is {meaning.holds.value}, not money"
    said = concept(noun)
    if (
        is_entity(said)
        and meaning.holds in (Holds.MONEY, Holds.COUNT)
        and said not in meaning.nouns | meaning.words
    ):
        other = [
            c
            for c in table.measures
            if said in table.meanings[c].nouns and table.meanings[c].holds is Holds.COUNT
        ]
        if other and noun.endswith("s"):
            return (
                f"is {meaning.holds.value}, not {noun}"
                if meaning.holds is Holds.MONEY
                else "counts something else"
            )
    return ""
