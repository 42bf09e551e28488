"""Who did something: the people of the table that the verb names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Draft, Noun
from agent.models.offline.frame import Frame, Unclear
from agent.models.offline.link import Link
from agent.models.offline.places import Places
from agent.models.offline.reading import listed, name_words
from agent.models.offline.thesaurus import alike
from agent.models.offline.ways import plain, reaches_down

_DID: Final = re.compile(r"^\W*(?:and )?who(?: all| else)?(?: has| have| had)? \w+", re.IGNORECASE)
_BUYER: Final = frozenset(w for word in ("custom", "member", "user") for w in alike(word))
_SELLER_VERBS: Final = frozenset(listed("sell sold process handl serv earn made manag"))


def with_doers(draft: Draft, atlas: Atlas) -> Draft:
    """Read "who rented X" as the customers who did; what they did it to takes part.

    Raises `Unclear` where it may be one kind of people or another.
    """
    if not draft.person or draft.asked or draft.rank or draft.groups or not _DID.match(draft.text):
        return draft
    said = (*draft.mentions, *draft.show)
    deed = next((n for n in said if n.verb and n.best.table in atlas.tables), None)
    if deed is None or any(len(atlas.label(n.best.table)) == 2 for n in _named(draft, atlas)):
        return draft
    people = _people_above(atlas, deed.best.table)
    if not people:
        return draft
    table = choose_person(people, Places(atlas, draft, deed.best.table, ()))
    doers = Noun(plain(table), (Link("table", table),), plural=True)
    rest = (draft.subject,) if draft.subject is not None else ()
    shown = tuple(noun for noun in draft.show if noun != deed)
    told = (*draft.mentions, *((deed,) if deed in draft.show else ()), *rest)
    return replace(draft, subject=doers, person=False, mentions=told, show=shown)


def check_people(draft: Draft, frame: Frame, atlas: Atlas) -> None:
    """Raise `Unclear` where "who" would be answered with rows of what is no person."""
    people = [frame.root, *(spot.table for spot in frame.shown)]
    people += [dimension.table for dimension in frame.dimensions]
    if not draft.person or (frame.figures and not frame.dimensions):
        return
    if not any(len(atlas.label(table)) == 2 for table in people if table in atlas.tables):
        raise Unclear("I cannot tell which people you mean by “who”.")


def _named(draft: Draft, atlas: Atlas) -> list[Noun]:
    nouns = [n for n in (draft.subject, *draft.mentions, *draft.show) if n is not None]
    return [n for n in nouns if n.best.kind == "table" and n.best.table in atlas.tables]


def _people_above(atlas: Atlas, event: str) -> list[str]:
    """Return the tables of people that each row of the event belongs to, the nearest first."""
    found = []
    for table in atlas.tables:
        label = atlas.label(table)
        person = len(label) == 2 or (label and set(name_words(table)) & _BUYER)
        ways = atlas.paths(event, table) if person else []
        if ways and not atlas.is_view(table) and not reaches_down(ways[0]):
            found.append(table)
    return sorted(found, key=lambda t: atlas.distance(event, t))


def choose_person(people: Sequence[str], places: Places) -> str:
    """Return which table "who" means. Raises `Unclear` where no verb and no reply tells."""
    buyers = [t for t in people if set(name_words(t)) & _BUYER]
    sells = bool(places.said & _SELLER_VERBS)
    if len(people) == 1 and not (buyers and sells):
        return people[0]
    if buyers and not sells:
        places.note(f"“who” = {plain(buyers[0])}")
        return buyers[0]
    options = tuple(plain(t) for t in people[:5])
    reply = places.reply(options)
    if reply is None:
        raise Unclear("Whom do you mean by “who”?", options)
    return people[reply]
