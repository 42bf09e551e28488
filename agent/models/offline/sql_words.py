"""Changes to the text of a query that leave alone what stands in strings, names and comments."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate
from typing import Final

NAME: Final = r'(?:"(?:[^"]|"")+"|[A-Za-z_]\w*)'

_LITERAL: Final = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/|\$(\w*)\$.*?\$\1\$", re.DOTALL
)
_MARKS: Final = re.compile(r",|\bSELECT\b(?:\s+DISTINCT\b)?|\bFROM\b", re.IGNORECASE)


def outside_literals(sql: str, change: Callable[[str], str]) -> str:
    """Return the query with `change` made to each piece between its literals."""
    pieces, at = [], 0
    for literal in _LITERAL.finditer(sql):
        pieces += [change(sql[at : literal.start()]), literal.group()]
        at = literal.end()
    return "".join([*pieces, change(sql[at:])])


def inside_strings(sql: str, change: Callable[[str], str]) -> str:
    """Return the query with `change` made to each string in plain quotes, quotes included."""

    def changed(literal: re.Match[str]) -> str:
        has_prefix = re.search(r"[\w&]$", sql[: literal.start()])
        is_plain = literal[0].startswith("'") and not has_prefix
        return change(literal[0]) if is_plain else literal[0]

    return _LITERAL.sub(changed, sql)


def without_comments(sql: str) -> str:
    """Return the query with a blank for each comment."""
    return _LITERAL.sub(lambda it: " " if it[0].startswith(("--", "/*")) else it[0], sql)


def blanked(sql: str) -> str:
    """Return a text of the same length in which each literal is blank, to look for places in."""
    return _LITERAL.sub(lambda literal: " " * len(literal[0]), sql)


def replaced(sql: str, pattern: str, by: str) -> str:
    """Return the query with a pattern replaced outside its literals, in any case of letters."""
    return outside_literals(
        sql, lambda piece: re.sub(pattern, lambda _: by, piece, flags=re.IGNORECASE)
    )


def arguments(sql: str, name: str) -> list[tuple[int, int]]:
    """Return where each argument of the first call of `name` stands; none where there is none."""
    bare = blanked(sql)
    call = re.search(rf"\b{re.escape(name)}\s*\(", bare, re.IGNORECASE)
    if call is None:
        return []
    depths, found, start = _depths(bare), [], call.end()
    inside = depths[call.end() - 1]
    for at in range(call.end(), len(bare)):
        if depths[at] < inside or (depths[at] == inside and bare[at] == ","):
            found.append((start, at))
            start = at + 1
        if depths[at] < inside:
            break
    return found


def without_item(sql: str, name: str) -> str | None:
    """Return the query without the item of a SELECT list in which the word `name` stands.

    None where it stands elsewhere, or where nothing would be left of the list.
    """
    bare = blanked(sql)
    place = re.search(rf"\b{re.escape(name)}\b", bare, re.IGNORECASE)
    if place is None:
        return None
    depths, marks = _depths(bare), list(_MARKS.finditer(bare))
    around = [
        mark
        for mark in marks
        if mark.end() <= place.start()
        and mark[0].upper().startswith("SELECT")
        and depths[mark.start()] <= min(depths[mark.start() : place.end()])
    ]
    if not around:
        return None
    depth = depths[around[-1].start()]
    same = [m for m in marks if m.start() >= around[-1].start() and depths[m.start()] == depth]
    before = [mark for mark in same if mark.end() <= place.start()][-1]
    after = next((mark for mark in same if mark.start() >= place.end()), None)
    if after is None or before[0].upper() == "FROM":
        return None
    if before[0] == ",":
        return sql[: before.start()] + sql[after.start() :]
    return sql[: before.end()] + sql[after.end() :] if after[0] == "," else None


def _depths(bare: str) -> list[int]:
    """Return for each character how many brackets are open behind it."""
    return list(accumulate((char == "(") - (char == ")") for char in bare))
