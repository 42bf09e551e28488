"""Tells of questions that were lost with the process that worked on them.

What Slack does not take now is tried again at the next look. Nobody waits here: whoever looks also
says what this process works on.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from slack_sdk.errors import SlackApiError

from bot.clients import Clients
from bot.delivery import LOOKED_THROUGH, post_card
from bot.links import NO_MESSAGE
from bot.render import Card, render_notice
from bot.render.buttons import WHY
from bot.render.counting import cost
from bot.running import Running
from bot.sessions import ACTIVE, set_status
from bot.slack_errors import SLACK_TROUBLE, Remedy, remedy_for, what_went_wrong
from bot.store import CutOff, Store
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
        message = self._message(cut_off)
        if not _is_answer(message):
            self._show(cut_off, cut_off.card_ts or message.get("ts"))
        if not self._running.ids_in(thread):
            set_status(self._clients.quick, thread, ACTIVE)

    def _show(self, cut_off: CutOff, ts: str | None) -> None:
        """Say it in the message `ts`; where there is none any more, in another one."""
        client, channel = self._clients.quick, cut_off.question.thread.channel
        card = _card(cut_off, QUESTION)
        try:
            if ts is not None:
                change(client, channel, ts, card)
                return
        except SlackApiError as error:
            if remedy_for(error) is not Remedy.ANEW:
                raise
        if cut_off.dropped is None:
            thread_ts = cut_off.question.thread.ts
            post_card(client, card, channel, thread_ts=thread_ts, mark=cut_off.run_id)

    def _message(self, cut_off: CutOff) -> Mapping[str, Any]:
        """Return the message of a run as it stands; {} for none, or where we may not look.

        One that was not noted is known by its Stop button, or by its mark: both name the run.
        Raises one of SLACK_TROUBLE as long as nobody says.
        """
        question, ts = cut_off.question, cut_off.card_ts
        try:
            answer = self._clients.quick.conversations_replies(
                channel=question.thread.channel,
                ts=question.thread.ts,
                oldest=ts or question.ts.removeprefix(NO_MESSAGE),
                inclusive=True,
                limit=LOOKED_THROUGH,
                include_all_metadata=True,
            )
        except SLACK_TROUBLE as error:
            if remedy_for(error) is Remedy.AGAIN:
                raise
            log.warning("the message of a lost question is not seen: %s", what_went_wrong(error))
            return {}
        found: Sequence[Mapping[str, Any]] = answer["messages"]
        ours = (each for each in found if _names(each, cut_off.run_id) or each["ts"] == ts)
        return next(ours, {})


def _names(message: Mapping[str, Any], run_id: str) -> bool:
    return run_id in f"{message.get('metadata')}{message.get('blocks')}"


def _is_answer(message: Mapping[str, Any]) -> bool:
    """Does the card of the run stand there already, whatever is written down of it?"""
    elements = [each for block in message.get("blocks", ()) for each in block.get("elements", ())]
    return any(each.get("action_id") == WHY for each in elements)


def _card(cut_off: CutOff, what: str) -> Card:
    words, taken = LOST.format(what=what), cost(cut_off.cost_usd, cut_off.usage)
    return render_notice(f"{words} It had taken {taken}." if taken else words)
