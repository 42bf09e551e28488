"""Puts a card where the person is waiting for it, whatever Slack says.

A card may be refused for its size, its message may be gone, the connection may break: there is
always something left to try, and the last is plain text. Where a connection breaks over a post,
nobody says whether it stands there; so each bears a mark, by which it is looked for before another
one is posted.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk import WebClient

from bot.clients import Clients
from bot.render import Card
from bot.slack_errors import (
    GONE,
    SLACK_TROUBLE,
    Remedy,
    error_code,
    is_hopeless,
    remedy_for,
    retry_after_s,
    was_not_taken,
    what_went_wrong,
)
from bot.store import Thread
from bot.streaming import STREAMING, change

log = logging.getLogger(__name__)

PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Between tries to deliver the last card, in seconds; longer where Slack asks for it."""
LONGEST_PAUSE_S = 90.0
MARK = "db_agent_message"
"""What the metadata of our messages is called. All apps and members can read it."""
CLOCKS_APART_S = 300.0
"""How far Slack's clock may be from ours, at most, in seconds."""
LOOKED_THROUGH = 200
"""The messages of a thread among which a post of unknown fate is looked for."""


def post_card(
    client: WebClient, card: Card, channel: str, *, thread_ts: str | None = None, mark: str = ""
) -> str:
    """Post a card, in a thread or not, and return its message's id. Raises one of SLACK_TROUBLE.

    By `mark`, if there is one, the message can be told from others later.
    """
    metadata = {"event_type": MARK, "event_payload": {"mark": mark}}
    answer = client.chat_postMessage(
        channel=channel,
        thread_ts=thread_ts,
        metadata=metadata if mark else None,
        blocks=card.blocks,
        text=card.text,
        unfurl_links=False,
        unfurl_media=False,
    )
    return str(answer["ts"])


class ThreadMessage:
    """A message in a thread: posted once, and edited from then on."""

    def __init__(
        self,
        clients: Clients,
        thread: Thread,
        *,
        ts: str | None = None,
        mark: str = "",
        posted_since: float | None = None,
    ) -> None:
        self._clients = clients
        self._thread = thread
        self._ts = ts
        self._is_only_here = ts is None
        """Nobody else knows the message: another may take its place."""
        self._mark = mark or uuid.uuid4().hex
        self._begun = time.time() if posted_since is None else posted_since
        self._may_stand = ts is None and posted_since is not None
        """A post broke off, and nobody has said since whether it stands there."""
        self._cannot_change = False
        """It is streamed, and Slack does not let us end that."""

    @property
    def ts(self) -> str | None:
        return self._ts

    def post(self, card: Card) -> None:
        if self._ts is not None:  # the place of an earlier answer
            self.edit(card)
            return
        try:
            self._post(card)
        except SLACK_TROUBLE as error:
            log.warning("could not post in %s: %s", self._thread.channel, what_went_wrong(error))
            if self._may_stand:
                self._look_for_it()

    def edit(self, card: Card) -> bool:
        """Change the message, if it is there; False where that is to be tried again."""
        if self._ts is None:
            return True
        try:
            self._clients.quick.chat_update(
                channel=self._thread.channel, ts=self._ts, blocks=card.blocks, text=card.text
            )
        except SLACK_TROUBLE as error:
            log.debug("a progress edit was left out: %s", what_went_wrong(error))
            self._clients.edits.rest(retry_after_s(error))
            return remedy_for(error) is not Remedy.AGAIN
        return True

    def finish(self, cards: Sequence[Card]) -> bool:
        left = [*cards, Card([], cards[-1].text)]
        pauses = list(PAUSES_S)
        while left:
            try:
                self._put(left[0])
            except SLACK_TROUBLE as error:
                remedy = remedy_for(error)
                log.warning(
                    "card in %s, try again %s: %s",
                    self._thread.channel,
                    remedy.value,
                    what_went_wrong(error),
                )
                if remedy is Remedy.SIMPLER:
                    left.pop(0)
                elif remedy is Remedy.AGAIN and pauses:
                    time.sleep(min(max(pauses.pop(0), retry_after_s(error)), LONGEST_PAUSE_S))
                elif not self._leave(error):
                    break
            else:
                return True
        log.error("no card could be delivered in %s", self._thread.channel)
        return False

    def _put(self, card: Card) -> None:
        if self._ts is None and self._may_stand:
            self._ts = self._find()
        if self._ts is None:
            self._post(card)
        else:
            self._change(card)

    def _change(self, card: Card) -> None:
        assert self._ts is not None, "only what is there can be changed"
        change(self._clients.patient, self._thread.channel, self._ts, card)

    def _leave(self, error: BaseException) -> bool:
        """Give the message up, for another one; False where that would not help.

        It is gone, cannot be changed any more, stays streamed whatever we do, or Slack refuses the
        change with a word that nobody here knows.
        """
        if self._ts is None or is_hopeless(error):
            return False
        code, remedy = error_code(error), remedy_for(error)
        stays_streamed = self._cannot_change or code == STREAMING
        is_strange = remedy is Remedy.NOTHING and self._is_only_here
        if not (stays_streamed or is_strange or remedy is Remedy.ANEW):
            return False
        if stays_streamed or (self._is_only_here and code != GONE):
            log.error("a message in %s stays as it is: the card is another", self._thread.channel)
            self._delete(self._ts)
        self._ts = None
        return True

    def _delete(self, ts: str) -> None:
        try:
            self._clients.quick.chat_delete(channel=self._thread.channel, ts=ts)
        except SLACK_TROUBLE as trouble:
            log.warning("and it could not be deleted: %s", what_went_wrong(trouble))

    def _post(self, card: Card) -> None:
        thread, client = self._thread, self._clients.patient
        try:
            self._ts = post_card(client, card, thread.channel, thread_ts=thread.ts, mark=self._mark)
        except SLACK_TROUBLE as error:
            self._may_stand = may_have_been_taken(error)
            raise

    def _look_for_it(self, *, is_over: bool = False) -> None:
        """Take up a first message that may stand there: the run may end without a last one.

        Unless its call `is_over`, what is not there may still be on its way.
        """
        self._may_stand = True
        try:
            self._ts = self._find()
        except SLACK_TROUBLE as error:
            log.warning("a post is not looked for yet: %s", what_went_wrong(error))
            return
        self._may_stand = self._ts is None and not is_over

    def _find(self) -> str | None:
        """Return the message of a post that broke off; None where there is none.

        Raises one of SLACK_TROUBLE as long as nobody says.
        """
        try:
            answer = self._clients.patient.conversations_replies(
                channel=self._thread.channel,
                ts=self._thread.ts,
                oldest=f"{self._begun - CLOCKS_APART_S:.6f}",
                limit=LOOKED_THROUGH,
                include_all_metadata=True,
            )
        except SLACK_TROUBLE as error:
            if remedy_for(error) is Remedy.AGAIN:
                raise
            # We may not look, so we shall never know: an answer twice beats none.
            log.warning("a post of unknown fate is repeated: %s", what_went_wrong(error))
            answer = {"messages": []}  # type: ignore[assignment]
        self._may_stand = False
        return next((str(each["ts"]) for each in answer["messages"] if self._is_ours(each)), None)

    def _is_ours(self, message: Mapping[str, Any]) -> bool:
        # A streamed message has no metadata; its steps are named by the mark.
        return self._mark in f"{message.get('metadata')}{message.get('blocks')}"


def may_have_been_taken(error: BaseException) -> bool:
    """Is it unknown whether Slack did what it was asked?"""
    return remedy_for(error) is Remedy.AGAIN and not was_not_taken(error)
