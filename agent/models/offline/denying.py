"""not, never, without, no: what must not be there."""

from __future__ import annotations

from typing import Final

from agent.models.offline.compounds import read_compound
from agent.models.offline.draft import Missing, Noun
from agent.models.offline.walk import Walk, noun_of

_NEGATED_LATER: Final = frozenset({"unknown", "quoted", "num", "cmp", "than", "whether", "period"})


def drop_shown(walk: Walk, noun: Noun) -> None:
    """Stop showing a column, now that it is known to be a condition; the last one stays."""
    show = walk.get("show")
    if show and show[-1] == noun and (len(show) > 1 or walk.get("subject") or walk.get("asked")):
        walk.put("show", show[:-1])
    mentions = walk.get("mentions")
    if mentions and mentions[-1] == noun:
        walk.put("mentions", mentions[:-1])


def on_neg(walk: Walk) -> None:
    """not, never, without, no: what follows must not be there."""
    walk.at += 1
    walk.skip("prep", "that")
    item = walk.peek()
    ahead = walk.find({"noun", "whether"}, within=5, over=("prep", "by", "distinct", "that"))
    if item is None or ahead is None or item.kind in _NEGATED_LATER:
        walk.negate = True
        return
    if walk.kind(ahead) == "whether":
        walk.negate = True
        return
    walk.at += ahead
    here = walk.items[walk.at]
    participle = here.verb and here.links[0].kind != "column"
    if walk.kind(1) in ("unknown", "quoted") and not here.plural and not participle:
        walk.negate = True
        walk.note_noun(noun_of(walk.items[walk.at]))
        walk.at += 1
        return
    noun = read_compound(walk)
    near = walk.last_table
    walk.note_noun(noun)
    walk.add("missing", Missing(noun, near))
    _rest_of_negation(walk)


def _rest_of_negation(walk: Walk) -> None:
    """Take in the objects of a negated verb: never rented *a film*."""
    while (ahead := walk.find({"noun"}, within=3, over=("prep",))) is not None and walk.kind(
        1
    ) not in ("unknown", "quoted"):
        item = walk.items[walk.at + ahead]
        if item.links[0].kind != "table" or item.verb:
            return
        if walk.kind(ahead + 1) in ("unknown", "quoted", "num"):
            return
        walk.at += ahead
        walk.add("mentions", read_compound(walk))


def on_whether(walk: Walk) -> None:
    """null, empty, unknown: a column without a value."""
    item = walk.items[walk.at]
    negated = walk.take_negation()
    walk.at += 1
    ahead = walk.find({"noun"}, within=3)
    if ahead is not None:
        walk.at += ahead
        noun = read_compound(walk)
    elif walk.last_noun is not None:
        noun = walk.last_noun
        drop_shown(walk, noun)
    else:
        walk.unread(item)
        return
    walk.add("missing", Missing(noun, walk.last_table, not negated, whole=True))
