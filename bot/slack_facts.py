"""What Slack says of members and channels, kept for a while, and how it is read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from slack_sdk import WebClient

KEPT_S = 300.0
"""How long what Slack says of a member or a channel is believed, in seconds."""
KEPT = 5000
PAGE = 200
MAX_PAGES = 25
"""A private channel of more members than these pages hold is looked at no further."""
NO_MEMBER = ("is_stranger", "deleted", "is_bot", "is_workflow_bot")
"""Whoever has one of these is no person of this workspace."""

Facts = Mapping[str, Any]


class Kept:
    """Answers of Slack, kept for a while; safe to share between threads."""

    def __init__(self, ask: Callable[[str], Any]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, Facts]] = {}

    def known(self, key: str) -> Facts | None:
        """Return what Slack said not long ago; None where it did not. Asks nobody."""
        with self._lock:
            until, facts = self._known.get(key, (0.0, {}))
        return facts if until > time.monotonic() else None

    def get(
        self, key: str, *, anew: bool = False, ask: Callable[[str], Any] | None = None
    ) -> Facts:
        """Return what Slack says, `anew`: now. Raises one of SLACK_TROUBLE.

        `ask` asks in place of the usual way, such as a quicker one.
        """
        now = time.monotonic()
        known = None if anew else self.known(key)
        if known is not None:
            return known
        fresh: Facts = (ask or self._ask)(key)
        with self._lock:
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[key] = (now + KEPT_S, fresh)
        return fresh


class SlackFacts:
    """Members, channels, and who is in a channel (`members`, a set of ids)."""

    def __init__(self, client: WebClient) -> None:
        self.members = Kept(lambda key: about_member(client, key))
        self.channels = Kept(lambda key: client.conversations_info(channel=key)["channel"])
        self.inside = Kept(lambda key: {"members": _members_of(client, key)})


def about_member(client: WebClient, user: str) -> Facts:
    """Ask Slack about a member, their time zone and locale included.

    Raises one of SLACK_TROUBLE.
    """
    member: Facts = client.users_info(user=user, include_locale=True)["user"]
    return member


def is_guest(member: Facts) -> bool:
    """Is the member a guest, of one channel or of several?"""
    return bool(member.get("is_restricted") or member.get("is_ultra_restricted"))


def is_admin(member: Facts) -> bool:
    """Is the member an administrator or an owner of the workspace?"""
    return any(member.get(role) for role in ("is_admin", "is_owner", "is_primary_owner"))


def is_shared(channel: Facts) -> bool:
    """Does another organisation read along, or is it invited to?"""
    return bool(channel.get("is_ext_shared") or channel.get("is_pending_ext_shared"))


def _members_of(client: WebClient, channel: str) -> frozenset[str]:
    members: list[str] = []
    cursor = ""
    for _ in range(MAX_PAGES):
        page = client.conversations_members(channel=channel, limit=PAGE, cursor=cursor)
        members += page["members"]
        cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
        if not cursor:
            break
    return frozenset(members)
