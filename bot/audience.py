"""Who asks, and who reads along: outsiders get no answers from the database.

Two questions that Slack keeps apart: a stranger may ask in a channel of ours, and a colleague may
ask where strangers read. Where Slack does not tell, the answer is no.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

from slack_sdk import WebClient

from bot.identity import Identity
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Question

log = logging.getLogger(__name__)

KEPT_S = 300.0
"""How long what Slack says of a member or a channel is believed, in seconds."""
KEPT = 5000
PAGE = 200
MAX_PAGES = 25
"""A private channel of more members than these pages hold is looked at no further."""

OUTSIDE = (
    "I only answer members of this workspace, and only where nobody from another organisation "
    "reads along. Ask me in a direct message or in an internal channel."
)
UNKNOWN = (
    "I could not check with Slack who asks and who reads along here, so I did not look anything "
    "up. Please ask again in a moment."
)

Facts = Mapping[str, Any]


class Audience:
    """What Slack knows of members and channels, asked once in a while."""

    def __init__(self, client: WebClient, me: Identity, admins: Collection[str] = ()) -> None:
        """`admins` are members who count as administrators, whatever Slack says of them."""
        self._admins = frozenset(admins)
        self._client = client
        self._me = me
        self._members: _Kept = _Kept(lambda key: client.users_info(user=key)["user"])
        self._channels: _Kept = _Kept(lambda key: client.conversations_info(channel=key)["channel"])
        self._inside: _Kept = _Kept(lambda key: {"members": _members_of(client, key)})

    def refusal(self, question: Question, *, asker_only: bool = False) -> str | None:
        """Return the sentence with which the question is to be refused, or None.

        `asker_only`: nobody but the one who asks will see the answer.
        """
        try:
            if not self._is_member(self._members.get(question.asked_by)):
                return OUTSIDE
            if not asker_only and not question.thread.is_direct:
                channel = self._channels.get(question.thread.channel)
                return OUTSIDE if _is_shared(channel) else None
        except SLACK_TROUBLE as error:
            log.warning("could not check the audience of a question: %s", what_went_wrong(error))
            return UNKNOWN
        return None

    def is_public(self, channel: str) -> bool:
        """Can everybody of this workspace, and nobody else, read the channel?

        False where Slack does not say.
        """
        if channel.startswith("D"):
            return False
        try:
            facts = self._channels.get(channel)
        except SLACK_TROUBLE as error:
            log.warning("could not check who reads a channel: %s", what_went_wrong(error))
            return False
        is_private = facts.get("is_private", True) or facts.get("is_mpim") or facts.get("is_im")
        return not is_private and not _is_shared(facts)

    def is_internal(self, channel: str) -> bool:
        """Does nobody of another organisation read along? Raises one of SLACK_TROUBLE."""
        return not _is_shared(self._channels.get(channel))

    def may_read(self, user: str, channel: str) -> bool:
        """Can the member see what stands in the channel? False where Slack does not say."""
        if self.is_public(channel):
            return True
        try:
            return user in self._inside.get(channel)["members"]
        except SLACK_TROUBLE as error:
            log.warning("could not check who is in a channel: %s", what_went_wrong(error))
            return False

    def is_admin(self, user: str) -> bool:
        """Is the member an administrator or owner of the workspace, or named as one?

        False where Slack does not say.
        """
        if user in self._admins:
            return True
        try:
            member = self._members.get(user)
        except SLACK_TROUBLE as error:
            log.warning("could not check who is an administrator: %s", what_went_wrong(error))
            return False
        roles = ("is_admin", "is_owner", "is_primary_owner")
        return self._is_member(member) and any(member.get(role) for role in roles)

    def name_of(self, user_id: str) -> str | None:
        """Return what a member is called, or None where Slack does not say."""
        try:
            member = self._members.get(user_id)
        except SLACK_TROUBLE:
            return None
        profile = member.get("profile") or {}
        return profile.get("display_name") or member.get("real_name") or member.get("name")

    def _is_member(self, member: Facts) -> bool:
        if member.get("is_stranger") or member.get("deleted") or member.get("is_bot"):
            return False
        if member.get("team_id") == self._me.team_id:
            return True
        enterprise = (member.get("enterprise_user") or {}).get("enterprise_id")
        return enterprise is not None and enterprise == self._me.enterprise_id


def _is_shared(channel: Facts) -> bool:
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


class _Kept:
    """Answers of Slack, kept for a while."""

    def __init__(self, ask: Callable[[str], Any]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, Facts]] = {}

    def get(self, key: str) -> Facts:
        now = time.monotonic()
        with self._lock:
            until, facts = self._known.get(key, (0.0, {}))
        if until > now:
            return facts
        fresh: Facts = self._ask(key)
        with self._lock:
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[key] = (now + KEPT_S, fresh)
        return fresh
