"""How long the line is and how long the oldest has waited, as the record has it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.store.errors import StoreUnavailable
from bot.store.line_store import Line
from bot.telemetry.instruments import PREFIX

FRESH_S: Final = 5.0
"""How long a look is believed, in seconds: however many ask, the record is asked seldom."""


class QueueMeasure(Collector):
    """Asks the record as the measures are read; where it is away, they are left out."""

    def __init__(
        self, look: Callable[[], Line], unfinished: Callable[[], int], fresh_s: float = FRESH_S
    ) -> None:
        """`unfinished` says how many questions this process works on."""
        self._look = look
        self._unfinished = unfinished
        self._fresh_s = fresh_s
        self._lock = threading.Lock()
        self._seen_at = float("-inf")
        self._seen: Line | None = None

    def describe(self) -> list[Metric]:
        """Say nothing beforehand: nobody asks the record before the measures are read."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the measures as they are now."""
        yield GaugeMetricFamily(
            f"{PREFIX}_questions_running", "Questions this process works on.", self._unfinished()
        )
        line = self._line()
        yield GaugeMetricFamily(
            f"{PREFIX}_store_up", "Whether the bot's own record answers.", float(line is not None)
        )
        if line is None:
            return
        yield GaugeMetricFamily(
            f"{PREFIX}_queue_questions", "Questions that wait, of all processes.", line.waiting
        )
        yield GaugeMetricFamily(
            f"{PREFIX}_queue_oldest_age_seconds",
            "How long the one has waited that waits longest; 0 where none does.",
            line.oldest_s,
        )

    def _line(self) -> Line | None:
        with self._lock:
            if time.monotonic() - self._seen_at > self._fresh_s:
                try:
                    self._seen = self._look()
                except StoreUnavailable:
                    self._seen = None
                self._seen_at = time.monotonic()
            return self._seen
