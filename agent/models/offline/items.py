"""A question as a row of items: function words, names, numbers, periods, and what is unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from agent.models.offline.dates import find_periods
from agent.models.offline.guessing import (
    guess_item,
    make_noun,
    make_plain,
    near_function_word,
    read_negated,
)
from agent.models.offline.item import AGENT_VERBS, Item
from agent.models.offline.lexicon import STOP, Mark, match_mark
from agent.models.offline.link import MAX_WORDS, Linker
from agent.models.offline.periods import FoundPeriod
from agent.models.offline.reading import Token, listed, stem, tokenize
from agent.models.offline.titles import title_width

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
            item, width = make_plain(tokens[at], "rerank"), 1
        elif items and _takes_text(items[-1]) and tokens[at].low[0].isalnum():
            item, width = make_plain(tokens[at], "quoted"), 1
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
        return make_plain(token, "quoted"), 1
    if width := title_width(text, tokens, at, linker):
        return _title(text, tokens[at : at + width]), width
    if phrase := _phrase(text, tokens, at, periods, linker):
        return phrase
    mark = match_mark(tokens, at)
    if mark and mark[0].kind == "agg" == before and (column := _agg_column(tokens, at, linker)):
        return column, 1
    if mark and not (mark[0].kind == "order" and token.low == "order" and before in _DETERMINERS):
        if mark[0].kind == "attr":
            return _attribute(text, tokens, at, *mark, linker)
        return _mark_item(text, tokens, at, *mark)
    if token.number is not None:
        return replace(make_plain(token, "num"), number=token.number), 1
    return _word(token, at, linker), 1


def _agg_column(tokens: Sequence[Token], at: int, linker: Linker) -> Item | None:
    """Read the second word of "sum of total" as a column, where one is called so."""
    after = tokens[at + 1 : at + 2]
    if after and linker.links(after):
        return None
    links = linker.links([tokens[at]])
    named = tuple(link for link in links if link.kind == "column" and link.score >= 0.95)
    return make_noun(tokens[at].text, [tokens[at]], named) if named else None


def _title(text: str, run: Sequence[Token]) -> Item:
    start, end = run[0].start, run[-1].end
    said = text[start:end]
    return Item("unknown", said, start, end, low=said.lower(), capital=True)


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
            return make_noun(text[run[0].start : run[-1].end], run, tuple(links)), width
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
        return make_plain(token, "punct") if low in ",;:" else None
    links = tuple(link for link in linker.links([token]) if link.score >= _MIN_WORD)
    named = bool(links) and (links[0].kind == "role" or (low in _SOFT and links[0].score >= 0.9))
    if low in STOP and not named:
        return make_plain(token, "prep") if low in _PREPS or low in AGENT_VERBS else None
    capital = token.text[:1].isupper() and at > 0
    if links and not (capital and links[0].score < 0.95):
        return make_noun(token.text, [token], links)
    if negated := read_negated(token, linker):
        return negated
    guess = near_function_word(low)
    if guess is not None and not capital:
        return guess_item(token, guess)
    return replace(make_plain(token, "unknown"), capital=token.text[:1].isupper())
