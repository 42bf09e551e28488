"""What Slack says happened -> a question for us, or nothing; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.identity import Identity
from bot.store import Question, Thread

ANSWERED_SUBTYPES = frozenset({None, "file_share", "thread_broadcast"})
"""Kinds of message events that a person wrote; edits and deletions are others."""
BOT_FIELDS = ("bot_id", "bot_profile", "app_id")


@dataclass(frozen=True)
class Asked:
    """A question and where it came from."""

    question: Question
    from_outside: bool
    """Someone of another organisation wrote it."""
    has_strangers: bool = False
    """Slack says that someone of another organisation reads along."""


def read_message(event: Mapping[str, Any], body: Mapping[str, Any], me: Identity) -> Asked | None:
    """Return what a person wrote, from an `app_mention` or `message` event; None for the rest.

    What bots write is never answered: two of them could go on for ever.
    """
    if event.get("subtype") not in ANSWERED_SUBTYPES or any(event.get(key) for key in BOT_FIELDS):
        return None
    user, channel, ts = event.get("user"), event.get("channel"), event.get("ts")
    if not user or not channel or not ts or user in (me.user_id, "USLACKBOT"):
        return None
    thread = Thread(me.team_id, channel, event.get("thread_ts") or ts)
    question = Question(thread, ts, user, event.get("text") or "")
    return Asked(question, _is_foreign(event, me), bool(body.get("is_ext_shared_channel")))


def _is_foreign(event: Mapping[str, Any], me: Identity) -> bool:
    teams = {event.get("user_team"), event.get("source_team")} - {None, ""}
    return not teams <= {me.team_id, me.enterprise_id}


def is_addressed(event: Mapping[str, Any], me: Identity) -> bool:
    """Is the message meant for us, whatever went before in its thread?"""
    is_direct = event.get("channel_type") == "im"
    return is_direct or event.get("type") == "app_mention" or me.mention in _text(event)


def may_go_on(event: Mapping[str, Any]) -> bool:
    """Could the message be a follow-up in a thread of ours?

    A reply that begins by naming somebody else is meant for them.
    """
    thread_ts = event.get("thread_ts")
    is_reply = thread_ts is not None and thread_ts != event.get("ts")
    return is_reply and not _text(event).lstrip().startswith("<@")


def _text(event: Mapping[str, Any]) -> str:
    return event.get("text") or ""
