"""Members, moments and quotations in mrkdwn of our own; pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from bot.render.text import clip, plain

_ID: Final = re.compile(r"[A-Z0-9]+")
# Not strftime: its names follow the process's locale.
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


def member(user: str) -> str:
    """Return a live mention of a member."""
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
    lines = plain(text.strip()).split("\n")
    return clip("\n".join(f"&gt; {line}" for line in lines), limit)


def in_a_line(question: str, limit: int = 150) -> str:
    """Return a question between quotation marks, on one line and inert."""
    return f"“{clip(plain(' '.join(question.split())), limit)}”"
