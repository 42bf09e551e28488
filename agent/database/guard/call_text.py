"""A call as it stands in the text, with a bound put around one of its arguments."""

from __future__ import annotations

import re
from typing import Final

_MOST: Final = 150
_PIECE: Final = re.compile(r"'(?:[^'\\]|'')*'|\"(?:[^\"]|\"\")*\"|--|/\*|[$'\"\\]|[^'\"$\\/-]|[-/]")
_UNSURE: Final = frozenset({"--", "/*", "$", "'", '"', "\\"})


def bounded_call(sql: str, start: int, place: int, most: int) -> str:
    """Return the call that begins at byte `start`, the argument at `place` being at most `most`.

    "" where that is no short text, or one that is not read for certain.
    """
    text = sql.encode()[start:].decode("utf-8", "replace")
    depth, begins, arguments = 0, 0, list[str]()
    for piece in _PIECE.finditer(text):
        sign = piece[0]
        if sign in _UNSURE or piece.end() > _MOST:
            return ""
        if sign in "([":
            depth += 1
            begins = piece.end() if depth == 1 else begins
        elif sign in ")]" or (sign == "," and depth == 1):
            if depth == 1:
                arguments.append(" ".join(text[begins : piece.start()].split()))
                begins = piece.end()
            depth -= sign != ","
            if not depth:
                break
    if depth or place >= len(arguments):
        return ""
    arguments[place] = f"least({arguments[place]}, {most})"
    return f"{text[: text.index('(')].strip()}({', '.join(arguments)})"
