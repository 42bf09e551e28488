"""Slack's message text -> the words that were meant; pure."""

from __future__ import annotations

import re
from collections.abc import Callable

_TOKEN = re.compile(r"<((?:[@#!]|[a-z][a-z0-9+.-]*:)[^<>|]+)(?:\|([^<>]*))?>")
_SPACES = re.compile(r"[ \t\u00a0]{2,}|\u00a0")


def plain_words(text: str, *, own_mention: str, name_of: Callable[[str], str | None]) -> str:
    """Return `text` as its author meant it, without our own mention.

    Other mentions become @names, links their labels, and Slack's three entities their characters.
    `name_of` gives a member's name for an id, or None.
    """

    def words(token: re.Match[str]) -> str:
        target, label = token[1], token[2]
        if token[0] == own_mention or target == own_mention[1:-1]:
            return " "
        if target[0] == "@":
            return f"@{label or name_of(target[1:]) or target[1:]}"
        if target[0] == "#":
            return f"#{label or target[1:]}"
        if target[0] == "!":
            return label or "@" + target[1:].partition("^")[0]
        return label or target.removeprefix("mailto:").removeprefix("tel:")

    text = _SPACES.sub(" ", _TOKEN.sub(words, text)).strip()
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
