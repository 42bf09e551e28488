"""Words that are misspelt, or say the opposite of a name: revnue, inactive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from agent.models.offline.item import Item
from agent.models.offline.lexicon import known_words, match_mark
from agent.models.offline.link import Link, Linker
from agent.models.offline.reading import Token, stem, tokenize
from agent.models.offline.thesaurus import MONEY


def read_negated(token: Token, linker: Linker) -> Item | None:
    """Read "inactive" and "unreturned" as the opposite of a column or an event."""
    for prefix in ("in", "un", "non"):
        rest = token.low.removeprefix(prefix)
        if rest == token.low or len(rest) < 4:
            continue
        positive = Token(rest, rest, stem(rest), token.start, token.end)
        links = tuple(
            link for link in linker.links([positive]) if link.score >= 0.7 and not link.fuzzy
        )
        if links:
            return replace(make_noun(token.text, [positive], links), value="negated")
    return None


def guess_item(token: Token, guess: str) -> Item:
    """Return the item of a misspelt function word or money word."""
    if stem(guess) in MONEY:
        return make_noun(token.text, [token], (Link("money", score=0.8, fuzzy=True),))
    mark = match_mark(tokenize(guess), 0)
    assert mark is not None
    return replace(make_plain(token, mark[0].kind), value=mark[0].value, low=guess)


@lru_cache(maxsize=1)
def _guessable() -> tuple[str, ...]:
    return tuple(
        sorted(
            word
            for word in known_words() | {"revenue", "sales", "income", "earnings"}
            if len(word) >= 5
        )
    )


@lru_cache(maxsize=4096)
def near_function_word(low: str) -> str | None:
    if len(low) < 5:
        return None
    from rapidfuzz.distance import OSA

    for word in _guessable():
        if word[0] == low[0] and OSA.distance(low, word, score_cutoff=1) <= 1:
            return word
    return None


def make_noun(text: str, run: Sequence[Token], links: tuple[Link, ...]) -> Item:
    last = run[-1]
    plural = last.low.endswith("s") and not last.low.endswith("ss") and last.low not in ("status",)
    plural = plural or last.low in ("people", "children", "men", "women")
    verb = (
        len(run) == 1 and last.low.endswith(("ed", "ing")) and not _is_own_name(last.low, links[0])
    )
    return Item(
        "noun",
        text,
        run[0].start,
        last.end,
        links=links,
        plural=plural,
        verb=verb,
        low=" ".join(token.low for token in run),
        capital=text[:1].isupper(),
    )


def _is_own_name(low: str, link: Link) -> bool:
    """Whether a word that looks like a verb is a name as it stands: rating, bookings."""
    bare = (link.column or link.table).rsplit(".", 1)[-1].strip('"').lower()
    return bare.removesuffix("s") == low.removesuffix("s")


def make_plain(token: Token, kind: str) -> Item:
    return Item(kind, token.text, token.start, token.end, low=token.low)
