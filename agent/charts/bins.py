"""Numbers in bins of equal, round width, for histograms."""

from __future__ import annotations

import math
from collections.abc import Sequence

from agent.charts.cells import NO_VALUE, Value
from agent.charts.wording import Number
from agent.errors import ChartRejected


def put_in_bins(
    column: str, values: Sequence[Value], most: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the bin of each value, and all bins in order, empty ones too; about `most` of them.

    A bin holds its lower bound and not its upper one. Raises `ChartRejected` if no value of
    `column` is a number.
    """
    finite = [float(value) for value in values if isinstance(value, Number)]
    if not finite:
        raise ChartRejected(f"Column {column} has no finite number to put into bins.")
    step = _round_up((max(finite) - min(finite)) / most)
    first, last = math.floor(min(finite) / step), math.floor(max(finite) / step)
    names = [f"{n * step:,.10g}–{(n + 1) * step:,.10g}" for n in range(first, last + 1)]
    labels = tuple(
        names[math.floor(float(value) / step) - first] if isinstance(value, Number) else NO_VALUE
        for value in values
    )
    return labels, (*names, NO_VALUE) if NO_VALUE in labels else tuple(names)


def _round_up(least: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, 50 and so on."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= least * (1 - 1e-9))
