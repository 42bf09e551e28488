"""How many times one number is another: "three times Billing's 5 %", "2.5x"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations
from typing import Final

from agent.evidence.deriving.changes import Worked
from agent.evidence.deriving.pairs import pairs
from agent.evidence.deriving.steps import in_step
from agent.evidence.deriving.subjects import is_ordered, times_of
from agent.evidence.deriving.workings import Workings
from agent.evidence.ground import Claim
from agent.evidence.text.mentions import Form
from agent.evidence.words import UP

_OWN_FIGURE: Final = re.compile(r" [\w .&-]{2,40}'s? (?:\w+ of )?")


def ratios(work: Workings) -> Iterator[Worked]:
    """Yield how many times one number is another."""
    stated = _stated_base(work)
    if stated is not None:
        yield from _ratios_to(work, stated)
        return
    yield from _ratios_of_shares(work)
    for first, second in in_step(work, pairs(work)):
        says_more = is_ordered(first, second) and UP.search(work.cue) is not None
        for top, bottom in ((second, first), (first, second)):
            is_backwards = says_more and top is first and first.value < second.value
            of_rows = times_of(work, bottom.table)
            is_backwards = is_backwards or bool(of_rows and bottom.row not in of_rows)
            if bottom.value > 0 and not is_backwards and work.fits(top.value / bottom.value):
                yield f"{top.text} over {bottom.text}", None


def _stated_base(work: Workings) -> Claim | None:
    """Return the figure that a multiple is said to be of: "three times Billing's 5%"."""
    claims = work.ground.in_scene(work.claim.scene)
    behind = next((c for c in claims if c.mention.start >= work.mention.end), None)
    gap = work.sentence[work.mention.end : behind.mention.start] if behind is not None else ""
    return behind if _OWN_FIGURE.fullmatch(gap) else None


def _value(claim: Claim) -> Decimal:
    spot = claim.worked or (claim.spots[0] if claim.spots else None)
    return spot.value if spot is not None else claim.mention.value


def _ratios_to(work: Workings, stated: Claim) -> Iterator[Worked]:
    """Yield the figures and named cells that are so many times a stated one."""
    base = _value(stated) if stated.source else Decimal(0)
    said = [_value(c) for c in work.ground.in_scene(work.claim.scene) if c.source]
    said += [term.value for pair in pairs(work) for term in pair]
    if base and any(work.fits(value / base) for value in said):
        yield "a multiple of the figure behind it", None


def _ratios_of_shares(work: Workings) -> Iterator[Worked]:
    """Yield how many times one percentage of the passage is another that was worked out, too."""
    shown = [
        claim.mention
        for claim in work.ground.in_scene(work.claim.scene)
        if claim.source and not claim.spots and claim.mention.form is Form.PERCENT
    ]
    for one, other in combinations(shown, 2):
        low, high = sorted((one.value, other.value))
        if low > 0 and work.fits(high / low):
            yield f"{one.text} over {other.text}", None
