"""A question as a row of items: function words, names, numbers, periods, and what is unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Final

from agent.models.offline.dates import find_periods
from agent.models.offline.item import AGENT_VERBS, Item
from agent.models.offline.lexicon import STOP, Mark, known_words, match_mark
from agent.models.offline.link import MAX_WORDS, Link, Linker
from agent.models.offline.periods import FoundPeriod
from agent.models.offline.reading import Token, listed, stem, tokenize
from agent.models.offline.thesaurus import MONEY

_PREPS: Final = frozenset(
    listed(
        "in for at on from with of to into who did does do that which whose where when if "
        "has have had as is are was were be and or"
    )
)

_SOFT: Final = frozenset(
    listed(
        "name names place places record records detail details value values result results "
        "entry entries data set sets figure "
        "figures live run runs table tables"
    )
)

_JOINERS: Final = frozenset(
    listed(
        "by per each every not never no and or over under most least top than without "
        "between but except excluding "
        "never with versus vs"
    )
)

_DETERMINERS: Final = ("top", "rank", "common", "count", "agg", "which", "by", "num")
"""Kinds after which "order" is a thing, as in "largest order by freight"."""

LOOSE: Final = ("contains", "contain", "containing")
"""Verbs that may speak of a text, or merely of what belongs to what."""

_MIN_PHRASE, _MIN_WORD = 0.7, 0.45

_COMPARES: Final = re.compile(r"\b(?:compar\w*|vs|versus|differ\w*|chang\w*)\b", re.IGNORECASE)

_REORDERS: Final = re.compile(
    r"\s*(?:please\s+)?(?:order|sort|rank)\s+(?!by\b|it\b|them\b|this\b|that\b).*\bby\b",
    re.IGNORECASE,
)


def read_items(text: str, linker: Linker, today: date) -> tuple[Item, ...]:
    """Return the items of a question, in its order."""
    tokens = tokenize(text)
    periods = find_periods(text, today, ranges=not _COMPARES.search(text))
    items: list[Item] = []
    item: Item | None
    at = 0
    while at < len(tokens):
        if not items and tokens[at].low in ("order", "sort", "rank") and _REORDERS.match(text):
            item, width = _plain(tokens[at], "rerank"), 1
        elif items and _takes_text(items[-1]) and tokens[at].low[0].isalnum():
            item, width = _plain(tokens[at], "quoted"), 1
        else:
            before = items[-1].kind if items else ""
            item, width = _next_item(text, tokens, at, periods, linker, before)
        if item is not None:
            before = text[items[-1].end : item.start].strip() if items else "."
            items.append(replace(item, close=before in _CLOSE, between=before.lower()))
        at += width
    return tuple(items)


_CLOSE: Final = ("", "-", "/", "'s", "’s", "'", "’")


def _takes_text(item: Item) -> bool:
    """Whether what follows is a piece of text: starting with A."""
    return item.kind in ("starts", "ends", "contains") and item.low not in LOOSE


def _next_item(
    text: str,
    tokens: Sequence[Token],
    at: int,
    periods: Sequence[FoundPeriod],
    linker: Linker,
    before: str,
) -> tuple[Item | None, int]:
    token = tokens[at]
    for found in periods:
        if found.start <= token.start < found.end:
            return _period_item(text, tokens, at, found)
    if token.quoted:
        return _plain(token, "quoted"), 1
    if phrase := _phrase(text, tokens, at, periods, linker):
        return phrase
    mark = match_mark(tokens, at)
    if mark and not (mark[0].kind == "order" and token.low == "order" and before in _DETERMINERS):
        if mark[0].kind == "attr":
            return _attribute(text, tokens, at, *mark, linker)
        return _mark_item(text, tokens, at, *mark)
    if token.number is not None:
        return replace(_plain(token, "num"), number=token.number), 1
    return _word(token, at, linker), 1


def _period_item(
    text: str, tokens: Sequence[Token], at: int, found: FoundPeriod
) -> tuple[Item, int]:
    width = sum(found.start <= token.start < found.end for token in tokens[at:])
    item = Item(
        "period", text[found.start : found.end], found.start, found.end, period=found.period
    )
    return item, width


def _mark_item(
    text: str, tokens: Sequence[Token], at: int, mark: Mark, width: int
) -> tuple[Item | None, int]:
    last = tokens[at + width - 1]
    if mark.kind == "all":
        return None, width
    start, end = tokens[at].start, last.end
    return Item(
        mark.kind, text[start:end], start, end, mark.value, low=text[start:end].lower()
    ), width


def _attribute(
    text: str, tokens: Sequence[Token], at: int, mark: Mark, width: int, linker: Linker
) -> tuple[Item, int]:
    """Read "how long" as the length, whatever column holds it."""
    word = mark.value
    links = tuple(
        link for link in linker.links([Token(word, word, stem(word), 0, 0)]) if link.score >= 0.45
    )
    start, end = tokens[at].start, tokens[at + width - 1].end
    if not links:
        return Item("unknown", text[start:end], start, end, low=text[start:end].lower()), width
    return Item("noun", text[start:end], start, end, links=links, low=word), width


def _phrase(
    text: str, tokens: Sequence[Token], at: int, periods: Sequence[FoundPeriod], linker: Linker
) -> tuple[Item, int] | None:
    """Return the longest name of several words that begins at token `at`."""
    for width in range(MAX_WORDS, 1, -1):
        run = tokens[at : at + width]
        if len(run) < width or not _can_be_name(run) or _counts(run):
            continue
        if any(f.start <= token.start < f.end for f in periods for token in run):
            continue
        least = (
            0.95
            if any(t.low in STOP and t.low not in _SOFT for t in (run[0], run[-1]))
            else _MIN_PHRASE
        )
        links = [link for link in linker.links(run) if link.score >= least]
        if links:
            return _noun(text[run[0].start : run[-1].end], run, tuple(links)), width
    return None


def _counts(run: Sequence[Token]) -> bool:
    """Whether "X of Y" is a figure of Y ("number of films"), not a name ("date of birth")."""
    return (
        len(run) == 3
        and run[1].low == "of"
        and (match_mark(run, 0) is not None or run[0].low in ("number", "amount", "list", "lists"))
    )


def _can_be_name(run: Sequence[Token]) -> bool:
    if any(token.quoted or token.number is not None or not token.low[0].isalnum() for token in run):
        return False
    ends = (run[0].low, run[-1].low)
    if any(low in _JOINERS for low in (*ends, *(token.low for token in run[1:-1]))):
        return False
    if any(low in _PREPS or low in ("a", "an", "the") for low in ends):
        return False
    return all(
        token.low not in STOP or token.low in _SOFT or token.low == "of" for token in run[1:-1]
    )


def _word(token: Token, at: int, linker: Linker) -> Item | None:
    low = token.low
    if not low[0].isalnum():
        return _plain(token, "punct") if low in ",;:" else None
    links = tuple(link for link in linker.links([token]) if link.score >= _MIN_WORD)
    named = bool(links) and (links[0].kind == "role" or (low in _SOFT and links[0].score >= 0.9))
    if low in STOP and not named:
        return _plain(token, "prep") if low in _PREPS or low in AGENT_VERBS else None
    capital = token.text[:1].isupper() and at > 0
    if links and not (capital and links[0].score < 0.95):
        return _noun(token.text, [token], links)
    if negated := _negated(token, linker):
        return negated
    guess = _near_function_word(low)
    if guess is not None and not capital:
        return guess_item(token, guess)
    return replace(_plain(token, "unknown"), capital=token.text[:1].isupper())


def _negated(token: Token, linker: Linker) -> Item | None:
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
            return replace(_noun(token.text, [positive], links), value="negated")
    return None


def guess_item(token: Token, guess: str) -> Item:
    """Return the item of a misspelt function word or money word."""
    if stem(guess) in MONEY:
        return _noun(token.text, [token], (Link("money", score=0.8, fuzzy=True),))
    mark = match_mark(tokenize(guess), 0)
    assert mark is not None
    return replace(_plain(token, mark[0].kind), value=mark[0].value, low=guess)


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
def _near_function_word(low: str) -> str | None:
    if len(low) < 5:
        return None
    from rapidfuzz.distance import OSA

    for word in _guessable():
        if word[0] == low[0] and OSA.distance(low, word, score_cutoff=1) <= 1:
            return word
    return None


def _noun(text: str, run: Sequence[Token], links: tuple[Link, ...]) -> Item:
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


def _plain(token: Token, kind: str) -> Item:
    return Item(kind, token.text, token.start, token.end, low=token.low)
