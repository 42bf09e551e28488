"""Whether Slack still lets this app in: its token may be revoked, and the app be removed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

log = logging.getLogger(__name__)

INTO_THE_SETTINGS: Final = (
    "Install the app in the workspace, put its token into SLACK_BOT_TOKEN, and start the bot again."
)

REFUSALS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "invalid_auth": "Slack does not know its token",
        "not_authed": "Slack does not know its token",
        "token_expired": "its token has expired",
        "token_revoked": "its token was revoked",
        "account_inactive": "it was removed from the workspace",
    }
)
"""Slack's words for a token that opens nothing any more, whatever is called with it."""


class Access:
    """What is known of our way into Slack; safe to share between threads."""

    def __init__(self, name: str = "this app", cure: str = INTO_THE_SETTINGS) -> None:
        """For the log: whom Slack lets in, and what is to be done where it does not."""
        self._name = name
        self._cure = cure
        self._lock = threading.Lock()
        self._trouble = ""
        self._for_good = False
        self._when_lost: list[Callable[[], None]] = []

    @property
    def trouble(self) -> str:
        """Why Slack lets this app do nothing, as half a sentence; "" where it does."""
        with self._lock:
            return self._trouble

    @property
    def is_lost_for_good(self) -> bool:
        """Slack has told so itself: only a new installation helps."""
        with self._lock:
            return self._for_good

    def when_lost(self, job: Callable[[], None]) -> None:
        """Have something done each time that the way in is lost. Quick, and raises nothing."""
        with self._lock:
            self._when_lost.append(job)

    def refused(self, code: str) -> None:
        """Take in the error of a call; most say nothing of the token."""
        if code in REFUSALS:
            self._lose(REFUSALS[code], for_good=False)

    def lose(self, trouble: str) -> None:
        """Slack has told us that the app can do nothing any more."""
        self._lose(trouble, for_good=True)

    def regain(self) -> None:
        """A call has gone through; nothing changes where the way in is lost for good."""
        with self._lock:
            if not self._trouble or self._for_good:
                return
            self._trouble = ""
        log.warning("Slack lets %s in again", self._name)

    def _lose(self, trouble: str, *, for_good: bool) -> None:
        with self._lock:
            is_news = not self._trouble or (for_good and not self._for_good)
            if not is_news:
                return
            self._trouble, self._for_good = trouble, for_good
            jobs = tuple(self._when_lost)
        log.error(
            "Slack lets %s do nothing any more: %s. No question is answered. %s",
            self._name,
            trouble,
            self._cure,
        )
        for job in jobs:
            job()
