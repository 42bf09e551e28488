"""A draft that claims something although nothing was found."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.ground import Ground
from agent.messages import QueryResult

_NOTHING: Final = re.compile(
    r"\b(?:nothing|none|nobody|no one|nowhere|neither|empty|zero|keine?[nrms]?|nichts|aucune?|rien)\b|"
    r"\bno (?!doubt|question|other|longer|more than|less than|fewer|wonder|problem|matter|surprise)\w+|"
    r"\b(?:not|never|n't|cannot|can't|could not|couldn't|unable|fail(?:s|ed)? to|without|did not|didn't) (?:\w+ ){0,4}?"
    r"(?:find|found|any|have|had|has|exist\w*|return\w*|see|match\w*|hold|contain\w*|record\w*|appear\w*|list\w*|rent\w*|available|"
    r"know\w*|show\w*|give|gave|produce\w*|yield\w*|bring|answer|determine|calculate|tell|say|earn\w*|happen\w*|include\w*|"
    r"possible|stock|offer|carry|open|sell|sold|make|made|take|took|generate\w*|be|exist)\b|"
    r"\b(?:don't|doesn't|isn't|aren't|wasn't|weren't|hasn't|haven't|didn't) (?:\w+ ){0,3}?\w+|"
    r"(?<![\d.,])0(?![\d.,]\d|[\d%])|\bNULL\b|\bnull\b|\b(?:is|are|was|were|came back|returned|turned out) (?:blank|empty|missing|unknown|undefined)\b|"
    r"\black(?:s|ed|ing)?\b|\bmissing\b|\bunknown\b|\bclosed\b|\bno$",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(r"\?\s*$")

EMPTY: Final = "The last query found no rows, but the answer does not say so."
ALL_NULL: Final = "The last query found only empty values (NULL), but the answer does not say so."


def absence_faults(draft: str, ground: Ground) -> tuple[str, ...]:
    """Return what is wrong with an answer to a query that found nothing."""
    results = ground.sources.results
    if not results or _is_full(results[-1]):
        return ()
    words = " ".join(passage.text for passage in ground.passages)
    if not words or _NOTHING.search(words) or _ASKS.search(words):
        return ()
    return (ALL_NULL if results[-1].rows else EMPTY,)


def _is_full(result: QueryResult) -> bool:
    return any(cell is not None for row in result.rows for cell in row) or not result.columns
