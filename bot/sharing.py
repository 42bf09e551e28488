"""Puts a private answer before everybody in the channel where it was asked, once.

The post bears a mark of its run. A connection that breaks over it, or a process that dies, leaves
nobody knowing whether it stands there; then it is looked for before another one is made.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.audience import NOT_INSIDE, UNKNOWN, Audience
from bot.clients import Clients
from bot.delivery import LOOKED_THROUGH, post_card
from bot.links import NO_MESSAGE, Links
from bot.render import Card
from bot.slack_errors import (
    SLACK_TROUBLE,
    Remedy,
    error_code,
    remedy_for,
    retry_after_s,
    what_went_wrong,
)
from bot.store import Question, RunRecord, SharingStatus, Store, StoreUnavailable

log = logging.getLogger(__name__)

PAUSES_S: Final = (0.5, 2.0, 4.0)
"""Between tries to post, in seconds; longer where Slack asks for it."""
LONGEST_PAUSE_S: Final = 30.0
NOT_A_MEMBER: Final = frozenset({"not_in_channel", "channel_not_found"})

INVITE: Final = (
    "I am no member of this conversation, so I cannot post in it. Invite me with /invite, and "
    "press Share again."
)
STRANGERS: Final = (
    "Somebody of another organisation reads along here, so a private answer is not shared."
)
NOT_YOURS: Final = "Only the one who asked can share a private answer."
NOT_HERE: Final = "This answer cannot be shared."
NO_CHANNEL: Final = "Nobody can post in this channel any more, so the answer cannot be shared."
SHARED: Final = "Shared with everybody in this channel."
ALREADY: Final = "It is shared already."
UNDER_WAY: Final = "It is being shared at this moment."
NO_WORD: Final = (
    "Slack did not say whether it took the answer. If it is not in the channel in a minute, press "
    "Share again."
)
NOT_TAKEN: Final = "Slack did not take the answer. Please press Share again in a moment."


@dataclass(frozen=True)
class Shared:
    """What became of a wish to share: words for the person, and the message if there is one."""

    words: str
    link: str = ""


class Sharing:
    """Shares private answers; safe to share between threads."""

    def __init__(self, store: Store, clients: Clients, audience: Audience, links: Links) -> None:
        self._store = store
        self._client = clients.patient
        self._audience = audience
        self._links = links

    def refusal(self, record: RunRecord, user: str) -> str | None:
        """Return why a member may not share a run, or None. Slack is asked anew who reads along."""
        asked = record.question
        if not asked.ts.startswith(NO_MESSAGE) or asked.thread.is_direct or not record.outcome:
            return NOT_HERE
        if user != asked.asked_by:
            return NOT_YOURS
        try:
            if self._audience.outsiders(asked.thread.channel) is not None:
                return STRANGERS
        except SLACK_TROUBLE as error:
            log.warning("nothing is shared unseen: %s", what_went_wrong(error))
            return INVITE if error_code(error) in NOT_A_MEMBER else UNKNOWN
        reason = self._audience.refusal(Question(asked.thread, asked.ts, user, ""))
        if reason is None and not self._audience.may_read(user, asked.thread.channel, anew=True):
            return NOT_INSIDE
        return reason

    def share(self, record: RunRecord, cards: Sequence[Card]) -> Shared:
        """Post the first of `cards` that Slack takes, from the whole one to the simplest.

        Raises `StoreUnavailable` where nothing was posted for want of our own record.
        """
        place = self._store.begin_share(record.id)
        if place.status is SharingStatus.DONE:
            return self._shared(record, place.ts or "", ALREADY)
        if place.status is SharingStatus.UNDER_WAY:
            return Shared(UNDER_WAY)
        try:
            is_left = place.status is SharingStatus.LEFT_BEHIND
            ts = (self._find(record) if is_left else None) or self._post(record, cards)
        except SLACK_TROUBLE as error:
            return self._given_up(record, error)
        try:
            self._store.end_share(record.id, ts)
        except StoreUnavailable as fault:  # whoever shares it next finds it by its mark
            log.error("run %s is shared, but not on record: %s", record.id, fault.detail)
        return self._shared(record, ts, SHARED)

    def _post(self, record: RunRecord, cards: Sequence[Card]) -> str:
        """Return the message that the answer is. Raises one of SLACK_TROUBLE."""
        thread = record.question.thread
        root = None if thread.ts.startswith(NO_MESSAGE) else thread.ts
        left, pauses = [*cards, Card([], cards[-1].text)], list(PAUSES_S)
        while True:
            try:
                mark = _mark(record)
                return post_card(self._client, left[0], thread.channel, thread_ts=root, mark=mark)
            except SLACK_TROUBLE as error:
                remedy = remedy_for(error)
                log.warning("an answer is not shared yet: %s", what_went_wrong(error))
                if remedy is Remedy.SIMPLER and len(left) > 1:
                    left.pop(0)
                    continue
                if remedy is not Remedy.AGAIN or not pauses:
                    raise
                time.sleep(min(max(pauses.pop(0), retry_after_s(error)), LONGEST_PAUSE_S))
                if found := self._find(record):
                    return found

    def _find(self, record: RunRecord) -> str | None:
        """Return the shared answer of a run, if it stands there. Raises one of SLACK_TROUBLE."""
        thread = record.question.thread
        given: dict[str, Any] = {"channel": thread.channel, "limit": LOOKED_THROUGH}
        given["include_all_metadata"] = True
        if not thread.ts.startswith(NO_MESSAGE):
            answer = self._client.conversations_replies(ts=thread.ts, **given)
        else:
            answer = self._client.conversations_history(**given)
        messages: Sequence[Mapping[str, Any]] = answer["messages"]
        return next((str(each["ts"]) for each in messages if _is_of(each, record)), None)

    def _given_up(self, record: RunRecord, error: BaseException) -> Shared:
        log.error("an answer was not shared: %s", what_went_wrong(error))
        if remedy_for(error) is Remedy.AGAIN and not error_code(error):
            return Shared(NO_WORD)  # it stays ours for a while; after that it is looked for
        self._store.drop_share(record.id)
        if error_code(error) in NOT_A_MEMBER:
            return Shared(INVITE)
        return Shared(NO_CHANNEL if error_code(error) == "is_archived" else NOT_TAKEN)

    def _shared(self, record: RunRecord, ts: str, words: str) -> Shared:
        return Shared(words, self._links.to(record.question.thread.channel, ts))


def _mark(record: RunRecord) -> str:
    return f"share {record.id}"


def _is_of(message: Mapping[str, Any], record: RunRecord) -> bool:
    payload = (message.get("metadata") or {}).get("event_payload") or {}
    return payload.get("mark") == _mark(record)
