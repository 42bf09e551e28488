"""Whether a message of a thread stands on its own, or leans on the question before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent.models.offline.draft import Draft, Noun

_OPENERS: Final = re.compile(
    r"^\s*(?:and\b|but\b|only\b|just\b|now\b|what about|how about|same\b|the same|also\b|as "
    r"an? |by\b|per\b|for each|without|excluding|"
    r"except|instead|sort|order by|top \d+|bottom \d+|show (?:me )?(?:the )?(?:bottom|top)|"
    r"then\b|break|split|group|make (?:it|that)|in \d{4}|"
    r"for \d{4}|limit|no,|not\b|include|exclude|remove|drop|plot|draw|chart|graph)|"
    r"\b(?:instead|of those|of these|of them|that in total|is that|are those|"
    r"are these|they|them)\b",
    re.IGNORECASE,
)
_NARROWS: Final = re.compile(
    r"^\s*(?:at|in|for|from|of|within|during|since|with|among)\b[^?]{1,40}$|"
    r"^[^?]{1,40}\b(?:only|alone)\W*$",
    re.IGNORECASE,
)
"""A few words that only say which rows: at the Porto store."""

_LEANS: Final = re.compile(r"\b(?:instead|those|them|that|these)\b", re.IGNORECASE)


def is_followup(draft: Draft, before: Draft) -> bool:
    """Whether a message leans on the one before it, rather than being a question of its own."""
    opener = bool(_OPENERS.search(draft.text)) or bool(_NARROWS.match(draft.text))
    if before.is_empty and not before.groups:
        return False
    if draft.is_empty:
        return True
    pointless = all(one.noun is None for one in draft.asked) and not (draft.subject or draft.show)
    if draft.asked and pointless and not draft.mentions:
        return True
    if not opener:
        return False
    whole = bool(draft.asked and (draft.groups or draft.subject)) or len(draft.text.split()) > 9
    whole = whole or is_whole(draft, before)
    return not whole or bool(_LEANS.search(draft.text))


def is_whole(draft: Draft, waiting: Draft) -> bool:
    """Whether a message asks of things of its own, in an order or for each of something.

    Such a message is no reply to the question that was asked back about `waiting`.
    """
    subject = draft.subject
    shaped = draft.groups or (draft.rank is not None and (draft.rank.asked or draft.rank.noun))
    return subject is not None and bool(shaped) and not _names(subject, waiting)


def loses_a_noun(draft: Draft, folded: Draft) -> bool:
    """Whether `folded`, the question before as `draft` changes it, left out what `draft` names."""
    heads = (draft.subject, *(one.noun for one in draft.asked), *draft.show)
    named = [noun for noun in heads if noun is not None and noun.links]
    return not all(_names(noun, folded) for noun in named)


def _names(noun: Noun, draft: Draft) -> bool:
    """Whether a draft speaks of the same thing, in whatever part."""
    places = {(link.kind == "money", link.table, link.column) for link in noun.links}
    return any(
        places & {(link.kind == "money", link.table, link.column) for link in other.links}
        for other in _nouns(draft)
    )


def _nouns(draft: Draft) -> Iterator[Noun]:
    rank = draft.rank
    found: list[Noun | None] = [draft.subject, *draft.show, *draft.mentions, draft.period_near]
    found += [one.noun for one in draft.asked]
    found += [group.noun for group in draft.groups]
    found += [noun for value in draft.values for noun in (value.hint, value.near)]
    found += [noun for compare in draft.compares for noun in (compare.noun, compare.near)]
    found += [c.measure.noun for c in draft.compares if c.measure is not None]
    found += [noun for like in draft.likes for noun in (like.noun, like.near)]
    found += [noun for missing in draft.missing for noun in (missing.noun, missing.near)]
    found += [row.noun for row in draft.row_numbers]
    if rank is not None:
        found += [rank.noun, rank.resort, rank.asked.noun if rank.asked else None]
    yield from (noun for noun in found if noun is not None)
