"""Whether a figure, as it is written, can be a number of a column: its sign, unit and noun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds, Meaning
from agent.evidence.text.hedges import Range
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.nouns import ALIKE, MONEY_NOUNS, SURE_MONEY, concept, is_entity, words
from agent.evidence.text.units import TIME_UNITS

_NO_MONEY: Final = frozenset(
    {Holds.COUNT, Holds.PERCENT, Holds.TIME, Holds.CALENDAR, Holds.KEY, Holds.RANK, Holds.RATIO}
)
_MONEY_VERB: Final = re.compile(
    r"\b(?:earn(?:s|ed|ing)?|bring(?:s|ing)? in|brought in|gross(?:es|ed)?|generat(?:es|ed|ing)|"
    r"took in|tak(?:es|ing) in|spent|spend(?:s|ing)?|paid|pay(?:s|ing)?|costs?|sold for|priced at|"
    r"made|makes|netted|collected|is worth)\s*$",
    re.IGNORECASE,
)
_SUBJECT: Final = re.compile(
    r"\b(?P<noun>[^\W\d_]+)(?: (?:per|by|for|in|from|of) [\w '-]{1,30}?)??\s*"
    r"(?:[:(=]|was|were|is|are|of|at|reached|totall?ed|came to|comes to|stood at|stands at|"
    r"amounted to|hit|-|–|→)\s*(?:only |just |exactly |[(])?$",
    re.IGNORECASE,
)
_MORE: Final = re.compile(
    r"\s*(?:more|less|higher|lower|up|down|above|below|of (?:all|the total))\b", re.IGNORECASE
)
_THAN_BEFORE: Final = re.compile(
    r"\s*(?:more|less|fewer|higher|lower|up|down|above|below)\b[^.;,(]{0,30}?"
    r"\b(?:last|previous|prior|preceding|(?:year|month|quarter|week) (?:before|earlier|ago))\b",
    re.IGNORECASE,
)
_MOVED: Final = re.compile(
    r"\b(?:up|down|rose|risen|fell|fallen|grew|grown|gained|lost|increased|declined|dropped)"
    r"(?: by)?(?: about| roughly| some)? $",
    re.IGNORECASE,
)
_ON_LAST: Final = re.compile(
    r"\s*(?:on|over|from|against|compared (?:to|with)|vs\.?) (?:the )?(?:last|previous|prior)\b",
    re.IGNORECASE,
)
_CHANGES: Final = words("change growth delta diff difference yoy mom vs increase gap against")
_SIZES: Final = {"kb": 1, "mb": 2, "gb": 3, "tb": 4, "kib": 1, "mib": 2, "gib": 3, "tib": 4}
"""The units of storage in names of columns, as powers of a thousand bytes."""
_CENTS: Final = words("cent ct")
_COUNTED_MONEY: Final = words("fee charge payment price")
"""Money words that, right behind a bare number, count: "12,400 late fees"."""
_PART_OF: Final = re.compile(
    r"\b(?:account(?:s|ed|ing)? for|ma[kd]es? up|making up|share(?: of)?) "
    r"(?:about |just |only |over |nearly )*$",
    re.IGNORECASE,
)
_OF_WHOLE: Final = re.compile(
    r"\s*of (?:the |all |our )*(?:total|overall|entire|whole|all\b|revenue|rentals|sales|turnover)"
    r"(?! (?:growth|increase|change|gain|rise|drop|fall))",
    re.IGNORECASE,
)


def ranges_for(mention: Mention, table: Table, column: int) -> Iterator[Range]:
    """Yield the ranges that the number of a column must lie in, in the column's own unit."""
    meaning = table.meanings[column]
    if mention.form in (Form.PERCENT, Form.PART):
        yield from (r.scaled(1 / table.percent_factors[column]) for r in mention.ranges)
    elif mention.form is not Form.TIMES or meaning.holds is Holds.RATIO:
        for factor in _factors(mention, meaning):
            yield from (r.scaled(factor) if factor != 1 else r for r in mention.ranges)


def _factors(mention: Mention, meaning: Meaning) -> Iterator[Decimal]:
    """Yield what may turn a figure as it is written into the unit of a column."""
    if meaning.words & _CENTS and mention.form is Form.NUMBER:
        yield Decimal(100)
        if not mention.currency:
            yield Decimal(1)
    elif mention.nouns[:1] == ("byte",):
        powers = [power for word, power in _SIZES.items() if word in meaning.words] or [0]
        yield from (1 / Decimal(base) ** powers[0] for base in (1000, 1024))
    else:
        yield _time_factor(mention, meaning)


def _time_factor(mention: Mention, meaning: Meaning) -> Decimal:
    """Return what turns a length of time as it is written into a column's unit."""
    own, said = TIME_UNITS.get(meaning.unit, 0), TIME_UNITS.get(mention.unit, 0)
    is_other = meaning.holds is Holds.TIME and own and said and own != said
    return Decimal(said) / own if is_other else Decimal(1)


def unit_fault(
    mention: Mention,
    before: str,
    table: Table,
    column: int,
    known: frozenset[str],
    after: str = "",
) -> str:
    """Return what is wrong with the unit of a figure for a column, in words; "" for nothing.

    `before` and `after` are the texts around the figure, `known` the concepts of all columns and
    tables.
    """
    meaning = table.meanings[column]
    if mention.form in (Form.PERCENT, Form.POINTS, Form.PART):
        if _is_level_as_change(mention, before, after, meaning):
            return "is a share, not a change"
        if meaning.is_change and _says_share(before, after) and "share" not in meaning.words:
            return "is a change, not a share"
        is_percent = meaning.holds in (Holds.PERCENT, Holds.RATIO)
        is_rate = meaning.is_change or "rate" in meaning.words
        is_growth = meaning.holds is Holds.NUMBER and is_rate
        return "" if is_percent or is_growth else f"is {meaning.holds.value}, not a percentage"
    if mention.form is Form.TIMES:
        return "" if meaning.holds is Holds.RATIO else "is no multiple"
    if mention.currency:
        return f"is {meaning.holds.value}, not money" if meaning.holds in _NO_MONEY else ""
    if mention.unit:
        return _time_fault(mention, meaning)
    return _noun_fault(mention, meaning, known, table) or _subject_fault(
        mention, before, table, meaning
    )


