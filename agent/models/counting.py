"""Tokens as a server counts them, as far as that can be believed; any model's adapter may ask."""

from __future__ import annotations

from typing import Final

MAX_TOKENS: Final = 10_000_000
"""No model reads or writes more in one call."""


def believed(count: object) -> int | None:
    """Return a number of tokens; None where it cannot be one.

    A bill must neither shrink by a negative count nor be met by an absurd one.
    """
    if isinstance(count, float) and count.is_integer():
        count = int(count)
    if isinstance(count, bool) or not isinstance(count, int):
        return None
    return count if 0 <= count <= MAX_TOKENS else None
