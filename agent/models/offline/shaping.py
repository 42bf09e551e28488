"""How the answer is shaped: groups, order, share, chart, time."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.compounds import read_compound
from agent.models.offline.draft import GroupBy, Rank
from agent.models.offline.grouping import is_figure, read_figure
from agent.models.offline.walk import Walk


def on_order(walk: Walk) -> None:
    """sorted by X: an order that shows everything."""
    walk.at += 1
    walk.skip("prep", "top", "by")
    item = walk.peek()
    rank = walk.get("rank")
    base = (
        replace(rank, superlative=rank.limit is not None)
        if rank
        else Rank(False, superlative=False)
    )
    if item is None:
        return
    if item.kind == "grain":
        walk.at += 1
        walk.put("rank", replace(base, concept="date", desc=False))
    elif is_figure(walk):
        asked = read_figure(walk)
        walk.put("rank", replace(base, asked=asked, desc=rank.desc if rank else True))
    elif item.kind == "noun":
        noun = read_compound(walk)
        walk.note_noun(noun)
        walk.put("rank", replace(base, noun=noun))
    elif item.kind == "rank":
        direction, _, concept = item.value.partition(" ")
        walk.at += 1
        walk.put("rank", replace(base, concept=concept, desc=direction == "desc"))


def on_rerank(walk: Walk) -> None:
    """rank X by Y: all of X, in an order."""
    walk.at += 1
    walk.put("rank", Rank(superlative=False))


def on_direction(walk: Walk) -> None:
    """ascending, highest first."""
    item = walk.items[walk.at]
    walk.at += 1
    rank = walk.get("rank") or Rank(superlative=False)
    walk.put("rank", replace(rank, desc=item.value == "desc"))


def on_alphabetical(walk: Walk) -> None:
    """In the order of names."""
    walk.at += 1
    walk.put("order_by_label", True)


def on_share(walk: Walk) -> None:
    """what share of X: a part, in percent of the whole."""
    walk.at += 1
    walk.put("share", True)


def on_chart(walk: Walk) -> None:
    """as a bar chart."""
    item = walk.items[walk.at]
    walk.at += 1
    if not (walk.get("chart") and item.value == ""):
        walk.put("chart", item.value or "auto")


def on_no_chart(walk: Walk) -> None:
    """as a table."""
    walk.at += 1
    walk.put("no_chart", True)


def on_time(walk: Walk) -> None:
    """over time: a series whose unit depends on what it covers."""
    walk.at += 1
    walk.put("over_time", True)


def on_grain(walk: Walk) -> None:
    """monthly revenue, which month: a unit of time to group by."""
    item = walk.items[walk.at]
    walk.at += 1
    if item.low in ("date", "dates", "day", "days") and walk.last_kind == "num":
        return
    if walk.get("groups") and walk.get("groups")[-1].grain == item.value:
        return
    ranked = any(later.kind in ("top", "common") for later in walk.items[walk.at :])
    if item.low in ("date", "dates") and not ranked:
        walk.put("when", True)
        return
    walk.add(
        "groups",
        GroupBy(grain=item.value, plural=item.low.endswith("s"), each=item.low.endswith("ly")),
    )


def on_distinct(walk: Walk) -> None:
    """different X."""
    walk.at += 1
    walk.distinct = True


def on_exists(walk: Walk) -> None:
    """are there any X."""
    walk.at += 1
    if not walk.has_head and not walk.pending:
        walk.put("exists", True)


def on_compare(walk: Walk) -> None:
    """compared to."""
    walk.at += 1
    walk.put("compare", True)


def on_which(walk: Walk) -> None:
    """which, who."""
    item = walk.items[walk.at]
    walk.at += 1
    if item.low == "when":
        walk.put("when", True)
    elif not walk.has_head:
        walk.put("which", True)
        following = walk.peek()
        names = following is not None and following.kind == "noun" and not following.verb
        if item.low in ("who", "whom", "whose") and not names:
            walk.put("person", True)


def on_nothing(walk: Walk) -> None:
    """A word that only joins others."""
    walk.at += 1
