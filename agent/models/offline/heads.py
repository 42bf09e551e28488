"""What is asked for: counts, totals, averages, tops, and the things that are listed."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.draft import Asked, Missing, Noun, Rank
from agent.models.offline.items import Item
from agent.models.offline.walk import Walk, noun_of

_BETWEEN_COUNT_AND_NOUN = ("prep", "distinct", "unknown", "quoted", "top", "grain", "num", "rank")


def on_count(walk: Walk) -> None:
    """how many X, number of X: the noun that is counted may stand a few words on."""
    times = (walk.peek() or walk.items[0]).low in ("how many times", "how often")
    walk.at += 1
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
    if item.value == "sum" and walk.kind() in ("", "punct") and walk.has_head:
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
    return (
        follows is not None
        and not walk.has_head
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
        plural=not walk.has_head and _next_is_plural(walk),
    )
    if walk.last_kind == "noun" and walk.last_noun and walk.last_noun.verb:
        rank = replace(rank, asked=Asked("count", walk.last_noun))
    elif (follows := walk.find({"noun"})) is not None and walk.items[walk.at + follows].verb:
        noun = noun_of(walk.items[walk.at + follows])
        rank = replace(rank, asked=Asked("count", noun))
        walk.at += follows + 1
    walk.put("rank", rank)


def on_rank(walk: Walk) -> None:
    """longest X, cheapest X, latest X: an order by what the adjective is about."""
    item = walk.items[walk.at]
    walk.at += 1
    direction, _, concept = item.value.partition(" ")
    number = _limit_after(walk)
    if walk.kind() in ("agg", "count"):
        walk.put("rank", replace(walk.get("rank") or Rank(), desc=direction == "desc", limit=number))
        walk.pending = "rank"
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


def on_noun(walk: Walk) -> None:
    """A name: what is asked for, what it waits for, or what else takes part."""
    before = walk.peek(-1)
    noun = _compound(walk)
    if (
        before is not None
        and before.low == "to"
        and noun.kind in ("table", "event")
        and not noun.plural
        and before.end + 1 == walk.items[walk.at - 1].start
        and _is_bare_verb(walk.items[walk.at - 1])
    ):
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


def _compound(walk: Walk) -> Noun:
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
        return _compound(walk) if adjacent else noun_of(item)
    if following is None or not adjacent or following.verb:
        return noun_of(item)
    if item.verb or (item.links[0].kind == "column" and following.links[0].kind == "table"):
        walk.add("missing", Missing(noun_of(item), noun_of(following), negated=False))
        return _compound(walk)
    sure = following.links[0].score >= (0.5 if following.links[0].kind == "column" else 0.95)
    if not item.plural and item.links[0].kind == "table" and sure:
        walk.add("mentions", noun_of(item))
        return _compound(walk)
    return noun_of(item)


def _rank_by(walk: Walk, noun: Noun) -> None:
    walk.pending = ""
    rank = walk.get("rank")
    if not walk.has_head and not walk.get("person") and not walk.get("groups"):
        if noun.kind == "event":
            walk.put("rank", replace(rank, asked=Asked("count", noun)))
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
    if agg == "much":
        agg = "sum" if noun.kind in ("money", "table", "event") else ""
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
    ):
        walk.put("rank", replace(rank, asked=asked))
    elif rank is not None and walk.has_head and rank.asked is None and not rank.noun:
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
