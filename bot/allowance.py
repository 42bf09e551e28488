"""How often Slack may be called for what could be left out, over all runs of one workspace."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Final, Protocol

EDITS_PER_MINUTE: Final = 30
"""Of all messages together: Slack takes about 50, and the cards themselves are edits too."""
STARTS_PER_MINUTE: Final = 10
MOST_OPEN: Final = 10
"""Streams at the same time. With the starts of a minute, no minute has more than 20 ends: Slack
takes about 20 starts and 20 ends."""
APPENDS_PER_MINUTE: Final = 80
"""Of all streams together; Slack takes about 100."""


class Permission(Protocol):
    """Says whether something may be done now."""

    def take(self) -> bool:
        """Use it once; False if it is used up for now."""


class Allowance:
    """So many times a minute, for all threads together."""

    def __init__(self, per_minute: int = EDITS_PER_MINUTE) -> None:
        self._per_minute = per_minute
        self._lock = threading.Lock()
        self._taken: deque[float] = deque()
        self._rests_until = 0.0

    def take(self) -> bool:
        """Use it once; False if it is used up for now."""
        now = time.monotonic()
        with self._lock:
            while self._taken and now - self._taken[0] >= 60:
                self._taken.popleft()
            if len(self._taken) >= self._per_minute or now < self._rests_until:
                return False
            self._taken.append(now)
            return True

    def rest(self, seconds: float) -> None:
        """Nothing may be taken for so long: Slack said so."""
        with self._lock:
            self._rests_until = max(self._rests_until, time.monotonic() + seconds)


class StreamRoom:
    """How many streams there may be, and how often they may be added to; shared by threads."""

    def __init__(self) -> None:
        self.starts = Allowance(STARTS_PER_MINUTE)
        self.appends = Allowance(APPENDS_PER_MINUTE)
        self.takes_blocks = True
        """False once Slack has refused a stream for the button in it; its pages disagree."""
        self._lock = threading.Lock()
        self._open = 0

    def take(self) -> bool:
        """Take the room of one stream; False if there is none. It has to be given back."""
        with self._lock:
            if self._open >= MOST_OPEN or not self.starts.take():
                return False
            self._open += 1
            return True

    def give_back(self) -> None:
        """A stream has ended, or was never begun."""
        with self._lock:
            self._open -= 1
