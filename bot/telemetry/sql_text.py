"""A query without the values that stand in it."""

from __future__ import annotations

import re
from typing import Final

import pgparse

UNREADABLE: Final = "(a text that is no SQL)"
MOST: Final = 4_000
_COMMENT: Final = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING: Final = re.compile(r"'(?:[^']|'')*'|\$\w*\$")


def without_literals(sql: str) -> str:
    """Return the statement with $1, $2 … for its literals; never one of them, whatever it is."""
    try:
        plain = str(pgparse.normalize(sql))
    except Exception:  # the model wrote it: it may be anything
        return UNREADABLE
    # What PostgreSQL's own normalisation leaves: words in comments, and strings in odd places.
    return _STRING.sub("$?", _COMMENT.sub("", plain)).strip()[:MOST]
