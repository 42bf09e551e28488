"""The token of one workspace as this process knows it: kept good, and changed under the clients."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from bot.access import Access
from bot.installations.directory import Installed
from bot.installations.rotation import Outcome, Rotation, State
from bot.installations.seal import TokensUnreadable
from bot.store import StoreUnavailable

log = logging.getLogger(__name__)

LAST_MINUTE_S: Final = 60.0
"""A token that ends so soon is not used any more before a better one was looked for."""
AGAIN_AFTER_S: Final = 5.0
"""Between two looks that calls of Slack's ask for, in seconds."""
NO_MORE: Final = "its token cannot be renewed any more"


class WorkspaceKey:
    """Opens one workspace; safe to share between threads."""

    def __init__(
        self,
        installed: Installed,
        rotation: Rotation,
        access: Access,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._installed = installed
        self._rotation = rotation
        self._access = access
        self._now = now
        self.is_superseded = False
        """The bot that this is the key of has to be made anew: the app was installed again, or a
        workspace that was shut has a good token after all."""
        self._looking = threading.Lock()
        self._tried_at = float("-inf")

    def token(self) -> str:
        """Return the token for a call that is to be made now."""
        ends = self._installed.expires_at
        if ends is not None and ends - self._now() < LAST_MINUTE_S:
            self._look_soon()
        return self._installed.token

    def refused(self, token: str) -> bool:
        """Slack does not take `token`: is there another one by now?"""
        if self._installed.token == token:
            self._look_soon(refused=token)
        return self._installed.token != token

    def look(self) -> State:
        """Take the newest token, renewed where it is due; tell how the workspace stands.

        Raises `StoreUnavailable`, or `TokensUnreadable`.
        """
        with self._looking:
            return self._look().state

    def _look_soon(self, refused: str = "") -> None:
        """Look, unless that was done a moment ago; what goes wrong leaves all as it is."""
        with self._looking:
            is_renewed = refused and refused != self._installed.token  # by another thread
            if is_renewed or time.monotonic() - self._tried_at < AGAIN_AFTER_S:
                return
            self._tried_at = time.monotonic()
            try:
                self._look(refused)
            except (StoreUnavailable, TokensUnreadable) as fault:
                log.error("no newer token is to be had: %s", fault.detail or fault)

    def _look(self, refused: str = "") -> Outcome:
        outcome = self._rotation.newest(self._installed.team, refused=refused)
        found, ours = outcome.installed, self._installed
        if found is None:
            return outcome
        has_new_token = outcome.state is State.GOOD and found.token != ours.token
        is_shut = self._access.is_lost_for_good
        if found.installed_at != ours.installed_at or (has_new_token and is_shut):
            self.is_superseded = True
            return outcome
        self._installed = found
        if has_new_token:
            self._access.regain()
        if outcome.state is State.SHUT_OUT:
            self._access.lose(NO_MORE)
        return outcome
