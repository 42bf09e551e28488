"""A draft that claims something although nothing was found."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.evidence.ground import Ground
from agent.messages import QueryResult

EMPTY: Final = "The last query found no rows, but the answer does not say so."
NONE_COUNTED: Final = "The last query counted 0, but the answer speaks of some."
ALL_NULL: Final = "The last query found only empty values (NULL), but the answer does not say so."

_FOUND: Final = (
    r"find|found|any|have|had|has|exist\w*|return\w*|see|match\w*|hold|contain\w*|record\w*|"
    r"appear\w*|list\w*|rent\w*|available|know\w*|show\w*|give|gave|produce\w*|yield\w*|bring|"
    r"answer|determine|calculate|tell|say|earn\w*|happen\w*|include\w*|possible|stock|offer|carry|"
    r"open|sell|sold|make|made|take|took|generate\w*|be|been|one|single|turn|come|came|set|filled|"
    r"present|on file|on record|part|among|registered|received|placed|issued|there|exceed\w*|"
    r"reach\w*|run|live|work\w*|use|compute|report|identify|locate|belong\w*|cover\w*|extend|go"
)
_IDIOMS: Final = re.compile(
    r"\bno (?:doubt|question|longer|more than|less than|fewer|wonder|problem|matter|surprise|"
    r"exception|trouble|change|sign|stranger|secret|end in sight|slouch|contest)\b|"
    r"\bnot (?:only|just|surprising(?:ly)?|least|bad|far|long|alone|even close|unlike|to mention|"
    r"without)\b|\bwithout (?:a doubt|exception|fail|problems|question|interruption)\b|"
    r"\bnothing (?:unusual|special|new|surprising|out of|short of)\b|\bnone other\b|"
    r"\bnever (?:better|higher|lower|been (?:better|higher|lower|so))\b|\bno other\b|"
    r"\bsecond to none\b|\b(?:isn't|doesn't|didn't|don't|hasn't|wasn't) (?:just|only|surprising|"
    r"bad|disappoint\w*|slow\w*|stop\w*|chang\w*)\b",
    re.IGNORECASE,
)
_NOTHING: Final = re.compile(
    r"\b(?:nothing|none|nobody|no one|nowhere|neither|empty|zero|keine?[nrms]?|nichts|aucune?|rien)"
    r"\b|\bno [\w'\"“’-]+|\b(?:not|never|cannot|unable|fail(?:s|ed)? to|without|yet to) "
    rf"(?:[\w'’-]+ ){{0,4}}?(?:{_FOUND})\b|"
    r"\b(?:do|does|is|are|was|were|has|have|did|can|could|would|ca|had)n['’]t\b|\bcan['’]?t\b|"
    r"(?<![\d.,])0(?![\d.,]\d|[\d%])|\bnull\b|"
    r"\b(?:is|are|was|were|came back|comes back|returned|turned out|come back|remains?) "
    r"(?:blank|missing|unknown|undefined|absent|unset|not)\b|"
    r"\black(?:s|ed|ing)?\b|\bmissing\b|\bunknown\b|\bclosed\b|\babsent\b|\babsence of\b|"
    r"\bdrew a blank\b|\bcame up short\b|\bends? (?:before|in|on|with|at)\b|\bno$|^no\b|"
    r"\b(?:complete|total) gap\b|\bgap in the\b|\bunavailable\b|\bnonexistent\b|\bnon-existent\b",
    re.IGNORECASE,
)
_SENTENCES: Final = 4
"""Sentences within which an answer says that there is nothing, if it says so at all."""
_MANY: Final = re.compile(
    r"\b(?:several|many|some|various|numerous|multiple|plenty|lots|dozens|hundreds|thousands|"
    r"a (?:few|couple|number|handful)|both|regularly|often|repeatedly)\b|^yes\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(r"\?\s*$")


def absence_faults(ground: Ground) -> tuple[str, ...]:
    """Return what is wrong with an answer whose last query found nothing."""
    results = ground.sources.results
    if not results:
        return ()
    if _is_zero(results[-1]):
        return _many_of_none(ground)
    if _has_values(results[-1]):
        return ()
    words = " ".join(scene.text for scene in ground.scenes[:_SENTENCES])
    is_said = _NOTHING.search(_IDIOMS.sub(" ", words)) is not None
    asks = ground.scenes and _ASKS.search(ground.scenes[-1].text)
    if not words or is_said or asks:
        return ()
    return (ALL_NULL if results[-1].rows else EMPTY,)


def _is_zero(result: QueryResult) -> bool:
    """Whether a result is one row of noughts: what was counted is not there."""
    cells = result.rows[0] if len(result.rows) == 1 else ()
    numbers = [cell for cell in cells if isinstance(cell, int | float | Decimal)]
    return bool(numbers) and len(numbers) == len(cells) and not any(numbers)


def _many_of_none(ground: Ground) -> tuple[str, ...]:
    """See to "Japan has several invoices" on a count of 0."""
    words = " ".join(scene.text for scene in ground.scenes)
    is_said = _NOTHING.search(_IDIOMS.sub(" ", words)) is not None
    is_many = _MANY.search(words) and not _ASKS.search(words)
    return (NONE_COUNTED,) if is_many and not is_said else ()


def _has_values(result: QueryResult) -> bool:
    return any(cell is not None for row in result.rows for cell in row) or not result.columns
