"""Bounds of the rows: "no other country gets past 21", "stayed between 9.7k and 11.5k"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.order.ranking import columns_of
from agent.evidence.rows.cells import Table
from agent.evidence.text.hedges import Hedge
from agent.evidence.text.mentions import Form
from agent.evidence.tracing.units import ranges_for

_NO: Final = re.compile(
    r"\b(?:no (?!longer|more|less|fewer)\w+|none|nobody|no one|nothing|not (?:one|a single)|"
    r"neither|never)\b(?P<gap>[^.;:]*)$",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(r"\b(?:other|others|else|rest|another)\b", re.IGNORECASE)
_REACH: Final = re.compile(
    r"\b(?P<over>past|beyond|above|over|more than|exceed\w*|reach\w*|crack\w*|cross\w*|tops?|hits?|"
    r"close to|near|approach\w*|"
    r"clear\w*|break\w*|surpass\w*)|(?P<under>below|under|less than|fewer than)\b",
    re.IGNORECASE,
)
_RANGED: Final = re.compile(
    r"\b(?:stay|rang|lie|lay|sit|sat|hover|fluctuat|var|mov|between|remain|held|swung|oscillat)\w*"
    r"(?: \w+){0,3}? ?(?:(?P<low>\b(?:between|from|in the range of)(?: about| roughly)? )|"
    r"(?P<high>[$€£]?[\d.,]+[km%]?(?: \w+)? ?(?:and|to|-|–) ?(?:about |roughly )?))$",
    re.IGNORECASE,
)
_NEAR: Final = Decimal("0.05")
"""How far outside the numbers an end of a range may lie, as a share."""
_FORMS: Final = (Form.NUMBER, Form.PERCENT, Form.TIME)


def is_barred(claim: Claim, ground: Ground) -> bool:
    """Whether a figure is a bound of which the words say that nothing passes it."""
    text = _lead(claim, ground)
    match = _NO.search(text)
    return (
        claim.mention.form in _FORMS
        and match is not None
        and _REACH.search(match["gap"]) is not None
    )


def barred_source(claim: Claim, ground: Ground) -> str:
    """Return the result of which no row, or no other row, passes a bound; "" where one does."""
    lead = _lead(claim, ground)
    words = list(_REACH.finditer(lead))
    over = words[-1]["over"] is not None
    for table in ground.tables:
        others = _rows(claim, ground, table, others=_OTHER.search(lead) is not None)
        for column in columns_of(table, ground.text(claim)) if others else ():
            if _is_true(claim, table, column, others, over):
                return f"{table.name}, no {table.column_name(column)} beyond it"
    return ""


def range_source(claim: Claim, ground: Ground) -> str:
    """Return the rows that lie in a range of which a figure is an end; "" for none."""
    match = _RANGED.search(_lead(claim, ground)[-60:])
    if match is None or claim.mention.form not in _FORMS or claim.mention.digits < 2:
        return ""
    is_low = match["low"] is not None
    for table in ground.tables:
        for rows in (_rows(claim, ground, table, others=o) for o in (False, True)):
            for column in columns_of(table, ground.text(claim)) if len(rows) > 2 else ():
                values = [v for row in rows if (v := table.numbers[column][row]) is not None]
                if values and _is_edge(claim, table, column, min(values), max(values), is_low):
                    return f"{table.name}, an end of {table.column_name(column)}"
    return ""


def _is_edge(
    claim: Claim, table: Table, column: int, least: Decimal, most: Decimal, low: bool
) -> bool:
    """Whether a figure bounds some numbers closely, on the outside."""
    for wanted in ranges_for(claim.mention, table, column):
        edge = (wanted.low + wanted.high) / 2
        near = abs(least if low else most) * _NEAR
        if (least - near <= edge <= least) if low else (most <= edge <= most + near):
            return True
    return False


def _lead(claim: Claim, ground: Ground) -> str:
    """Return the words before a figure, its own ("past 21") among them."""
    text = ground.text(claim)[: claim.mention.end]
    return text[: len(text) - len(claim.mention.text)] if claim.mention.text in text else text


def _rows(claim: Claim, ground: Ground, table: Table, *, others: bool) -> list[int]:
    every = set(range(len(table.rows)))
    if others:
        for scene in ground.scenes[: claim.scene + 1]:
            for name in scene.names:
                every -= name.rows(table.number)
    return sorted(every)


def _is_true(claim: Claim, table: Table, column: int, rows: list[int], over: bool) -> bool:
    values = [v for row in rows if (v := table.numbers[column][row]) is not None]
    for wanted in ranges_for(claim.mention, table, column):
        is_open = claim.mention.hedge in (Hedge.OVER, Hedge.JUST_OVER, Hedge.UNDER)
        half = 0 if is_open else (wanted.high - wanted.low) / 2
        edge = (wanted.low + half) if over else (wanted.high - half)
        if values and all((v <= edge) if over else (v >= edge) for v in values):
            return True
    return False
