"""Whether everything that a question says has found its place: nothing is dropped in silence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from typing import Any, Final

from agent.models.offline.comparing import UNITS
from agent.models.offline.draft import Asked, Draft, Noun, Rank
from agent.models.offline.item import Item
from agent.models.offline.link import Link

_BEYOND: Final = re.compile(
    r"\bin both\b|\bboth (?:in )?(?:19|20)\d\d\b|\bthe same \w+ (?:as|like)\b|"
    r"\b(?:starring|with|having|shar(?:e|ing)) the same \w+|"
    r"\bin a row\b|\bconsecutive\b|\bmore \w+ than \w+s\b|"
    r"\bas (?:many|much|long|often) as\b|\b(?:twice|half|double|triple) (?:as|the)\b|"
    r"\b(?:above|below|over|under|than) (?:the )?average\b|\bper cent more\b|"
    r"\b(?:running|cumulative) (?:total|sum)\b|\bmoving average\b|\bmost of (?:the|all)\b|"
    r"\bon time\b|\btoo late\b|\boverdue\b|\bat the same time\b|\bon average\b.*\bhighest\b",
    re.IGNORECASE,
)
"""Comparisons of rows with rows, which one plain query of ours does not make."""
_EXTREME: Final = ("top", "rank", "common")
_FIGURES: Final = ("min", "max", "avg", "median")


def with_lost_words(draft: Draft, items: Sequence[Item]) -> Draft:
    """Return `draft` with the words as unread that no part of it holds."""
    beyond = [match[0] for match in _BEYOND.finditer(draft.text)]
    lost = [
        *beyond,
        *_lost_nouns(draft, items),
        *_lost_numbers(draft, items),
        *_lost_figures(draft, items),
    ]
    return replace(draft, unread=(*draft.unread, *lost)) if lost else draft


def _parts(value: Any) -> Iterator[Any]:
    """Yield a value and all that it is made of."""
    yield value
    if isinstance(value, tuple):
        for part in value:
            yield from _parts(part)
    elif is_dataclass(value) and not isinstance(value, (type, Link)):
        for field in fields(value):
            yield from _parts(getattr(value, field.name))


def _lost_nouns(draft: Draft, items: Sequence[Item]) -> Iterator[str]:
    held = {part.text.lower() for part in _parts(draft) if isinstance(part, Noun)}
    columns = {
        (link.table, link.column)
        for part in _parts(draft)
        if isinstance(part, Noun)
        for link in part.links
    }
    for number, item in enumerate(items):
        if item.kind != "noun" or item.text.lower() in held or item.low in UNITS:
            continue
        following = items[number + 1] if number + 1 < len(items) else None
        joined = following is not None and following.kind == "noun" and following.close
        same = any((link.table, link.column) in columns for link in item.links)
        if not joined and not same and item.links[0].kind != "money":
            yield item.text


def _lost_numbers(draft: Draft, items: Sequence[Item]) -> Iterator[str]:
    held = {float(p) for p in _parts(draft) if isinstance(p, (int, float))}
    texts = " ".join(p for p in _parts(draft) if isinstance(p, str) and p != draft.text)
    for item in items:
        if item.kind != "num" or item.number is None or item.number in held:
            continue
        if item.text not in texts:
            yield item.text


def _lost_figures(draft: Draft, items: Sequence[Item]) -> Iterator[str]:
    """Yield the second of two figures or extremes where there is room for one only."""
    aggs = Counter(item.value for item in items if item.kind == "agg" and item.value in _FIGURES)
    held = {p.agg for p in _parts(draft) if isinstance(p, Asked)}
    held |= {p.outer for p in _parts(draft) if isinstance(p, Asked)}
    yield from (
        item.text for item in items if item.value in set(aggs) - held and item.kind == "agg"
    )
    if sum(item.kind in ("unknown", "quoted") for item in items) > 1 and len(draft.values) > 1:
        # Two values set against each other are two answers, not one.
        yield from (item.text for item in items if item.kind == "compare")
    yield from _sizes_as_counts(draft, items)
    extremes = [item for item in items if item.kind in _EXTREME]
    room = sum(isinstance(part, Rank) for part in _parts(draft))
    room += len(held & {"min", "max"})
    yield from (item.text for item in extremes[max(room, 1) :])


def _sizes_as_counts(draft: Draft, items: Sequence[Item]) -> Iterator[str]:
    """Yield "highest" where it would count rows: the highest invoice is not the most invoices."""
    asked = draft.rank.asked if draft.rank is not None else None
    if asked is None or asked.agg != "count" or asked.noun is None:
        return
    for item, following in pairwise(items):
        sized = item.kind == "top" and item.low in _SIZES
        if sized and following.kind == "noun" and following.text == asked.noun.text:
            yield f"{item.text} {following.text}"


_SIZES: Final = ("highest", "largest", "biggest", "smallest", "lowest", "greatest")
