"""One query for values that lie one slip of the keyboard away from what was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.probes import NEAR, Place, quote

MAX_ROWS: Final = 50_000
"""A table of more rows is not searched for misspelt words."""
MAX_PLACES: Final = 12
_LENGTHS: Final = range(5, 31)
"""Letters of a text that may be misspelt: a shorter one is likelier another word."""
_MAX_TEXTS: Final = 4


def near_sql(texts: Sequence[str], where: Sequence[Place], atlas: Atlas) -> str:
    """Return one query that looks for values nearly spelt as one of `texts`; "" where none can be.

    Each place is a column, or a pair of name columns.
    """
    places = [p for p in where if not p.array and (atlas.tables[p.table].rows or 0) <= MAX_ROWS]
    wanted = [
        text.lower() for text in texts if len(text) in _LENGTHS and not set(text) & set("%_\\")
    ]
    patterns = dict.fromkeys(p for text in wanted[:_MAX_TEXTS] for p in _one_slip_away(text))
    if not patterns or not places:
        return ""
    arms = "\nUNION ALL\n".join(_values(place) for place in places[:MAX_PLACES])
    listed = ", ".join(map(quote, patterns))
    return (
        f"{NEAR}\n{arms}\n) AS held\nWHERE lower(held.value) LIKE ANY (ARRAY[{listed}])\nLIMIT 20"
    )


def _values(place: Place) -> str:
    text = " || ' ' || ".join(place.columns)
    text = text if len(place.columns) > 1 else f"{text}::text"
    return f"SELECT {quote(place.key)} AS place, {text} AS value FROM {place.table}"


def _one_slip_away(text: str) -> Iterator[str]:
    """Yield LIKE patterns for a wrong, a missing, a needless letter, and for two that changed
    places; the first letter is seldom the wrong one."""
    for n in range(1, len(text)):
        yield f"{text[:n]}_{text[n + 1 :]}"
        yield f"{text[:n]}_{text[n:]}"
        yield f"{text[:n]}{text[n + 1 :]}"
        yield f"{text[: n - 1]}{text[n]}{text[n - 1]}{text[n + 1 :]}"
    yield f"{text}_"
