"""Members, moments and quotations in mrkdwn of our own; pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from bot.render.markdown import pack, pieces
from bot.render.text import clip, escape, plain

_ADDRESS: Final = re.compile(r"https?://[^\s<>|]+[^\s<>|.,;:!?)\]}\'\"]")
_ID: Final = re.compile(r"[A-Z0-9]+")
# Not strftime: its names follow the process's locale.
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


def member(user: str) -> str:
    """Return a live mention of a member; "somebody" for one whose name is not kept any more."""
    if not user:
        return "somebody"
    return f"<@{user}>" if _ID.fullmatch(user) else plain(user)


def channel_link(channel: str) -> str:
    """Return a live link to a channel."""
    return f"<#{channel}>" if _ID.fullmatch(channel) else plain(channel)


def link(words: str, address: str) -> str:
    """Return our own words, linked to an address of Slack's; "" for no link."""
    return f"<{address}|{words}>" if address else words


def moment(at: datetime) -> str:
    """Return a point in time that each reader sees in their own zone; elsewhere it is in UTC."""
    utc = at.astimezone(UTC)
    text = f"{utc.day} {_MONTHS[utc.month - 1]}, {utc.hour:02}:{utc.minute:02} UTC"
    return f"<!date^{int(at.timestamp())}^{{date_short_pretty}}, {{time}}|{text}>"


def quoted(text: str, limit: int) -> str:
    """Return somebody's words as a quotation, inert, of at most `limit` characters of mrkdwn."""
    return _as_quotation(plain(text.strip()), limit)


def quoted_markdown(markdown: str, limit: int) -> str:
    """Return a model's Markdown as a quotation: its marks are seen, and it pings nobody."""
    return _as_quotation("\n\n".join(pack(pieces(markdown), limit)[:1]), limit)


def quoted_words(text: str, limit: int) -> str:
    """Return what a person wrote here as a quotation: their marks count, addresses are code."""
    return _as_quotation(_ADDRESS.sub(lambda found: f"`{found[0]}`", escape(text.strip())), limit)


def own_words(text: str) -> str:
    """Return a person's own words: their marks and addresses count, but they ping nobody."""
    return _ADDRESS.sub(lambda found: f"<{found[0]}>", escape(text.strip()))


def _as_quotation(mrkdwn: str, limit: int) -> str:
    return clip("\n".join(f"&gt; {line}" for line in mrkdwn.split("\n")), limit)


def in_a_line(question: str, limit: int = 150) -> str:
    """Return a question between quotation marks, on one line and inert."""
    return f"“{clip(plain(' '.join(question.split())), limit)}”"
