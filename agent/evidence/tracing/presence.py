"""Rows of what is there and of what is not: "2,526 tracks have no composer" where that is known."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.nouns import words

_THERE: Final = words("known present given filled available existing")
_LACKING: Final = words("missing unknown absent lacking empty blank")
_SAYS_NOT: Final = re.compile(
    r"\s*(?:[a-z]+ ){0,2}?(?:(?:have|has|had|with) no|lacks?|are without|is without|without|"
    r"do not have|don't have|(?:are|is) missing)\b",
    re.IGNORECASE,
)
_SAYS_SO: Final = re.compile(
    r"\s*(?:[a-z]+ ){0,2}?(?:do have|have an?|has an?|have (?:their|its|the)|(?:are|is) known)\b",
    re.IGNORECASE,
)


def presence_fault(after: str, table: Table, spot: Spot) -> str:
    """Return the label that a figure is told of, where its row has the opposite; "" if not.

    `after` is the text behind the figure.
    """
    if not _SAYS_NOT.match(after) and not _SAYS_SO.match(after):
        return ""
    for column, meaning in enumerate(table.meanings):
        if meaning.holds is not Holds.TEXT:
            continue
        cells = [row[column] for row in table.rows]
        said = [str(cell).lower() if cell is not None else "missing" for cell in cells]
        if not _sides(said):
            continue
        is_there = said[spot.row] in _THERE
        if is_there and _SAYS_NOT.match(after):
            return next(one for one in said if one in _LACKING)
        if said[spot.row] in _LACKING and _SAYS_SO.match(after):
            return next(one for one in said if one in _THERE)
    return ""


def _sides(said: list[str]) -> bool:
    """Whether there are rows of both kinds."""
    return any(one in _THERE for one in said) and any(one in _LACKING for one in said)
