"""Which words to look for tables with: the question's nouns, and what else they may be called."""

from __future__ import annotations

from typing import Final

from agent.models.offline.known import Known
from agent.models.offline.lexicon import STOP, known_words
from agent.models.offline.reading import Token, tokenize
from agent.models.offline.thesaurus import MONEY, alike

MAX_CHARS: Final = 480
_MONEY_WORDS: Final = "amount payment total price quantity"


def search_words(known: Known) -> str:
    """Return the words for the first search of a run, with those of the thread's questions."""
    words: dict[str, None] = {}
    for text in (known.question, *reversed(known.earlier)):
        for token in tokenize(text):
            for word in _expanded(token):
                words.setdefault(word)
    return (
        " ".join(words)[:MAX_CHARS].rsplit(" ", 1)[0]
        if len(" ".join(words)) > MAX_CHARS
        else " ".join(words)
    )


def _expanded(token: Token) -> list[str]:
    low = token.low
    if token.number is not None or not low[:1].isalpha() or low in STOP or low in known_words():
        return []
    if token.stem in MONEY:
        return [low, *_MONEY_WORDS.split()]
    return [low, *sorted(word for word in alike(token.stem) if word != token.stem)][:6]
