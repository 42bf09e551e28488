"""What an average of counts may be per, where the question leaves that open."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Draft, GroupBy, Noun
from agent.models.offline.link import Link
from agent.models.offline.places import Places
from agent.models.offline.ways import plain

MAX_CHOICES = 5


def group_choices(atlas: Atlas, table: str) -> dict[str, GroupBy]:
    """Return what the rows of a table may be counted per, by the words that offer it."""
    found: dict[str, GroupBy] = {}
    for key in atlas.keys:
        if key.table == table and atlas.label(key.target) and len(found) < MAX_CHOICES - 1:
            noun = Noun(plain(key.target), (Link("table", key.target),))
            found.setdefault(f"per {plain(key.target)}", GroupBy(noun, each=True))
    if atlas.date_columns(table):
        found["per month"] = GroupBy(grain="month", each=True)
    return found


def with_chosen_group(draft: Draft, atlas: Atlas) -> Draft:
    """Count per what the person chose by its place, where the question did not say."""
    outer = [one.noun for one in draft.asked if one.outer and one.noun is not None]
    table = outer[0].best.table if outer else ""
    if draft.groups or not draft.replies or table not in atlas.tables:
        return draft
    choices = group_choices(atlas, table)
    chosen = Places(atlas, draft, table, ()).reply(tuple(choices))
    return draft if chosen is None else replace(draft, groups=(list(choices.values())[chosen],))
