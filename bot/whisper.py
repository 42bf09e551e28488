"""An answer in a thread of a channel that only the one who asked sees."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from bot.clients import Clients
from bot.delivery import LONGEST_PAUSE_S, PAUSES_S, ThreadMessage
from bot.render import Card, Working, render_notice
from bot.render.messages import render_words
from bot.render.people import member
from bot.slack_errors import SLACK_TROUBLE, Remedy, remedy_for, retry_after_s, what_went_wrong
from bot.store import Thread

log = logging.getLogger(__name__)

ONLY_FOR = "Only {asker} gets to see my answer: an administrator has set that for this channel."
NOT_SHOWN = "I could not show the answer to the one who asked. Please ask me in a direct message."


class Whisper:
    """A place for one answer, of which the thread is told no more than that there is one.

    Slack shows such a message in a thread only once there is another one by us or by others; and
    it can neither be changed nor found again, so steps are not shown and it has no id.
    """

    ts = None
    keeps_session = False

    def __init__(
        self,
        clients: Clients,
        thread: Thread,
        asker: str,
        *,
        word_ts: str | None = None,
        mark: str = "",
        posted_since: float | None = None,
    ) -> None:
        """The thread has been told already in the message `word_ts`, if there is one."""
        self._clients = clients
        self._thread = thread
        self._asker = asker
        self._word = ThreadMessage(
            clients, thread, ts=word_ts, mark=mark, posted_since=posted_since
        )

    @property
    def stands_at(self) -> str | None:
        return self._word.ts

    def announce(self) -> None:
        """Tell the thread that there will be an answer, and for whom; once."""
        if self._word.ts is None:
            self._word.post(render_words(ONLY_FOR.format(asker=member(self._asker))))

    def take(self) -> bool:
        return True

    def begin(self, working: Working) -> None:
        self.announce()

    def show(self, working: Working) -> bool:
        return True

    def finish(self, cards: Sequence[Card], *, waits: bool = False) -> bool:
        self.announce()
        left = [*cards, Card([], cards[-1].text)]
        pauses = list(PAUSES_S)
        while left:
            try:
                self._put(left[0])
            except SLACK_TROUBLE as error:
                remedy = remedy_for(error)
                log.warning("answer for one person: %s", what_went_wrong(error))
                if remedy is Remedy.SIMPLER:
                    left.pop(0)
                elif remedy is Remedy.AGAIN and pauses:
                    time.sleep(min(max(pauses.pop(0), retry_after_s(error)), LONGEST_PAUSE_S))
                else:
                    break
            else:
                return True
        log.error("an answer for one person could not be shown in %s", self._thread.channel)
        self._word.finish([render_notice(NOT_SHOWN)])
        return False

    def _put(self, card: Card) -> None:
        self._clients.patient.chat_postEphemeral(
            channel=self._thread.channel,
            thread_ts=self._thread.ts,
            user=self._asker,
            blocks=card.blocks,
            text=card.text,
        )
