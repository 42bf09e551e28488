"""by, per, for each: what to split by, or what to rank by."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.compounds import read_compound
from agent.models.offline.draft import Asked, GroupBy, Noun, Rank
from agent.models.offline.item import AGENT_VERBS, Item
from agent.models.offline.walk import Walk

_LIST = ("and", "punct", "by")


def on_by(walk: Walk) -> None:
    """by X, per X, for each X and Y: groups, or the figure of a ranking."""
    said = walk.items[walk.at].low
    deed = walk.peek(-1)
    by_verb = walk.last_kind == "noun" and walk.last_noun is not None and walk.last_noun.verb
    after_verb = by_verb or (deed is not None and deed.low in AGENT_VERBS)
    walk.at += 1
    walk.skip("distinct", "prep")
    item = walk.peek()
    if item is None:
        return
    if said == "by" and item.kind == "noun" and _is_theirs(walk, item, after_verb):
        return
    if item.kind in ("unknown", "quoted", "period"):
        return
    if is_figure(walk):
        _rank_figure(walk)
        return
    rank = walk.get("rank")
    ranked = rank is not None and not (rank.asked or rank.noun or walk.get("asked"))
    if (
        said == "by"
        and ranked
        and walk.has_head
        and item.kind == "noun"
        and item.links[0].kind == "column"
    ):
        noun = read_compound(walk)
        walk.note_noun(noun)
        walk.put("rank", replace(rank, noun=noun))
        return
    counts_rows = rank is not None and (rank.asked is None or rank.asked.noun is None)
    if (
        said == "by"
        and counts_rows
        and (walk.has_head or walk.get("groups"))
        and item.kind == "noun"
        and item.plural
        and item.links[0].kind in ("table", "event")
    ):
        noun = read_compound(walk)
        walk.note_noun(noun)
        walk.put("rank", replace(rank, asked=Asked("count", noun)))
        return
    while _group(walk, said != "by"):
        ahead = walk.find({"noun", "grain"}, within=3, over=_LIST)
        if walk.kind() not in _LIST or ahead is None or is_figure(walk, ahead):
            break
        if walk.kind() == "by" and _ranks_by(walk, ahead):
            break
        walk.skip(*_LIST)


def _is_theirs(walk: Walk, item: Item, after_verb: bool) -> bool:
    """Whether "by" says whose: payments made by customers, rentals by customers from Portugal."""
    if after_verb and (item.plural or _value_follows(walk)):
        return True
    return item.plural and _place_follows(walk)


def _place_follows(walk: Walk) -> bool:
    """Whether what follows says which of them are meant: customers from Portugal."""
    asked = bool(walk.get("asked")) or walk.pending == "count"
    preposition, value = walk.peek(1), walk.peek(2)
    return (
        asked
        and preposition is not None
        and preposition.low in ("from", "in", "at", "of")
        and value is not None
        and value.kind in ("unknown", "quoted")
    )


def _ranks_by(walk: Walk, ahead: int) -> bool:
    """Whether "by" names what a top is of: top 3 films per category by rentals."""
    rank, item = walk.get("rank"), walk.items[walk.at + ahead]
    open_rank = rank is not None and rank.asked is None and rank.noun is None
    return open_rank and item.kind == "noun" and item.plural


def _value_follows(walk: Walk) -> bool:
    return walk.kind(1) in ("unknown", "quoted", "num")


def is_figure(walk: Walk, ahead: int = 0) -> bool:
    """Whether a number is meant, not a thing to group by."""
    item = walk.peek(ahead)
    if item is None:
        return False
    if item.kind in ("count", "agg", "much"):
        return True
    if item.kind == "noun" and walk.kind(ahead + 1) == "count":
        return True
    return item.kind == "noun" and item.links[0].kind == "money" and walk.kind(ahead + 1) != "noun"


def _rank_figure(walk: Walk) -> None:
    asked = read_figure(walk)
    if asked is None:
        return
    rank = walk.get("rank")
    if rank is None:
        rank = Rank(superlative=False)
    walk.put("rank", replace(rank, asked=asked))


def read_figure(walk: Walk) -> Asked | None:
    """Read "number of rentals", "total amount", "revenue"."""
    agg, distinct = "", False
    for _ in range(6):
        item = walk.peek()
        if item is None:
            return Asked(agg) if agg else None
        if item.kind == "count":
            agg = "count"
        elif item.kind in ("agg", "much"):
            agg = item.value or "sum"
        elif item.kind == "distinct":
            distinct = True
        elif item.kind == "noun":
            noun = read_compound(walk)
            walk.note_noun(noun)
            if walk.kind() == "count":
                walk.at += 1
                agg = "count"
            return Asked(agg or _natural(noun), noun, distinct)
        elif item.kind != "prep":
            break
        walk.at += 1
    return Asked(agg) if agg else None


def _natural(noun: Noun) -> str:
    return {"money": "sum", "table": "count", "event": "count"}.get(noun.kind, "")


def _group(walk: Walk, each: bool) -> bool:
    walk.skip("distinct", "prep")
    item = walk.peek()
    if item is None:
        return False
    if item.kind in ("grain", "period") and item.value:
        walk.at += 1
        walk.add("groups", GroupBy(grain=item.value, each=each))
        return True
    if item.kind == "time":
        walk.at += 1
        walk.put("over_time", True)
        return True
    if item.kind != "noun":
        return False
    if item.links[0].kind == "money":
        walk.at += 1
    noun = read_compound(walk)
    walk.note_noun(noun)
    named = walk.kind() in ("unknown", "quoted") or (walk.kind() == "num" and not noun.plural)
    if named and walk.items[walk.at].low != "new":
        walk.add("mentions", noun)
        return True
    walk.add("groups", GroupBy(noun, plural=noun.plural, each=each))
    return True
