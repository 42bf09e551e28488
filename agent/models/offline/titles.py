"""Names of several words that hold small words: The Final Avalanche, Let There Be Rock."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from agent.models.offline.lexicon import STOP, match_mark
from agent.models.offline.link import Linker
from agent.models.offline.reading import Token, listed

_ALL_CAPITALS: Final = 0.6
"""Above this share of capitalised words, capitals tell nothing: it is a headline."""
_INSIDE: Final = frozenset(listed("of the and in a an to for with on at de la del le du von"))


def title_width(text: str, tokens: Sequence[Token], at: int, linker: Linker) -> int:
    """Return how many tokens from `at` on are one name with small words in it; 0 for none.

    Only names that the other rules would tear apart count: some word of theirs is a function word.
    """
    if at == 0 or not _capital(tokens[at]) or _is_headline(tokens):
        return 0
    run = _capital_run(text, tokens, at)
    while run and _names_schema(run[-1], linker):
        run = run[:-1]
    if len(run) < 2 or _names_schema(run[0], linker):
        return 0
    small = [token for token in run if token.low in STOP or _marks(token)]
    return len(run) if small and len(small) < len(run) else 0


def _capital(token: Token) -> bool:
    return token.text[:1].isupper() and not token.quoted and token.low != "i"


def _is_headline(tokens: Sequence[Token]) -> bool:
    words = [token for token in tokens if token.low[:1].isalpha()]
    return len(words) > 4 and sum(map(_capital, words)) > _ALL_CAPITALS * len(words)


def _capital_run(text: str, tokens: Sequence[Token], at: int) -> list[Token]:
    """Return the capitalised words from `at` on, with what joins them: Lord of the Rings."""
    run = [tokens[at]]
    waiting: list[Token] = []
    for before, token in pairwise(tokens[at:]):
        if text[before.end : token.start] != " ":
            break
        if _capital(token):
            run += [*waiting, token]
            waiting = []
        elif token.low in _INSIDE and run[-1].low not in STOP:
            waiting.append(token)
        else:
            break
    return run


def _names_schema(token: Token, linker: Linker) -> bool:
    return token.low not in STOP and any(link.score >= 0.95 for link in linker.links([token]))


def _marks(token: Token) -> bool:
    return match_mark([token], 0) is not None
