"""Looks after the runs of this process: whose they are, and what others want of them."""

from __future__ import annotations

import logging
from typing import Final

from bot.rounds import Rounds
from bot.running import Running
from bot.store import Store, StoreUnavailable

log = logging.getLogger(__name__)

EVERY_S: Final = 1.0
"""A run that is stopped from another process hears of it within so long, in seconds."""


class RunWatch:
    """A thread that asks the store about our own runs, as long as there are any."""

    def __init__(self, store: Store, running: Running, every_s: float = EVERY_S) -> None:
        self._store = store
        self._running = running
        self._rounds = Rounds([self.look], every_s=every_s)

    def start(self) -> None:
        """Look from now on."""
        self._running.have_looked()
        self._rounds.start()

    def stop(self) -> None:
        """End the thread and wait for it."""
        self._rounds.stop()

    def look(self) -> None:
        """Do what others want of our runs, and stop those that are another process's, once.

        While the store is away nobody can have taken them; but a process that stood still is sure
        of nothing before the store has answered.
        """
        ours = self._running.ids()
        try:
            wishes = self._store.renew(ours, self._running.owner) if ours else {}
        except StoreUnavailable as fault:
            log.debug("our runs were not looked at: %s", fault.detail)
            if self._running.has_slept:
                return
        else:
            for run_id in ours:
                if run_id in wishes:
                    self._running.heed(run_id, wishes[run_id])
                elif (run := self._running.find(run_id)) is not None:
                    log.warning("run %s is another process's by now", run_id)
                    self._running.lose(run_id, run.hold)
        self._running.have_looked()
