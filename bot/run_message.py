"""The message of a run: its steps are streamed while it works, and it becomes the card.

A stream may be refused, and ends early: after five minutes, or when a person presses Slack's own
button. From then on the steps are edits of the message, as they are from the start where there is
no stream. The card is the same edit on every road.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from slack_sdk.errors import SlackApiError

from bot.clients import Clients
from bot.delivery import ThreadMessage, may_have_been_taken
from bot.render import Card, Working, as_card
from bot.render.stream import news, opening
from bot.sessions import ACTIVE, PROCESSING, SUSPENDED, set_status
from bot.slack_errors import (
    SLACK_TROUBLE,
    Remedy,
    error_code,
    remedy_for,
    retry_after_s,
    what_went_wrong,
)
from bot.store import Thread
from bot.streaming import ENDED, REFUSED_FORM

log = logging.getLogger(__name__)


class RunMessage(ThreadMessage):
    """A place for one question: a message in a thread that shows the steps of its run."""

    def __init__(
        self,
        clients: Clients,
        thread: Thread,
        *,
        asker: str,
        ts: str | None = None,
        mark: str = "",
        posted_since: float | None = None,
    ) -> None:
        """`asker` is for whom it is streamed; a message that is there already, `ts`, is edited.

        It bears the `mark`. One that somebody may have posted, since that time, and not noted is
        looked for by it.
        """
        super().__init__(clients, thread, ts=ts, mark=mark, posted_since=posted_since)
        self._is_only_here = True  # whoever gave it is told of another one
        self._asker = asker
        self._is_open = False
        self._shown: Working | None = None
        self._session = ""
        """What Slack takes the thread for since we streamed to it; "" where we did not."""
        self._ends_as = ACTIVE

    @property
    def stands_at(self) -> str | None:
        return self._ts

    @property
    def keeps_session(self) -> bool:
        return bool(self._session)

    def take(self) -> bool:
        allowed = self._clients.streams.appends if self._is_open else self._clients.edits
        return allowed.take()

    def begin(self, working: Working) -> None:
        if self._ts is None and self._may_stand:
            self._look_for_it(is_over=True)
        if self._ts is None and not self._may_stand and self._asker:
            self._start(working)
        if not self._is_open and not self._may_stand:
            self.post(as_card(working))

    def show(self, working: Working) -> bool:
        if self._is_open:
            came_through = self._append(working)
            if self._is_open:
                return came_through
        return self.edit(as_card(working))

    def finish(self, cards: Sequence[Card], *, waits: bool = False) -> bool:
        self._ends_as = SUSPENDED if waits else ACTIVE
        try:
            return super().finish(cards)
        finally:
            self._close()
            if self._session == PROCESSING:
                set_status(self._clients.quick, self._thread, self._ends_as)
                self._session = self._ends_as

    def _change(self, card: Card) -> None:
        if self._is_open:
            self._stop()
        super()._change(card)

    def _start(self, working: Working) -> None:
        """Begin a stream, where Slack lets us."""
        room = self._clients.streams
        if not room.take():
            return
        try:
            self._ts = self._streamed(working)
        except SLACK_TROUBLE as error:
            log.info("no stream in %s: %s", self._thread.channel, what_went_wrong(error))
            room.starts.rest(retry_after_s(error))
            if may_have_been_taken(error):
                # What Slack has answered, and is not there, will not come any more.
                self._look_for_it(is_over=isinstance(error, SlackApiError))
        if self._ts is None:
            room.give_back()
            return
        self._is_open, self._shown, self._session = True, working, PROCESSING

    def _streamed(self, working: Working) -> str:
        room = self._clients.streams
        try:
            return self._call(working, with_blocks=room.takes_blocks)
        except SlackApiError as error:
            if not room.takes_blocks or error_code(error) not in REFUSED_FORM:
                raise
            log.info("streams have no Stop button: %s", what_went_wrong(error))
            room.takes_blocks = False
            room.starts.take()
            return self._call(working, with_blocks=False)

    def _call(self, working: Working, *, with_blocks: bool) -> str:
        answer = self._clients.quick.chat_startStream(
            channel=self._thread.channel,
            thread_ts=self._thread.ts,
            recipient_user_id=self._asker,
            recipient_team_id=self._thread.team,
            task_display_mode="plan",
            chunks=opening(working, self._mark, with_blocks=with_blocks),
        )
        return str(answer["ts"])

    def _append(self, working: Working) -> bool:
        """Add what is new to the stream; False where that is to be tried again."""
        chunks = news(self._shown, working, self._mark)
        if not chunks or self._ts is None:
            return True
        try:
            self._clients.quick.chat_appendStream(
                channel=self._thread.channel, ts=self._ts, chunks=chunks
            )
        except SLACK_TROUBLE as error:
            log.debug("a step was not streamed: %s", what_went_wrong(error))
            if error_code(error) in ENDED:
                self._close()
            self._clients.streams.appends.rest(retry_after_s(error))
            return remedy_for(error) is not Remedy.AGAIN
        self._shown = working
        return True

    def _stop(self) -> None:
        """End the stream, so that the message can be edited. Raises what may pass."""
        assert self._ts is not None, "a stream has a message"
        self._cannot_change = False
        try:
            self._clients.patient.chat_stopStream(
                channel=self._thread.channel, ts=self._ts, session_status=self._ends_as
            )
        except SLACK_TROUBLE as error:
            if remedy_for(error) is Remedy.AGAIN:
                self._cannot_change = True
                raise
            log.info("a stream was over: %s", what_went_wrong(error))
        else:
            self._session = self._ends_as
        self._close()

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._clients.streams.give_back()
