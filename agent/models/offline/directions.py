"""Which way money went: what customers paid is no answer to what we pay."""

from __future__ import annotations

import re
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.frame import Frame, Unclear
from agent.models.offline.reading import name_words, stems

_OURS: Final = re.compile(
    r"\b(?:do|did|does|are|have|has) (?:we|the company|our company) "
    r"(?:have to |usually |still )?(?:pay|paid|paying|spend|spent|spending|owe)\b|"
    r"\b(?:we|the company) (?:paid|pay|spent|spend|owe)\b|"
    r"\b(?:our|the company's|company|operating|total|monthly|yearly|running) "
    r"(?:costs|expenses|expenditures?|salaries|wages|profits?|payroll|margins?|losses|rent)\b|"
    r"\b(?:how much|the|what) rent\b(?! rate)",
    re.IGNORECASE,
)
_KEPT: Final = stems(
    "expense expenses expenditure purchase salary salaries wage payroll profit margin bill "
    "spending outgoing"
)


def check_direction(text: str, frame: Frame, atlas: Atlas) -> None:
    """Raise `Unclear` where a question asks what money went out and only income is kept."""
    said = _OURS.search(text)
    if said is None or not any(figure.money for figure in frame.figures):
        return
    names = {word for table in atlas.tables for word in name_words(table)}
    names |= {w for t in atlas.tables.values() for column in t.columns for w in name_words(column)}
    if names & _KEPT:
        return
    raise Unclear(
        f"“{said[0]}” sounds like money that goes out, and I see only money that comes in here. "
        "Shall I work with that?"
    )
