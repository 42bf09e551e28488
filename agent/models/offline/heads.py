"""What is asked for: counts, totals, averages, tops, and the things that are listed."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.compounds import read_compound
from agent.models.offline.draft import Asked, Noun
from agent.models.offline.item import Item
from agent.models.offline.walk import Walk

_BETWEEN_COUNT_AND_NOUN = ("prep", "distinct", "unknown", "quoted", "top", "grain", "num", "rank")


def on_count(walk: Walk) -> None:
    """how many X, number of X: the noun that is counted may stand a few words on."""
    times = (walk.peek() or walk.items[0]).low in ("how many times", "how often")
    walk.at += 1
    them = walk.find({"that"})
    if them is not None and walk.items[walk.at + them].low in ("them", "those", "these"):
        # How many of them are active: the rows are those of before.
        walk.at += them + 1
        walk.add("asked", Asked("count"))
        return
    if times:
        walk.put("asked", (*walk.get("asked"), Asked("count")))
        return
    walk.pending = "count"


def on_much(walk: Walk) -> None:
    """how much: a sum, unless the noun that follows is a price of one thing."""
    walk.at += 1
    walk.pending = "much"


def on_agg(walk: Walk) -> None:
    """average X, total number of X, maximum X; an aggregate after its noun bends the last one."""
    item = walk.items[walk.at]
    walk.at += 1
    while walk.kind() in ("and", "punct") and walk.kind(1) == "agg":
        walk.earlier = (*walk.earlier, item.value)
        item = walk.items[walk.at + 1]
        walk.at += 2
    named = walk.get("asked") or walk.get("subject") or not walk.get("show")
    if item.value == "sum" and walk.kind() in ("", "punct") and walk.has_head and named:
        return
    follows = walk.find(
        {"noun", "count", "agg", "quoted", "distinct", "much"}, over=("prep", "top", "unknown")
    )
    if follows is None:
        _bend_last(walk, item.value)
    elif walk.kind(follows) in ("count", "agg") or walk.pending == "count":
        walk.outer = item.value
    else:
        walk.pending = item.value


def _bend_last(walk: Walk, agg: str) -> None:
    asked = walk.get("asked")
    if not asked:
        show = walk.get("show")
        if show:
            walk.put("asked", (Asked(agg, show[-1]),))
            walk.put("show", show[:-1])
        else:
            walk.pending = agg
        return
    last = asked[-1]
    bent = replace(last, outer=agg) if last.agg == "count" else replace(last, agg=agg)
    if agg != "sum":
        walk.put("asked", (*asked[:-1], bent))


def on_noun(walk: Walk) -> None:
    """A name: what is asked for, what it waits for, or what else takes part."""
    before = walk.peek(-1)
    noun = read_compound(walk)
    if (
        before is not None
        and before.low == "to"
        and noun.kind in ("table", "event")
        and not noun.plural
        and before.end + 1 == walk.items[walk.at - 1].start
        and _is_bare_verb(walk.items[walk.at - 1])
    ):
        return
    if _is_said_of_subject(walk, before, noun):
        walk.note_noun(noun)
        walk.add("mentions", noun)
        return
    walk.note_noun(noun)
    if walk.pending == "rank":
        _rank_by(walk, noun)
    elif walk.pending:
        _ask(walk, noun)
    elif not walk.has_head:
        _first_noun(walk, noun)
    else:
        _further_noun(walk, noun)


def _is_said_of_subject(walk: Walk, before: Item | None, noun: Noun) -> bool:
    """Whether a column is what rows are, not what is shown of them: which customers are active."""
    copula = before is not None and before.low in ("are", "is", "was", "were")
    close = walk.items[walk.at - 1].close
    plain = noun.kind == "column" and not noun.plural and not noun.verb
    return copula and close and plain and walk.get("subject") is not None and not walk.pending


def _is_bare_verb(item: Item) -> bool:
    """Whether a word is the plain form of a verb: films that cost 0.99 to *rent*."""
    return item.low in (
        "rent",
        "buy",
        "order",
        "replace",
        "hire",
        "book",
        "purchase",
        "borrow",
        "ship",
        "pay",
    )


def _rank_by(walk: Walk, noun: Noun) -> None:
    walk.pending = ""
    rank = walk.get("rank")
    if not walk.has_head and not walk.get("person") and not walk.get("groups"):
        if noun.kind == "event":
            walk.put("rank", replace(rank, asked=Asked("count", noun)))
            return
        if noun.kind == "money" and walk.kind() == "grain":
            walk.put("rank", replace(rank, asked=Asked("sum", noun)))
            return
        if noun.kind != "table":
            walk.add("asked", Asked("max" if rank.desc else "min", noun))
            walk.put("rank", None)
            return
    if noun.kind == "column":
        walk.put("rank", replace(rank, noun=noun))
    else:
        agg = "count" if noun.kind in ("table", "event") else "sum"
        walk.put("rank", replace(rank, asked=Asked(agg, noun, distinct=walk.distinct)))
    walk.distinct = False


def _ask(walk: Walk, noun: Noun) -> None:
    agg, walk.pending = walk.pending, ""
    if agg == "much" and noun.kind == "table" and not noun.verb and _money_follows(walk):
        walk.pending = "much"
        walk.add("mentions", noun)
        return
    if agg == "much" and noun.kind == "column":
        walk.add("show", noun)
        return
    if agg == "much":
        agg = "sum"
    asked = Asked(agg, noun, distinct=walk.distinct, outer=walk.outer)
    walk.distinct, walk.outer = False, ""
    rank = walk.get("rank")
    if (
        rank is not None
        and rank.asked is None
        and not rank.noun
        and not rank.concept
        and rank.limit is None
        and walk.has_head
    ) or (rank is not None and walk.has_head and rank.asked is None and not rank.noun):
        walk.put("rank", replace(rank, asked=asked))
    else:
        for earlier in walk.earlier:
            walk.add("asked", replace(asked, agg=earlier))
        walk.earlier = ()
        walk.add("asked", asked)


def _money_follows(walk: Walk) -> bool:
    """Whether the sum that is asked for is named later: how much has customer 5 *spent*."""
    return any(
        item.kind == "noun" and (item.links[0].kind == "money" or item.verb)
        for item in walk.items[walk.at :]
    )


def _first_noun(walk: Walk, noun: Noun) -> None:
    if noun.kind == "money":
        walk.add("asked", Asked("sum", noun, distinct=False))
    elif noun.kind == "event" or noun.verb:
        walk.add("mentions", noun)
    elif noun.kind in ("column", "role"):
        walk.add("show", noun)
    else:
        walk.put("subject", noun)
    walk.put("distinct", walk.get("distinct") or walk.distinct)
    walk.distinct = False


def _further_noun(walk: Walk, noun: Noun) -> None:
    listing = walk.last_kind in ("and", "punct") and not walk.get("mentions")
    if noun.kind == "money":
        if (
            walk.get("rank") is not None
            and walk.get("rank").asked is None
            and not walk.get("asked")
        ):
            walk.put("rank", replace(walk.get("rank"), asked=Asked("sum", noun)))
        elif not walk.get("asked") or listing:
            walk.add("asked", Asked("sum", noun))
    elif (noun.kind == "column" and not noun.verb) or (noun.kind == "role" and listing):
        if walk.get("asked") and not listing:
            walk.add("mentions", noun)
        else:
            walk.add("show", noun)
    elif listing and noun.kind == "table" and not noun.verb and not walk.get("asked"):
        walk.add("show", noun)
    elif (
        listing
        and walk.get("asked")
        and walk.get("asked")[-1].agg in ("count", "sum")
        and noun.kind == "table"
    ):
        walk.add("asked", replace(walk.get("asked")[-1], noun=noun))
    elif (
        walk.get("subject") is None
        and not walk.get("asked")
        and noun.kind == "table"
        and not noun.verb
    ):
        walk.put("subject", noun)
    else:
        walk.add("mentions", noun)
