"""Other people's clocks, noted in passing by the checks that talk to them."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

ClockName = str
"""Whose clock it is, as a sentence names it: "Slack"."""


class Clocks:
    """How far each server's clock is ahead of ours, in seconds; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ahead_s: dict[ClockName, float] = {}

    def note(self, whose: ClockName, at: float, asked: float) -> None:
        """Note that `whose` said `at` (seconds since 1970) to a call that began at `asked`."""
        with self._lock:
            self._ahead_s[whose] = at - (asked + time.time()) / 2

    def note_http(self, whose: ClockName, headers: Mapping[str, object], asked: float) -> None:
        """Note the `Date` of an answer over HTTP, which has whole seconds; none is no matter."""
        said = {name.lower(): value for name, value in headers.items()}.get("date", "")
        text = said[0] if isinstance(said, list) and said else said
        try:
            at = parsedate_to_datetime(str(text)).timestamp() + 0.5
        except (ValueError, OverflowError):
            return
        self.note(whose, at, asked)

    def ahead_s(self) -> dict[ClockName, float]:
        """Return what was noted: by whom, and by how many seconds it is ahead of us."""
        with self._lock:
            return dict(self._ahead_s)
