"""Messages that were changed or deleted after they were posted.

A changed question is answered again in the place of its first answer; what runs for a deleted one
is stopped. Most such events are none of that: each edit of our own cards comes back as one, and so
does each preview of a link that Slack adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slack_bolt import App

from bot.identity import Identity
from bot.listeners.incoming import Asked, read_message
from bot.listeners.intake import Intake
from bot.store import Thread

TOMBSTONE = "tombstone"
"""What is left of a deleted message that has replies: Slack tells of it as a change."""


@dataclass(frozen=True)
class Edit:
    """A question in other words."""

    asked: Asked
    revision: str
    """When it was changed: a timestamp of Slack's, the same each time that the event comes."""


def read_edit(event: Mapping[str, Any], body: Mapping[str, Any], me: Identity) -> Edit | None:
    """Return what a person changed their own message to, from `message_changed`; else None."""
    message, previous = _part(event, "message"), _part(event, "previous_message")
    edited = _part(message, "edited")
    revision = edited.get("ts")
    if not revision or edited.get("user") not in (None, message.get("user")):
        return None
    if _words(message, me) == _words(previous, me):
        return None
    asked = read_message({**message, "channel": event.get("channel")}, body, me)
    return None if asked is None or asked.from_outside else Edit(asked, str(revision))


def deleted_ts(event: Mapping[str, Any]) -> str:
    """Return the name of the message that is gone, from either kind of event; "" for none."""
    message = _part(event, "message")
    if message.get("subtype") == TOMBSTONE:
        return str(message.get("ts") or "")
    return str(event.get("deleted_ts") or "")


def register(app: App, *, intake: Intake, me: Identity) -> None:
    """Listen to changes and deletions. Comes before the listener to all messages."""

    def changed(event: dict[str, Any], body: dict[str, Any]) -> None:
        if deleted_ts(event):
            deleted(event)
            return
        edit = read_edit(event, body, me)
        if edit is not None:
            intake.retake(edit.asked, edit.revision)

    def deleted(event: dict[str, Any]) -> None:
        ts, channel = deleted_ts(event), event.get("channel")
        if ts and channel:
            intake.withdraw(Thread(me.team_id, str(channel), ts), ts)

    app.event({"type": "message", "subtype": "message_changed"})(changed)
    app.event({"type": "message", "subtype": "message_deleted"})(deleted)


def _part(event: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = event.get(name)
    return part if isinstance(part, Mapping) else {}


def _words(message: Mapping[str, Any], me: Identity) -> str:
    # Whether the bot is named, and how the words are spaced, changes no question.
    return " ".join(str(message.get("text") or "").replace(me.mention, " ").split())
