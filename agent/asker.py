"""Who asks, as far as it bears on the answer: what day it is for them, and how they write."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from agent.untrusted import one_line

MAX_NAME: Final = 40
"""Characters of a name that a model gets to read."""

_ZONE: Final = re.compile(r"[A-Za-z][\w+-]{0,30}(?:/[A-Za-z][\w+-]{0,30}){0,2}", re.ASCII)
_LOCALE: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")


@dataclass(frozen=True)
class Asker:
    """The one who asks a question; what is "" is not known, and then it is as it ever was."""

    name: str = ""
    """What they are called, by their own choice: untrusted."""
    zone: str = ""
    """Their time zone as IANA names it, such as "Asia/Tokyo"; "": the agent's own."""
    locale: str = ""
    """Their language and country, such as "de-DE"; "": English."""

    @property
    def known_zone(self) -> str:
        """Their time zone where this machine knows it, else ""."""
        return self.zone if is_zone(self.zone) else ""

    @property
    def known_locale(self) -> str:
        """Their locale where it looks like one, else ""; it goes into what a model is told."""
        return self.locale if _LOCALE.fullmatch(self.locale) else ""


NOBODY: Final = Asker()
"""An asker of whom nothing is known."""


def is_zone(name: str) -> bool:
    """Say whether this machine knows a time zone of that name."""
    if not _ZONE.fullmatch(name):
        return False
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def plain_name(name: str) -> str:
    """Return a name as a model may read it: on one line, bounded, able to look like no mark."""
    words = re.sub(r"[\[\](){}<>:`\"]", " ", one_line(name))
    return " ".join(words.split())[:MAX_NAME].rstrip()
