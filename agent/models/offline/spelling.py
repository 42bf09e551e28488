"""Slips of the keyboard in the common words of questions, mended with caution."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from agent.models.offline.lexicon import STOP, known_words
from agent.models.offline.reading import listed

_COMMON: Final = listed(
    "many much which what people where when number total average between during month months "
    "highest lowest longest shortest biggest smallest customers customer there please revenue "
    "every without never popular since with have show list does from year"
)
"""Words whose misspelt forms are seldom words of their own."""

_SHORT: Final = 4


def mend_spelling(text: str) -> str:
    """Return `text` with plain slips in common words put right: "how mnay peple"."""
    return re.sub(r"\b[a-z]{4,12}\b", lambda match: _mended(match[0]), text)


@lru_cache(maxsize=4096)
def _mended(word: str) -> str:
    if word in _COMMON or word in STOP or word in known_words() or word in _WORDS:
        return word
    from rapidfuzz.distance import OSA

    for common in _COMMON:
        if word[0] != common[0] or OSA.distance(word, common, score_cutoff=1) > 1:
            continue
        swapped = sorted(word) == sorted(common)
        if swapped or (len(common) > _SHORT and len(word) > _SHORT):
            return common
    return word


_WORDS: Final = frozenset(
    listed(
        "form shoe slow lost wish wits moth mouth mouths tonal peoples custom customs yearn "
        "there three these hears show shop whiten witch yeast where sine since sinks "
        "costumer wave wives width fever never lever list last lust lies does dose doer rear "
        "revenues averages totals numbers lumber member members"
    )
)
"""Words of their own that lie one slip away from a common one."""
