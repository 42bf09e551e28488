"""Bare numbers: a row's number, a column's value, or how many to show."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.comparing import UNITS, add_comparison, column_before, read_unit
from agent.models.offline.draft import Compare, Noun, Rank, RowNumber
from agent.models.offline.item import Item
from agent.models.offline.walk import Walk


def on_num(walk: Walk) -> None:
    """A bare number: a row's number, a column's value, or how many to show."""
    item = walk.items[walk.at]
    assert item.number is not None
    walk.at += 1
    if walk.kind() in ("ormore", "orless"):
        op = ">=" if walk.kind() == "ormore" else "<="
        walk.at += 1
        add_comparison(walk, op, item, None)
    elif _is_measured(walk):
        add_comparison(walk, "=", item, None)
    elif _with_unit_or_more(walk, item) or (
        walk.last_kind == "noun" and walk.last_noun is not None and _takes_number(walk, item)
    ):
        return
    elif walk.kind() in ("top", "rank", "common"):
        rank = walk.get("rank") or Rank()
        walk.put("rank", replace(rank, limit=int(item.number)))
    elif (walk.kind() == "noun" and not walk.has_head and not walk.pending) or (
        walk.has_head
        and walk.kind() == "noun"
        and walk.items[walk.at].links[0].kind == "table"
        and not _after_possession(walk)
    ):
        rank = walk.get("rank") or Rank(superlative=True, concept="first")
        walk.put("rank", replace(rank, limit=int(item.number)))
    elif walk.has_head and walk.kind() == "noun" and walk.items[walk.at].links[0].kind == "table":
        add_comparison(walk, "=", item, None)
    elif walk.has_head and walk.last_kind == "prep" and (left := column_before(walk)):
        walk.add("compares", Compare("=", item.number, noun=left, near=walk.last_table))
    else:
        walk.unread(item)


def _is_measured(walk: Walk) -> bool:
    """Whether a unit and an adjective follow a number: 185 minutes long."""
    item = walk.peek()
    return item is not None and item.low in UNITS and walk.kind(1) == "long"


def _after_possession(walk: Walk) -> bool:
    """Whether the number tells how many something has: with 3 copies, who rented 30 films."""
    before = walk.peek(-2)
    if before is None:
        return False
    return (
        before.low in ("with", "have", "has", "had", "exactly")
        or before.verb
        or before.kind == "neg"
    )


def _with_unit_or_more(walk: Walk, item: Item) -> bool:
    """Read "120 minutes or more" and "30 rentals or more"."""
    for ahead in (1, 2):
        if walk.kind(ahead) in ("ormore", "orless"):
            op = ">=" if walk.kind(ahead) == "ormore" else "<="
            add_comparison(walk, op, item, None)
            walk.skip("ormore", "orless")
            return True
    return False


def _takes_number(walk: Walk, item: Item) -> bool:
    noun = walk.last_noun
    assert noun is not None
    assert item.number is not None
    if noun.kind == "table" and not noun.plural:
        numbers = [item.number, *_more_numbers(walk)]
        forget_role(walk, noun)
        walk.add("row_numbers", RowNumber(noun, tuple(numbers), walk.take_negation()))
        return True
    if noun.kind == "column":
        left = column_before(walk)
        if left is None:
            return False
        walk.add(
            "compares",
            Compare("=", item.number, noun=left, near=walk.last_table, unit=read_unit(walk, item)),
        )
        return True
    return False


def _more_numbers(walk: Walk) -> list[float]:
    more: list[float] = []
    while walk.kind() in ("and", "or", "punct", "compare") and walk.kind(1) == "num":
        number = walk.items[walk.at + 1].number
        assert number is not None
        more.append(number)
        walk.at += 2
    return more


def forget_role(walk: Walk, noun: Noun) -> None:
    """Take back a role that was given to a noun before its number was seen."""
    mentions = walk.get("mentions")
    if mentions and mentions[-1] == noun:
        walk.put("mentions", mentions[:-1])
    groups = walk.get("groups")
    if groups and groups[-1].noun == noun:
        walk.put("groups", groups[:-1])
