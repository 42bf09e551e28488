"""Everyday ways of asking, put into the few plain ones that the other rules read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from agent.models.offline.everyday_figures import FIGURES
from agent.models.offline.everyday_groups import GROUPS
from agent.models.offline.everyday_words import EVERYDAY
from agent.models.offline.phrase_dates import spell_out_dates
from agent.models.offline.spelling import mend_spelling

_QUOTED: Final = re.compile(r"(\"[^\"]*\"|“[^”]*”|(?<!\w)['‘][^'‘’]+['’](?!\w))")
_LOW: Final = r"smallest|lowest|shortest|cheapest|minimum|min|fewest|least expensive"
_HIGH: Final = r"biggest|largest|highest|longest|maximum|max|most expensive|greatest"
_MID: Final = r"average|mean|avg|median"
_ANY: Final = rf"(?:{_LOW}|{_HIGH}|{_MID})"
_EXTREMES: Final = re.compile(
    rf"\b{_ANY}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+(?:the\s+)?|\s*&\s*|\s*/\s*){_ANY})+\b", re.I
)
_COMPILED: Final = tuple(
    (re.compile(pattern, re.I), to) for pattern, to in (*EVERYDAY, *GROUPS, *FIGURES)
)


def reword(text: str) -> str:
    """Return a question in plainer words; what stands in quotes is left as it is."""
    text = re.sub(r"\s+", " ", text).strip()
    if not text or len(text) > 1_500:
        return text
    return _outside_quotes(text, _plainer)


def _outside_quotes(text: str, change: Callable[[str], str]) -> str:
    """Change a text without touching what it quotes."""
    quoted: list[str] = []

    def hide(match: re.Match[str]) -> str:
        quoted.append(match[0])
        return f"“{len(quoted) - 1}”"

    changed = change(_QUOTED.sub(hide, text))
    return re.sub(
        r"“(\d+)”", lambda m: quoted[int(m[1])] if int(m[1]) < len(quoted) else m[0], changed
    )


def _plainer(text: str) -> str:
    text = spell_out_dates(mend_spelling(text))
    text = _EXTREMES.sub(_name_extremes, text)
    for pattern, plain in _COMPILED:
        text = pattern.sub(plain, text)
    return re.sub(r"\s+", " ", text).strip()


def _name_extremes(match: re.Match[str]) -> str:
    """Read "smallest, average and biggest" as three figures of one thing."""
    words = re.findall(_ANY, match[0], re.I)
    names = [
        "minimum"
        if re.fullmatch(_LOW, word, re.I)
        else "maximum"
        if re.fullmatch(_HIGH, word, re.I)
        else "median"
        if word.lower() == "median"
        else "average"
        for word in words
    ]
    return ", ".join(names[:-1]) + " and " + names[-1]
