"""Message text the way Slack stores it: control characters escaped, tokens and links kept."""

from __future__ import annotations

import html
import re

from bot.local_workspace.values import Json

# <@U1> <#C1|name> <!here> <!subteam^S1> <https://…|label> <mailto:…>
TOKEN = re.compile(
    r"<(?:@[A-Z0-9]+(?:\|[^<>]*)?"
    r"|#[A-Z0-9]+(?:\|[^<>]*)?"
    r"|![a-z]+(?:\^[^<>]*)?(?:\|[^<>]*)?"
    r"|(?:https?://|mailto:|tel:)[^<>|\s]+(?:\|[^<>]*)?)>"
)
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;)")
_URL = re.compile(r"https?://[^\s<>|]+[^\s<>|.,;:!?)\]}'\"]")
_MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^<>]*)?>")
_NAME = re.compile(r"(?<![\w&])([@#])([\w-]+(?:\.[\w-]+)*)")
MAX_TEXT = 40_000


def stored(text: str) -> str:
    """Escapes stray &, < and >, and makes a bare web address a link."""
    parts: list[str] = []
    at = 0
    for token in TOKEN.finditer(text):
        parts += [_escaped(text[at : token.start()]), token.group()]
        at = token.end()
    return "".join([*parts, _escaped(text[at:])])


def _escaped(text: str) -> str:
    text = _ENTITY.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")
    return _URL.sub(lambda found: f"<{found.group()}>", text)


def typed_after_command(text: str, members: dict[str, str], channels: dict[str, str]) -> str:
    """The text of a slash command whose `should_escape` is on: names become tokens.

    `members` and `channels` map names to ids.
    """

    def token(found: re.Match[str]) -> str:
        sign, name = found.groups()
        known = members if sign == "@" else channels
        return f"<{sign}{known[name]}|{name}>" if name in known else found.group()

    return _NAME.sub(token, escaped(text))


def escaped(text: str) -> str:
    """Escapes &, < and >, whatever they are part of."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def mentioned(text: str) -> set[str]:
    """The ids of the members named in a stored text."""
    return set(_MENTION.findall(text))


def as_rich_text(text: str) -> list[Json]:
    """The rich_text block that Slack adds to what a person typed."""
    elements: list[Json] = []
    at = 0
    for token in TOKEN.finditer(text):
        elements += _plain(text[at : token.start()])
        elements.append(_token(token.group()[1:-1]))
        at = token.end()
    elements += _plain(text[at:])
    section = {"type": "rich_text_section", "elements": elements}
    return [{"type": "rich_text", "block_id": "typed", "elements": [section]}]


def _plain(text: str) -> list[Json]:
    return [{"type": "text", "text": html.unescape(text)}] if text else []


def _token(inside: str) -> Json:
    target, _, label = inside.partition("|")
    if target.startswith("@"):
        return {"type": "user", "user_id": target[1:]}
    if target.startswith("#"):
        return {"type": "channel", "channel_id": target[1:]}
    if target.startswith("!"):
        if target[1:] in ("here", "channel", "everyone"):
            return {"type": "broadcast", "range": target[1:]}
        return {"type": "text", "text": f"<{inside}>"}
    link = {"type": "link", "url": html.unescape(target)}
    return {**link, "text": html.unescape(label)} if label else link
