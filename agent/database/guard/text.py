"""What the text must be before anything parses it."""

from __future__ import annotations

import unicodedata
from typing import Final

from agent.errors import SqlRejected

MAX_BYTES: Final = 20_000

_FORBIDDEN_CATEGORIES: Final = frozenset({"Zs", "Zl", "Zp", "Cf", "Co", "Cc", "Cs"})


def check_text(sql: str) -> None:
    """Raise `SqlRejected` for a text that is empty, too long, or that two readers read differently.

    A blank outside ASCII is a letter to PostgreSQL and a blank to most other readers; a zero byte
    ends the text for the driver. Neither is needed: a string may spell it as U&'\\200C'.
    """
    if not sql.strip():
        raise SqlRejected("empty", "", "There is no query.", "Write one SELECT.")
    size = len(sql.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise SqlRejected(
            "too_long",
            "",
            f"The query has {size:,} bytes.",
            f"At most {MAX_BYTES:,} are allowed: leave out comments and blanks, or ask for less.",
        )
    for char in sql:
        if char in "\t\n\r" or " " <= char <= "~":
            continue
        if char < " " or unicodedata.category(char) in _FORBIDDEN_CATEGORIES:
            _refuse(char)


def _refuse(char: str) -> None:
    point = f"U+{ord(char):04X}"
    if ord(char) < 0xA0:
        raise SqlRejected(
            "control_character", point, f"The query holds the control character {point}.",
            "Remove it; only tab and line end may stand between the words.",
        )  # fmt: skip
    raise SqlRejected(
        "invisible_character", point, f"The query holds the invisible character {point}.",
        f"Use a plain blank, or inside a string write it as U&'{_escape(char)}'.",
    )  # fmt: skip


def _escape(char: str) -> str:
    return f"\\{ord(char):04X}" if ord(char) < 0x10000 else f"\\+{ord(char):06X}"
