"""Items to a draft: one handler per kind of item, each moves the walk on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Final

from agent.models.offline import (
    comparing,
    conditions,
    denying,
    grouping,
    heads,
    numbering,
    ranking,
    shaping,
)
from agent.models.offline.draft import Asked, Draft
from agent.models.offline.item import Item
from agent.models.offline.walk import Walk

_HANDLERS: Final[dict[str, Callable[[Walk], None]]] = {
    "count": heads.on_count,
    "much": heads.on_much,
    "agg": heads.on_agg,
    "top": ranking.on_top,
    "common": ranking.on_common,
    "rank": ranking.on_rank,
    "noun": heads.on_noun,
    "by": grouping.on_by,
    "order": shaping.on_order,
    "rerank": shaping.on_rerank,
    "dir": shaping.on_direction,
    "alpha": shaping.on_alphabetical,
    "share": shaping.on_share,
    "chart": shaping.on_chart,
    "nochart": shaping.on_no_chart,
    "time": shaping.on_time,
    "grain": shaping.on_grain,
    "distinct": shaping.on_distinct,
    "exists": shaping.on_exists,
    "compare": shaping.on_compare,
    "which": shaping.on_which,
    "cmp": comparing.on_cmp,
    "than": comparing.on_than,
    "between": comparing.on_between,
    "ormore": comparing.on_or_more,
    "orless": comparing.on_or_more,
    "num": numbering.on_num,
    "unknown": conditions.on_value,
    "quoted": conditions.on_value,
    "neg": denying.on_neg,
    "whether": denying.on_whether,
    "contains": conditions.on_like,
    "starts": conditions.on_like,
    "ends": conditions.on_like,
    "period": conditions.on_period,
}
_SILENT: Final = frozenset({"long", "prep", "punct", "and", "or", "both", "that", "each"})
_LISTS_TOO: Final = re.compile(
    r"\band (?:what|which|who) (?:are|is) (?:they|these|those|it)\b", re.IGNORECASE
)
_FIELDS: Final = frozenset(field.name for field in fields(Draft))


def interpret(text: str, items: Sequence[Item]) -> Draft:
    """Return what a question says, in parts."""
    walk = Walk(items)
    while (item := walk.peek()) is not None:
        before = walk.at
        handler = _HANDLERS.get(item.kind)
        if handler is not None:
            handler(walk)
        elif item.kind in _SILENT:
            walk.at += 1
        else:
            walk.unread(item)
            walk.at += 1
        if walk.at == before:
            walk.at += 1
        walk.last_kind = walk.items[walk.at - 1].kind
        if (
            item.kind == "prep"
            and item.low in ("are", "is", "was", "were", "come", "have", "has")
            and not walk.get("base_values")
        ):
            walk.put("base_values", len(walk.get("values")))
            walk.put("base_periods", len(walk.get("periods")))
    return _finish(text, walk)


def _finish(text: str, walk: Walk) -> Draft:
    if walk.pending == "count":
        walk.add("asked", Asked("count", walk.last_table, outer=walk.outer))
    elif walk.pending == "much":
        walk.add("asked", Asked("sum", walk.last_noun))
    elif walk.pending and walk.pending != "rank":
        walk.add("asked", Asked(walk.pending, walk.last_noun if not walk.get("show") else None))
    if walk.negate:
        walk.add("unread", "not")
    parts = {name: value for name, value in walk.parts.items() if name in _FIELDS}
    draft = Draft(text=text, **parts)
    if _LISTS_TOO.search(text) and len(draft.asked) == 1 and draft.asked[0].agg == "count":
        # How many are there, and what are they: the list answers both.
        draft = replace(draft, asked=(), subject=draft.asked[0].noun)
    values = tuple(
        replace(v, phrases=conditions.resolve_phrases(v.phrases, text)) for v in draft.values
    )
    return replace(draft, values=values)
