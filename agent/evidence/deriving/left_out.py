"""Words that say of the rest what is true of the part that is left out."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.deriving.workings import Workings
from agent.evidence.rows.cells import Table
from agent.evidence.text.nouns import concept

_NEGATED: Final = re.compile(r"\b(?:no|not|never|without|none|un\w+|in\w+)\b|n't\b", re.IGNORECASE)
_RELATIVE: Final = frozenset(
    ("before", "after", "since", "until", "over", "under", "above", "below", "no", "not", "without")
)

_FILLERS: Final = frozenset(("with", "is", "has", "count", "number", "n", "num", "total"))


def says_part(work: Workings, table: Table, whole: int, part: int) -> bool:
    """Whether the words say of the rest what is true of the part: "13,459 came back late"."""
    tail = re.split(r"[,;.](?!\d)|[(–—]| (?:and|but|while)\b", work.ground.rest(work.claim))
    behind = next((t for t in tail if t.strip()), "")
    if table.meanings[part].words & _RELATIVE:  # what is not before December is of December
        return False
    own = table.meanings[part].words - table.meanings[whole].words
    said = {concept(word) for word in re.findall(r"[^\W\d_]+", behind)}
    own -= _FILLERS
    return bool(own) and own <= said and not _NEGATED.search(behind)
