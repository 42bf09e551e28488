"""One meaningful piece of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agent.models.offline.link import Link
from agent.models.offline.periods import Period
from agent.models.offline.reading import listed


@dataclass(frozen=True)
class Item:
    """One meaningful piece of a question.

    `kind` is the kind of a `Mark`, or "noun" (with `links`), "num", "period", "quoted", "unknown",
    "prep" or "punct".
    """

    kind: str
    text: str
    start: int
    end: int
    value: str = ""
    links: tuple[Link, ...] = ()
    number: float | None = None
    period: Period | None = None
    plural: bool = False
    capital: bool = False
    verb: bool = False
    close: bool = False
    """Nothing but a space, a hyphen or a possessive 's stands before it."""
    between: str = ""
    """The small words between it and the item before."""
    low: str = ""


AGENT_VERBS: Final = frozenset(
    listed(
        "made placed done given issued sent received processed handled served generated "
        "owned paid taken booked written"
    )
)
"""Participles that name whose deed it was: payments *made* by customers."""
