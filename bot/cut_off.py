"""Looks after questions whose process died: their cards must not say "working" for ever."""

from __future__ import annotations

import logging

from bot.clients import Clients
from bot.lost import LostQuestions
from bot.rounds import Rounds
from bot.running import Running
from bot.store import Store, StoreUnavailable

log = logging.getLogger(__name__)

EVERY_S = 20.0
UNSEEN_S = 75.0
"""A run that no process has renewed for so long is nobody's any more."""
UNRECORDED = "its end could not be written down in time"


class CutOffWatch:
    """A thread that renews our own runs, and ends those of processes that are gone."""

    def __init__(
        self, store: Store, clients: Clients, running: Running, team: str | None = None
    ) -> None:
        """`team` is the workspace whose runs are looked after; None: those of all."""
        self._store = store
        self._team = team
        self._running = running
        self._lost = LostQuestions(store, clients, running)
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
            self._renew()
            for cut_off in self._store.take_cut_off(unseen_s=UNSEEN_S, team=self._team):
                log.warning("run %s was cut off by the end of its process", cut_off.run_id)
                self._lost.add(cut_off)
            self._lost.tell()
        except StoreUnavailable as fault:
            log.warning("cut-off questions were not looked for: %s", fault.detail)

    def _renew(self) -> None:
        """Say what we work on, and end what is over: else its answer would be taken for lost."""
        unrecorded = self._running.unrecorded()
        for run_id, why in self._store.renew([*self._running.ids(), *unrecorded]).items():
            self._running.drop(run_id, why)  # another process was told of a change or deletion
        for run_id in unrecorded:
            self._store.turn_away(run_id, UNRECORDED, failed=True)
            self._running.has_been_recorded(run_id)
