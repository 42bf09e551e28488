"""Values whose connection with the question is in doubt: too far away, or two of one thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Draft
from agent.models.offline.frame import Spot, Unclear
from agent.models.offline.places import Places
from agent.models.offline.reading import name_words, stems
from agent.models.offline.values import Found
from agent.models.offline.ways import plain

_ROUNDABOUT: Final = 2
"""More steps than this from one row to many make a connection that nobody meant."""

_LOGINS: Final = stems("username login nickname user")


def are_alternatives(phrase: str, places: Sequence[tuple[str, str]], atlas: Atlas) -> bool:
    """Whether "Horror and Comedy" is either one: values of one column, no two persons."""
    joined = re.search(r"\s(?:and|or|&)\s|,", phrase, re.IGNORECASE)
    return joined is not None and all(
        "+" not in column and not atlas.column(table, column).type.endswith("[]")
        for table, column in places
    )


def refuse_far(spot: Spot, places: Places, draft: Draft) -> None:
    """Raise `Unclear` where only a roundabout way through tables of many rows leads there."""
    named = {*places.mentioned, *(noun.best.table for noun in draft.mentions)} - {places.root}
    downs = [step for step in spot.path if not step.up]
    if len(downs) > _ROUNDABOUT and not any(step.target in named for step in spot.path):
        first, last = plain(places.root), plain(spot.table)
        raise Unclear(f"A {last} says nothing of a {first} by itself. How are they connected?")


def ask_either(spot: Spot, found: Sequence[str], places: Places, draft: Draft) -> None:
    """Ask whether "rented Horror and Comedy films" means one deed of either kind.

    Raises `Unclear` until a reply tells.
    """
    deeds = {noun.best.table for noun in draft.mentions if noun.verb} - {places.root}
    if len(found) < 2 or not any(s.target in deeds and not s.up for s in spot.path):
        return
    said = rf"{re.escape(found[0])}\s+and\s+(?:\w+\s+)?{re.escape(found[1])}"
    if not re.search(said, draft.text, re.IGNORECASE):
        return
    options = (f"either {' or '.join(found)}", "both of them")
    reply = places.reply(options)
    if reply == 1:
        raise Unclear("I cannot look for both at once. Please ask for one after the other.")
    if reply is None:
        raise Unclear(f"Do you mean {' or '.join(found)}, or both?", options)


def without_first_names(
    found: Sequence[Found], text: str, draft: Draft, atlas: Atlas
) -> tuple[Found, ...]:
    """Drop people called India where the question says "in India": a place is meant."""
    if not re.search(rf"\bin {re.escape(text)}\b", draft.text, re.IGNORECASE):
        return tuple(found)
    halves = [f for f in found if _is_half(f, atlas)]
    return tuple(f for f in found if f not in halves)


def _is_half(found: Found, atlas: Atlas) -> bool:
    label = atlas.label(found.table)
    if len(label) < 2:
        return False
    return found.column in label or bool(set(name_words(found.column)) & _LOGINS)


def subject_words(table: str, column: str) -> str:
    """Return what a column's values are called: "rating", or "customer" for a customer's name."""
    if "+" in column:
        return plain(table)
    name = plain(column)
    return plain(table) if name in ("name", "title", plain(table)) else f"{plain(table)} {name}"
