"""Shows the steps of a run as they happen, without holding the run up."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from types import TracebackType

from agent.messages import Transition

EDIT_EVERY_S = 2.0
"""Between two edits of one message, in seconds."""
EDITS_PER_MINUTE = 30
"""Of all messages together: Slack takes about 50, and the cards themselves are edits too."""


class Allowance:
    """So many times a minute, for all threads together."""

    def __init__(self, per_minute: int = EDITS_PER_MINUTE) -> None:
        self._per_minute = per_minute
        self._lock = threading.Lock()
        self._taken: deque[float] = deque()

    def take(self) -> bool:
        """Use it once; False if it is used up for now."""
        now = time.monotonic()
        with self._lock:
            while self._taken and now - self._taken[0] >= 60:
                self._taken.popleft()
            if len(self._taken) >= self._per_minute:
                return False
            self._taken.append(now)
            return True


class Progress:
    """A trail whose steps are shown from a thread of its own while the block lasts.

    After the block nothing is shown any more, so that the last word is the card's.
    """

    def __init__(
        self,
        show: Callable[[Sequence[str], Sequence[str]], None],
        allowance: Allowance,
        *,
        every_s: float = EDIT_EVERY_S,
    ) -> None:
        """`show` is given the steps so far, and the plan, () as long as there is none."""
        self._show = show
        self._allowance = allowance
        self._every_s = every_s
        self._changed = threading.Condition()
        self._steps: list[str] = []
        self._plan: Sequence[str] = ()
        self._shown = 0
        self._over = False
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)

    def record(self, transition: Transition) -> None:
        """Take note of a step. Never waits for Slack."""
        with self._changed:
            self._plan = transition.plan or self._plan
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
            if self._allowance.take():
                self._show(steps, self._plan)
                self._shown = len(steps)
            not_before = time.monotonic() + self._every_s

    def _next(self, not_before: float) -> list[str] | None:
        """Wait until there is something new and its time has come; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or len(self._steps) > self._shown)
            self._changed.wait_for(lambda: self._over, max(0.0, not_before - time.monotonic()))
            if self._over:
                return None
            return list(self._steps)
