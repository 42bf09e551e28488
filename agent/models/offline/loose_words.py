"""Values that are everyday words: "new" may be a category, or only what people say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Draft, Noun, ValueCond
from agent.models.offline.reading import listed

_EVERYDAY: Final = frozenset(
    listed(
        "new old good bad great best worst big small large little high low long short open closed "
        "free full empty other another different same real first last next early late recent "
        "current past main own special general common popular normal regular standard basic extra "
        "all some many more most less few time day way thing things question questions answer "
        "show story live hot top right left true false yes no up down on off out over now today "
        "here there please help sure fine ok okay well just only simple easy hard fast slow"
    )
)
_LEADS_IN: Final = frozenset(listed("in of from for is are was were as called named only except"))
_NEAR: Final = 2
"""Keys between the rows that a word describes and the value: films to categories, past a link."""


def is_loose(text: str, table: str, cond: ValueCond, draft: Draft, atlas: Atlas) -> bool:
    """Whether a value of `table` is an everyday word, and nothing beside it says that it is meant.

    Beside it may stand its own column or table, a preposition, the rows that it describes, quotes,
    or a capital inside the sentence.
    """
    if text.lower() not in _EVERYDAY or cond.hint is not None or cond.turn:
        return False
    found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", draft.text, re.IGNORECASE)
    if found is None:
        return False
    before, after = draft.text[: found.start()], draft.text[found.end() :]
    begins = not before.strip() or before.rstrip().endswith((".", ":", "!", "?", "-"))
    if before.endswith(('"', "“", "'", "‘")) or (found[0][0].isupper() and not begins):
        return False
    last = (before.split() or [""])[-1].lower()
    if last in _LEADS_IN:
        return False
    return not any(
        after.strip().lower().startswith(noun.text.lower()) and _describes(noun, table, atlas)
        for noun in _nouns(draft)
    )


def _describes(noun: Noun, table: str, atlas: Atlas) -> bool:
    ways = atlas.paths(noun.best.table, table) if noun.best.table in atlas.tables else []
    if noun.best.table == table:
        return True
    return any(
        sum(not atlas.is_link(step.target) for step in way) == 1 and len(way) <= _NEAR
        for way in ways
    )


def _nouns(draft: Draft) -> Iterator[Noun]:
    asked = (one.noun for one in draft.asked)
    groups = (group.noun for group in draft.groups)
    every = (draft.subject, *asked, *groups, *draft.show, *draft.mentions)
    return (noun for noun in every if noun is not None)
