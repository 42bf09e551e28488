"""Tops and superlatives: what is ranked, and by what."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.compounds import read_compound
from agent.models.offline.draft import Asked, Rank
from agent.models.offline.item import Item
from agent.models.offline.walk import Walk, noun_of


def on_top(walk: Walk) -> None:
    """top 5 X, most X, highest X."""
    item = walk.items[walk.at]
    walk.at += 1
    rank = replace(walk.get("rank") or Rank(), desc=item.value == "desc")
    following = walk.peek()
    if following is not None and following.number is not None and following.kind == "num":
        walk.at += 1
        walk.put("rank", replace(rank, limit=int(following.number), superlative=True))
    elif following is not None and following.verb and following.kind == "noun":
        _top_verb(walk, rank, item, following)
    elif _is_bare_rank(walk, item.low):
        walk.put("rank", replace(rank, plural=_next_is_plural(walk)))
    elif _ends_with_verb(walk) and item.low in ("most", "least"):
        walk.put("rank", replace(rank, asked=Asked("count", walk.last_noun)))
    else:
        walk.put("rank", rank)
        walk.pending = "rank"


def _top_verb(walk: Walk, rank: Rank, item: Item, verb: Item) -> None:
    """most rented X: by how many rentals; highest rated X: by the rating."""
    if walk.has_head and walk.kind(1) == "noun":
        # Which city has the highest rated restaurant: two things at once.
        walk.unread(item)
    walk.at += 1
    rank = replace(rank, plural=not walk.has_head and _next_is_plural(walk))
    if verb.links[0].kind == "column":
        walk.put("rank", replace(rank, noun=noun_of(verb)))
    else:
        walk.put("rank", replace(rank, asked=Asked("count", noun_of(verb))))


def _ends_with_verb(walk: Walk) -> bool:
    """Whether "most" stands behind its verb, with nothing to follow: rented the most."""
    noun = walk.last_noun
    return (
        walk.find({"noun"}) is None and walk.last_kind == "noun" and noun is not None and noun.verb
    )


def _is_bare_rank(walk: Walk, word: str) -> bool:
    """Whether what follows is the thing that is ranked, not the figure it is ranked by."""
    if word in ("top", "best", "bottom", "worst", "leading"):
        return True
    follows = walk.find({"noun"}, over=("prep",))
    shows_only = bool(walk.get("show")) and not (walk.get("subject") or walk.get("asked"))
    of_the_top = shows_only and word not in ("most", "least", "fewest")
    return (
        follows is not None
        and (not walk.has_head or of_the_top)
        and not walk.get("groups")
        and _is_plain_table(walk, follows)
        and not _person_asks(walk)
    )


def _person_asks(walk: Walk) -> bool:
    return bool(walk.get("person"))


def _is_plain_table(walk: Walk, ahead: int) -> bool:
    item = walk.peek(ahead)
    if item is None or not item.links or item.links[0].kind != "table" or item.verb:
        return False
    after = walk.find({"noun", "count", "agg"}, within=2, over=())
    return after is None or after == ahead


def _next_is_plural(walk: Walk) -> bool:
    follows = walk.find({"noun"}, over=("prep", "unknown"))
    item = walk.peek(follows) if follows is not None else None
    return item is not None and item.plural


def on_common(walk: Walk) -> None:
    """the most common X: X by how many rows have it."""
    item = walk.items[walk.at]
    walk.at += 1
    number = _limit_after(walk)
    rank = Rank(
        item.value == "desc",
        asked=Asked("count"),
        limit=number,
        plural=not walk.has_head and _next_is_plural(walk) and not _one_grain(walk),
    )
    if walk.last_kind == "noun" and walk.last_noun and walk.last_noun.verb:
        rank = replace(rank, asked=Asked("count", walk.last_noun))
    elif (follows := walk.find({"noun"})) is not None and walk.items[walk.at + follows].verb:
        noun = noun_of(walk.items[walk.at + follows])
        rank = replace(rank, asked=Asked("count", noun))
        walk.at += follows + 1
    walk.put("rank", rank)


def _one_grain(walk: Walk) -> bool:
    """Whether one day, week or month is asked for: the busiest day for rentals."""
    item = walk.peek()
    return item is not None and item.kind == "grain" and not item.low.endswith("s")


def on_rank(walk: Walk) -> None:
    """longest X, cheapest X, latest X: an order by what the adjective is about."""
    item = walk.items[walk.at]
    walk.at += 1
    direction, _, concept = item.value.partition(" ")
    number = _limit_after(walk)
    if walk.kind() in ("agg", "count"):
        walk.put(
            "rank", replace(walk.get("rank") or Rank(), desc=direction == "desc", limit=number)
        )
        walk.pending = "rank"
        return
    when = walk.find({"noun"}, over=("prep", "unknown"))
    if concept == "date" and walk.get("when") and when is not None and not walk.has_head:
        walk.at += when
        noun = read_compound(walk)
        walk.note_noun(noun)
        agg = "max" if direction == "desc" else "min"
        walk.add("asked", Asked(agg, noun, concept="date" if noun.kind == "table" else ""))
        return
    if concept == "date" and item.low == "first" and number is not None:
        walk.put("rank", Rank(True, limit=number, superlative=True, concept="first"))
        return
    follows = walk.find({"noun"}, over=("prep", "unknown"))
    plural = _next_is_plural(walk)
    if follows is not None and not walk.has_head and _names_column(walk, follows, concept):
        walk.pending = "max" if direction == "desc" else "min"
        return
    if walk.get("subject") is not None and follows is not None and concept in ("length", "price"):
        item = walk.items[walk.at + follows]
        if item.links[0].kind == "table" and item.links[0] != walk.get("subject").best:
            walk.at += follows + 1
            noun = noun_of(item)
            walk.note_noun(noun)
            asked = Asked("max" if direction == "desc" else "min", noun, concept=concept)
            walk.put("rank", Rank(direction == "desc"))
            walk.add("asked", asked)
            return
    walk.put("rank", Rank(direction == "desc", concept=concept, limit=number, plural=plural))


def _names_column(walk: Walk, ahead: int, concept: str) -> bool:
    """Whether a column itself is named ("the cheapest rental rate"), not the rows that have it."""
    item = walk.peek(ahead)
    if item is None or item.links[0].kind != "column" or item.plural or item.verb:
        return False
    if walk.kind(ahead + 1) == "noun":
        return False
    return "date" in item.low if concept == "date" else item.links[0].score >= 0.9


def _limit_after(walk: Walk) -> int | None:
    number = walk.peek()
    rank = walk.get("rank")
    if number is None or number.kind != "num" or number.number is None:
        return rank.limit if rank is not None else None
    walk.at += 1
    return int(number.number)
