"""What one bot measures: how many runs ended how, and all that Prometheus may ask for."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping

from prometheus_client import generate_latest

from agent.messages import Outcome
from bot.store.line_store import Line
from bot.telemetry.instruments import Instruments
from bot.telemetry.queue_measure import QueueMeasure

log = logging.getLogger(__name__)

BROKEN = "broken"
"""A question that never got a result, because our own code broke."""


class Metrics:
    """The measures of one bot; safe to share between threads."""

    def __init__(self) -> None:
        self.instruments = Instruments()
        self._lock = threading.Lock()
        self._runs: Counter[str] = Counter()
        self._logged: Mapping[str, int] = {}

    def count(self, ending: Outcome | str) -> None:
        """One more run ended so."""
        self.instruments.ended.labels(str(ending)).inc()
        with self._lock:
            self._runs[str(ending)] += 1

    def watch_line(self, look: Callable[[], Line], unfinished: Callable[[], int]) -> None:
        """Tell of the line from now on; `unfinished` says what this process works on. Once."""
        self.instruments.registry.register(QueueMeasure(look, unfinished))

    def snapshot(self) -> dict[str, int]:
        """Return how many runs ended how by now."""
        with self._lock:
            return dict(sorted(self._runs.items()))

    def exposition(self) -> str:
        """Return all measures in Prometheus' text format."""
        return generate_latest(self.instruments.registry).decode()

    def write_log(self) -> None:
        """Write one line to the log if anything has changed since the last one."""
        now = self.snapshot()
        with self._lock:
            if now == self._logged:
                return
            self._logged = now
        counts = " ".join(f"{ending}={number}" for ending, number in now.items())
        log.info("runs so far: %s", counts)
