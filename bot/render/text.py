"""Untrusted text on its way to Slack: made inert, and cut where Slack would refuse it.

What a model or a database says must never ping a channel, become a link or hide characters. Text
that Slack parses goes through `plain` (or `escape`); text that it does not parse (table cells,
alternative texts) through `inert`, since an entity would stand there as it is written.
"""

from __future__ import annotations

import re
from typing import Final

from agent.untrusted import without_invisible

CUT: Final = "…"

_LINE_END = re.compile("\r\n?|[\u2028\u2029\x85]")

_URL = re.compile(r"(?:\b[a-z][a-z0-9+.-]{1,20}://|\bwww\.|\bmailto:)[^\s<>\"'`|]+", re.IGNORECASE)
_LINK = re.compile(r"<(https?://[^<>|]*)(?:\|([^<>]*))?>")
_TOKEN = re.compile(r"<(?=[!@#]|[a-z][a-z0-9+.-]*:|/)([^<>]*)>?", re.IGNORECASE)
_PAIRED = re.compile(r"(?<!\w)([*_~`])(?=\S)(.{1,300}?)(?<=\S)\1(?!\w)")
_LOOKALIKE = {"*": "∗", "_": "ˍ", "~": "∼", "`": "ˋ"}
_LONGEST_URL: Final = 200
_ENTITY_CUT = re.compile(r"&[a-z]{0,3}$")


def clean(text: str) -> str:
    """Return the text without invisible characters and with plain line ends."""
    return without_invisible(_LINE_END.sub("\n", text))


def escape(text: str) -> str:
    """Return the text cleaned, with Slack's three control characters as entities."""
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def plain(text: str) -> str:
    """Return mrkdwn that shows the text as it is: no mention, no link, no emphasis."""
    text = clean(text)
    parts, end = [], 0
    for url in _URL.finditer(text):
        parts += [_undecorated(text[end : url.start()]), code(clip(url.group(), _LONGEST_URL))]
        end = url.end()
    return "".join([*parts, _undecorated(text[end:])])


def code(text: str) -> str:
    """Return mrkdwn for a short piece of code: a foreign address is shown so, and is no link."""
    text = " ".join(clean(text).split()).replace("`", _LOOKALIKE["`"])
    return f"`{escape(text)}`" if text else ""


def fallback(mrkdwn: str, limit: int) -> str:
    """Return escaped mrkdwn as the text beside the blocks, cut to `limit`.

    Slack makes links of the addresses in it and cannot be told not to, so their slashes go. Links
    of our own are their words here: a notification has nothing to click.
    """
    words = _LINK.sub(lambda found: found[2] or found[1], mrkdwn)
    return clip(words.replace("://", ":∕∕"), limit)


def inert(text: str) -> str:
    """Return the text for a place that Slack does not parse, on one line.

    Whatever is shaped like a mention or a link loses its angle brackets all the same.
    """
    return " ".join(_TOKEN.sub(r"‹\1›", clean(text)).split())


def code_blocks(text: str, limit: int) -> list[str]:
    """Return the text as code blocks of at most `limit` characters each, fences included."""
    safe = escape(text).replace("```", _LOOKALIKE["`"] * 3).strip("\n")
    return [f"```\n{part}\n```" for part in split(safe, limit - 8)]


def clip(text: str, limit: int) -> str:
    """Return the text, or its beginning and an ellipsis, within `limit`; no entity is halved."""
    if len(text) <= limit:
        return text
    return _whole_entities(text[: max(limit - 1, 0)]).rstrip() + CUT


def split(text: str, limit: int) -> list[str]:
    """Return the text in parts of at most `limit`, at line ends or spaces where there are any."""
    parts = []
    while len(text) > limit:
        head = _whole_entities(text[:limit])
        at = max(head.rfind("\n"), head.rfind(" ") if "\n" not in head[limit // 2 :] else -1)
        head = head[:at] if at > limit // 2 else head
        parts.append(head)
        text = text[len(head) :].lstrip(" ").removeprefix("\n")
    return [*parts, text] if text else parts


def _undecorated(text: str) -> str:
    swapped = _PAIRED.sub(lambda m: _LOOKALIKE[m[1]] + m[2] + _LOOKALIKE[m[1]], text)
    return escape(swapped)


def _whole_entities(text: str) -> str:
    return _ENTITY_CUT.sub("", text) if "&" in text[-5:] else text
