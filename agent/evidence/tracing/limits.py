"""Limits: figures that the question or a query chooses rows by may be repeated.

A figure that states something ("Sports earned 5,000") does not become true by standing in a filter;
one that says which rows are meant ("more than 5,000", "the top 10") may.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Table
from agent.evidence.rows.quantiles import percent_of
from agent.evidence.rows.statement import Filter, Statement
from agent.evidence.scenes import entity_before
from agent.evidence.text.hedges import Hedge, Range
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.nouns import concept, is_entity, name_concepts
from agent.evidence.text.units import TIME_UNITS

_CHOOSES: Final = re.compile(
    r"\b(?:over|above|more than|at least|under|below|less than|fewer than|at most|longer than|"
    r"shorter than|greater than|older than|newer than|between|from|to|and|exceed\w*|threshold of|"
    r"limit of|minimum of|maximum of|cut-?off of|mark of|pass(?:ed|es)?|"
    r"cross(?:ed|es)?|top|first|last|bottom|past|within|up to|"
    r"than|rated|cost(?:ing|s)?|priced at|at|beyond|since)\s*(?:the )?$|[<>≥≤=(#]\s*$",
    re.IGNORECASE,
)
_MARK: Final = re.compile(
    r"^\s?-?(?:\w+ )?(?:mark|threshold|limit|cut-?off|minimum|maximum|range|"
    r"or (?:more|less|longer|fewer|higher|lower)|and (?:more|over|up|above))\b|^\+",
    re.IGNORECASE,
)
_TO_NEXT: Final = re.compile(r"\s*(?:to|-|–|and)\s*[$€£]?\d")
_FROM_LAST: Final = re.compile(r"\d\s*(?:to|-|–|and)\s*$")
_LIMITED: Final = re.compile(
    r"\b(?:top|first|last|bottom|limit(?:ed)? (?:of|to)|best|the)\s+(?:\w+ )?$", re.IGNORECASE
)
_REFUTED: Final = re.compile(
    r"\b(?:not|instead of|rather than|you (?:asked|mention\w*|said|expected)|"
    r"asked (?:for|about))\s+(?:\w+ ){0,2}$",
    re.IGNORECASE,
)
_LINK: Final = re.compile(
    r"(?:\s+(?:is|was|are|of|exactly|equals|equal to|at)\b|[=:])*\s*$", re.IGNORECASE
)
_OVER: Final = (Hedge.OVER, Hedge.AT_LEAST, Hedge.JUST_OVER)
_UNDER: Final = (Hedge.UNDER, Hedge.AT_MOST, Hedge.NEARLY, Hedge.JUST_UNDER, Hedge.UP_TO)


def limit_source(claim: Claim, ground: Ground) -> str:
    """Return which limit a figure repeats, in words; "" for none."""
    if claim.mention.form is Form.ORDINAL:
        return ""
    chooses = _chooses(claim, ground)
    for table in ground.tables:
        source = _of_statement(claim.mention, ground.before(claim), table.statement, chooses)
        if not source and not table.rows and chooses:
            source = _of_complement(claim.mention, table.statement)
        if source:
            return f"{source} of query {table.number + 1}"
        if claim.mention.hedge.is_bound:
            for place in _quantiles(claim.mention, table):
                return place
    return _of_question(claim, ground, chooses)


def _quantiles(mention: Mention, table: Table) -> Iterator[str]:
    """Yield the percentile that "a tenth has more than 52" passes."""
    for column in table.measures:
        if percent_of(table, column) is not None:
            for spot in table.find(column, Range(mention.value, mention.value)):
                yield table.place(spot)


def _chooses(claim: Claim, ground: Ground) -> bool:
    """Whether the words around a figure say that it chooses rows."""
    mention, text = claim.mention, ground.text(claim)
    return bool(
        mention.hedge.is_bound
        or mention.is_adjective
        or _MARK.match(ground.after(claim))
        or _CHOOSES.search(ground.before(claim))
        or _TO_NEXT.match(text[mention.end :])
        or _FROM_LAST.search(text[: mention.start])
    )


def _of_statement(mention: Mention, before: str, statement: Statement, chooses: bool) -> str:
    for one in statement.filters:
        is_said = one.number is not None and _is_value(mention, one.number)
        if is_said and _repeats(mention, before, one, chooses):
            return "a filter"
    if chooses and mention.unit and any(_is_value(mention, n) for n in statement.numbers):
        return "a period"
    is_limit = statement.limit is not None and _is_value(mention, Decimal(statement.limit))
    return "the limit" if is_limit and _LIMITED.search(before) else ""


def _of_complement(mention: Mention, statement: Statement) -> str:
    """See to "all films are 200 minutes or shorter", where a query for longer ones found none."""
    bounds = [one.number for one in statement.filters if one.number is not None and one.op != "="]
    return "a filter" if any(_is_value(mention, number) for number in bounds) else ""


def _repeats(mention: Mention, before: str, one: Filter, chooses: bool) -> bool:
    things = [noun for noun in mention.nouns if is_entity(noun)]
    if one.column and things and not set(things) & name_concepts(one.column):
        return False  # "120 films" is no repetition of `length > 120`
    if one.op == "=":
        noun = entity_before(before)
        is_key = noun == "number" or (noun and noun in one.column) or _says(before, one.column)
        return bool(is_key) or (chooses and not mention.hedge.is_bound and not mention.unit)
    if mention.hedge in _OVER:
        return chooses and one.op not in ("<", "<=")
    if mention.hedge in _UNDER:
        return chooses and one.op not in (">", ">=")
    return chooses


def _says(before: str, column: str) -> bool:
    """Whether a text ends with the name of a column: "where rental rate exactly 4.99"."""
    wanted = name_concepts(column) - {"id"}
    said = [concept(word) for word in re.findall(r"[^\W\d_]+", _LINK.sub("", before))]
    return bool(wanted) and wanted <= set(said[-len(wanted) :])


def _is_value(mention: Mention, number: Decimal) -> bool:
    if abs(mention.value) == abs(number):
        return True
    if mention.form is Form.TIME and number:  # "two hours" for 120 minutes
        seconds = mention.value * TIME_UNITS[mention.unit]
        return any(seconds == abs(number) * unit for unit in (60, 3600, 86_400))
    return mention.form is Form.PERCENT and mention.value == abs(number) * 100


def _of_question(claim: Claim, ground: Ground, chooses: bool) -> str:
    before = ground.before(claim)
    for asked in ground.asked.figures:
        if not _is_same(claim.mention, asked):
            continue
        before_asked = ground.asked.text[: asked.start]
        noun = entity_before(before_asked)
        is_named = noun and noun == entity_before(before)
        asks_limit = asked.hedge.is_bound or asked.is_adjective or _CHOOSES.search(before_asked)
        if is_named or (chooses and asks_limit) or _REFUTED.search(before):
            return "the question"
    return ""


def _is_same(mention: Mention, asked: Mention) -> bool:
    """Whether a figure repeats one of the question: not "under 5" for "over 5"."""
    alike = {asked.form, mention.form} <= {Form.NUMBER, Form.TIME}
    if asked.value != mention.value or not (alike or asked.form is mention.form):
        return False
    if mention.currency and not asked.currency and asked.nouns:
        return False
    both_bound = asked.hedge.is_bound and mention.hedge.is_bound
    return not both_bound or (asked.hedge in _OVER) == (mention.hedge in _OVER)
