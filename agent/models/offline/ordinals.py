"""Which of several options a reply points at by its place: "2", "the second one", "the last"."""

from __future__ import annotations

import re
from typing import Final

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_NUMBERS: Final = ("one", "two", "three", "four", "five")
_PLACE: Final = re.compile(
    r"(?:(?:i (?:mean|choose|want|take)|take|please|the|option|number|no|answer)\W+|#\s*)*"
    r"(?:(?P<digit>\d)(?:st|nd|rd|th)?|(?P<word>[a-z]+))"
    r"(?:\s+(?:one|option|answer))?(?:\W+please)?",
    re.IGNORECASE,
)


def place_said(reply: str, count: int) -> int | None:
    """Return the place, from 0, that `reply` names among `count` options; None for any other."""
    match = _PLACE.fullmatch(reply.strip(" .!,()").lower())
    if match is None:
        return None
    if match["digit"]:
        place = int(match["digit"]) - 1
    elif match["word"] == "last":
        place = count - 1
    else:
        names = next((n for n in (_ORDINALS, _NUMBERS) if match["word"] in n), ())
        place = names.index(match["word"]) if names else -1
    return place if 0 <= place < count else None
