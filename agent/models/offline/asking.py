"""Which figures a draft asks for, also where it does not say so in so many words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from agent.models.offline.amounts import has_money, is_amount, rank_choices
from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Asked, Draft, Noun
from agent.models.offline.frame import Unclear
from agent.models.offline.link import Link
from agent.models.offline.places import Places
from agent.models.offline.reading import name_words
from agent.models.offline.thesaurus import QUANTITY_WORDS
from agent.models.offline.ways import plain, reaches_down


def with_columns_ranked(draft: Draft, atlas: Atlas) -> Draft:
    """Read "the highest number of citations" as the highest citation_num, where rows have one."""
    rank = draft.rank
    if rank is None or rank.asked is None or rank.asked.agg != "count" or rank.asked.distinct:
        return draft
    noun = rank.asked.noun
    if (
        noun is None
        or noun.best.kind != "column"
        or noun.verb
        or noun.best.table not in atlas.tables
    ):
        return draft
    if not is_amount(atlas, noun.best.table, noun.best.column):
        return draft
    return replace(draft, rank=replace(rank, asked=None, noun=noun))


def with_chosen_rank(draft: Draft, atlas: Atlas, subject: str | None) -> Draft:
    """Rank by what the person chose, where "best" alone did not say by what."""
    rank = draft.rank
    bare = rank is not None and not (rank.asked or rank.noun or rank.concept)
    if rank is None or not bare or draft.asked or subject is None or not draft.replies:
        return draft
    if draft.named is not None:
        return replace(draft, rank=draft.named)
    choices = rank_choices(atlas, subject)
    reply = Places(atlas, draft, subject, ()).reply(tuple(choices))
    if reply is None:
        return draft
    chosen = list(choices.values())[reply]
    if isinstance(chosen, Asked):
        return replace(draft, rank=replace(rank, asked=chosen))
    return replace(draft, rank=replace(rank, noun=chosen))


def find_asked(draft: Draft, atlas: Atlas, subject: str | None) -> tuple[Asked, ...]:
    """Return the figures of a draft. Raises `Unclear` where it may be one or another."""
    rank = draft.rank
    if draft.asked:
        asked = [_per_each(_counted_units(one, atlas), draft, atlas) for one in draft.asked]
        return tuple(figure for one in asked for figure in _with_events(one, draft, atlas))
    if rank is not None and rank.asked is not None:
        return _with_events(rank.asked, draft, atlas)
    if rank is not None and rank.concept in ("popular", "sold") and subject is not None:
        return (_popularity(draft, atlas, subject, rank.concept),)
    split = draft.groups or draft.over_time or draft.share
    if rank is not None and rank.noun is not None and subject is not None and split is not True:
        column = next((link for link in rank.noun.links if link.kind == "column"), None)
        ways = (
            atlas.paths(subject, column.table)
            if column is not None and column.table != subject
            else []
        )
        if ways and reaches_down(ways[0]) and is_amount(atlas, column.table, column.column):  # type: ignore[union-attr]
            return (Asked("sum", rank.noun),)
    if (
        split
        and draft.subject is None
        and len(draft.show) == 1
        and draft.show[0].best.kind == "column"
    ):
        return (_shown_figure(draft.show[0], atlas, draft),)
    ranked_by_own = rank is not None and bool(rank.concept or rank.noun)
    if (
        draft.subject is not None
        and not draft.show
        and not ranked_by_own
        and not _LISTING.match(draft.text)
    ):
        nameless = (
            subject is not None
            and not atlas.label(subject)
            and bool(draft.periods)
            and rank is None
            and not re.match(r"\s*(?:show|display|which)\b", draft.text, re.IGNORECASE)
        )
        if split or nameless:
            return (Asked("count", draft.subject),)
    return ()


_LISTING: Final = re.compile(
    r"\s*(?:please\s+)?(?:list|show me all|show all|give me a list)\b", re.IGNORECASE
)


def _shown_figure(noun: Noun, atlas: Atlas, draft: Draft) -> Asked:
    """Read "slots per facility": the total of an amount, the count of what is no number."""
    link = noun.best
    if is_amount(atlas, link.table, link.column):
        return Asked("sum", noun)
    if not atlas.is_numeric(link.table, link.column):
        return Asked("count", noun, distinct=True)
    options = (f"the average {plain(link.column)}", f"the total {plain(link.column)}")
    reply = Places(atlas, draft, link.table, ()).reply(options)
    if reply is None:
        raise Unclear(f"Which figure of {plain(link.column)} do you mean?", options)
    return Asked("avg" if reply == 0 else "sum", noun)


def _with_events(asked: Asked, draft: Draft, atlas: Atlas) -> tuple[Asked, ...]:
    """Count "films rented" both ways: each rental, and each film once."""
    noun = asked.noun
    if asked.agg != "count" or asked.distinct or asked.outer or noun is None or noun.verb:
        return (asked,)
    table = noun.best.table
    if noun.best.kind != "table" or len(atlas.label(table)) == 2:
        return (asked,)
    for event in draft.mentions:
        ways = atlas.paths(event.best.table, table) if event.verb and event.best.table else []
        if ways and ways[0] and not reaches_down(ways[0]):
            return Asked("count", event), replace(asked, distinct=True)
    return (asked,)


def _counted_units(asked: Asked, atlas: Atlas) -> Asked:
    """Add up what is an amount already: "how many units" of a column of numbers."""
    noun = asked.noun
    if (
        asked.agg != "count"
        or asked.distinct
        or noun is None
        or noun.best.kind != "column"
        or noun.verb
    ):
        return asked
    if not is_amount(atlas, noun.best.table, noun.best.column):
        return asked
    return replace(asked, agg=asked.outer or "sum", outer="")


def _per_each(asked: Asked, draft: Draft, atlas: Atlas) -> Asked:
    """Read "average revenue per customer" as the average of the customers' revenues.

    "Average rentals per customer" is that of their numbers, where a rental holds no money.
    """
    each = bool(draft.groups) and all(g.each and g.noun is not None for g in draft.groups)
    noun = asked.noun
    counted = noun is not None and noun.kind == "table" and noun.plural
    if asked.agg == "avg" and each and noun is not None and counted:
        table = noun.best.table
        if table in atlas.tables and not has_money(atlas, table):
            return replace(asked, agg="count", outer="avg")
    # An amount is of one row; revenue is a sum of many.
    money = (
        asked.noun is not None
        and asked.noun.best.kind == "money"
        and not asked.noun.text.lower().startswith("amount")
    )
    if money and asked.agg == "avg" and draft.groups and all(group.each for group in draft.groups):
        return replace(asked, agg="sum", outer="avg")
    return asked


def _sold_quantity(atlas: Atlas, subject: str) -> Noun | None:
    """Return the nearest column that counts pieces sold of each row, if there is one."""
    found: list[tuple[float, str, str]] = []
    for table, known in atlas.tables.items():
        ways = atlas.paths(subject, table) if table != subject else []
        if not ways or not reaches_down(ways[0]) or atlas.is_view(table):
            continue
        for column in known.columns:
            if set(name_words(column)) & QUANTITY_WORDS and "price" not in name_words(column):
                found.append((atlas.distance(subject, table), table, column))
    if not found:
        return None
    _, table, column = min(found)
    return Noun(plain(column), (Link("column", table, column),))


def _popularity(draft: Draft, atlas: Atlas, subject: str, concept: str) -> Asked:
    """Return what makes rows popular: how many rows of the nearest table of events they have."""
    if concept == "sold" and (quantity := _sold_quantity(atlas, subject)):
        return Asked("sum", quantity)
    found: list[tuple[float, str]] = []
    for table in atlas.tables:
        ways = atlas.paths(subject, table)
        events = atlas.date_columns(table) and not atlas.is_view(table) and table != subject
        if ways and events and reaches_down(ways[0]):
            found.append((atlas.distance(subject, table), table))
    found.sort()
    nearest = [table for distance, table in found if distance - found[0][0] < 4]
    options = tuple(f"by number of {plain(table)} rows" for table in nearest)
    chosen = Places(atlas, draft, subject, ()).reply(options) if len(nearest) > 1 else 0
    if not nearest or chosen is None:
        word = "best selling" if concept == "sold" else "popular"
        raise Unclear(f"What makes {plain(subject)} “{word}”?", options)
    return Asked("count", Noun(plain(nearest[chosen]), (Link("table", nearest[chosen]),)))


def draft_asks(draft: Draft) -> bool:
    """Whether a figure was asked for in so many words."""
    return bool(draft.asked or (draft.rank is not None and draft.rank.asked))
