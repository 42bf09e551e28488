"""Which words to look for tables with: the question's nouns, and what else they may be called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from agent.models.offline.known import Known
from agent.models.offline.lexicon import STOP, known_words
from agent.models.offline.reading import Token, tokenize
from agent.models.offline.rewording import reword
from agent.models.offline.thesaurus import MONEY, alike

MAX_CHARS: Final = 480
PLACES_AND_KINDS: Final = (
    "name country city category title type language state region status genre brand company"
)
"""Names of columns that hold what people filter by, whatever the business is."""
PEOPLE: Final = (
    "first last name surname person customer client member user employee staff author artist title"
)
"""Names of columns and tables that hold people's names."""
_EVENTS: Final = "order rental sale booking purchase invoice transaction visit"
_MONEY_WORDS: Final = "amount payment total price quantity"


def search_words(known: Known) -> str:
    """Return the words for the first search of a run, with those of the thread's questions."""
    words: dict[str, None] = {}
    for text in (known.question, *reversed(known.earlier)):
        for token in tokenize(f"{reword(text)} . {text}"):
            for word in _expanded(token):
                words.setdefault(word)
    if re.search(r"popular|selling|sold|demand", known.question, re.IGNORECASE):
        words |= dict.fromkeys(_EVENTS.split())
    return cut(words)


def cut(words: Iterable[str]) -> str:
    """Return as many of `words` as a search takes."""
    text = " ".join(words)
    return text if len(text) <= MAX_CHARS else text[:MAX_CHARS].rsplit(" ", 1)[0]


def _expanded(token: Token) -> list[str]:
    low = token.low
    if token.number is not None or not low[:1].isalpha() or low in STOP or low in known_words():
        return []
    if token.stem in MONEY:
        return [low, *_MONEY_WORDS.split()]
    return [low, *sorted(word for word in alike(token.stem) if word != token.stem)][:6]
