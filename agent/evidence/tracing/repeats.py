"""Figures that a calculation gave, or that are part of a text in the rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.mentions import Form
from agent.evidence.tracing.direct import says_down
from agent.messages import Calculation


def calculation_source(claim: Claim, ground: Ground) -> str:
    """Return the calculation that a figure repeats, in words; "" for none."""
    mention = claim.mention
    for number, one in enumerate(ground.sources.calculations, start=1):
        for value in _values(one, mention.form):
            is_turned = value < 0 and not mention.sign and says_down(claim, ground)
            said = -value if is_turned else value
            if any(r.holds(said) for r in mention.ranges):
                return f"calculation {number}: {one.expression}"
    return ""


def _values(one: Calculation, form: Form) -> Iterator[Decimal]:
    """Yield a calculation's value, in percent where the figure is a percentage."""
    is_percent = form in (Form.PERCENT, Form.PART, Form.POINTS)
    if not one.value.is_finite():
        return
    if not is_percent or re.search(r"\b100\b", one.expression):
        yield one.value
    elif "/" in one.expression:
        yield one.value * 100
        yield (one.value - 1) * 100  # the ratio of two years, told as growth
    else:
        yield one.value * 100 if abs(one.value) <= 1 else one.value


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
                cell = cells[column]
                if isinstance(cell, str) and token.search(cell):
                    return f"{table.name}, row {row + 1}, {table.column_name(column)}"
    return ""
