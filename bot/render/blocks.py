"""The few kinds of Slack blocks that a card is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from bot.render.text import clip, inert

Block = dict[str, Any]

MAX_SECTION: Final = 2_900
"""Slack refuses a section of more than 3,000 characters."""
MAX_CONTEXT: Final = 1_900
"""Slack refuses a context element of more than 2,000 characters."""


def section(mrkdwn: str) -> Block:
    """A paragraph; the text is mrkdwn, already escaped."""
    # verbatim: Slack makes no links and no mentions of its own out of the words.
    text = {"type": "mrkdwn", "text": mrkdwn, "verbatim": True}
    return {"type": "section", "text": text, "expand": True}


def context(mrkdwn: str) -> Block:
    """A small grey line; the text is mrkdwn, already escaped."""
    text = {"type": "mrkdwn", "text": clip(mrkdwn, MAX_CONTEXT), "verbatim": True}
    return {"type": "context", "elements": [text]}


def picture(file_id: str, alt_text: str) -> Block:
    """An uploaded image; the alternative text is plain."""
    return {"type": "image", "slack_file": {"id": file_id}, "alt_text": alt_text}


@dataclass(frozen=True)
class Button:
    """A button: what it is called in the code and on the screen."""

    action_id: str
    label: str
    style: Literal["", "primary", "danger"] = ""
    confirm: Block | None = None
    """What is asked before the click counts."""


def buttons(row: Sequence[Button], value: str) -> Block:
    """A row of buttons; all carry the same value."""
    return {"type": "actions", "elements": [_button(each, value) for each in row]}


def _button(button: Button, value: str) -> Block:
    element: Block = {
        "type": "button",
        "action_id": button.action_id,
        "text": {"type": "plain_text", "text": inert(button.label)},
        "value": value,
    }
    if button.style:
        element["style"] = button.style
    if button.confirm:
        element["confirm"] = button.confirm
    return element


def size(blocks: list[Block]) -> int:
    """Return how many characters of text stand in the blocks, alternative texts included."""
    return sum(_size(block) for block in blocks)


def _size(value: Any) -> int:
    if isinstance(value, list):
        return sum(_size(each) for each in value)
    if not isinstance(value, dict):
        return 0
    own = (value.get("text"), value.get("alt_text"))
    words = sum(len(text) for text in own if isinstance(text, str))
    return words + sum(_size(each) for each in value.values())
