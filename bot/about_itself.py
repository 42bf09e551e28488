"""`/ask about yourself: …`: the bot as a database of its own."""

from __future__ import annotations

import re
from typing import Final

_ABOUT: Final = re.compile(
    r"(?:about (?:yourself|itself|you|the bot)|yourself)\s*(?:[:,–—-]\s*|$)|about yourself\s+",
    re.IGNORECASE,
)


def about_itself(text: str) -> str | None:
    """Return the question of "about yourself: …", "" where none follows; None for other text."""
    words = " ".join(text.split())
    found = _ABOUT.match(words)
    return None if found is None else words[found.end() :].strip()
