"""Nouns that stand side by side: film categories, active customers."""

from __future__ import annotations

from agent.models.offline.draft import Missing, Noun
from agent.models.offline.walk import Walk, noun_of


def read_compound(walk: Walk) -> Noun:
    """Take `film categories` as categories, with film taking part; `active customers` as a flag."""
    item = walk.items[walk.at]
    walk.at += 1
    following = walk.peek()
    adjacent = following is not None and following.kind == "noun" and following.close
    if item.value == "negated":
        walk.add(
            "missing",
            Missing(noun_of(item), noun_of(following) if adjacent and following else None),
        )
        return read_compound(walk) if adjacent else noun_of(item)
    if following is None or not adjacent or following.verb:
        return noun_of(item)
    if item.verb or (item.links[0].kind == "column" and following.links[0].kind == "table"):
        walk.add("missing", Missing(noun_of(item), noun_of(following), negated=False))
        return read_compound(walk)
    sure = following.links[0].score >= (0.5 if following.links[0].kind == "column" else 0.95)
    if not item.plural and item.links[0].kind == "table" and sure:
        walk.add("mentions", noun_of(item))
        return read_compound(walk)
    deed = item.plural and following.low.endswith("ed")
    if item.links[0].kind == following.links[0].kind == "column" and sure and not deed:
        # "population density" is the density; "which tools failed" is about the tools.
        return read_compound(walk)
    return noun_of(item)
