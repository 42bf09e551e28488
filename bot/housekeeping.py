"""Lets data age out now and again, whatever process comes first."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from bot.keep import Keep
from bot.render.counting import counted
from bot.store import Store, StoreUnavailable
from bot.store.retention import age_out

log = logging.getLogger(__name__)

EVERY_S: Final = 3600.0
"""Between two looks at what is old enough, in seconds; sooner where one had not time for all."""


class Housekeeping:
    """Looks in its own good time, however often it is asked to; one thread asks."""

    def __init__(
        self,
        store: Store,
        keep: Keep,
        *,
        every_s: float = EVERY_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._keep = keep
        self._every_s = every_s
        self._clock = clock
        self._next = clock()

    def look(self) -> None:
        """Let age out what is old enough, if it is time to."""
        if self._clock() < self._next:
            return
        try:
            gone = age_out(self._store, self._keep)
        except StoreUnavailable as fault:
            log.warning("nothing ages out now: %s", fault.detail)
            return
        if gone.results or gone.runs:
            results, runs = counted(gone.results, "result"), counted(gone.runs, "run")
            log.info("aged out: the rows of %s, %s", results, runs)
        if gone.is_over:
            self._next = self._clock() + self._every_s
