"""Writes a run down while it goes on, so that another process can go on with it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.messages import Transition
from agent.protocols import Trail
from bot.running import Running
from bot.store import Hold, Store, StoreUnavailable

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Kept:
    number: int
    transition: Transition
    checkpoint: Mapping[str, Any]


class Keeping(Trail):
    """A trail that the store is told of. Where it is away, what is missing follows with the next.

    Raises `Lost` where the run is another process's by now: ours ends at once.
    """

    def __init__(self, store: Store, running: Running, run_id: str, hold: Hold) -> None:
        self._store = store
        self._running = running
        self._run_id = run_id
        self._hold = hold
        self._unwritten: list[_Kept] = []

    def record(self, transition: Transition) -> None:
        """What is kept has been told before."""

    def keep(self, number: int, transition: Transition, checkpoint: Mapping[str, Any]) -> None:
        self._unwritten.append(_Kept(number, transition, checkpoint))
        try:
            while self._unwritten:
                each = self._unwritten[0]
                ours = self._store.keep(
                    self._run_id, self._hold, each.number, each.transition, each.checkpoint
                )
                if not ours:
                    raise self._running.lose(self._run_id, self._hold)
                self._unwritten.pop(0)
        except StoreUnavailable as fault:
            log.warning("run %s is not written down yet: %s", self._run_id, fault.detail)

    def keep_part(self, number: int, checkpoint: Mapping[str, Any]) -> None:
        if self._unwritten:
            return  # a part of what is not there yet is of no use
        try:
            if not self._store.keep_part(self._run_id, self._hold, checkpoint):
                self._running.lose(self._run_id, self._hold)  # it ends with its phase
        except StoreUnavailable as fault:
            log.debug("part %s of run %s is not kept: %s", number, self._run_id, fault.detail)
