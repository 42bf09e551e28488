"""What keeps a name from the figures behind it: "than Sports", "next", "compared with 2024:"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent.evidence.rows.names import Name
from agent.evidence.scenes import Group

NAME_BREAK: Final = re.compile(
    r"(?:,|\band|\bwhile|;) (?:the )?(?:two|three|four|five|six|seven|eight|nine|ten) |"
    r"\b(?:next|second|third|followed|follow|runner-up|others?|rest|remaining|versus|vs|compared|"
    r"than|ahead|behind|beats?|beating|against|combined|together|altogether|each|between|overall|"
    r"across|total of all|all (?:categories|stores|films|customers|months|countries|staff|of)|"
    r"grand total|in total|everyone|everything|every|company|chain|whole|entire|respectively|"
    r"(?:the|overall|global) (?:overall )?(?:average|mean|median))\b",
    re.IGNORECASE,
)
_TIME_BREAK: Final = re.compile(
    r"\b(?:from|previous|prior|before|earlier|ago|versus|vs|compared|than|preceding|last year|"
    r"last month|average|median|mean|combined|together|altogether|overall|in total|in all|next|"
    r"following|after|against|respectively|each|between|since|until|by contrast)\b",
    re.IGNORECASE,
)
_STANDS: Final = re.compile(
    r",?\s*(?:is|was|are|were|comes?|came|ranks?|ranked|follows?|sits?|lands?|takes?|took|"
    r"finish\w*|stands?|lies?)\s+(?:(?:in|a|at|the|just|only|right|not far|close|closely|narrowly|"
    r"distant|clear|strong|next|second|third|fourth|fifth|last|place|spot|behind|ahead|rank|"
    r"runner-up|position|well|far|way|up|with|having|earning|bringing|totall?ing|\d+(?:st|nd|rd|th))"
    r"\s*)*[,:(–-]?\s*(?:with|at|on|having|earning|totall?ing)?\s*",
    re.IGNORECASE,
)
"""What says where a name stands in an order, and then its figure: "is close behind with"."""
_MEASURES: Final = re.compile(
    r"(?:\d ?%|\bpercent|\b(?:up|down|more|less|fewer|higher|lower))\s+"
    r"(?:on|from|over|against|than|vs\.?|versus|compared (?:to|with))\s+"
    r"(?:in |the |for |that of )?$",
    re.IGNORECASE,
)

_TAKEN_OVER: Final = re.compile(
    r"(?<=\d)(?:,? (?:spread|made|paid|spent))? across (?:about |just |only )?$"
)
"""What joins two figures of one thing: "$715.20 across 180 payments"."""
_NTH_BEST: Final = re.compile(
    r"\b(second|third|fourth|fifth)[- ](?:best|most|highest|largest|biggest|lowest|worst)"
    r"(?:-[a-z]{1,15}){0,2}(?: [a-z]{1,20})?(?= (?:at|with|on)\b|[,:]| \()",
    re.IGNORECASE,
)
_BECAME: Final = re.compile(r"\d\S*\s*(?:→|->|–>|=>)\s*[$€£]?$")
_ONWARDS: Final = re.compile(r"[$€£]?\d\S*\s*(?:→|->|–>|=>)\s*[$€£]?\d")
_FROM: Final = re.compile(
    r"\bfrom (?:about |just )?[$€£]?\d\S*(?: \w+)? (?:in|at|for) (?:the )?$", re.IGNORECASE
)
_TO: Final = re.compile(r",? (?:up |down )?to\b", re.IGNORECASE)
_PART_OF: Final = re.compile(
    r"\b(?:half|thirds?|quarters?|fifths?|tenths?|share|percent|twice|times|double)(?: of)? $|"
    r"% of $",
    re.IGNORECASE,
)


def is_set_apart(name: Name, gap: str) -> bool:
    """Whether the words between a name and a figure speak of something else."""
    if _STANDS.fullmatch(_NTH_BEST.sub(r"\1", gap)):
        return False
    gap = _TAKEN_OVER.sub(" ", gap)
    breaks = _TIME_BREAK if name.dimension[0] == "time" else NAME_BREAK
    return breaks.search(gap) is not None or ";" in re.sub(r"\([^()]*$", "", gap)


def agrees(name: Name, found: Sequence[Group]) -> bool:
    """Whether a name shares a row with those that stand nearer to the figure.

    In "invoice 404 (2025-11-13) at 25.86, then 299 (USA, 23.86)" the date is said of the first.
    """
    for group in found:
        for table in {hit.table for other in group for hit in other.hits}:
            near = frozenset[int]().union(*(other.rows(table) for other in group))
            far = name.rows(table)
            if near and far and not near & far:
                return False
    return True


def is_measured_by(name: Name, gap: str, text: str) -> bool:
    """Whether a name is what others are measured by: "Down 5.6% on 2024: $450.58 …"."""
    is_base = _PART_OF.search(text[: name.start]) and re.match(r"'s?(?: \w+)?\s*[,;:()–]", gap)
    if is_base:  # "a quarter of Billing's volume, 9.6 h"
        return True
    if name.dimension[0] == "time" and _is_of_course(gap, text, name.end + len(gap)):
        return True
    if _FROM.search(text[: name.start]) and _TO.match(gap):
        return True  # "from 250 in 2024 to 411"
    is_closed = re.match(r"(?:'s)?\s*[:,–—-]\s", gap) is not None
    return is_closed and _MEASURES.search(text[: name.start]) is not None


def _is_of_course(gap: str, text: str, start: int) -> bool:
    """Whether a figure at `start` and another tell a course: "than in 2024 (3,178 → 4,589)"."""
    is_first = "(" in gap and _ONWARDS.match(text, start) is not None
    return is_first or _BECAME.search(gap) is not None
