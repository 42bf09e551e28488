"""A draft that claims something although nothing was found."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.ground import Ground
from agent.messages import QueryResult

EMPTY: Final = "The last query found no rows, but the answer does not say so."
ALL_NULL: Final = "The last query found only empty values (NULL), but the answer does not say so."

_FOUND: Final = (
    r"find|found|any|have|had|has|exist\w*|return\w*|see|match\w*|hold|contain\w*|record\w*|"
    r"appear\w*|list\w*|rent\w*|available|know\w*|show\w*|give|gave|produce\w*|yield\w*|bring|"
    r"answer|determine|calculate|tell|say|earn\w*|happen\w*|include\w*|possible|stock|offer|carry|"
    r"open|sell|sold|make|made|take|took|generate\w*|be"
)
_NOTHING: Final = re.compile(
    r"\b(?:nothing|none|nobody|no one|nowhere|neither|empty|zero|keine?[nrms]?|nichts|aucune?|rien)"
    r"\b|\bno (?!doubt|question|other|longer|more than|less than|fewer|wonder|problem|matter|"
    r"surprise)\w+|\b(?:not|never|cannot|unable|fail(?:s|ed)? to|without) (?:\w+ ){0,4}?"
    rf"(?:{_FOUND})\b|"
    r"\b(?:do|does|is|are|was|were|has|have|did|can|could|would)n't (?:\w+ ){0,3}?\w+|\bcan't\b|"
    r"(?<![\d.,])0(?![\d.,]\d|[\d%])|\bnull\b|"
    r"\b(?:is|are|was|were|came back|returned|turned out) (?:blank|missing|unknown|undefined)\b|"
    r"\black(?:s|ed|ing)?\b|\bmissing\b|\bunknown\b|\bclosed\b|\bno$",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(r"\?\s*$")


def absence_faults(ground: Ground) -> tuple[str, ...]:
    """Return what is wrong with an answer whose last query found nothing."""
    results = ground.sources.results
    if not results or _has_values(results[-1]):
        return ()
    words = " ".join(scene.text for scene in ground.scenes)
    if not words or _NOTHING.search(words) or _ASKS.search(words):
        return ()
    return (ALL_NULL if results[-1].rows else EMPTY,)


def _has_values(result: QueryResult) -> bool:
    return any(cell is not None for row in result.rows for cell in row) or not result.columns
