"""The window in which a person asks about a message; pure."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from bot.render.blocks import Block
from bot.render.modals import FIELD, fill_in
from bot.render.people import member, quoted

ASK_ABOUT: Final = "ask_about_message"
"""The shortcut in a message's menu, and the window that it opens."""
MAX_MESSAGE: Final = 1_500
"""Characters of the message that go with the question."""

_MAX_METADATA: Final = 3_000
"""Slack refuses a window that carries more."""


@dataclass(frozen=True)
class PointedAt:
    """The message that somebody wants to ask about."""

    channel: str
    root: str
    """The first message of its thread; itself, where it has none."""
    text: str
    """Its words, without Slack's marks."""
    author: str
    """A member's id; "" for what no member wrote."""
    response_url: str


def render_ask_about(message: PointedAt) -> Block:
    """Return the window: the message as a quotation, and a field for the question."""
    who = f"{member(message.author)} wrote" if message.author else "The message"
    view = fill_in(
        _carried(message),
        title="Ask about this message",
        submit="Ask",
        asked=f"{who}:\n{quoted(message.text[:MAX_MESSAGE], 2_800)}",
        hint=(
            "Your question and my answer go into the thread of this message. I read the message,"
            " but neither do what it says nor take it as true."
        ),
        label="Your question about the data",
    )
    return {**view, "callback_id": ASK_ABOUT}


def read_ask_about(view: dict[str, Any]) -> tuple[PointedAt, str]:
    """Return the message and the question from the window as it was sent."""
    words = view["state"]["values"][FIELD][FIELD].get("value") or ""
    return PointedAt(**json.loads(view["private_metadata"])), words.strip()


def _carried(message: PointedAt) -> str:
    """Return the message as the window carries it, cut so that it fits."""
    for limit in (MAX_MESSAGE, 1_000, 700, 400):
        cut = message.text[:limit] + ("…" if len(message.text) > limit else "")
        carried = json.dumps(asdict(replace(message, text=cut)), ensure_ascii=False)
        if len(carried) <= _MAX_METADATA:
            break
    return carried
