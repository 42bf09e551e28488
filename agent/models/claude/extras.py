"""What of a request can be left out, and what refusal says that it has to be."""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import anthropic


class Extra(StrEnum):
    """A part of a request that makes a turn better and is not needed for one."""

    STRICT = "strict tools"
    """That the API holds the model to the schemas of the tools."""
    THOUGHTS = "thoughts"
    """What the model thought in its earlier turns."""


class NotTaken(Exception):
    """The API, or a gateway before it, refuses such a part."""

    def __init__(self, extra: Extra) -> None:
        super().__init__(extra)
        self.extra = extra


_ABOUT: Final = {
    Extra.THOUGHTS: re.compile(r"\bthinking\b.*\bblock|bound to a different", re.IGNORECASE | re.S),
    Extra.STRICT: re.compile(r"\bstrict\b|\bschema|optional param|\bunion", re.IGNORECASE),
}


def check_extras(error: anthropic.APIStatusError, sent: Collection[Extra]) -> None:
    """Raise `NotTaken` where an error reply is about one of the extras that were `sent`."""
    said = f"{error.api_message or error.message or ''}"
    for extra, about in _ABOUT.items():
        if error.status_code == 400 and extra in sent and about.search(said):
            raise NotTaken(extra)
