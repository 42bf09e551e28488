"""The last look before an answer is shown: who reads along may have changed since it was asked.

Each look begins after it was wished for, so nothing older is believed. Slack counts them, and lets
us wait where there are many: those who wish for one of the same channel meanwhile share the next.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from bot.closings import CLOSED
from bot.readers import Readers
from bot.slack_errors import (
    SLACK_TROUBLE,
    Remedy,
    error_code,
    level_of,
    remedy_for,
    retry_after_s,
    what_went_wrong,
)
from bot.slack_facts import Facts
from bot.store import Thread

log = logging.getLogger(__name__)

PAUSES_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Between tries to look, in seconds; longer where Slack asks for it."""
LONGEST_PAUSE_S: Final = 90.0
NOW: Final = "I do not show the answer that I found: since you asked, this has changed. {reason}"
NOT_KNOWN: Final = (
    "I could not check with Slack who reads along here now, so I do not show the answer that I "
    "found. Please ask again in a moment."
)


@dataclass
class _Look:
    before: _Look | None
    done: threading.Event = field(default_factory=threading.Event)
    says: Facts = field(default_factory=dict)
    error: Exception | None = None


class Looks:
    """Asks what stands for a key now, one look after the other; safe to share between threads."""

    def __init__(self, ask: Callable[[str], Facts]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._under_way: dict[str, _Look] = {}
        self._next: dict[str, _Look] = {}

    def get(self, key: str) -> Facts:
        """Return what a look says that begins from now on. Raises what the look raised."""
        with self._lock:
            look = self._next.get(key)
            is_ours = look is None
            if look is None:
                look = self._next[key] = _Look(self._under_way.get(key))
        if is_ours:
            self._take(key, look)
        look.done.wait()
        if look.error is not None:
            raise look.error
        return look.says

    def _take(self, key: str, look: _Look) -> None:
        if look.before is not None:
            look.before.done.wait()
            look.before = None
        with self._lock:  # whoever comes now wants a later one
            del self._next[key]
            self._under_way[key] = look
        try:
            look.says = self._ask(key)
        except Exception as error:
            look.error = error
        finally:
            with self._lock:
                if self._under_way.get(key) is look:
                    del self._under_way[key]
            look.done.set()


class LastLook:
    """Tells whether an answer may still be put where it was asked for."""

    def __init__(self, readers: Readers) -> None:
        """What is seen is known to `readers` from then on: a channel may be private by now."""
        self._readers = readers
        self._looks = Looks(lambda channel: readers.slack.channels.get(channel, anew=True))

    def objection(self, thread: Thread, *, asker_only: bool) -> str | None:
        """Return why an answer is not to be shown in a thread, or None.

        `asker_only`: nobody but the one who asked will see it; a channel that Slack tells us
        nothing of is then no hindrance. A channel that is closed to us is left to whoever posts.
        """
        if thread.is_direct:
            return None
        pauses = list(PAUSES_S)
        while True:
            try:
                reason = self._readers.refusal(thread.channel, self._looks.get(thread.channel))
            except SLACK_TROUBLE as error:
                log.log(
                    level_of(error),
                    "could not check who reads along now: %s",
                    what_went_wrong(error),
                )
                if asker_only or error_code(error) in CLOSED:
                    return None
                if remedy_for(error) is not Remedy.AGAIN or not pauses:
                    return NOT_KNOWN
                time.sleep(min(max(pauses.pop(0), retry_after_s(error)), LONGEST_PAUSE_S))
            else:
                return None if reason is None else NOW.format(reason=reason)
