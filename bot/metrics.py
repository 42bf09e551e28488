"""How many runs ended how, since the process began."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Mapping

from agent.messages import Outcome

log = logging.getLogger(__name__)

BROKEN = "broken"
"""A question that never got a result, because our own code broke."""


class Metrics:
    """Counters of runs by their ending; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: Counter[str] = Counter()
        self._logged: Mapping[str, int] = {}

    def count(self, ending: Outcome | str) -> None:
        """One more run ended so."""
        with self._lock:
            self._runs[str(ending)] += 1

    def snapshot(self) -> dict[str, int]:
        """Return the counters as they are now, by ending."""
        with self._lock:
            return dict(sorted(self._runs.items()))

    def write_log(self) -> None:
        """Write one line to the log if anything has changed since the last one."""
        now = self.snapshot()
        with self._lock:
            if now == self._logged:
                return
            self._logged = now
        counts = " ".join(f"{ending}={number}" for ending, number in now.items())
        log.info("runs so far: %s", counts)
