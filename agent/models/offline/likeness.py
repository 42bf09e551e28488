"""How alike two phrases are: the same words, words of the same meaning, a near spelling."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from agent.models.offline.reading import Token, stem
from agent.models.offline.thesaurus import CONCEPTS, alike

_PREFIXES: Final = frozenset({"tbl", "dim", "fact", "fct", "vw", "v", "t", "stg", "sb", "raw"})

_DERIVED: Final = frozenset(
    {"al", "ment", "ing", "er", "or", "ion", "ation", "e", "s", "", "ship", "ur"}
)


@lru_cache(maxsize=64)
def concept_words(word: str) -> tuple[str, ...]:
    """Return the words of columns that may hold a length, a price, …"""
    return next(
        (
            tuple(stem(c) for c in columns)
            for concept, columns in CONCEPTS.items()
            if stem(concept) == word
        ),
        (),
    )


def bare_words(words: tuple[str, ...]) -> tuple[str, ...]:
    kept = words[1:] if len(words) > 1 and words[0] in _PREFIXES else words
    return tuple(word.removeprefix("sb") if len(word) > 5 else word for word in kept)


def likeness(stems: tuple[str, ...], words: tuple[str, ...]) -> float:
    """Return 1 for the same words, 0.9 for words of the same meaning, 0.8 for a near spelling."""
    if stems == words or "".join(stems) == "".join(words):
        return 1.0
    if all_alike(stems, words):
        return 0.9
    if len(stems) == len(words) and all(
        stem == word or nearly_same(stem, word) for stem, word in zip(stems, words, strict=True)
    ):
        return 0.8
    return 0.0


def all_alike(stems: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return len(stems) == len(words) and all(
        word == stem or word in alike(stem) for stem, word in zip(stems, words, strict=True)
    )


@lru_cache(maxsize=16384)
def nearly_same(one: str, other: str) -> bool:
    if min(len(one), len(other)) < 5 or one[0] != other[0]:
        return False
    from rapidfuzz.distance import OSA

    allowed = 1 if min(len(one), len(other)) < 8 else 2
    return OSA.distance(one, other, score_cutoff=allowed) <= allowed


def split_by(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take the "by" off names that run together: recommendedby."""
    found: list[str] = []
    for word in words:
        if len(word) > 6 and re.search(r"[a-z]{3,}edbi$|[a-z]{3,}edby$", word):
            found.append(stem(word[:-2]))
        else:
            found.append(word)
    return tuple(found)


def bare_name(table: str) -> str:
    return table.rsplit(".", 1)[-1].strip('"').lower().removesuffix("s")


def is_plural(token: Token) -> bool:
    return token.low.endswith("s") and not token.low.endswith(("ss", "us", "is", "ws"))


def is_verb(token: Token) -> bool:
    return token.low.endswith(("ed", "ing")) or token.low in (
        "bought",
        "sold",
        "paid",
        "rent",
        "rents",
        "order",
        "buy",
        "pay",
        "purchase",
        "book",
        "made",
        "hire",
        "use",
        "lent",
        "written",
        "wrote",
        "won",
        "flew",
        "sent",
    )


def derives(verb: str, words: tuple[str, ...]) -> bool:
    if len(words) != 1 or len(verb) < 3:
        return False
    noun = words[0]
    if noun.startswith(verb) and noun[len(verb) :] in _DERIVED:
        return True
    return any(other != verb and noun == other for other in alike(verb))
