"""A thread that sees to things now and again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

log = logging.getLogger(__name__)


class Rounds:
    """Calls each of its jobs every so often, one after the other, until it is stopped."""

    def __init__(self, jobs: Sequence[Callable[[], None]], *, every_s: float) -> None:
        """`every_s` is the pause between two rounds, in seconds; a job that raises loses a turn."""
        self._jobs = jobs
        self._every_s = every_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rounds", daemon=True)

    def start(self) -> None:
        """Go round at once, and from then on now and again."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread and wait for it."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            for job in self._jobs:
                try:
                    job()
                except Exception:
                    log.exception("a round broke")
            self._over.wait(self._every_s)
