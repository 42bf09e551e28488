"""From the server's text to a `Cell`: numbers and booleans as such, all else as it was sent."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from agent.messages import Cell

Cut = tuple[Cell, bool]
"""A cell, and whether something of it was cut."""


def read_cell(value: bytes | None, type_oid: int, max_chars: int) -> Cut:
    """Return the cell that `value`, in the server's text format and UTF-8, stands for.

    A text longer than `max_chars` is cut and ends in "…". NULL is None; the empty string stays.
    """
    if value is None:
        return None, False
    if type_oid == _BYTEA:
        return _size((len(value) - 2) // 2), False
    if _may_hold_bytea(type_oid):
        value = _with_sizes(value, max_chars * 4 + 1)
    if len(value) > max_chars:
        # Up to four bytes a character: decode no more of a huge value than is kept.
        text = value[: max_chars * 4].decode("utf-8", "ignore")
        if len(value) > max_chars * 4 or len(text) > max_chars:
            return text[: max_chars - 1] + "…", True
    text = value.decode("utf-8", "replace")
    reader = _READERS.get(type_oid)
    return (reader(text) if reader else text), False


def _numeric(text: str) -> Cell:
    number = Decimal(text)
    return number if number.is_finite() else text


def _float(text: str) -> Cell:
    number = float(text)
    return number if math.isfinite(number) else text


def _unpadded(text: str) -> Cell:
    return text.rstrip(" ")  # char(n): trailing blanks mean nothing


def _bool(text: str) -> Cell:
    return text == "t"


def _size(count: int) -> str:
    return "(1 byte)" if count == 1 else f"({count:,} bytes)"


def _may_hold_bytea(type_oid: int) -> bool:
    return type_oid in _BYTEA_HOLDERS or type_oid >= _FIRST_USER_TYPE


def _with_sizes(value: bytes, enough: int) -> bytes:
    """Return the value with the size of each bytea inside it; past `enough` bytes no more."""
    parts: list[bytes] = []
    length = end = 0
    for found in _INNER_BYTEA.finditer(value):
        if length >= enough:
            return b"".join(parts)
        part = value[end : found.start()] + _size(len(found[1]) // 2).encode()
        parts.append(part)
        length, end = length + len(part), found.end()
    return b"".join([*parts, value[end:]])


_BYTEA: Final = 17
_BYTEA_HOLDERS: Final = frozenset({1001, 2249, 2287})
"""bytea[], record and record[]; named composites and their arrays are types of a user."""
_FIRST_USER_TYPE: Final = 16_384
# Each level of nesting doubles the backslashes; their number is bounded, so the search is linear.
_INNER_BYTEA: Final = re.compile(rb'(?<=")\\{1,64}x([0-9a-f]*)(?=[\\"])')
_READERS: Final[dict[int, Callable[[str], Cell]]] = {
    16: _bool,
    20: int,
    21: int,
    23: int,
    26: int,  # oid
    700: _float,
    701: _float,
    1042: _unpadded,
    1700: _numeric,
}


def unique_labels(labels: list[str]) -> list[str]:
    """Return the labels made unique: "count", "count (2)"; one without a name is "column N"."""
    taken = {label for label in labels if label != "?column?"}
    seen: set[str] = set()
    unique = []
    for number, label in enumerate(labels, start=1):
        base = f"column {number}" if label == "?column?" else label
        name, again = base, 1
        while name in seen or (again > 1 and name in taken):
            again += 1
            name = f"{base} ({again})"
        seen.add(name)
        unique.append(name)
    return unique
