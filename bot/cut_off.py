"""Looks after questions whose process died: their cards must not say "working" for ever."""

from __future__ import annotations

import logging

from bot.clients import Clients
from bot.render import render_notice
from bot.render.counting import cost
from bot.rounds import Rounds
from bot.running import Running
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import CutOff, Store, StoreUnavailable
from bot.streaming import change

log = logging.getLogger(__name__)

EVERY_S = 20.0
UNSEEN_S = 75.0
"""A run that no process has renewed for so long is nobody's any more."""
CUT_OFF = "I was interrupted while I worked on this question, and lost it. Please ask it again."


class CutOffWatch:
    """A thread that renews our own runs, and ends those of processes that are gone."""

    def __init__(
        self, store: Store, clients: Clients, running: Running, team: str | None = None
    ) -> None:
        """`team` is the workspace whose runs are looked after; None: those of all."""
        self._store = store
        self._team = team
        self._clients = clients
        self._running = running
        self._rounds = Rounds([self.look], every_s=EVERY_S)

    def start(self) -> None:
        """Look at once, and from then on now and again."""
        self._rounds.start()

    def stop(self) -> None:
        """End the thread and wait for it."""
        self._rounds.stop()

    def look(self) -> None:
        """Renew what is ours and end what is nobody's, once."""
        try:
            for run_id, why in self._store.renew(self._running.ids()).items():
                self._running.drop(run_id, why)  # another process was told of a change or deletion
            for cut_off in self._store.take_cut_off(unseen_s=UNSEEN_S, team=self._team):
                self._tell(cut_off)
        except StoreUnavailable as fault:
            log.warning("cut-off questions were not looked for: %s", fault.detail)

    def _tell(self, cut_off: CutOff) -> None:
        log.warning("run %s was cut off by the end of its process", cut_off.run_id)
        if cut_off.card_ts is None:
            return
        taken = cost(cut_off.cost_usd, cut_off.usage)
        card = render_notice(f"{CUT_OFF} It had taken {taken}." if taken else CUT_OFF)
        try:
            change(self._clients.patient, cut_off.channel, cut_off.card_ts, card)
        except SLACK_TROUBLE as error:
            log.error("run %s: its card is left: %s", cut_off.run_id, what_went_wrong(error))
