"""Numbers in a question: what is compared with them, and what they count."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from agent.models.offline.compounds import read_compound
from agent.models.offline.draft import Asked, Compare, GroupBy, Noun
from agent.models.offline.item import Item
from agent.models.offline.walk import Walk, noun_of

UNITS: Final = {
    unit: name
    for name, units in {
        "minute": "minute minutes min mins",
        "hour": "hour hours hr hrs h",
        "second": "second seconds sec secs",
        "millisecond": "millisecond milliseconds ms",
        "day": "day days",
        "money": "dollar dollars usd $ eur euro euros € pound pounds £ bucks",
        "percent": "% percent",
        "times": "times time",
    }.items()
    for unit in units.split()
}

_FLIP: Final = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "=": "!=", "!=": "="}


def on_cmp(walk: Walk) -> None:
    """more than 30 X, over 120 minutes, at least 5."""
    item = walk.items[walk.at]
    negated = walk.take_negation()
    walk.at += 1
    number = walk.peek()
    if (
        number is not None
        and number.low in UNITS
        and UNITS[number.low] in ("hour", "minute", "day", "second")
    ):
        # "under an hour"
        walk.at += 1
        walk.add("compares", Compare(item.value, 1, unit=UNITS[number.low], near=walk.last_table))
        return
    if number is None or number.kind != "num":
        if item.value == "=":
            return
        walk.unread(item)
        return
    walk.at += 1
    op = _FLIP[item.value] if negated else item.value
    add_comparison(walk, op, number, None)


def on_than(walk: Walk) -> None:
    """longer than 2 hours: the adjective says which column."""
    item = walk.items[walk.at]
    op, _, concept = item.value.partition(" ")
    negated = walk.take_negation()
    walk.at += 1
    number = walk.peek()
    if concept == "date" or number is None or number.number is None:
        if number is not None and number.kind == "period":
            return
        walk.unread(item)
        return
    walk.at += 1
    unit = read_unit(walk, number)
    walk.add(
        "compares",
        Compare(
            _FLIP[op] if negated else op,
            number.number,
            concept=concept,
            unit=unit,
            near=walk.last_table,
        ),
    )


def on_between(walk: Walk) -> None:
    """between 2 and 4 dollars."""
    item = walk.items[walk.at]
    low, joint, high = walk.peek(1), walk.peek(2), walk.peek(3)
    if (
        low
        and joint
        and high
        and low.kind == high.kind == "num"
        and joint.kind in ("and", "prep", "punct")
    ):
        walk.at += 4
        add_comparison(walk, "between", low, high)
        return
    walk.at += 1
    if low is not None and low.kind != "period":
        walk.unread(item)


def add_comparison(walk: Walk, op: str, number: Item, upper: Item | None) -> None:
    """Settle what a comparison is about: what stands before it, or the noun behind it."""
    assert number.number is not None
    unit = read_unit(walk, upper or number)
    if walk.kind() in ("ormore", "orless"):
        walk.at += 1
    high = upper.number if upper else None
    if unit == "money" and walk.kind() == "noun" and walk.items[walk.at].links[0].kind == "money":
        walk.at += 1
    concept = _long(walk) if unit else ""
    base = Compare(op, number.number, high, unit=unit, concept=concept, near=walk.last_table)
    left = column_before(walk)
    after = walk.find({"noun"}, within=3, over=("distinct", "unknown"))
    right = walk.peek(after) if after is not None and not unit else None
    if _counts_rows(walk, left, right):
        walk.add("groups", GroupBy(left, plural=True))
        walk.add("asked", Asked("count", read_compound(walk)))
        walk.add("compares", base)
    elif left is not None:
        walk.add("compares", replace(base, noun=left))
    elif measure := _figure_before(walk, unit):
        walk.add("compares", replace(base, measure=measure))
    elif right is not None and right.links[0].kind in ("table", "event"):
        walk.skip("distinct")
        distinct = walk.kind(-1) == "distinct"
        noun = read_compound(walk) if walk.kind() == "noun" else noun_of(right)
        walk.note_noun(noun)
        walk.add("compares", replace(base, measure=Asked("count", noun, distinct)))
    elif right is not None:
        noun = read_compound(walk) if walk.kind() == "noun" else noun_of(right)
        if noun.kind == "money":
            walk.add("compares", replace(base, measure=Asked("sum", noun)))
        else:
            walk.add("compares", replace(base, noun=noun, behind=noun.plural))
    elif unit == "times":
        walk.add("compares", replace(base, measure=Asked("count", _verb_before(walk))))
    else:
        walk.add("compares", replace(base, noun=_verb_before(walk)))


def _long(walk: Walk) -> str:
    """Take in the adjective behind a unit: 120 minutes long."""
    if walk.kind() != "long":
        return ""
    walk.at += 1
    return walk.items[walk.at - 1].value


def _verb_before(walk: Walk) -> Noun | None:
    noun = walk.last_noun
    return noun if noun is not None and (noun.verb or noun.kind in ("event", "money")) else None


def column_before(walk: Walk) -> Noun | None:
    """Return the column that stands just before the comparison ("a length of over 120")."""
    noun = walk.last_noun
    if (
        noun is None
        or noun.kind != "column"
        or noun.verb
        or walk.last_kind not in ("noun", "prep", "neg", "that", "which")
    ):
        return None
    show = walk.get("show")
    if show and show[-1] == noun:
        walk.put("show", show[:-1])
    mentions = walk.get("mentions")
    if mentions and mentions[-1] == noun:
        walk.put("mentions", mentions[:-1])
    asked = walk.get("asked")
    if asked and asked[-1].noun == noun and walk.get("subject") is not None:
        return None
    return noun


def _counts_rows(walk: Walk, left: Noun | None, right: Item | None) -> bool:
    """Whether a number counts what stands behind it: countries with more than 10 customers."""
    if left is None or right is None:
        return False
    nothing_else = not walk.get("asked") and walk.get("subject") is None
    counted = right.links[0].kind in ("table", "event") and walk.kind() == "noun"
    return left.plural and nothing_else and counted


def _figure_before(walk: Walk, unit: str) -> Asked | None:
    """Return the figure that was asked for just before ("whose number of rentals exceeds 30")."""
    asked = walk.get("asked")
    if walk.get("subject") is not None and asked and asked[-1].noun == walk.last_noun:
        walk.put("asked", asked[:-1])
        figure: Asked = asked[-1]
        return figure
    noun = walk.last_noun
    if noun is not None and noun.kind == "money" and walk.has_head:
        return Asked("sum", noun)
    return None


def read_unit(walk: Walk, number: Item) -> str:
    item = walk.peek()
    if (
        item is not None
        and item.low in UNITS
        and item.kind in ("unknown", "grain", "prep", "noun", "share", "rank")
    ):
        walk.at += 1
        return UNITS[item.low]
    if item is not None and item.low in UNITS and item.kind == "punct":
        walk.at += 1
    return "money" if number.text[:1] in "$€£" else ("percent" if number.text.endswith("%") else "")


def on_or_more(walk: Walk) -> None:
    """and over 145: a comparison, where no number stands before it."""
    item = walk.items[walk.at]
    number = walk.peek(1)
    walk.at += 1
    if number is None or number.kind != "num":
        walk.unread(item)
        return
    walk.at += 1
    over = {"ormore": ">", "orless": "<"}[item.kind]
    add_comparison(walk, over, number, None)
