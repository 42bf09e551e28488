"""Addresses of messages, asked of Slack once each."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict

from slack_sdk import WebClient

from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import RunRecord

log = logging.getLogger(__name__)

KEPT = 2_000
NO_MESSAGE = "command "
"""How the name of a question begins that was answered for one person only: it has no message."""


class Links:
    """Where messages are; safe to share between threads."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], str] = OrderedDict()

    def to(self, channel: str, ts: str | None) -> str:
        """Return the address of a message; "" where there is none, or Slack does not say."""
        if not ts or ts.startswith(NO_MESSAGE):
            return ""
        with self._lock:
            known = self._known.get((channel, ts))
        if known is not None:
            return known
        try:
            answer = self._client.chat_getPermalink(channel=channel, message_ts=ts)
            address = str(answer["permalink"])
        except SLACK_TROUBLE as error:
            log.debug("no link to a message: %s", what_went_wrong(error))
            return ""
        with self._lock:
            self._known[channel, ts] = address
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return address

    def to_card(self, run: RunRecord) -> str:
        """Return the address of a run's card, or of its question."""
        return self.to(run.question.thread.channel, run.card_ts or run.question.ts)
