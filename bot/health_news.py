"""Tells operators once when the bot can work no more, and once when it can again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

log = logging.getLogger(__name__)

SURE_AFTER_S: Final = 30.0
"""A trouble that is over so soon is nobody's news."""
QUIET_S: Final = 300.0
"""Between two messages that something is wrong, in seconds; what comes between is told with it."""


class HealthNews:
    """Looks now and again; one thread at a time."""

    def __init__(
        self,
        look: Callable[[], str],
        tell: Callable[[str], bool],
        *,
        sure_after_s: float = SURE_AFTER_S,
        quiet_s: float = QUIET_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`look` says what is wrong, "" for nothing; `tell` posts words, and says if they went out.

        What could not be posted is tried again with each look, as it then stands: where Slack
        itself was away, operators learn afterwards that it was.
        """
        self._look = look
        self._tell = tell
        self._sure_after_s = sure_after_s
        self._quiet_s = quiet_s
        self._clock = clock
        self._trouble, self._since = "", 0.0
        self._told, self._told_at = "", float("-inf")
        self._changes = 0
        self._is_logged = False

    def look(self) -> None:
        """Look once, and tell what is news."""
        now, trouble = self._clock(), self._look()
        if trouble and not self._trouble:
            self._since = now
            self._changes, self._is_logged = self._changes + 1, False
        if trouble:
            self._trouble = trouble
            self._red(now)
        elif self._trouble:
            self._green(now)

    @property
    def _more(self) -> str:
        """How often it changed since the last word, where that is more than once."""
        return f" It came {self._changes} times since my last word." if self._changes > 1 else ""

    def _red(self, now: float) -> None:
        if now - self._since < self._sure_after_s:
            return
        if not self._is_logged:
            log.error("no question is answered: %s", self._trouble)
            self._is_logged = True
        if self._told or now - self._told_at < self._quiet_s:
            return
        if self._tell(f"🔴 *I can answer no questions:* {self._trouble}.{self._more}"):
            self._told, self._told_at, self._changes = self._trouble, now, 0

    def _green(self, now: float) -> None:
        lasted = _lasted(now - self._since)
        if self._is_logged:
            log.warning("questions are answered again, after %s", lasted)
            self._is_logged = False
        is_news = self._told or (
            now - self._since >= self._sure_after_s and now - self._told_at >= self._quiet_s
        )
        if is_news:
            before = f"For {lasted} I could not: {self._trouble}.{self._more}"
            if not self._tell(f"🟢 *I answer questions again.* {before}"):
                return  # at the next look
            self._told_at, self._changes = now, 0
        self._trouble = self._told = ""


def _lasted(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"
