"""The base that a clause names for a change: "up 15.3% from $9,336.90 in Q4 2024"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.evidence.deriving.workings import Workings

_FROM: Final = re.compile(
    r"(?: (?:increase|rise|gain|growth|jump|decrease|drop|fall|decline|higher|lower|up|down))?"
    r",?\s+from\s+(?:[^\d,;:.()]{0,30}\()?(?:about |roughly |just |around |nearly |only )*",
    re.IGNORECASE,
)


def base_values(work: Workings) -> frozenset[Decimal]:
    """Return the cells that the figure right behind "from" may be; none where none stands there."""
    start = work.mention.end
    behind = (c for c in work.ground.in_scene(work.claim.scene) if c.mention.start >= start)
    claim = next((c for c in behind if c.mention.moment is None), None)
    if claim is None or not _FROM.fullmatch(work.sentence[start : claim.mention.start]):
        return frozenset()
    return frozenset(spot.value for spot in claim.spots)
