"""Keeping a key out of what is told; any model's adapter may ask. Pure."""

from __future__ import annotations

from typing import Final

LEAST: Final = 8
"""Characters of its beginning that are told apart from other words."""


def without(key: str, text: str) -> str:
    """Return `text` without the key, and without each beginning of it: a text may have been cut."""
    for length in range(len(key), min(LEAST, len(key)) - 1, -1):
        text = text.replace(key[:length] or "\0", "…")
    return text
