"""Channels that take nothing from us any more: archived, or we were put out of them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

log = logging.getLogger(__name__)

CLOSED: Final = frozenset({"is_archived", "is_inactive", "channel_not_found", "not_in_channel"})
"""Slack's words for a channel where we can put nothing, and change nothing that is there."""
SPEAKING: Final = "chat."
"""How the methods begin that need a channel to be open; others may ask about any channel."""


class Closings:
    """Tells whoever works for a channel that it is closed; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._when_closed: list[Callable[[str], None]] = []

    def when_closed(self, job: Callable[[str], None]) -> None:
        """Have something done with the id of each closed channel. Quick, and raises nothing."""
        with self._lock:
            self._when_closed.append(job)

    def refused(self, method: str, code: str, arguments: Mapping[str, Any]) -> None:
        """Take in the error of a call; most say nothing of the channel."""
        channel = arguments.get("channel")
        if code in CLOSED and method.startswith(SPEAKING) and channel:
            self.closed(str(channel))

    def closed(self, channel: str) -> None:
        """Say that a channel is closed to us."""
        log.debug("%s is closed to us", channel)
        with self._lock:
            jobs = tuple(self._when_closed)
        for job in jobs:
            job(channel)
