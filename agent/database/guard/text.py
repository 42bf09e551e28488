"""What the text must be before anything parses it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from agent.database.guard.rejection import rejection
from agent.errors import SqlRejected

MAX_BYTES: Final = 20_000

_PLAIN: Final = re.compile(r"[\t\n\r -~]*")
# PostgreSQL's lexer reads such a run anew for each comment in it, so the time grows as a square.
_LONG_RUN: Final = re.compile(r"[-+*/<>=~!@#%^&|`?]{2000}")

_FORBIDDEN_CATEGORIES: Final = frozenset({"Zs", "Zl", "Zp", "Cf", "Co", "Cc", "Cs"})
# Letters and signs by category, but nothing to be seen: fillers, joiners, the empty Braille cell.
_BLANK_ALL_THE_SAME: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
# A mark of order at the start, and a place to break a word: nobody means them.
_SOFT_HYPHEN: Final = "\u00ad"
_LEFT_BEHIND: Final = frozenset({"\ufeff", _SOFT_HYPHEN})
_JOINER: Final = "\u200d"
"""Makes one picture of two."""
_LATIN: Final = "\u024f"
# Pictographs that are newer than this Python's tables.
_PICTOGRAPHS: Final = range(0x1F000, 0x1FB00)


def check_text(sql: str) -> None:
    """Raise `SqlRejected` for a text that is empty, too long, or that two readers read differently.

    A blank outside ASCII is a letter to PostgreSQL and a blank to most other readers; a zero byte
    ends the text for the driver. Neither is needed: a string may spell it as U&'\\200C'.
    """
    if not sql.strip():
        raise rejection("empty", "", "There is no query.", "Write one SELECT.")
    size = len(sql.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise rejection(
            "too_long", "", f"The query has {size:,} bytes.",
            f"At most {MAX_BYTES:,} are allowed: leave out comments and blanks, or ask for less.",
        )  # fmt: skip
    if _LONG_RUN.search(sql):
        raise rejection(
            "too_long", "", "The query has a run of 2,000 signs such as - and *.", "Shorten it."
        )
    if _PLAIN.fullmatch(sql):
        return
    for place, char in enumerate(sql):
        if char in "\t\n\r" or " " <= char <= "~":
            continue
        if char < " " or _is_unseen(char):
            raise _refuse(char, sql, place)


def _is_unseen(char: str) -> bool:
    category = unicodedata.category(char)
    if category == "Cn":
        return ord(char) not in _PICTOGRAPHS
    return category in _FORBIDDEN_CATEGORIES or char in _BLANK_ALL_THE_SAME


def _refuse(char: str, sql: str, place: int) -> SqlRejected:
    joins = re.search(rf"\w{re.escape(char)}\w", sql) is not None  # two words, were it left out
    number = ord(char)
    point = f"U+{number:04X}"
    if number < 0xA0:
        return rejection(
            "control_character", point, f"The query holds the control character {point}.",
            f"{'Use a plain blank' if joins else 'Remove it'};"
            " only tab and line end may stand between the words.",
        )  # fmt: skip
    spelled = f"U&'\\{number:04X}'" if number <= 0xFFFF else f"U&'\\+{number:06X}'"
    is_between = joins and char != _SOFT_HYPHEN
    if unicodedata.category(char) == "Cs" or (char in _LEFT_BEHIND and not is_between):
        hint = "Remove it."
    elif char == _JOINER and place and sql[place - 1] > _LATIN:
        hint = f"Leave the picture out, or inside a string write it as {spelled}."
    else:
        hint = f"Use a plain blank, or inside a string write it as {spelled}."
    return rejection(
        "invisible_character", point, f"The query holds the invisible character {point}.", hint
    )
