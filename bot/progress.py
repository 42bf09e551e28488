"""Shows the steps of a run as they happen, without holding the run up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType

from agent.messages import Transition

EDIT_EVERY_S = 2.0
"""Slack counts edits: at most one in so many seconds."""


class Progress:
    """A trail whose steps are shown from a thread of its own while the block lasts.

    After the block nothing is shown any more, so that the last word is the card's.
    """

    def __init__(
        self, show: Callable[[Sequence[str]], None], *, every_s: float = EDIT_EVERY_S
    ) -> None:
        self._show = show
        self._every_s = every_s
        self._changed = threading.Condition()
        self._steps: list[str] = []
        self._shown = 0
        self._over = False
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)

    def record(self, transition: Transition) -> None:
        """Take note of a step. Never waits for Slack."""
        with self._changed:
            if transition.trigger and transition.trigger not in self._steps[-1:]:
                self._steps.append(transition.trigger)
                self._changed.notify_all()

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        not_before = 0.0
        while (steps := self._next(not_before)) is not None:
            self._show(steps)
            not_before = time.monotonic() + self._every_s

    def _next(self, not_before: float) -> list[str] | None:
        """Wait until there is something new and its time has come; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or len(self._steps) > self._shown)
            self._changed.wait_for(lambda: self._over, max(0.0, not_before - time.monotonic()))
            if self._over:
                return None
            self._shown = len(self._steps)
            return list(self._steps)
