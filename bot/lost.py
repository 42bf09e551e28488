"""Tells of questions that were lost with the process that worked on them.

What Slack does not take now is tried again at the next look. Nobody waits here: whoever looks also
says what this process works on.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import Final

from slack_sdk.errors import SlackApiError

from bot.clients import Clients
from bot.delivery import LOOKED_THROUGH, post_card
from bot.links import NO_MESSAGE
from bot.render import Card, render_notice
from bot.render.counting import cost
from bot.running import Running
from bot.sessions import ACTIVE, set_status
from bot.slack_errors import SLACK_TROUBLE, Remedy, remedy_for, what_went_wrong
from bot.store import CutOff, Dropped, Store
from bot.streaming import change

log = logging.getLogger(__name__)

LOST: Final = "I was interrupted while I worked on {what}, and lost it. Please ask it again."
QUESTION: Final = "this question"
ASKED: Final = "what you asked with /ask"
MOST_TRIES: Final = 90
ONE_LOOK_S: Final = 15.0
"""How long one look may take over telling, in seconds."""


class LostQuestions:
    """The questions whose loss is still to be told."""

    def __init__(self, store: Store, clients: Clients, running: Running) -> None:
        self._store = store
        self._clients = clients
        self._running = running
        self._untold: dict[str, CutOff] = {}
        self._tries: Counter[str] = Counter()

    def add(self, cut_off: CutOff) -> None:
        """Take on a question that was lost."""
        self._untold[cut_off.run_id] = cut_off

    def tell(self) -> None:
        """Tell of what can be told now. Raises `StoreUnavailable`."""
        until = time.monotonic() + ONE_LOOK_S
        for cut_off in tuple(self._untold.values()):
            if time.monotonic() > until:
                break
            if self._is_done(cut_off):
                self._untold.pop(cut_off.run_id)
                self._tries.pop(cut_off.run_id, None)

    def _is_done(self, cut_off: CutOff) -> bool:
        run_id, is_first = cut_off.run_id, not self._tries[cut_off.run_id]
        if not is_first and self._store.left_off(run_id).is_dropped:
            return True  # another run may have taken its card meanwhile
        self._tries[run_id] += 1
        try:
            self._put(cut_off)
        except SLACK_TROUBLE as error:
            is_over = cut_off.dropped is not None or self._tries[run_id] >= MOST_TRIES
            if remedy_for(error) is Remedy.AGAIN and not is_over:
                log.warning("run %s: its loss is told later: %s", run_id, what_went_wrong(error))
                return False
            log.error("run %s: its card is left: %s", run_id, what_went_wrong(error))
        return True

    def _put(self, cut_off: CutOff) -> None:
        thread, asker = cut_off.question.thread, cut_off.question.asked_by
        if thread.ts.startswith(NO_MESSAGE):  # only the asker was to see it, and saw nothing yet
            post_card(self._clients.quick, _card(cut_off, ASKED), asker)
            return
        ts, card = cut_off.card_ts or self._find(cut_off), _card(cut_off, QUESTION)
        try:
            if ts is not None:
                change(self._clients.quick, thread.channel, ts, card)
        except SlackApiError as error:
            if remedy_for(error) is not Remedy.ANEW:
                raise
            ts = None
        if ts is None and cut_off.dropped is None:
            client, mark = self._clients.quick, cut_off.run_id
            post_card(client, card, thread.channel, thread_ts=thread.ts, mark=mark)
        if not self._running.ids_in(thread):
            set_status(self._clients.quick, thread, ACTIVE)

    def _find(self, cut_off: CutOff) -> str | None:
        """Return a message that was posted and not noted; its Stop button, or its mark, names it.

        Raises one of SLACK_TROUBLE as long as nobody says.
        """
        question = cut_off.question
        if cut_off.dropped is Dropped.EDITED:
            return None
        answer = self._clients.quick.conversations_replies(
            channel=question.thread.channel,
            ts=question.thread.ts,
            oldest=question.ts.removeprefix(NO_MESSAGE),
            limit=LOOKED_THROUGH,
            include_all_metadata=True,
        )
        named = (
            each
            for each in answer["messages"]
            if cut_off.run_id in f"{each.get('metadata')}{each.get('blocks')}"
        )
        return next((str(each["ts"]) for each in named), None)


def _card(cut_off: CutOff, what: str) -> Card:
    words, taken = LOST.format(what=what), cost(cut_off.cost_usd, cut_off.usage)
    return render_notice(f"{words} It had taken {taken}." if taken else words)
