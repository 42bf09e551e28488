"""The unit of a column's numbers, taken only from where a name or a comment says it plainly."""

from __future__ import annotations

import re
from typing import Final

from agent.models.offline.tool_texts import KnownColumn

_TIMES: Final = ("millisecond", "minute", "second", "hour", "day")
_NAMES: Final = (
    ("millisecond", r"milliseconds?|ms"),
    ("minute", r"minutes?|mins"),
    ("second", r"seconds|secs"),
    ("hour", r"hours?|hrs"),
    ("day", r"days"),
)
"""How column names end; a day or a second in the singular is mostly no unit: hire_day."""
_CURRENCIES: Final = (
    (r"us dollars?|usd|u\.s\. dollars?|us\$|\$|dollars?", "$"),
    (r"euros?|eur|€", "€"),
    (r"pounds? sterling|british pounds?|pounds?|gbp|£", "£"),
)
_UNIT_ENDS: Final = r"(?=\W|$)"


def time_unit(column: KnownColumn, words: str) -> str:
    """Return the unit of time that a column counts in, "" where it is not told.

    `words` is the column's name in words. A comment tells it where it begins with the unit, or says
    "in minutes" or "(minutes)"; a unit in the middle of a comment is about something else.
    """
    if not column.type.startswith(("date", "time")):
        for unit, pattern in _NAMES:
            if re.search(rf"\b(?:{pattern})$", words, re.IGNORECASE):
                return unit
    return next((unit for unit in _TIMES if _tells(column.comment, f"{unit}s?")), "")


def currency(column: KnownColumn) -> str:
    """Return the sign of the currency that a column's comment names; "" for none."""
    text = column.comment
    return next((sign for pattern, sign in _CURRENCIES if _tells(text, pattern)), "")


def _tells(comment: str, unit: str) -> bool:
    places = rf"^\W*(?:in )?(?:{unit}){_UNIT_ENDS}|\bin (?:whole |full )?(?:{unit}){_UNIT_ENDS}"
    return re.search(rf"{places}|\((?:in )?(?:{unit})\)", comment, re.IGNORECASE) is not None
