"""Columns that hold a median or a percentile."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from sqlglot import exp

from agent.evidence.rows.cells import Table

_NAMED: Final = re.compile(
    r"(?:^|_)(?:p|pct|perc|percentile_?|quantile_?)(?P<percent>[1-9]\d)(?:$|_|th)", re.IGNORECASE
)


def percent_of(table: Table, column: int) -> Decimal | None:
    """Return below which percentage of the values a column's number lies; None for no quantile."""
    outputs, name = table.statement.outputs, table.column_name(column)
    if column < len(outputs):
        node = outputs[column].find(exp.PercentileCont, exp.PercentileDisc)
        if node is not None and isinstance(node.this, exp.Literal) and not node.this.is_string:
            return Decimal(node.this.this) * 100
    if "median" in name.lower():
        return Decimal(50)
    match = _NAMED.search(name)
    return Decimal(match["percent"]) if match else None
