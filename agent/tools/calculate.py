"""`calculate`: exact arithmetic over named cells, so that shares and growth have a source.

= 7.882652…
r1.revenue[1] = 5314.21
sum(r1.revenue) = 67416.51 (16 values)
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from agent.arithmetic import (
    Cells,
    Reference,
    check_origin,
    evaluate,
    read_expression,
    references,
    with_references,
)
from agent.messages import Calculation, Observation, QueryResult
from agent.untrusted import one_line

MAX_EXPRESSION: Final = 500
SHOWN_DIGITS: Final = 12
MAX_SHOWN_CELLS: Final = 12


class Calculate(BaseModel):
    """Calculate with cells of query results, exactly: shares, growth, differences, averages.

    r1 is the first result; rows are counted from 1; [1:3] are the rows 1 to 3; r1["Any name"][1]
    for names that are no plain word. There are + - * / %, parentheses, sum, avg, min, max, count,
    median, round and abs. Plain numbers may only scale (100, 1000, 12) or stand in the question.
    Examples: r1.revenue[1] / sum(r1.revenue) * 100 is the first row's share in percent;
    round((r2.total[1] - r1.total[1]) / r1.total[1] * 100, 1) is the growth from r1 to r2.
    """

    model_config = ConfigDict(extra="forbid")

    expression: str = Field(
        description="Such as r1.revenue[1] / sum(r1.revenue) * 100.",
        min_length=1,
        max_length=MAX_EXPRESSION,
    )


def calculate(
    arguments: Calculate, results: Sequence[QueryResult], question: str = ""
) -> Observation:
    """Work an expression out over `results`, the run's query results in order.

    Raises `CalculationRejected`, with what there is, for an expression that cannot be worked out
    or whose value does not come from the data.
    """
    cells = Cells(results)
    node = with_references(read_expression(arguments.expression), cells.named)
    value = evaluate(node, cells)
    check_origin(node, cells, question)
    expression = " ".join(arguments.expression.split())
    taken = list(dict.fromkeys(references(node)))[:MAX_SHOWN_CELLS]
    lines = [f"= {_shown(value)}", *(_source(each, cells) for each in taken)]
    return Observation("\n".join(map(one_line, lines)), calculation=Calculation(expression, value))


def _shown(value: Decimal) -> str:
    """Return the digits that a reader needs; "…" where there are more."""
    short = Context(prec=SHOWN_DIGITS).plus(value)
    text = f"{short:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if short == value else f"{text}…"


def _source(reference: Reference, cells: Cells) -> str:
    if not reference.column:
        return f"count({reference}) = {cells.count(reference)}"
    if reference.is_cell:
        return f"{reference} = {_shown(cells.value(reference))}"
    count = cells.count(reference)
    return f"{reference}: {count} {'value' if count == 1 else 'values'}"
