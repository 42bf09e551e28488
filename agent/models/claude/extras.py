"""What of a request can be left out, and what refusal says that it has to be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

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
    Extra.THOUGHTS: re.compile(
        r"\bthinking\b.*\bblock|bound to a different|final block.*\bthinking\b",
        re.IGNORECASE | re.DOTALL,
    ),
    Extra.STRICT: re.compile(r"\bstrict\b|\bschema|optional param|\bunion", re.IGNORECASE),
}


def check_extras(error: anthropic.APIStatusError, request: Mapping[str, Any]) -> None:
    """Raise `NotTaken` where an error reply is about one of the extras that `request` has."""
    said = f"{error.api_message or error.message or ''}"
    for extra in _extras_of(request):
        if error.status_code == 400 and _ABOUT[extra].search(said):
            raise NotTaken(extra)


def _extras_of(request: Mapping[str, Any]) -> Iterator[Extra]:
    blocks = (block for message in request["messages"] for block in message["content"])
    if any(block["type"] in ("thinking", "redacted_thinking") for block in blocks):
        yield Extra.THOUGHTS
    if any("strict" in tool for tool in request.get("tools", ())):
        yield Extra.STRICT
