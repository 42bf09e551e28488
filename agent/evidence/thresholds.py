"""Limits and thresholds: figures that the question or a query chooses rows by may be repeated."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.evidence.columns import Holds
from agent.evidence.ground import Claim, Ground, entity_before
from agent.evidence.hedges import Hedge
from agent.evidence.mentions import Form, Mention
from agent.evidence.nouns import TIME_UNITS

_CHOOSES: Final = re.compile(
    r"\b(?:over|above|more than|at least|under|below|less than|fewer than|at most|longer than|shorter than|greater than|"
    r"between|from|to|and|exceed\w*|threshold of|limit of|minimum of|maximum of|cut-?off of|top|first|last|bottom|past|"
    r"within|up to|than|mark of|of|rated|cost(?:ing|s)?|priced at|at|the|beyond|older than|newer than|since|all)\s*(?:the )?$|[<>≥≤=(#]\s*$",
    re.IGNORECASE,
)
_MARK: Final = re.compile(
    r"^\s?-?(?:\w+ )?(?:mark|threshold|limit|cut-?off|minimum|maximum|or (?:more|less|longer|fewer|higher|lower)|and (?:more|over|up|above))\b|^\+",
    re.IGNORECASE,
)
_OVER: Final = (Hedge.OVER, Hedge.AT_LEAST, Hedge.JUST_OVER)
_UNDER: Final = (Hedge.UNDER, Hedge.AT_MOST, Hedge.NEARLY)


def threshold_source(claim: Claim, ground: Ground) -> str:
    """Return which limit a figure repeats, in words; "" for none.

    A figure that states something ("Sports earned 5,000") does not become true by standing in a
    filter; one that says which rows are meant ("more than 5,000", "the top 10") may.
    """
    mention = claim.mention
    before, after = ground.before(claim), ground.after(claim)
    chooses = bool(
        mention.hedge.is_bound
        or mention.is_adjective
        or _MARK.match(after)
        or _CHOOSES.search(before)
    )
    if mention.form is Form.ORDINAL:
        return ""
    tail = ground.text(claim)[mention.end :]
    chooses = chooses or re.match(r"\s*(?:to|-|–|and)\s*\d", tail) is not None
    for table in ground.tables:
        for one in table.statement.filters:
            if one.number is None or not _is_value(mention, one.number):
                continue
            if one.op == "=":
                if _names_key(before, one.column):
                    return f"a filter of query {table.number + 1}"
                if chooses and not mention.hedge.is_bound:
                    return f"a filter of query {table.number + 1}"
            elif chooses and not _is_against(mention, one.op):
                return f"a filter of query {table.number + 1}"
        if chooses and mention.unit and any(_is_value(mention, n) for n in table.statement.numbers):
            return f"a period of query {table.number + 1}"
        if table.statement.limit is not None and _is_value(mention, Decimal(table.statement.limit)):
            if re.search(
                r"\b(?:top|first|last|bottom|limit(?:ed)? (?:of|to)|best|the)\s+(?:\w+ )?$",
                before,
                re.I,
            ):
                return f"the limit of query {table.number + 1}"
    return _of_question(claim, ground, chooses)


def _is_value(mention: Mention, number: Decimal) -> bool:
    if abs(mention.value) == abs(number):
        return True
    if mention.unit and number and mention.form is Form.TIME:  # "two hours" for 120 minutes
        return any(
            mention.value * TIME_UNITS[mention.unit] == abs(number) * seconds
            for seconds in (60, 3600, 86_400) if seconds
        )  # fmt: skip
    return mention.form is Form.PERCENT and mention.value == abs(number) * 100


def _is_against(mention: Mention, op: str) -> bool:
    """Whether "under 120" stands for a filter "> 120"."""
    if mention.hedge in _OVER:
        return op in ("<", "<=")
    return mention.hedge in _UNDER and op in (">", ">=")


def _names_key(before: str, column: str) -> bool:
    noun = entity_before(before)
    return bool(noun) and (noun in column or noun in ("id", "number"))


def _of_question(claim: Claim, ground: Ground, chooses: bool) -> str:
    mention = claim.mention
    for asked in ground.asked.figures:
        if asked.form is not mention.form and not {asked.form, mention.form} <= {
            Form.NUMBER,
            Form.TIME,
        }:
            continue
        if asked.value != mention.value or (
            bool(asked.currency) < bool(mention.currency) and asked.nouns
        ):
            continue
        noun = entity_before(ground.asked.text[: asked.start])
        if noun and noun == entity_before(ground.before(claim)):
            return "the question"
        if asked.hedge.is_bound and mention.hedge.is_bound and _is_over(asked) != _is_over(mention):
            continue
        repeats = chooses and (
            asked.hedge.is_bound
            or asked.is_adjective
            or _CHOOSES.search(ground.asked.text[: asked.start])
        )
        if repeats:
            return "the question"
        if re.search(
            r"\b(?:not|instead of|rather than|you (?:asked|mention\w*|said|expected)|asked (?:for|about))\s+(?:\w+ ){0,2}$",
            ground.before(claim),
            re.I,
        ):
            return "the question"
    return ""


def _is_over(mention: Mention) -> bool:
    return mention.hedge in _OVER


def text_source(claim: Claim, ground: Ground) -> str:
    """Return the text cell in which a figure stands as part of a name; "" for none."""
    mention = claim.mention
    if mention.form is not Form.NUMBER or mention.currency or mention.digits < 2 or mention.nouns:
        return ""
    token = re.compile(rf"(?<!\d){re.escape(mention.text.lstrip('-+'))}(?!\d)")
    for table in ground.tables:
        for column, meaning in enumerate(table.meanings):
            if meaning.holds is not Holds.TEXT or column in table.moments:
                continue
            for row, cells in enumerate(table.rows):
                if isinstance(cells[column], str) and token.search(cells[column]):  # type: ignore[arg-type]
                    return f"{table.name}, row {row + 1}, {table.column_name(column)}"
    return ""


def calculation_source(claim: Claim, ground: Ground) -> str:
    """Return the calculation that a figure repeats, in words; "" for none."""
    mention = claim.mention
    for number, one in enumerate(ground.sources.calculations, start=1):
        values = [one.value]
        if mention.form in (Form.PERCENT, Form.PART, Form.POINTS) and "100" not in one.expression:
            is_ratio = "/" in one.expression
            values = [one.value * 100] if is_ratio or abs(one.value) <= 1 else [one.value]
            if is_ratio:
                values.append((one.value - 1) * 100)
        if any(
            r.holds(v) or (not mention.sign and r.holds(-v) and v < 0)
            for r in mention.ranges
            for v in values
        ):
            return f"calculation {number}: {one.expression}"
    return ""
