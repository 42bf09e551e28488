"""Words that make a number of rows how many there are: "5 in all", "there are 5", "we have 5".

A query's limit makes a number of rows, so it bears no such claim out.
"""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Table
from agent.evidence.text.hedges import Hedge

_LEADS: Final = re.compile(
    r"\b(?:there (?:are|were|exist)|we (?:have|had|offer|run)|database (?:has|holds|contains)|"
    r"(?:number|count) of [\w ]{1,30}? (?:is|was))\s+"
    r"(?:(?:only|just|exactly|currently|in all|in total|altogether|a total of)\s+)*$|"
    r"\ba total of $|\bin (?:all|total),? $",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"\s+(?:[\w-]+\s+){0,2}?(?:exist\s+)?(?:in all|in total|altogether|overall|exist)"
    r"\s*(?:[.,;:!?()–—]|$)",
    re.IGNORECASE,
)
_PICKS: Final = re.compile(
    r"\b(?:top|bottom|first|last|leading|best|worst|highest|lowest|largest|smallest|biggest|"
    r"longest|shortest|these|those|the|shown|listed|following|next|all)\s+(?:\w+ )?$",
    re.IGNORECASE,
)
_OF_SHOWN: Final = re.compile(
    r"\b(?:top|bottom|shown|listed|list|below|above|here|these|those|them|result|results|query|"
    r"table|chart|limit|tied?|ties|place)\b",
    re.IGNORECASE,
)


def is_cut_number(claim: Claim, ground: Ground, table: Table) -> bool:
    """Whether a number is said to be all there are, although a limit cut the rows it counts."""
    if not table.is_cut or claim.mention.hedge in (Hedge.AT_LEAST, Hedge.OVER):
        return False
    before, after = ground.before(claim), ground.after(claim)
    if _LEADS.search(before):
        return _OF_SHOWN.search(re.split(r"[.;:]", after)[0]) is None
    return _ENDS.match(after) is not None and _PICKS.search(before) is None