def _is_level_as_change(mention: Mention, before: str, after: str, meaning: Meaning) -> bool:
    """Whether a share is told as what has changed: "86.6 percentage points more than last year"."""
    is_level = meaning.holds is Holds.PERCENT and not meaning.is_change
    is_told: object = _THAN_BEFORE.match(after) or (
        mention.form is Form.POINTS and _MORE.match(after)
    )
    moved = _MOVED.search(before) is not None
    is_told = is_told or (moved and (mention.form is Form.POINTS or _ON_LAST.match(after)))
    return is_level and not meaning.words & _CHANGES and bool(is_told)


def _says_share(before: str, after: str) -> bool:
    """Whether the words around a percentage say "part of a whole": "accounts for 15 % of all"."""
    return bool(_PART_OF.search(before) or _OF_WHOLE.match(after))


def _time_fault(mention: Mention, meaning: Meaning) -> str:
    unit = mention.unit
    if meaning.holds is Holds.TIME:
        is_known = not meaning.unit or meaning.unit == unit or TIME_UNITS[meaning.unit] > 0
        return "" if is_known else f"counts {meaning.unit}s"
    if meaning.holds in (Holds.NUMBER, Holds.CALENDAR):
        return ""
    is_counted = not meaning.nouns or unit in meaning.nouns | meaning.words
    if meaning.holds is Holds.COUNT and is_counted:
        return ""
    return f"is {meaning.holds.value}, not {unit}s"


def _noun_fault(mention: Mention, meaning: Meaning, known: frozenset[str], table: Table) -> str:
    """See to the words behind a figure: "9,045.91 rentals" where 9,045.91 is money."""
    nouns, own = set(mention.nouns), meaning.words | meaning.nouns
    things = [n for n in mention.nouns or mention.prep_nouns[:1] if is_entity(n)]
    says_money = (nouns | set(mention.prep_nouns[:2])) & SURE_MONEY and not (
        nouns & own or any(is_entity(n) for n in nouns)
    )
    if says_money and meaning.holds in (Holds.COUNT, Holds.TIME, Holds.PERCENT):
        return f"is {meaning.holds.value}, not money"
    is_often = meaning.holds in (Holds.COUNT, Holds.NUMBER) or "time" in own
    if mention.noun == "time" and not is_often:
        return f"is {meaning.holds.value}, not how often"
    is_mean = meaning.is_average and meaning.holds is Holds.NUMBER
    if (
        not is_mean
        and nouns
        and not nouns & (own | MONEY_NOUNS)
        and _is_counted_elsewhere(nouns, meaning, table)
    ):
        return f"is {meaning.holds.value} of something else"
    if meaning.holds is Holds.MONEY and nouns & _COUNTED_MONEY:
        return "is money, not how many"
    if not things or nouns & MONEY_NOUNS:
        return ""
    if meaning.holds is Holds.COUNT:
        return _counts_other(things, meaning, known)
    is_named = things[0] in meaning.words and meaning.holds is Holds.TIME
    if (
        not nouns
        or mention.is_adjective
        or is_named
        or meaning.holds in (Holds.NUMBER, Holds.RATIO)
    ):
        return ""
    return f"is {meaning.holds.value}"


def _is_counted_elsewhere(nouns: set[str], meaning: Meaning, table: Table) -> bool:
    others = (m for m in table.meanings if m is not meaning and m.holds is Holds.COUNT)
    return any(nouns & other.words for other in others)


def _counts_other(things: list[str], meaning: Meaning, known: frozenset[str]) -> str:
    counted = meaning.nouns | (meaning.words & known)
    counted |= {other for pair in ALIKE if pair & counted for other in pair}
    if not meaning.nouns or set(things) & counted:
        return ""
    return f"counts {' and '.join(sorted(_plural(noun) for noun in meaning.nouns))}"


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


def _subject_fault(mention: Mention, before: str, table: Table, meaning: Meaning) -> str:
    """See to the words before a figure: "revenue: 2,009" where 2,009 counts rentals."""
    if is_entity(mention.noun) or mention.noun == "time":
        return ""
    is_no_money = meaning.holds in (Holds.COUNT, Holds.TIME, Holds.PERCENT)
    if _MONEY_VERB.search(before[-40:]) and is_no_money and not mention.nouns:
        return f"is {meaning.holds.value}, not money"
    match = _SUBJECT.search(before[-60:])
    if match is None:
        return ""
    if match["noun"].istitle() and match.start("noun") > max(0, len(before) - 60):
        return ""  # a name inside a sentence: "more than Sales (64 against 48)"
    word, noun = match["noun"].lower(), concept(match["noun"])
    if word in SURE_MONEY and is_no_money and noun not in meaning.words:
        return f"is {meaning.holds.value}, not money"
    if not is_entity(noun) or not word.endswith("s") or noun in meaning.nouns | meaning.words:
        return ""
    counts = [m for m in table.meanings if m.holds is Holds.COUNT and noun in m.nouns]
    if counts and meaning.holds in (Holds.MONEY, Holds.COUNT):
        return f"is {meaning.holds.value}, not {word}"
    return ""
