"""How a figure follows from the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from agent.evidence.deriving.averages import averages, portions, products, unit_lengths
from agent.evidence.deriving.buckets import bucket_sums
from agent.evidence.deriving.changes import (
    Worked,
    differences,
    growth,
    point_differences,
    year_spans,
)
from agent.evidence.deriving.ratios import ratios
from agent.evidence.deriving.remainders import complements
from agent.evidence.deriving.shares import shares
from agent.evidence.deriving.shown import shown_sums
from agent.evidence.deriving.sums import sums
from agent.evidence.deriving.wholes import shares_of_both, wholes
from agent.evidence.deriving.workings import Workings, worked_spot
from agent.evidence.ground import Claim, Ground
from agent.evidence.text.mentions import Form

Way = Callable[[Workings], Iterator[Worked]]

_NUMBERS: Final[tuple[Way, ...]] = (
    sums,
    wholes,
    complements,
    differences,
    averages,
    year_spans,
    unit_lengths,
    portions,
    products,
    shown_sums,
    bucket_sums,
)
_WAYS: Final[dict[Form, tuple[Way, ...]]] = {
    Form.PERCENT: (shares, shares_of_both, growth),
    Form.PART: (shares, shares_of_both, growth),
    Form.TIMES: (ratios,),
    Form.POINTS: (differences, point_differences),
    Form.NUMBER: _NUMBERS,
    Form.TIME: _NUMBERS,
}


def derive(claim: Claim, ground: Ground) -> None:
    """Set what a claim follows from, where it follows from the rows."""
    work = Workings(claim, ground)
    for way in _WAYS.get(claim.mention.form, ()):
        for source, term in way(work):
            claim.source = source
            claim.worked = worked_spot(term) if term is not None else None
            return
